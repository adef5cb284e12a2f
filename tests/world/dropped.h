// A solid block dropped on the ground through a World, and what is said of it: for a short test and a long one.
#pragma once

#include <algorithm>
#include <cmath>

#include "pliant/bodies/best_rotation.h"
#include "pliant/bodies/fem.h"
#include "tests/world/support.h"

namespace pliant {

struct DropSettings {
  ElasticMaterial material;
  double tilt = 0;    // radians
  double height = 0;  // m, of its lowest vertex
  double seconds = 15;
  double size = 0.2;  // m
  int cells = 4;
  double friction = 0.5;
  FemIntegrator integrator = FemIntegrator::automatic;
};

struct DropOutcome {
  bool ok = true;
  double seconds = 0;  // simulated
  bool asleep = false;
  std::size_t inverted = 0;       // at the end
  std::size_t most_inverted = 0;  // at the end of a frame
  double gained = 0;              // of the drop energy: the most above an earlier minimum
  int gained_at = 0;              // frame
  double off_equilibrium = 0;     // of its size: the farthest vertex from gravity equilibrium, rigidly aligned
  double speed = 0;               // m/s, largest at the end
};

inline double total_energy(const BodyModel& body) {
  return body.kinetic_energy() + body.potential_energy() + body.gravitational_energy();
}

// The farthest that a node is from where it is in `other`, after the best rigid motion.
inline double apart_after_alignment(std::span<const Vec3> x, std::span<const Vec3> other) {
  const std::vector<double> equal(x.size(), 1);
  const Eigen::Matrix3d turn = best_rotation(other, x, equal);
  const Vec3 from = weighted_centre(other, equal), to = weighted_centre(x, equal);
  double apart = 0;
  for (std::size_t i = 0; i < x.size(); ++i) apart = std::max(apart, (turn * (other[i] - from) + to - x[i]).norm());
  return apart;
}

// Where the body comes to rest if it is laid down gently as it lies in `pose`, on the footprint that it has there
// (friction leaves many equilibria, one for each footprint): all velocities are taken away whenever kinetic energy has
// a peak.
inline std::vector<Vec3> gravity_equilibrium(const FemSettings& fem, const TetMeshPtr& mesh,
                                             std::span<const Vec3> pose) {
  constexpr double kSole = 2e-3, kHolding = 100;
  FemBody body(mesh, fem);
  BodyState state = body.snapshot();
  const std::vector<double> equal(state.positions.size(), 1);
  const Eigen::Matrix3d turn = best_rotation(state.positions, pose, equal);
  const Vec3 from = weighted_centre(state.positions, equal), to = weighted_centre(pose, equal);
  double lowest = 1e300;
  for (const Vec3& x : pose) lowest = std::min(lowest, x.z());
  for (std::size_t i = 0; i < pose.size(); ++i) {
    Vec3& x = state.positions[i];
    x = turn * (x - from) + to - Vec3(0, 0, lowest);
    const bool in_sole = i < body.positions().size() && pose[i].z() < lowest + kSole;
    if (in_sole) x = pose[i] - Vec3(0, 0, lowest);
    else x.z() = std::max(x.z(), 0.0);
  }
  body.restore(state);
  double before = 0;
  for (int k = 0, peaks = 0; k < 6000 && peaks < 15; ++k) {
    std::vector<SurfaceConstraint> floor;
    for (std::uint32_t i = 0; i < body.positions().size(); ++i)
      if (body.positions()[i].z() < 0.02)
        floor.push_back(
            {.vertices = {VertexId(i)}, .weights = {1, 0, 0}, .normal = Vec3::UnitZ(), .friction = kHolding});
    const Prediction p = body.predict(1.0 / 480, floor);
    body.commit(p.positions, p.velocities);
    if (body.kinetic_energy() < before) {
      BodyState still = body.snapshot();
      for (Vec3& v : still.velocities) v = Vec3::Zero();
      body.restore(still);
      ++peaks;
    }
    before = body.kinetic_energy();
  }
  return body.snapshot().positions;
}

inline DropOutcome drop(const DropSettings& settings) {
  FemSettings fem;
  fem.material = settings.material;
  fem.integrator = settings.integrator;
  const int n = settings.cells;
  const auto mesh = make_tet_box({.size = Vec3::Constant(settings.size), .cells = Eigen::Vector3i::Constant(n)});
  auto model = std::make_unique<FemBody>(mesh, fem);
  BodyState state = model->snapshot();
  double lowest = 1e300;
  for (Vec3& x : state.positions) {
    x = rigid({1, 0.4, 0}, settings.tilt) * x;
    lowest = std::min(lowest, x.z());
  }
  for (Vec3& x : state.positions) x.z() += settings.height - lowest;
  model->restore(state);
  double mass = 0;
  for (const double m : model->node_masses()) mass += m;
  const double drop_energy = mass * 9.81 * settings.height;

  World world;
  // Wide enough for what bounces away.
  world.add(std::make_unique<FixedBody>(placed(make_box({.size = {40, 40, 0.1}}), {0, 0, -0.05})),
            {"ground", {settings.friction, 0}, true});
  const BodyId block = world.add(std::move(model), {"block", {settings.friction, 0}, true});
  const auto& body = dynamic_cast<const FemBody&>(world.body(block));
  DropOutcome outcome;
  double least = total_energy(body);
  for (int frame = 1; frame <= static_cast<int>(60 * settings.seconds) && !outcome.asleep; ++frame) {
    outcome.ok = outcome.ok && world.step().ok();
    if (!outcome.ok) break;
    const double gained = (total_energy(body) - least) / drop_energy;
    if (gained > outcome.gained) {
      outcome.gained = gained;
      outcome.gained_at = frame;
    }
    least = std::min(least, total_energy(body));
    outcome.most_inverted = std::max(outcome.most_inverted, body.condition().inverted_elements);
    outcome.asleep = world.asleep(block);
    outcome.seconds = frame / 60.0;
  }
  outcome.inverted = body.condition().inverted_elements;
  for (const Vec3& v : body.velocities()) outcome.speed = std::max(outcome.speed, v.norm());
  const std::vector<Vec3> end = body.snapshot().positions;
  outcome.off_equilibrium = apart_after_alignment(end, gravity_equilibrium(fem, mesh, end)) / settings.size;
  return outcome;
}

}  // namespace pliant
