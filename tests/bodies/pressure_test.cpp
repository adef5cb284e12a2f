#include "pliant/bodies/pressure.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/bodies/pressure_forces.h"
#include "pliant/core/cpu.h"
#include "pliant/core/error.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/topology.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

const Vec3 kWeightless = Vec3::Zero();

// Gas as strong as the springs, so that no part of the forces hides the others.
PressureMaterial soft_ball() {
  return {.density = 0.5, .stiffness = 50, .damping = 0, .bending_stiffness = 10, .pressure = 400, .ambient = 100};
}

MeshPtr small_ball() { return make_icosphere({.radius = 0.1, .frequency = 3}); }

double lowest_z(const BodyModel& body) {
  double low = body.positions()[0].z();
  for (const Vec3& x : body.positions()) low = std::min(low, x.z());
  return low;
}

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

// What the kernel computes, spring by spring and face by face.
std::vector<Vec3> plain_forces(const PressureForces& forces, const PressureMaterial& material, std::span<const Vec3> x,
                               std::span<const Vec3> v) {
  const TriangleMesh& mesh = *forces.mesh();
  std::vector<Vec3> f(x.size(), Vec3::Zero());
  const auto add_spring = [&](std::size_t a, std::size_t b, double stiffness) {
    const double rest = (mesh.positions()[b] - mesh.positions()[a]).norm();
    const Vec3 d = (x[b] - x[a]).normalized();
    const Vec3 pull = (stiffness * ((x[b] - x[a]).norm() - rest) + material.damping * (v[b] - v[a]).dot(d)) * d;
    f[a] += pull;
    f[b] -= pull;
  };
  const MeshTopology& topology = mesh.topology();
  for (std::size_t e = 0; e < topology.edges().size(); ++e) {
    const Edge& edge = topology.edges()[e];
    add_spring(edge[0].index(), edge[1].index(), material.stiffness);
    if (material.bending_stiffness == 0) continue;
    std::size_t far[2], count = 0;
    for (const FaceId face : topology.faces_of_edge(EdgeId(e)))
      for (const VertexId corner : mesh.triangle(face))
        if (corner != edge[0] && corner != edge[1]) far[count++] = corner.index();
    if (far[0] != far[1]) add_spring(far[0], far[1], material.bending_stiffness);
  }
  const double excess = forces.pressure(x) - material.ambient;
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 &a = x[t[0].index()], &b = x[t[1].index()], &c = x[t[2].index()];
    for (const VertexId corner : t) f[corner.index()] += excess / 6 * (b - a).cross(c - a);
  }
  return f;
}

// Two tetrahedra that share one vertex, whose faces are two fans.
MeshPtr two_tetrahedra() {
  const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  const auto face = [](int a, int b, int c) { return Triangle{VertexId(a), VertexId(b), VertexId(c)}; };
  return std::make_shared<const TriangleMesh>(
      x, std::vector<Triangle>{face(0, 2, 1), face(0, 1, 3), face(0, 3, 2), face(1, 2, 3), face(0, 4, 5), face(0, 6, 4),
                               face(0, 5, 6), face(4, 6, 5)});
}

RC_GTEST_PROP(PressureForces, AreThoseOfSpringsAndFacesOneByOne, (std::uint64_t seed)) {
  Random random(seed);
  PressureMaterial material = soft_ball();
  material.damping = 0.3;
  if (seed % 2 == 0) material.bending_stiffness = 0;
  for (const MeshPtr& mesh :
       {small_ball(), make_box({.size = {0.1, 0.2, 0.3}, .cells = {2, 1, 3}}), two_tetrahedra()}) {
    const PressureForces forces(mesh, material, true);
    const std::vector<Vec3> x = jittered(random, mesh->positions(), 0.01), v = random_vectors(random, x.size(), 1);
    std::vector<Vec3> f(x.size(), Vec3::Zero());
    forces.add_forces(x, v, f);
    const std::vector<Vec3> expected = plain_forces(forces, material, x, v);
    RC_ASSERT(largest_difference(f, expected) < 1e-11 * largest(expected));
  }
}

