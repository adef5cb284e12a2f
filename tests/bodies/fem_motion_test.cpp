// FEM bodies in motion: stability, order, energy, statics.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/bodies/fem.h"
#include "pliant/bodies/fem_elements.h"
#include "pliant/bodies/integrators.h"
#include "pliant/core/error.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

const Vec3 kWeightless = Vec3::Zero();

// A free, undamped block with its own state, stepped by hand.
struct FreeBlock {
  std::shared_ptr<const TetMesh> mesh = make_tet_box({.size = {0.4, 0.1, 0.1}, .cells = {4, 1, 1}});
  FemElements elements{mesh->positions(), {mesh->tets().begin(), mesh->tets().end()}, {.young = 1e5}};
  std::vector<double> masses = elements.lumped_masses(mesh->vertex_count());
  ParticleState state{{mesh->positions().begin(), mesh->positions().end()},
                      std::vector<Vec3>(mesh->vertex_count(), Vec3::Zero())};
  RungeKutta4 method;

  void step(double h) {
    method.step(state, h, [&](std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> a) {
      std::fill(a.begin(), a.end(), Vec3::Zero());
      elements.add_forces(x, v, a);
      for (std::size_t i = 0; i < a.size(); ++i) a[i] /= masses[i];
    });
  }
  double energy() const {
    double kinetic = 0;
    for (std::size_t i = 0; i < masses.size(); ++i) kinetic += masses[i] * state.v[i].squaredNorm() / 2;
    return kinetic + elements.energy(state.x);
  }
  double bound() const {
    std::vector<Vec3> f(state.x.size(), Vec3::Zero());
    return elements.stable_step(elements.add_forces(state.x, state.v, f));
  }
  // Pulls both ends apart: the lowest longitudinal mode of a free bar, nearly.
  void start_stretching(double speed) {
    for (std::size_t i = 0; i < state.x.size(); ++i)
      state.v[i] = Vec3(speed * std::sin(kPi * state.x[i].x() / 0.4), 0, 0);
  }
  double period() const { return 2 * 0.4 / std::sqrt(1e5 / 1000); }
};

RC_GTEST_PROP(FemMotion, UndampedEnergyDoesNotGrowAtTheBound, (std::uint64_t seed)) {
  Random random(seed);
  FreeBlock block;
  block.state.x = jittered(random, block.state.x, 0.004);
  block.state.v = random_vectors(random, block.state.x.size(), 0.1);
  const double before = block.energy();
  for (int i = 0; i < 200; ++i) block.step(block.bound());
  RC_ASSERT(block.energy() <= before * (1 + 1e-9));
}

TEST(FemMotion, LowModeLosesLessThanOnePercentOfItsEnergyAPeriodAtAQuarterOfTheBound) {
  FreeBlock block;
  block.start_stretching(0.2);
  const double before = block.energy(), h = block.bound() / 4;
  const int periods = 5, steps = static_cast<int>(periods * block.period() / h);
  for (int i = 0; i < steps; ++i) block.step(h);
  EXPECT_LT(std::abs(block.energy() - before) / before / periods, 0.01);
}

TEST(FemMotion, HalvingTheStepDividesTheErrorOfRungeKuttaBySixteen) {
  const auto end = [](int steps) {
    FreeBlock block;
    block.start_stretching(0.2);
    for (int i = 0; i < steps; ++i) block.step(0.05 / steps);
    return block.state.x;
  };
  const std::vector<Vec3> exact = end(3200);
  const double coarse = largest_difference(end(100), exact), fine = largest_difference(end(200), exact);
  EXPECT_GT(coarse, 1e-12);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3);
}

TEST(FemMotion, FreeFallIsAParabola) {
  for (const FemIntegrator integrator : {FemIntegrator::runge_kutta4, FemIntegrator::backward_euler}) {
    FemBody body(make_tet_box({.size = {0.3, 0.3, 0.3}, .cells = {2, 2, 2}}), {.integrator = integrator});
    ASSERT_TRUE(run(body, 0.01, 10).ok());
    // Backward Euler falls with the velocity at the end of each step.
    const double fallen = integrator == FemIntegrator::runge_kutta4 ? 9.81 * 0.01 / 2 : 9.81 * 1e-4 * 55;
    for (std::size_t i = 0; i < body.positions().size(); ++i) {
      EXPECT_NEAR(body.positions()[i].z(), body.mesh()->positions()[i].z() - fallen, 1e-9);
      EXPECT_NEAR(body.velocities()[i].z(), -0.981, 1e-8);
    }
  }
}

