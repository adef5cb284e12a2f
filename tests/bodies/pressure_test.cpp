#include "pliant/bodies/pressure.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/bodies/integrators.h"
#include "pliant/bodies/pressure_forces.h"
#include "pliant/core/error.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

const Vec3 kWeightless = Vec3::Zero();

// Gas as strong as the springs, so that no part of the forces hides the others.
PressureMaterial soft_ball() {
  return {.density = 0.5, .stiffness = 50, .damping = 0, .bending_stiffness = 10, .pressure = 400, .ambient = 100};
}

MeshPtr small_ball() { return make_icosphere({.radius = 0.1, .frequency = 3}); }

RC_GTEST_PROP(PressureForces, AreMinusTheGradientOfTheEnergy, (std::uint64_t seed)) {
  Random random(seed);
  const PressureForces forces(small_ball(), soft_ball());
  const std::vector<Vec3> x = jittered(random, forces.mesh()->positions(), 0.01);
  std::vector<Vec3> f(x.size(), Vec3::Zero());
  forces.add_forces(x, random_vectors(random, x.size(), 1), f);
  const std::vector<Vec3> expected =
      minus_gradient(x, 1e-6, [&](const std::vector<Vec3>& at) { return forces.energy(at); });
  RC_ASSERT(largest_difference(f, expected) < 1e-6 * largest(expected));
}

RC_GTEST_PROP(PressureForces, GasForceIsTheGradientOfTheLogarithmOfTheVolume, (std::uint64_t seed)) {
  Random random(seed);
  const PressureForces forces(small_ball(), {.stiffness = 0, .damping = 0, .pressure = 400, .ambient = 0});
  const std::vector<Vec3> x = jittered(random, forces.mesh()->positions(), 0.01);
  std::vector<Vec3> f(x.size(), Vec3::Zero());
  forces.add_forces(x, random_vectors(random, x.size(), 1), f);
  const std::vector<Vec3> expected = minus_gradient(
      x, 1e-6, [&](const std::vector<Vec3>& at) { return -forces.gas_constant() * std::log(forces.volume(at)); });
  RC_ASSERT(largest_difference(f, expected) < 1e-6 * largest(expected));
}

RC_GTEST_PROP(PressureForces, AndTorquesSumToZero, (std::uint64_t seed)) {
  Random random(seed);
  PressureMaterial material = soft_ball();
  material.damping = 1;
  const PressureForces forces(small_ball(), material);
  const std::vector<Vec3> x = jittered(random, forces.mesh()->positions(), 0.02);
  std::vector<Vec3> f(x.size(), Vec3::Zero());
  forces.add_forces(x, random_vectors(random, x.size(), 1), f);
  RC_ASSERT(sum_of(f).norm() < 1e-13 * largest(f) * static_cast<double>(f.size()));
  RC_ASSERT(torque_of(x, f).norm() < 1e-13 * largest(f) * static_cast<double>(f.size()));
}

RC_GTEST_PROP(PressureForces, VanishAtBalancedRestWhereverItIs, (std::uint64_t seed)) {
  Random random(seed);
  const PressureForces forces(small_ball(), {.pressure = 1e5, .ambient = 1e5});
  const std::vector<Vec3> x = transformed(forces.mesh()->positions(), random_rigid(random, 10));
  std::vector<Vec3> f(x.size(), Vec3::Zero());
  forces.add_forces(x, std::vector<Vec3>(x.size(), Vec3::Zero()), f);
  // 1e5 Pa on a face of 0.001 m^2, known to 1e-13 at a distance of 10 m from the origin.
  RC_ASSERT(largest(f) < 1e-9);
}

TEST(PressureForces, VolumeOfASphereConvergesWithTheSquareOfTheEdge) {
  const auto error = [](int frequency) {
    const PressureForces forces(make_icosphere({.radius = 0.1, .frequency = frequency}), {});
    return 4 * kPi / 3 * 1e-3 - forces.rest_volume();
  };
  EXPECT_NEAR(std::log2(error(8) / error(16)), 2, 0.1);
}

// The largest eigenvalue of M^-1 K at x, by power iteration on differences of forces, shifted so that it is also the
// largest by size.
double largest_omega_sq(const PressureForces& forces, std::span<const Vec3> x, double shift, Random& random) {
  const std::vector<double> masses = forces.lumped_masses();
  const std::vector<Vec3> still(x.size(), Vec3::Zero());
  std::vector<Vec3> u = random_vectors(random, x.size(), 1);
  double eigenvalue = 0;
  for (int round = 0; round < 100; ++round) {
    const double step = 1e-7;
    std::vector<Vec3> above(x.begin(), x.end()), below = above;
    for (std::size_t i = 0; i < x.size(); ++i) {
      above[i] += step * u[i];
      below[i] -= step * u[i];
    }
    std::vector<Vec3> f_above = still, f_below = still;
    forces.add_forces(above, still, f_above);
    forces.add_forces(below, still, f_below);
    double along = 0, norm = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3 ku = (f_below[i] - f_above[i]) / (2 * step * masses[i]);
      along += masses[i] * u[i].dot(ku);
      norm += masses[i] * u[i].squaredNorm();
      u[i] = ku + shift * u[i];
    }
    eigenvalue = along / norm;
    const double scale = largest(u);
    for (Vec3& v : u) v /= scale;
  }
  return eigenvalue;
}

