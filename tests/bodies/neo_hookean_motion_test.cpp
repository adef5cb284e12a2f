// Neo-Hookean bodies against closed forms and the limit of short steps.
#include <gtest/gtest.h>
#include <cmath>

#include "pliant/bodies/fem.h"
#include "pliant/core/cpu.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

constexpr FemIntegrator kBoth[] = {FemIntegrator::vertex_descent, FemIntegrator::conjugate_gradients};

std::vector<VertexId> pins_at(const TetMesh& mesh, int axis, double at) {
  std::vector<VertexId> found;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    if (std::abs(mesh.positions()[v][axis] - at) < 1e-9) found.emplace_back(v);
  return found;
}

// Finds the equilibrium: at every peak of kinetic energy all velocities are set to zero.
void settle(BodyModel& body, std::span<const Vec3> forces) {
  double before = 0;
  for (int peaks = 0, frame = 0; peaks < 12 && frame < 2000; ++frame) {
    body.apply_forces(forces);
    const Prediction p = body.predict(1.0 / 60);
    ASSERT_TRUE(p.status.ok());
    body.commit(p.positions, p.velocities);
    const double now = body.kinetic_energy();
    if (now < before) {
      BodyState state = body.snapshot();
      for (Vec3& v : state.velocities) v = Vec3::Zero();
      body.restore(state);
      ++peaks;
    }
    before = body.kinetic_energy();
  }
}

TEST(NeoHookeanMotion, ACantileverSagsAsTheLinearTheoryOnItsMeshSays) {
  const auto mesh = make_tet_box({.size = {0.5, 0.1, 0.1}, .cells = {10, 2, 2}});
  FemSettings settings{.material = ElasticMaterial{.young = 5e4, .poisson = 0.3}.with_damping(2e-3),
                       .integrator = FemIntegrator::backward_euler,
                       .gravity = {0, 0, -0.05},
                       .pinned = pins_at(*mesh, 0, -0.25),
                       .tolerance = 1e-9};
  const auto sag = [&](std::span<const Vec3> x) {
    double lowest = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      lowest = std::max(lowest, mesh->surface()->positions()[i].z() - x[i].z());
    return lowest;
  };
  FemBody reference(mesh, settings);
  const double expected = sag(reference.predict(1e4).positions);
  for (const FemIntegrator integrator : kBoth) {
    settings.integrator = integrator;
    FemBody body(mesh, settings);
    settle(body, std::vector<Vec3>(body.positions().size(), Vec3::Zero()));
    EXPECT_NEAR(sag(body.positions()), expected, 0.03 * expected);
  }
}

// The time between the first and the third passage of the free end through its place at rest.
double period_of_bar(FemIntegrator integrator, double seconds) {
  const auto mesh = make_tet_box({.size = {0.4, 0.1, 0.1}, .cells = {8, 2, 2}});
  FemBody body(mesh, {.material = {.young = 1e5, .poisson = 0},
                      .integrator = integrator,
                      .gravity = Vec3::Zero(),
                      .pinned = pins_at(*mesh, 0, -0.2)});
  BodyState state = body.snapshot();
  for (std::size_t i = 0; i < state.positions.size(); ++i)
    state.velocities[i] = Vec3(0.2 * std::sin(0.5 * kPi * (state.positions[i].x() + 0.2) / 0.4), 0, 0);
  body.restore(state);
  std::size_t end = 0;
  for (std::size_t i = 0; i < body.positions().size(); ++i)
    if (body.positions()[i].x() > body.positions()[end].x()) end = i;
  std::vector<double> passages;
  double before = 0;
  for (int k = 1; passages.size() < 3 && k < 4000; ++k) {
    run(body, seconds, 1);
    const double now = body.positions()[end].x() - 0.2;
    if (k > 1 && (before > 0) != (now > 0)) passages.push_back(seconds * (k - 1 + before / (before - now)));
    before = now;
  }
  return passages.at(2) - passages.at(0);
}

