// What contacts that act within the solves of bodies have to keep to: restitution, friction, momentum.
#include <gtest/gtest.h>

#include "pliant/bodies/materials.h"
#include "pliant/bodies/pressure_materials.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

std::unique_ptr<BodyModel> solid_plate(const ElasticMaterial& material, const Vec3& gravity, double above) {
  FemSettings fem;
  fem.gravity = gravity;
  fem.material = material;
  auto model = std::make_unique<FemBody>(make_tet_box({.size = {0.2, 0.2, 0.05}, .cells = {4, 4, 1}}), fem);
  BodyState state = model->snapshot();
  for (Vec3& x : state.positions) x.z() += 0.025 + above;
  model->restore(state);
  return model;
}

// The vertices of body 1 that something touched, and what pushed them.
struct TouchedVertices : WorldObserver {
  explicit TouchedVertices(std::size_t count) : touched(count, false) {}
  void piece(const World&, double) override {}
  void contact(const World&, const WorldContact& contact) override {
    for (const Feature& f : {contact.impact.contact.a, contact.impact.contact.b})
      if (f.body == BodyId(1) && f.kind == FeatureKind::vertex) touched[f.id] = true;
  }
  std::vector<bool> touched;
};

struct Bounce {
  double before = 0, after = 0;  // m/s along the normal, the mean of the vertices that touch
};

constexpr double kImpact = 0.5;  // m/s: what approaches more slowly lies there already

// In frames that are as short as the steps at which contacts act, so that nothing else happens in the one of impact.
Bounce bounce(std::unique_ptr<BodyModel> model, double restitution, double frame_seconds) {
  WorldSettings settings;
  settings.frame_seconds = frame_seconds;
  settings.sleep.enabled = false;
  World world(settings);
  world.add(ground(), {"ground", {0, restitution}, true});
  const BodyId id = world.add(std::move(model), {"body", {0, restitution}, true});
  const BodyModel& body = world.body(id);
  Bounce result;
  for (int k = 0; k < 400; ++k) {
    const std::vector<Vec3> before(body.velocities().begin(), body.velocities().end());
    TouchedVertices seen(before.size());
    const FrameReport report = world.step({}, &seen);
    EXPECT_TRUE(report.ok()) << report.message;
    double count = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (!seen.touched[i] || before[i].z() > -kImpact) continue;
      result.before += before[i].z();
      result.after += body.velocities()[i].z();
      ++count;
    }
    if (count == 0) continue;
    result.before /= count;
    result.after /= count;
    return result;
  }
  ADD_FAILURE() << "nothing touched";
  return result;
}

TEST(ContactLaws, VerticesOfSolidsPartAsFastAsRestitutionSays) {
  for (const NamedElasticMaterial& named : elastic_materials())
    for (const double restitution : {0.0, 0.5, 1.0}) {
      auto plate = solid_plate(named.material, Vec3::Zero(), 0.03);
      BodyState state = plate->snapshot();
      for (Vec3& v : state.velocities) v = Vec3(0, 0, -2);
      plate->restore(state);
      const Bounce hit = bounce(std::move(plate), restitution, 1.0 / 480);
      EXPECT_NEAR(hit.before, -2, 1e-3) << named.name;
      EXPECT_NEAR(hit.after, -restitution * hit.before, 0.05 * 2) << named.name << ", restitution " << restitution;
    }
}