std::vector<VertexId> vertices_at_x(const TetMesh& mesh, double x) {
  std::vector<VertexId> found;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    if (std::abs(mesh.positions()[v].x() - x) < 1e-9) found.emplace_back(v);
  return found;
}

// How far the free end of a bar that is clamped at one end sinks by its weight, over what beam theory says.
double sag_of_bar(int across) {
  const double length = 1, height = 0.1, young = 1e7, density = 1000, gravity = 0.1;
  const auto mesh = make_tet_box({.size = {length, height, height}, .cells = {10 * across, across, across}});
  FemBody body(mesh, {.material = {.young = young, .poisson = 0, .density = density},
                      .integrator = FemIntegrator::backward_euler,
                      .gravity = {0, 0, -gravity},
                      .pinned = vertices_at_x(*mesh, -length / 2),
                      .tolerance = 1e-9});
  // A step of hours is as good as a search for equilibrium.
  const Prediction p = body.predict(1e4);
  double sag = 0;
  for (std::size_t i = 0; i < p.positions.size(); ++i)
    sag = std::max(sag, body.positions()[i].z() - p.positions[i].z());
  const double moment = height * height * height * height / 12;
  const double theory = density * gravity * height * height * std::pow(length, 4) / (8 * young * moment);
  EXPECT_TRUE(p.status.ok());
  return sag / theory;
}

TEST(FemMotion, BendingBarConvergesToBeamTheory) {
  const double coarse = sag_of_bar(2), fine = sag_of_bar(4);
  EXPECT_LT(coarse, fine);
  EXPECT_LT(fine, 1.0);
  // Elements of constant strain converge with the square of their size.
  EXPECT_NEAR(fine + (fine - coarse) / 3, 1, 0.05);
}

TEST(FemMotion, ImplicitStepsApproachExplicitOnesLinearly) {
  const auto mesh = make_tet_box({.size = {0.4, 0.1, 0.1}, .cells = {4, 1, 1}});
  const auto end = [&](FemIntegrator integrator, int steps) {
    FemBody body(mesh, {.material = ElasticMaterial{.young = 1e4}.with_damping(2e-3),
                        .integrator = integrator,
                        .pinned = vertices_at_x(*mesh, -0.2),
                        .newton_steps = 20,
                        .tolerance = 1e-10});
    EXPECT_TRUE(run(body, 0.05 / steps, steps).ok());
    return std::vector<Vec3>(body.positions().begin(), body.positions().end());
  };
  const std::vector<Vec3> exact = end(FemIntegrator::runge_kutta4, 1);
  const double coarse = largest_difference(end(FemIntegrator::backward_euler, 32), exact);
  const double fine = largest_difference(end(FemIntegrator::backward_euler, 64), exact);
  EXPECT_LT(coarse, 2e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.25);
}

TEST(FemMotion, ImplicitIsStableAtFrameRateWithStiffMaterial) {
  const auto mesh = make_tet_box({.size = {0.4, 0.1, 0.1}, .cells = {4, 1, 1}});
  FemBody body(
      mesh,
      {.material = {.young = 1e9}, .integrator = FemIntegrator::backward_euler, .pinned = vertices_at_x(*mesh, -0.2)});
  Random random(3);
  body.apply_impulses(random_vectors(random, body.positions().size(), 0.05));  // some metres a second
  ASSERT_TRUE(run(body, 1.0 / 60, 120).ok());
  EXPECT_LT(largest_difference(body.positions(), body.mesh()->positions()), 1e-3);
  EXPECT_LT(largest(body.velocities()), 1e-3);
}

TEST(FemMotion, ImplicitKeepsMomentumWithoutExternalForces) {
  FemBody body(make_tet_box({.size = {0.3, 0.2, 0.2}, .cells = {2, 2, 2}}),
               {.integrator = FemIntegrator::backward_euler, .gravity = kWeightless});
  Random random(11);
  const std::vector<Vec3> impulses = random_vectors(random, body.positions().size(), 0.05);
  body.apply_impulses(impulses);
  ASSERT_TRUE(run(body, 0.01, 20).ok());
  Vec3 momentum = Vec3::Zero();
  const BodyState state = body.snapshot();
  const std::span<const double> masses = body.node_masses();
  for (std::size_t i = 0; i < masses.size(); ++i) momentum += masses[i] * state.velocities[i];
  EXPECT_LT((momentum - sum_of(impulses)).norm(), 1e-6);
}