RC_GTEST_PROP(PressureForces, OscillationBoundHolds, (std::uint64_t seed)) {
  Random random(seed);
  PressureMaterial material = soft_ball();
  material.pressure = random.within(100, 5000);
  const PressureForces forces(make_icosphere({.radius = 0.1, .frequency = 2}), material);
  const std::vector<Vec3> x = jittered(random, forces.mesh()->positions(), 0.005);
  std::vector<double> inverse = forces.lumped_masses();
  for (double& m : inverse) m = 1 / m;
  const double bound = forces.bound(x, inverse).omega_sq;
  const double omega_sq = largest_omega_sq(forces, x, bound, random);
  RC_ASSERT(omega_sq <= bound);
  RC_ASSERT(omega_sq >= 0.02 * bound);
}

// One undamped spring between two unit masses, at a time step given as a share of the limit 2 / omega.
struct Spring {
  ParticleState state{{Vec3(0, 0, 0), Vec3(1.1, 0, 0)}, {Vec3::Zero(), Vec3::Zero()}};
  double stiffness = 100;
  double limit = 2 / std::sqrt(2 * stiffness);

  auto accelerate() const {
    return [k = stiffness](std::span<const Vec3> x, std::span<const Vec3>, std::span<Vec3> a) {
      const Vec3 d = x[1] - x[0];
      a[0] = k * (d.norm() - 1) * d.normalized();
      a[1] = -a[0];
    };
  }
  double energy() const {
    const double stretch = (state.x[1] - state.x[0]).norm() - 1;
    return stiffness * stretch * stretch / 2 + (state.v[0].squaredNorm() + state.v[1].squaredNorm()) / 2;
  }
};

TEST(Integrators, SymplecticEulerKeepsEnergyBoundedAtHalfTheLimit) {
  Spring spring;
  SymplecticEuler method;
  const double before = spring.energy();
  for (int i = 0; i < 100'000; ++i) {
    method.step(spring.state, 0.5 * spring.limit, spring.accelerate());
    ASSERT_LT(spring.energy(), 3 * before);
  }
}

TEST(Integrators, SymplecticEulerDivergesAboveTheLimit) {
  Spring spring;
  SymplecticEuler method;
  const double before = spring.energy();
  for (int i = 0; i < 60; ++i) method.step(spring.state, 1.05 * spring.limit, spring.accelerate());
  EXPECT_GT(spring.energy(), 100 * before);
}

TEST(Integrators, PlainExplicitEulerGainsEnergyWhereSymplecticEulerDoesNot) {
  Spring plain, symplectic;
  SymplecticEuler method;
  const double before = plain.energy(), h = 0.02 * plain.limit;
  std::vector<Vec3> a(2);
  for (int i = 0; i < 10'000; ++i) {
    plain.accelerate()(plain.state.x, plain.state.v, a);
    for (std::size_t k = 0; k < 2; ++k) {
      plain.state.x[k] += h * plain.state.v[k];
      plain.state.v[k] += h * a[k];
    }
    method.step(symplectic.state, h, symplectic.accelerate());
  }
  EXPECT_GT(plain.energy(), 10 * before);
  EXPECT_LT(symplectic.energy(), 1.1 * before);
}