// Frames are so short that springs and gas, which push back at once, hardly change a speed in the one of impact. (What
// comes down has not the speed of the ball: springs on a coarse ball carry its pressure on the whole, not vertex by
// vertex.)
TEST(ContactLaws, VerticesOfGasBodiesPartAsFastAsRestitutionSays) {
  for (const NamedPressureMaterial& named : pressure_materials())
    for (const double restitution : {0.0, 0.5, 1.0}) {
      auto ball = std::make_unique<PressureBody>(placed(make_icosphere({.radius = 0.1, .frequency = 4}), {0, 0, 0.105}),
                                                 PressureSettings{.material = named.material, .gravity = Vec3::Zero()});
      BodyState state = ball->snapshot();
      for (Vec3& v : state.velocities) v = Vec3(0, 0, -2);
      ball->restore(state);
      const Bounce hit = bounce(std::move(ball), restitution, 1.0 / 19'200);
      EXPECT_NEAR(hit.after, -restitution * hit.before, -0.05 * hit.before)
          << named.name << ", restitution " << restitution;
    }
}

// The acceleration along a slope of a plate, m/s^2, after it has settled on it.
double slide(const MeshPtr& slope, const ElasticMaterial& material, double degrees, double friction) {
  WorldSettings settings;
  settings.method = "swept-bvh";
  settings.sleep.enabled = false;
  World world(settings);
  const Vec3 gravity(9.81 * std::sin(degrees * kDegree), 0, -9.81 * std::cos(degrees * kDegree));
  world.add(std::make_unique<FixedBody>(slope), {"slope", {friction, 0}, true});
  const BodyId plate = world.add(solid_plate(material, gravity, 0.0025), {"plate", {friction, 0}, true});
  const auto speed = [&] {
    const BodyState state = world.body(plate).snapshot();
    double sum = 0, mass = 0;
    for (std::size_t i = 0; i < state.velocities.size(); ++i) {
      sum += world.body(plate).node_masses()[i] * state.velocities[i].x();
      mass += world.body(plate).node_masses()[i];
    }
    return sum / mass;
  };
  constexpr int kSettle = 15, kFrames = 30;
  double before = 0;
  for (int k = 0; k < kSettle + kFrames; ++k) {
    const FrameReport report = world.step();
    EXPECT_TRUE(report.ok()) << report.message;
    EXPECT_EQ(report.zones, 0U);
    if (k + 1 == kSettle) before = speed();
  }
  return (speed() - before) / (kFrames / 60.0);
}

TEST(ContactLaws, SolidsSlideAndStickAsCoulombSaysOnCoarseAndFineGround) {
  const MeshPtr coarse = placed(make_box({.size = {8, 4, 0.1}}), {0, 0, -0.05});
  const MeshPtr fine = make_grid({.width = 4, .depth = 4, .columns = 120, .rows = 120});
  for (const char* preset : {"silicone", "foam"})
    for (const auto& [name, slope] : {std::pair("coarse", coarse), {"fine", fine}}) {
      const ElasticMaterial material = elastic_material(preset);
      for (const double friction : {0.0, 0.3, 0.5}) {
        const double expected = 9.81 * (std::sin(35 * kDegree) - friction * std::cos(35 * kDegree));
        EXPECT_NEAR(slide(slope, material, 35, friction), expected, 0.03 * expected)
            << preset << ' ' << name << ", friction " << friction;
      }
      EXPECT_LT(std::abs(slide(slope, material, 15, 0.5)), 5e-3) << preset << ' ' << name;
    }
}

struct Drift {
  Vec3 momentum = Vec3::Zero();
  double scale = 0;  // sum of m |v|
};
Drift momentum_of_all(const BodyModel& body) {
  const BodyState state = body.snapshot();
  Drift sum;
  for (std::size_t i = 0; i < state.velocities.size(); ++i) {
    sum.momentum += body.node_masses()[i] * state.velocities[i];
    sum.scale += body.node_masses()[i] * state.velocities[i].norm();
  }
  return sum;
}

TEST(ContactLaws, FreeBodiesOfEveryPresetKeepTheirMomentum) {
  std::vector<std::pair<std::string, std::unique_ptr<BodyModel>>> bodies;
  for (const NamedElasticMaterial& named : elastic_materials())
    bodies.emplace_back(std::string(named.name), solid_plate(named.material, Vec3::Zero(), 0));
  for (const NamedPressureMaterial& named : pressure_materials())
    bodies.emplace_back(
        std::string(named.name),
        std::make_unique<PressureBody>(make_icosphere({.radius = 0.1, .frequency = 4}),
                                       PressureSettings{.material = named.material, .gravity = Vec3::Zero()}));
  for (auto& [name, body] : bodies) {
    BodyState state = body->snapshot();
    for (std::size_t i = 0; i < state.velocities.size(); ++i)
      state.velocities[i] =
          Vec3(1, -0.5, 0.3) + Vec3(1, 2, 3).cross(state.positions[i]) +
          0.2 * Vec3(std::sin(7.0 * static_cast<double>(i)), std::cos(3.0 * static_cast<double>(i)), 0);
    body->restore(state);
    const Drift before = momentum_of_all(*body);
    for (int frame = 0; frame < 60; ++frame) {
      const Prediction p = body->predict(1.0 / 60);
      ASSERT_TRUE(p.status.ok()) << name;
      body->commit(p.positions, p.velocities);
    }
    EXPECT_LT((momentum_of_all(*body).momentum - before.momentum).norm(), 1e-5 * before.scale) << name;
  }
}

}  // namespace
}  // namespace pliant