RC_GTEST_PROP(PressureBody, GivesTheSameBitsWithAndWithoutAvx2, (std::uint64_t seed)) {
  Random random(seed);
  const auto end = [&](bool wide) {
    set_avx2_allowed(wide);
    PressureBody body(small_ball(), {.material = pressure_material("football"),
                                     .integrator = seed % 2 == 0 ? PressureIntegrator::velocity_verlet
                                                                 : PressureIntegrator::symplectic_euler});
    Random same = random;
    body.commit(jittered(same, body.positions(), 0.005), random_vectors(same, body.positions().size(), 1));
    const Prediction p = body.predict(1e-3);
    set_avx2_allowed(true);
    return std::pair(std::vector<Vec3>(p.positions.begin(), p.positions.end()),
                     std::vector<Vec3>(p.velocities.begin(), p.velocities.end()));
  };
  const auto fast = end(true), portable = end(false);
  RC_ASSERT(same_bits(fast.first, portable.first));
  RC_ASSERT(same_bits(fast.second, portable.second));
}

TEST(PressureForces, ShapeAsGivenCarriesThePressure) {
  for (const NamedPressureMaterial& named : pressure_materials()) {
    const MeshPtr ball = make_icosphere({.radius = 0.15, .frequency = 6});
    const PressureForces forces(ball, named.material);
    std::vector<Vec3> f(ball->vertex_count(), Vec3::Zero());
    forces.add_forces(ball->positions(), std::vector<Vec3>(f.size(), Vec3::Zero()), f);
    double outward = 0, gas = 0;
    for (std::size_t i = 0; i < f.size(); ++i) outward += f[i].dot(ball->positions()[i]);
    gas = 3 * (named.material.pressure - named.material.ambient) * forces.rest_volume();
    EXPECT_LT(std::abs(outward), 1e-10 * gas) << named.name;
  }
}

PressureBody undamped(PressureIntegrator integrator) {
  return PressureBody(small_ball(),
                      {.material = soft_ball(), .integrator = integrator, .gravity = kWeightless, .grows = true});
}

double order_of(PressureIntegrator integrator) {
  const auto end = [&](PressureIntegrator with, int steps) {
    PressureBody body = undamped(with);
    Random random(1);
    body.commit(body.positions(), random_vectors(random, body.positions().size(), 0.2));
    EXPECT_TRUE(run(body, 2e-3 / steps, steps).ok());
    return std::vector<Vec3>(body.positions().begin(), body.positions().end());
  };
  const auto exact = end(PressureIntegrator::runge_kutta4, 400);
  return std::log2(largest_difference(end(integrator, 20), exact) / largest_difference(end(integrator, 40), exact));
}

TEST(PressureBody, IntegratorsHaveTheirOrders) {
  EXPECT_GT(undamped(PressureIntegrator::symplectic_euler).stable_step(), 1e-4);  // the steps are taken as asked for
  EXPECT_NEAR(order_of(PressureIntegrator::symplectic_euler), 1, 0.2);
  EXPECT_NEAR(order_of(PressureIntegrator::velocity_verlet), 2, 0.2);
  EXPECT_NEAR(order_of(PressureIntegrator::runge_kutta4), 4, 0.3);
}

TEST(PressureBody, UndampedEnergyStaysBoundedForTenThousandStepsAtItsOwnLength) {
  for (const PressureIntegrator integrator :
       {PressureIntegrator::velocity_verlet, PressureIntegrator::symplectic_euler}) {
    PressureBody body = undamped(integrator);
    Random random(2);
    body.commit(body.positions(), random_vectors(random, body.positions().size(), 0.2));
    std::array<double, 2> highest{-1e300, -1e300}, lowest{1e300, 1e300};  // of either half
    for (std::size_t k = 0; k < 100; ++k) {
      ASSERT_TRUE(run(body, 100 * body.stable_step(), 1).ok());
      const double energy = body.kinetic_energy() + body.potential_energy();
      highest[k / 50] = std::max(highest[k / 50], energy);
      lowest[k / 50] = std::min(lowest[k / 50], energy);
    }
    const double range = highest[0] - lowest[0];
    EXPECT_LT(highest[1] - highest[0], 0.3 * range);
    EXPECT_LT(lowest[0] - lowest[1], 0.3 * range);
  }
}

