// Forces, bounds and steps of the elements themselves.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Geometry>

#include "pliant/bodies/fem.h"
#include "pliant/bodies/fem_elements.h"
#include "pliant/core/cpu.h"
#include "pliant/core/error.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

struct Block {
  std::shared_ptr<const TetMesh> mesh;
  FemElements elements;
  explicit Block(const ElasticMaterial& material = {}, const Eigen::Vector3i& cells = {2, 1, 1},
                 const Vec3& size = {0.2, 0.1, 0.1})
      : mesh(make_tet_box({size, cells})),
        elements(mesh->positions(), {mesh->tets().begin(), mesh->tets().end()}, material) {}
  std::vector<Vec3> rest() const { return {mesh->positions().begin(), mesh->positions().end()}; }
  std::vector<Vec3> forces(std::span<const Vec3> x, std::span<const Vec3> v) const {
    std::vector<Vec3> f(x.size(), Vec3::Zero());
    elements.add_forces(x, v, f);
    return f;
  }
  std::vector<Vec3> forces(std::span<const Vec3> x) const {
    return forces(x, std::vector<Vec3>(x.size(), Vec3::Zero()));
  }
};

ElasticMaterial random_material(Random& random) {
  return ElasticMaterial{
      .young = random.within(1e3, 1e6), .poisson = random.within(0, 0.48), .density = random.within(100, 2000)};
}

RC_GTEST_PROP(FemElements, ForcesAreMinusTheGradientOfTheEnergy, (std::uint64_t seed)) {
  Random random(seed);
  const Block block(random_material(random));
  const std::vector<Vec3> x = jittered(random, block.rest(), 0.02);
  const std::vector<Vec3> expected =
      minus_gradient(x, 1e-6, [&](const std::vector<Vec3>& at) { return block.elements.energy(at); });
  RC_ASSERT(largest_difference(block.forces(x), expected) < 1e-6 * largest(expected));
}

RC_GTEST_PROP(FemElements, ForcesAndTorquesSumToZero, (std::uint64_t seed)) {
  Random random(seed);
  const Block block(random_material(random).with_damping(0.01));
  const std::vector<Vec3> x = jittered(random, block.rest(), 0.03), v = random_vectors(random, x.size(), 1);
  const std::vector<Vec3> f = block.forces(x, v);
  const double scale = largest(f) * static_cast<double>(f.size());
  RC_ASSERT(sum_of(f).norm() < 1e-13 * scale);
  RC_ASSERT(torque_of(x, f).norm() < 1e-13 * scale);
}

RC_GTEST_PROP(FemElements, RestAndRigidMotionHaveNoForce, (std::uint64_t seed)) {
  Random random(seed);
  const Block block(random_material(random).with_damping(0.01));
  const RigidTransform to = random_rigid(random, 1);
  const Vec3 spin = random_vector(random, 2), drift = random_vector(random, 2);
  std::vector<Vec3> x = block.rest(), v(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = to * x[i];
    v[i] = drift + spin.cross(x[i]);
  }
  const ElasticMaterial& m = block.elements.material();
  RC_ASSERT(largest(block.forces(x, v)) < 1e-12 * (m.lambda() + 2 * m.mu()) * 0.1 * 0.1);
}

RC_GTEST_PROP(FemElements, ViscosityOnlyTakesEnergy, (std::uint64_t seed)) {
  Random random(seed);
  const ElasticMaterial elastic = random_material(random);
  const Block dry(elastic), viscous(elastic.with_damping(random.within(1e-4, 1e-1)));
  const std::vector<Vec3> x = jittered(random, dry.rest(), 0.03), v = random_vectors(random, x.size(), 1);
  const std::vector<Vec3> f = viscous.forces(x, v), f_dry = dry.forces(x, v);
  double power = 0;
  for (std::size_t i = 0; i < x.size(); ++i) power += v[i].dot(f[i] - f_dry[i]);
  RC_ASSERT(power < 0);
}

