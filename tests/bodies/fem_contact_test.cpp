// Contacts inside the solve of FEM bodies: weight, friction, impacts.
#include <gtest/gtest.h>
#include <cmath>

#include "pliant/bodies/fem.h"
#include "pliant/core/rigid.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

constexpr double kShort = 1.0 / 480;
constexpr FemIntegrator kBothSolvers[] = {FemIntegrator::vertex_descent, FemIntegrator::conjugate_gradients};

// z >= 0 for every surface vertex that comes near.
std::vector<SurfaceConstraint> floor_below(const BodyModel& body, double friction,
                                           const Vec3& velocity = Vec3::Zero()) {
  std::vector<SurfaceConstraint> limits;
  for (std::uint32_t i = 0; i < body.positions().size(); ++i)
    if (body.positions()[i].z() + kShort * body.velocities()[i].z() < 0.01)
      limits.push_back({.vertices = {VertexId(i)},
                        .weights = {1, 0, 0},
                        .normal = Vec3::UnitZ(),
                        .velocity = velocity,
                        .friction = friction});
  return limits;
}

// Takes short steps on the floor; returns the impulse received.
Vec3 run_on_floor(BodyModel& body, double seconds, double friction, const Vec3& velocity = Vec3::Zero()) {
  Vec3 impulse = Vec3::Zero();
  for (int k = 0; k < static_cast<int>(seconds / kShort + 0.5); ++k) {
    const Prediction p = body.predict(kShort, floor_below(body, friction, velocity));
    EXPECT_TRUE(p.status.ok());
    for (const Vec3& one : p.impulses) impulse += one;
    body.commit(p.positions, p.velocities);
  }
  return impulse;
}

void place(BodyModel& body, const RigidTransform& where) {
  BodyState state = body.snapshot();
  double lowest = 1e300;
  for (Vec3& x : state.positions) {
    x = where * x;
    lowest = std::min(lowest, x.z());
  }
  for (Vec3& x : state.positions) x.z() += where.translation.z() - lowest;
  body.restore(state);
}

double mass_of(const BodyModel& body) {
  double sum = 0;
  for (const double m : body.node_masses()) sum += m;
  return sum;
}
Vec3 velocity_of(const BodyModel& body) {
  Vec3 sum = Vec3::Zero();
  const BodyState state = body.snapshot();
  for (std::size_t i = 0; i < state.velocities.size(); ++i) sum += body.node_masses()[i] * state.velocities[i];
  return sum / mass_of(body);
}
double energy_of(const BodyModel& body) {
  return body.kinetic_energy() + body.potential_energy() + body.gravitational_energy();
}

FemBody flat_block(FemIntegrator integrator, const Vec3& gravity, double young = 1e5) {
  return FemBody(make_tet_box({.size = {0.2, 0.2, 0.05}, .cells = {4, 4, 1}}),
                 {.material = ElasticMaterial{.young = young, .poisson = 0.3, .density = 1000}.with_damping(0.01),
                  .integrator = integrator,
                  .gravity = gravity});
}

TEST(FemContact, ABodyAtRestIsCarriedByItsWeight) {
  for (const FemIntegrator integrator : kBothSolvers) {
    FemBody body = flat_block(integrator, {0, 0, -9.81});
    place(body, rigid({0, 0, 1}, 0, {0, 0, 0}));
    run_on_floor(body, 1, 0.5);
    const Vec3 impulse = run_on_floor(body, 1, 0.5);
    EXPECT_NEAR(impulse.z(), mass_of(body) * 9.81, 1e-3 * mass_of(body) * 9.81);
    EXPECT_LT(impulse.head<2>().norm(), 1e-3 * mass_of(body));
    EXPECT_LT(largest(body.velocities()), 1e-3);
  }
}

// How far off the floor's impulses are from the momentum that the body gained: rounding.
TEST(FemContact, ImpulsesAreTheMomentumThatWasGained) {
  for (const FemIntegrator integrator : kBothSolvers) {
    FemBody body = flat_block(integrator, {1, 0, -9.81});
    place(body, rigid({1, 0.3, 0}, 0.4, {0, 0, 0.05}));
    Vec3 gained = Vec3::Zero(), weight = Vec3::Zero();
    const Vec3 before = velocity_of(body);
    const Vec3 impulse = run_on_floor(body, 0.5, 0.4);
    gained = mass_of(body) * (velocity_of(body) - before);
    weight = mass_of(body) * Vec3(1, 0, -9.81) * 0.5;
    EXPECT_LT((gained - weight - impulse).norm(), 1e-5 * impulse.norm());
  }
}