template <class Step>
double order_of(Step&& step) {
  const auto end = [&](int steps) {
    Spring spring;
    for (int i = 0; i < steps; ++i) step(spring, 1.0 / steps, i == 0);
    return spring.state.x;
  };
  const auto exact = end(20'000);
  return std::log2(largest_difference(end(200), exact) / largest_difference(end(400), exact));
}

TEST(Integrators, HaveTheirOrders) {
  SymplecticEuler euler;
  VelocityVerlet verlet;
  RungeKutta4 runge_kutta;
  EXPECT_NEAR(order_of([&](Spring& s, double h, bool) { euler.step(s.state, h, s.accelerate()); }), 1, 0.2);
  EXPECT_NEAR(order_of([&](Spring& s, double h, bool first) {
                if (first) verlet.begin(s.state, s.accelerate());
                verlet.step(s.state, h, s.accelerate());
              }),
              2, 0.2);
  EXPECT_NEAR(order_of([&](Spring& s, double h, bool) { runge_kutta.step(s.state, h, s.accelerate()); }), 4, 0.2);
}

// A sphere of springs of radius R carries a pressure difference dP with the tension dP R / 2. In a triangulation of
// springs of equal length that has the tension k sqrt(3) (l - L) / l (each spring of an equilateral lattice carries the
// tension of a strip sqrt(3)/2 l wide, shared by three directions: T = sqrt(3) f / l).
TEST(PressureBody, SphereGrowsUntilTensionBalancesPressure) {
  const double radius = 0.1, stiffness = 100, over = 200;
  for (const PressureIntegrator integrator :
       {PressureIntegrator::symplectic_euler, PressureIntegrator::velocity_verlet, PressureIntegrator::runge_kutta4}) {
    PressureBody body(make_icosphere({.radius = radius, .frequency = 6}), {.material = {.density = 0.5,
                                                                                        .stiffness = stiffness,
                                                                                        .damping = 0.05,
                                                                                        .pressure = 1000 + over,
                                                                                        .ambient = 1000},
                                                                           .integrator = integrator,
                                                                           .gravity = kWeightless});
    ASSERT_TRUE(run(body, 0.05, 40).ok());
    // The stretch s of radius and springs at which the two tensions are equal, by bisection.
    double low = 1, high = 2;
    for (int i = 0; i < 60; ++i) {
      const double s = (low + high) / 2;
      const double inside = (1000 + over) / (s * s * s) - 1000;
      const double tension = std::sqrt(3) * stiffness * (s - 1) / s;
      (inside * s * radius / 2 > tension ? low : high) = s;
    }
    const double stretch = std::cbrt(body.volume() / body.rest_volume());
    EXPECT_GT(low, 1.01);
    EXPECT_NEAR(stretch - 1, low - 1, 0.02 * (low - 1));
    EXPECT_LT(largest(body.velocities()), 1e-3);
  }
}

TEST(PressureBody, UndampedEnergyDriftsLessThanOnePercentAPeriod) {
  for (const PressureIntegrator integrator : {PressureIntegrator::velocity_verlet, PressureIntegrator::runge_kutta4}) {
    PressureBody body(small_ball(), {.material = soft_ball(), .integrator = integrator, .gravity = kWeightless});
    const double quarter = body.stable_step() / 4;
    // The energy that can move: above that of the balance it breathes around.
    double lowest = body.potential_energy();
    const double before = body.potential_energy() + body.kinetic_energy();
    double kinetic_before = 0;
    int periods = 0;
    bool rising = true;
    while (periods < 5) {
      ASSERT_TRUE(run(body, quarter, 1).ok());
      lowest = std::min(lowest, body.potential_energy());
      const double kinetic = body.kinetic_energy();
      if (rising && kinetic < kinetic_before) ++periods;  // twice a period: less than five true ones
      rising = kinetic >= kinetic_before;
      kinetic_before = kinetic;
    }
    const double after = body.potential_energy() + body.kinetic_energy();
    EXPECT_LT(std::abs(after - before), 0.01 * (before - lowest));
  }
}

TEST(PressureBody, SaysWhenItsVolumeWasClampedAndRecovers) {
  PressureBody body(small_ball(), {.material = soft_ball(), .gravity = kWeightless});
  std::vector<Vec3> x(body.positions().begin(), body.positions().end());
  for (Vec3& p : x) p.z() = -0.01 * p.z();  // turned inside out, nearly flat
  body.commit(x, body.velocities());
  EXPECT_LT(body.volume(), 0);
  EXPECT_DOUBLE_EQ(body.pressure(), 400 / 1e-3);
  const StepStatus status = body.predict(1e-6).status;
  EXPECT_TRUE(status.ok());
  EXPECT_TRUE(status.volume_clamped);
}

TEST(PressureBody, NeedsAClosedOutwardSurface) {
  EXPECT_THROW(PressureBody{make_grid()}, Error);
  const MeshPtr ball = small_ball();
  std::vector<Triangle> turned(ball->triangles().begin(), ball->triangles().end());
  for (Triangle& t : turned) std::swap(t[1], t[2]);
  const std::vector<Vec3> x(ball->positions().begin(), ball->positions().end());
  EXPECT_THROW(PressureBody(std::make_shared<const TriangleMesh>(x, turned)), Error);
  std::vector<Triangle> one_turned(ball->triangles().begin(), ball->triangles().end());
  std::swap(one_turned[0][1], one_turned[0][2]);
  EXPECT_THROW(PressureBody(std::make_shared<const TriangleMesh>(x, one_turned)), Error);
  std::vector<Vec3> lonely = x;
  lonely.emplace_back(1, 1, 1);
  EXPECT_THROW(PressureBody(std::make_shared<const TriangleMesh>(
                   lonely, std::vector<Triangle>(ball->triangles().begin(), ball->triangles().end()))),
               Error);
}

TEST(PressureBody, RefusesBadNumbers) {
  const MeshPtr ball = small_ball();
  for (const PressureMaterial& bad :
       {PressureMaterial{.density = 0}, PressureMaterial{.stiffness = -1}, PressureMaterial{.pressure = std::nan("")},
        PressureMaterial{.ambient = -1}, PressureMaterial{.damping = -1}})
    EXPECT_THROW(PressureBody(ball, {.material = bad}), Error);
  EXPECT_THROW(PressureBody(ball, {.pinned = {VertexId(100'000)}}), Error);
  EXPECT_THROW(PressureBody(ball).predict(0), Error);
  EXPECT_THROW(PressureBody(ball).predict(-1), Error);
  EXPECT_THROW(PressureBody(ball).predict(std::nan("")), Error);
}

}  // namespace
}  // namespace pliant