RC_GTEST_PROP(FemElements, GiveTheSameBitsWithAndWithoutAvx2, (std::uint64_t seed)) {
  Random random(seed);
  const Block block(random_material(random).with_damping(0.01), {3, 1, 1});  // 15 tets: the last block is not full
  const std::vector<Vec3> x = jittered(random, block.rest(), 0.03), v = random_vectors(random, x.size(), 1);
  const std::vector<Vec3> fast = block.forces(x, v);
  set_avx2_allowed(false);
  const std::vector<Vec3> portable = block.forces(x, v);
  set_avx2_allowed(true);
  RC_ASSERT(same_bits(fast, portable));
}

// The largest eigenvalue of M^-1 K at x, by power iteration on differences of forces.
double largest_omega_sq(const Block& block, std::span<const Vec3> x, Random& random) {
  const std::vector<double> masses = block.elements.lumped_masses(x.size());
  std::vector<Vec3> u = random_vectors(random, x.size(), 1);
  double eigenvalue = 0;
  for (int round = 0; round < 60; ++round) {
    const double step = 1e-7 / std::sqrt(largest(u) * largest(u) + 1e-300);
    std::vector<Vec3> above(x.begin(), x.end()), below = above;
    for (std::size_t i = 0; i < x.size(); ++i) {
      above[i] += step * u[i];
      below[i] -= step * u[i];
    }
    const std::vector<Vec3> f_above = block.forces(above), f_below = block.forces(below);
    double along = 0, norm = 0;
    std::vector<Vec3> next(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      next[i] = (f_below[i] - f_above[i]) / (2 * step * masses[i]);
      along += masses[i] * u[i].dot(next[i]);
      norm += masses[i] * u[i].squaredNorm();
    }
    eigenvalue = along / norm;
    u = next;
    const double scale = largest(u);
    for (Vec3& v : u) v /= scale;
  }
  return eigenvalue;
}

RC_GTEST_PROP(FemElements, StabilityBoundHoldsAtRestAndStretched, (std::uint64_t seed)) {
  Random random(seed);
  const Block block(random_material(random));
  std::vector<Vec3> x = jittered(random, block.rest(), 0.01);
  const double stretch = random.within(1, 2.5);
  for (Vec3& p : x) p *= stretch;
  std::vector<Vec3> f(x.size(), Vec3::Zero());
  const fem::Stiffness stiffness = block.elements.add_forces(x, std::vector<Vec3>(x.size(), Vec3::Zero()), f);
  const double bound = 4 / block.elements.material().density * stiffness.elastic;
  const double omega_sq = largest_omega_sq(block, x, random);
  RC_ASSERT(omega_sq <= bound);
  RC_ASSERT(omega_sq >= 0.02 * bound);  // not so far off that steps would be needlessly short
}

TEST(FemElements, CountsElementsTurnedInsideOut) {
  const Block block;
  std::vector<Vec3> x = block.rest();
  EXPECT_EQ(block.elements.inverted_count(x), 0u);
  for (Vec3& p : x) p.z() = -p.z();
  EXPECT_EQ(block.elements.inverted_count(x), 10u);
}

TEST(FemElements, LumpedMassesSumToTheMassOfTheBody) {
  const Block block(ElasticMaterial{.density = 800});
  double sum = 0;
  for (const double m : block.elements.lumped_masses(block.rest().size())) sum += m;
  EXPECT_NEAR(sum, 800 * 0.2 * 0.1 * 0.1, 1e-12);
}

TEST(FemElements, RefuseBadInput) {
  const std::vector<Vec3> flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  const std::vector<Vec3> inside_out = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
  const std::vector<Vec3> good = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Tet> tets = {{VertexId(0), VertexId(1), VertexId(2), VertexId(3)}};
  EXPECT_NO_THROW(FemElements(good, tets, {}));
  EXPECT_THROW(FemElements(flat, tets, {}), Error);
  EXPECT_THROW(FemElements(inside_out, tets, {}), Error);
  EXPECT_THROW(FemElements(good, {}, {}), Error);
  for (const ElasticMaterial& bad :
       {ElasticMaterial{.young = 0}, ElasticMaterial{.young = std::nan("")}, ElasticMaterial{.density = 0},
        ElasticMaterial{.poisson = 0.5}, ElasticMaterial{.poisson = -0.1}, ElasticMaterial{.phi = -1}})
    EXPECT_THROW(FemElements(good, tets, bad), Error);
}

}  // namespace
}  // namespace pliant