TEST(NeoHookeanMotion, ABarVibratesWithThePeriodOfShortSteps) {
  const double expected = period_of_bar(FemIntegrator::runge_kutta4, 1e-3);
  EXPECT_NEAR(expected, 4 * 0.4 / 10, 0.02 * 0.16);  // a quarter of a wave
  for (const FemIntegrator integrator : kBoth)
    EXPECT_NEAR(period_of_bar(integrator, 1.0 / 480), expected, 0.03 * expected);
}

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double scale = 0;  // sum m v
};
Momenta momenta(const BodyModel& body) {
  Momenta sum;
  const BodyState state = body.snapshot();
  for (std::size_t i = 0; i < state.positions.size(); ++i) {
    const double m = body.node_masses()[i];
    sum.linear += m * state.velocities[i];
    sum.angular += m * state.positions[i].cross(state.velocities[i]);
    sum.scale += m * state.velocities[i].norm();
  }
  return sum;
}

TEST(NeoHookeanMotion, AFreeBodyKeepsItsMomenta) {
  for (const FemIntegrator integrator : kBoth) {
    FemBody body(make_tet_box({.size = {0.3, 0.2, 0.2}, .cells = {3, 3, 3}}),
                 {.material = elastic_material("silicone"), .integrator = integrator, .gravity = Vec3::Zero()});
    Random random(11);
    BodyState state = body.snapshot();
    for (std::size_t i = 0; i < state.positions.size(); ++i)
      state.velocities[i] = Vec3(1, -2, 0.5) + Vec3(3, 2, 1).cross(state.positions[i]) + random_vector(random, 0.3);
    body.restore(state);
    const Momenta before = momenta(body);
    const double energy = body.kinetic_energy() + body.potential_energy();
    ASSERT_TRUE(run(body, 1.0 / 60, 60).ok());
    const Momenta after = momenta(body);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-5 * before.scale);
    EXPECT_LT((after.angular - before.angular).norm(), 1e-4 * before.angular.norm());
    EXPECT_LT(body.kinetic_energy() + body.potential_energy(), energy);
  }
}

TEST(NeoHookeanMotion, FreeFallIsThatOfShortImplicitSteps) {
  for (const FemIntegrator integrator : kBoth) {
    FemBody body(make_tet_box({.size = {0.3, 0.3, 0.3}, .cells = {2, 2, 2}}), {.integrator = integrator});
    ASSERT_TRUE(run(body, 0.01, 10).ok());
    const double fallen = 9.81 * 0.002 * 0.002 * 50 * 51 / 2;
    for (std::size_t i = 0; i < body.positions().size(); ++i) {
      EXPECT_NEAR(body.positions()[i].z(), body.mesh()->positions()[i].z() - fallen, 1e-7);
      EXPECT_NEAR(body.velocities()[i].z(), -0.981, 1e-6);
    }
  }
}

TEST(NeoHookeanMotion, GivesTheSameBitsWithAndWithoutAvx2) {
  const auto end = [](FemIntegrator integrator) {
    FemBody body(make_tet_box({.size = {0.2, 0.2, 0.2}, .cells = {3, 3, 3}}),
                 {.material = elastic_material("jelly"), .integrator = integrator});
    BodyState state = body.snapshot();
    Random random(3);
    state.positions = jittered(random, state.positions, 0.05);
    for (Vec3& v : state.velocities) v = Vec3(0.5, 0, -2);
    body.restore(state);
    for (int k = 0; k < 20; ++k) {
      std::vector<SurfaceConstraint> ground;
      for (std::uint32_t i = 0; i < body.positions().size(); ++i)
        ground.push_back({.vertices = {VertexId(i)},
                          .weights = {1, 0, 0},
                          .normal = Vec3::UnitZ(),
                          .offset = -0.1,
                          .friction = 0.5});
      const Prediction p = body.predict(1.0 / 240, ground);
      body.commit(p.positions, p.velocities);
    }
    return body.snapshot();
  };
  for (const FemIntegrator integrator : kBoth) {
    const BodyState fast = end(integrator);
    set_avx2_allowed(false);
    const BodyState portable = end(integrator);
    set_avx2_allowed(true);
    EXPECT_TRUE(same_bits(fast.positions, portable.positions));
    EXPECT_TRUE(same_bits(fast.velocities, portable.velocities));
  }
}

}  // namespace
}  // namespace pliant