TEST(FemMotion, PinsMoveWithTheVelocityTheyWereGiven) {
  const auto mesh = make_tet_box({.size = {0.4, 0.1, 0.1}, .cells = {4, 1, 1}});
  for (const FemIntegrator integrator : {FemIntegrator::runge_kutta4, FemIntegrator::backward_euler,
                                         FemIntegrator::vertex_descent, FemIntegrator::conjugate_gradients}) {
    FemBody body(mesh, {.integrator = integrator, .gravity = kWeightless, .pinned = vertices_at_x(*mesh, -0.2)});
    std::vector<Vec3> v(body.velocities().size(), Vec3::Zero());
    for (std::size_t i = 0; i < v.size(); ++i)
      if (std::isinf(body.masses()[i])) v[i] = Vec3(-0.5, 0, 0);
    body.commit(body.positions(), v);
    ASSERT_TRUE(run(body, 0.01, 5).ok());
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double moved = body.positions()[i].x() - body.mesh()->positions()[i].x();
      if (std::isinf(body.masses()[i])) EXPECT_NEAR(moved, -0.025, 1e-12);
      else EXPECT_LT(moved, 1e-3);
    }
    EXPECT_GT(body.potential_energy(), 0);
  }
}

TEST(FemMotion, StiffMaterialAsksForMoreSubstepsThanAllowed) {
  FemBody body(make_tet_box({}),
               {.material = {.young = 1e12}, .integrator = FemIntegrator::runge_kutta4, .max_substeps = 50});
  const Prediction p = body.predict(1.0 / 60);
  EXPECT_EQ(p.status.trouble, Trouble::too_many_substeps);
  EXPECT_TRUE(same_bits(p.positions, body.positions()));
  EXPECT_NE(describe(p.status.trouble).find("implicit"), std::string_view::npos);
}

TEST(FemMotion, SubstepsFollowTheBound) {
  FemBody body(make_tet_box({.size = {0.3, 0.3, 0.3}, .cells = {3, 3, 3}}),
               {.integrator = FemIntegrator::runge_kutta4});
  const double bound = body.stable_step();
  const StepStatus status = body.predict(1.0 / 60).status;
  EXPECT_GE(status.substeps, 1.0 / 60 / bound);
  EXPECT_LE(status.shortest_substep, bound * (1 + 1e-12));
}

TEST(FemMotion, ReportsElementsTurnedInsideOut) {
  FemBody body(make_tet_box({.size = {0.3, 0.3, 0.3}, .cells = {2, 2, 2}}), {.gravity = kWeightless});
  std::vector<Vec3> x(body.positions().begin(), body.positions().end());
  x[0] = Vec3(0.1, 0.1, 0.1);  // a corner pushed through the block
  body.commit(x, body.velocities());
  EXPECT_GT(body.predict(1e-4).status.inverted_elements, 0u);
}

TEST(FemMotion, RefusesBadSettings) {
  const auto mesh = make_tet_box({});
  EXPECT_THROW(FemBody(mesh, {.gravity = {0, std::nan(""), 0}}), Error);
  EXPECT_THROW(FemBody(mesh, {.pinned = {VertexId(99)}}), Error);
  EXPECT_THROW(FemBody(mesh, {.max_substeps = 0}), Error);
  EXPECT_THROW(FemBody(mesh, {.material = {.density = 0}}), Error);
  EXPECT_THROW(FemBody(mesh, {.energy = FemEnergy::st_venant_kirchhoff}), Error);
  EXPECT_THROW(FemBody(mesh, {.integrator = FemIntegrator::runge_kutta4, .energy = FemEnergy::neo_hookean}), Error);
  EXPECT_NO_THROW(
      FemBody(mesh, {.integrator = FemIntegrator::backward_euler, .energy = FemEnergy::st_venant_kirchhoff}));
}

}  // namespace
}  // namespace pliant