double slide_speed(FemIntegrator integrator, double degrees, double friction, double young) {
  const double angle = degrees * kPi / 180;
  FemBody body = flat_block(integrator, {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)}, young);
  place(body, rigid({0, 0, 1}, 0, {0, 0, 0}));
  run_on_floor(body, 0.25, friction);
  const double before = velocity_of(body).x();
  run_on_floor(body, 0.5, friction);
  return (velocity_of(body).x() - before) / 0.5;
}

TEST(FemContact, SlidesAndSticksOnASlopeAsCoulombSays) {
  for (const FemIntegrator integrator : kBothSolvers) {
    for (const double young : {2e4, 1e6}) {
      if (integrator == FemIntegrator::vertex_descent && young > 1e5) continue;  // would not be chosen
      for (const double friction : {0.0, 0.3, 0.5}) {
        const double angle = 35 * kPi / 180;
        const double expected = 9.81 * (std::sin(angle) - friction * std::cos(angle));
        EXPECT_NEAR(slide_speed(integrator, 35, friction, young), expected, 0.03 * expected) << friction;
      }
      EXPECT_LT(std::abs(slide_speed(integrator, 15, 0.5, young)), 1e-3);
    }
  }
}

TEST(FemContact, AMovingFloorTakesABodyAlong) {
  FemBody body = flat_block(FemIntegrator::vertex_descent, {0, 0, -9.81});
  place(body, rigid({0, 0, 1}, 0, {0, 0, 0}));
  run_on_floor(body, 0.3, 0.5);
  const Vec3 impulse = run_on_floor(body, 0.1, 0.5, {2, 0, 0});
  EXPECT_NEAR(velocity_of(body).x(), 0.5 * 9.81 * 0.1, 0.03 * 0.49);
  EXPECT_NEAR(impulse.x(), 0.5 * 9.81 * 0.1 * mass_of(body), 0.03 * 0.49 * mass_of(body));
  run_on_floor(body, 1, 0.5, {2, 0, 0});
  EXPECT_NEAR(velocity_of(body).x(), 2, 0.02);
}

// The points of contact are within its faces: centres, each of three vertices.
TEST(FemContact, RestsOnPointsOfItsFaces) {
  for (const FemIntegrator integrator : kBothSolvers) {
    FemBody body = flat_block(integrator, {0, 0, -9.81});
    place(body, rigid({0, 0, 1}, 0, {0, 0, 0}));
    Vec3 impulse = Vec3::Zero();
    for (int k = 0; k < 960; ++k) {
      std::vector<SurfaceConstraint> limits;
      for (const Triangle& face : body.mesh()->triangles()) {
        double highest = 0;
        for (const VertexId v : face) highest = std::max(highest, body.positions()[v.index()].z());
        if (highest < 0.02)
          limits.push_back({.vertices = {face[0], face[1], face[2]},
                            .weights = {0.5, 0.25, 0.25},
                            .normal = Vec3::UnitZ(),
                            .friction = 0.5});
      }
      ASSERT_GT(limits.size(), 20u);
      const Prediction p = body.predict(kShort, limits);
      ASSERT_TRUE(p.status.ok());
      for (const Vec3& one : p.impulses)
        if (k >= 480) impulse += one;
      body.commit(p.positions, p.velocities);
    }
    EXPECT_NEAR(impulse.z(), mass_of(body) * 9.81, 0.01 * mass_of(body) * 9.81);
    EXPECT_LT(largest(body.velocities()), 5e-3);
    for (const Vec3& x : body.positions()) EXPECT_GT(x.z(), -5e-3);
  }
}

TEST(FemContact, ImpactsNeverAddEnergy) {
  for (const NamedElasticMaterial& named : elastic_materials()) {
    for (const double tilt : {0.0, 0.45}) {
      FemBody body(make_tet_box({.size = {0.2, 0.2, 0.2}, .cells = {4, 4, 4}}), {.material = named.material});
      place(body, rigid({1, 0.4, 0}, tilt, {0, 0, 0.02}));
      BodyState state = body.snapshot();
      for (Vec3& v : state.velocities) v = Vec3(0, 0, -std::sqrt(2 * 9.81 * 0.6));
      body.restore(state);
      const double drop = body.kinetic_energy();
      double least = energy_of(body);
      for (int frame = 0; frame < 20; ++frame) {
        run_on_floor(body, 1.0 / 60, 0.5);
        EXPECT_LT(energy_of(body), least + 1e-3 * drop) << named.name << " tilted by " << tilt << ", frame " << frame;
        least = std::min(least, energy_of(body));
      }
      EXPECT_LT(least, energy_of(body) + drop);
    }
  }
}

}  // namespace
}  // namespace pliant