// ---- contacts within a prediction ----

// Every vertex stays above a floor that moves.
std::vector<SurfaceConstraint> floor_under(const BodyModel& body, double offset, const Vec3& velocity,
                                           double friction) {
  std::vector<SurfaceConstraint> result;
  for (std::uint32_t i = 0; i < body.positions().size(); ++i)
    result.push_back({{VertexId(i)}, {1, 0, 0}, Vec3(0, 0, 1), offset, velocity, friction});
  return result;
}

Vec3 momentum_of(const BodyModel& body) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < body.masses().size(); ++i) sum += body.masses()[i] * body.velocities()[i];
  return sum;
}

TEST(PressureContacts, ImpulsesAreTheMomentumThatItGets) {
  PressureBody body(small_ball(), {.material = pressure_material("beach-ball"), .gravity = kWeightless});
  body.commit(body.positions(), std::vector<Vec3>(body.positions().size(), Vec3(1, 0, -2)));
  Vec3 given = Vec3::Zero();
  const Vec3 before = momentum_of(body);
  for (int k = 0; k < 60; ++k) {
    const Prediction p = body.predict(1.0 / 480, floor_under(body, -0.101, Vec3::Zero(), 0.4));
    ASSERT_TRUE(p.status.ok());
    given += sum_of(p.impulses);
    for (const Vec3& x : p.positions) ASSERT_GE(x.z(), -0.101 - 1e-12);
    body.commit(p.positions, p.velocities);
  }
  EXPECT_LT((momentum_of(body) - before - given).norm(), 1e-12 * before.norm());
  EXPECT_GT(momentum_of(body).z(), 0);
  EXPECT_LT(momentum_of(body).x(), 0.99 * before.x());
  EXPECT_GT(given.z(), 0);
  EXPECT_LE(given.head<2>().norm(), 0.4 * given.z() * (1 + 1e-9));
}

// Without friction, drops onto a floor only take energy.
TEST(PressureContacts, NeverAddEnergy) {
  for (const NamedPressureMaterial& named : pressure_materials()) {
    PressureBody body(make_icosphere({.radius = 0.15, .frequency = 4}), {.material = named.material});
    run(body, 1.0 / 480, 60);  // its shape settles, and it falls
    const double floor = lowest_z(body) - 0.01;
    const auto energy = [&] { return body.kinetic_energy() + body.potential_energy() + body.gravitational_energy(); };
    double least = energy();
    const double kinetic = body.kinetic_energy();
    for (int k = 0; k < 240; ++k) {
      const Prediction p = body.predict(1.0 / 480, floor_under(body, floor, Vec3::Zero(), 0));
      ASSERT_TRUE(p.status.ok());
      body.commit(p.positions, p.velocities);
      ASSERT_LT(energy() - least, 0.01 * kinetic) << named.name << " " << k;
      least = std::min(least, energy());
    }
  }
}

TEST(PressureContacts, AreRegainedWithoutSpeedAndFollowWhatMoves) {
  PressureMaterial limp{.density = 1, .stiffness = 1e-3, .damping = 0, .pressure = 1, .ambient = 1};
  PressureBody body(small_ball(), {.material = limp, .gravity = kWeightless});
  const double low = lowest_z(body);
  const Prediction lifted = body.predict(1e-3, floor_under(body, low + 1e-3, Vec3::Zero(), 0));
  for (std::size_t i = 0; i < lifted.positions.size(); ++i) {
    EXPECT_GE(lifted.positions[i].z(), low + 1e-3 - 1e-12);
    EXPECT_LT(std::abs(lifted.velocities[i].z()), 1e-3);
  }
  const Prediction pushed = body.predict(1e-3, floor_under(body, low + 2e-3, {0, 0, 2}, 0));
  for (std::size_t i = 0; i < pushed.positions.size(); ++i) {
    const bool touches = pushed.positions[i].z() < low + 2e-3 + 1e-9;
    EXPECT_NEAR(pushed.velocities[i].z(), touches ? 2 : 0, 1e-3);
  }
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
                                                                           .gravity = kWeightless,
                                                                           .grows = true});
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
    PressureBody body = undamped(integrator);
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
