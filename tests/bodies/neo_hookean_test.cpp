// The kernels of Neo-Hookean bodies against energies in double.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "pliant/bodies/fem_choice.h"
#include "pliant/bodies/fem_descent.h"
#include "pliant/bodies/fem_newton_kernel.h"
#include "pliant/core/cpu.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

// A step of a small block whose start and present positions are given, as the kernels see it, and its potential in
// double.
struct StepOfBlock {
  std::shared_ptr<const TetMesh> mesh = make_tet_box({.size = {0.2, 0.1, 0.1}, .cells = {2, 1, 1}});
  FemElements elements;
  std::vector<double> masses;
  FemBlocks blocks;
  std::vector<Vec3> start;
  double h = 1.0 / 480;
  std::vector<float> gradients, inertial, moved;
  fem::DescentStep kernel{};

  StepOfBlock(Random& random, double mess)
      : elements(mesh->positions(), {mesh->tets().begin(), mesh->tets().end()},
                 ElasticMaterial{.young = random.within(1e3, 1e6), .poisson = random.within(0, 0.45), .density = 1000}
                     .with_damping(random.within(0, 5e-3))),
        masses(elements.lumped_masses(mesh->vertex_count())),
        blocks(elements, inverses()),
        start(jittered(random, {mesh->positions().begin(), mesh->positions().end()}, mess)) {
    elements.store_gradients(start, gradients);
    inertial = rows(random_vectors(random, start.size(), 0.01));
    moved = rows(random_vectors(random, start.size(), mess));
    const ElasticMaterial& m = elements.material();
    kernel = {.start_gradients = gradients.data(),
              .inertial = inertial.data(),
              .moved = moved.data(),
              .mu = static_cast<float>(m.mu()),
              .stiffness = static_cast<float>(elements.neo_hookean_stiffness()),
              .phi = static_cast<float>(m.phi / h),
              .psi = static_cast<float>(m.psi / h),
              .per_square_second = static_cast<float>(1 / (h * h)),
              .recovering = false,
              .pose = {}};
  }

  std::vector<double> inverses() const {
    std::vector<double> result;
    for (const double m : masses) result.push_back(1 / m);
    return result;
  }
  static std::vector<float> rows(std::span<const Vec3> v) {
    std::vector<float> result(4 * (v.size() + 1), 0);
    for (std::size_t i = 0; i < v.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) result[4 * i + k] = static_cast<float>(v[i][static_cast<int>(k)]);
    return result;
  }
  std::vector<Vec3> positions() const {
    std::vector<Vec3> x = start;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += Vec3(moved[4 * i], moved[4 * i + 1], moved[4 * i + 2]);
    return x;
  }
  double viscous(TetId t, const std::vector<Vec3>& x) const {
    const Eigen::Matrix3d g = elements.gradient(t, start), a = g.transpose() * (elements.gradient(t, x) - g);
    const Eigen::Matrix3d rate = 0.5 * (a + a.transpose()) / h;
    const ElasticMaterial& m = elements.material();
    return h * elements.volume(t) * (0.5 * m.phi * rate.trace() * rate.trace() + m.psi * rate.squaredNorm());
  }
  double potential(const std::vector<Vec3>& x) const {
    double sum = elements.neo_hookean_energy(x);
    for (std::size_t t = 0; t < elements.tets().size(); ++t) sum += viscous(TetId(t), x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3 to = start[i] + Vec3(inertial[4 * i], inertial[4 * i + 1], inertial[4 * i + 2]);
      sum += masses[i] * (x[i] - to).squaredNorm() / (2 * h * h);
    }
    return sum;
  }
  std::vector<Vec3> minus_gradient_now() const {
    return minus_gradient(positions(), 1e-6, [&](const std::vector<Vec3>& x) { return potential(x); });
  }
  // Central differences of central differences, of one vertex.
  Eigen::Matrix3d hessian(std::size_t i) const {
    constexpr double kStep = 1e-4;
    Eigen::Matrix3d result;
    const std::vector<Vec3> at = positions();
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        double sum = 0;
        for (const int sa : {-1, 1})
          for (const int sb : {-1, 1}) {
            std::vector<Vec3> x = at;
            x[i] += kStep * (sa * Vec3::Unit(a) + sb * Vec3::Unit(b));
            sum += sa * sb * potential(x);
          }
        result(a, b) = sum / (4 * kStep * kStep);
      }
    return result;
  }
};

RC_GTEST_PROP(NeoHookean, OneVertexGoesToTheMinimumOfThePotentialInOneSolve, (std::uint64_t seed)) {
  Random random(seed);
  StepOfBlock step(random, 0.03);  // some tets are inside out
  const double before = largest(step.minus_gradient_now());
  for (std::size_t block = 0; block < step.blocks.count(); ++block) {
    fem::descend(step.blocks.arrays(), step.kernel, block, block + 1, false, nullptr);
    const std::vector<Vec3> force = step.minus_gradient_now();
    for (const std::uint32_t node : step.blocks.nodes(block))
      if (node < step.masses.size()) RC_ASSERT(force[node].norm() < 1e-4 * before);
  }
}

RC_GTEST_PROP(NeoHookean, BlocksArePositiveDefiniteAndTheHessianOfThePotential, (std::uint64_t seed)) {
  Random random(seed);
  StepOfBlock step(random, 0.03);
  std::vector<float> inverses(6 * fem::kVertexLanes * step.blocks.count());
  fem::descend(step.blocks.arrays(), step.kernel, 0, 1, false, inverses.data());
  for (std::size_t lane = 0; lane < fem::kVertexLanes; ++lane) {
    const std::uint32_t node = step.blocks.nodes(0)[lane];
    if (node >= step.masses.size()) continue;
    const auto w = [&](std::size_t k) { return static_cast<double>(inverses[k * fem::kVertexLanes + lane]); };
    Eigen::Matrix3d inverse;
    inverse << w(0), w(1), w(2), w(1), w(3), w(4), w(2), w(4), w(5);
    const Eigen::Matrix3d hessian = step.hessian(node);
    RC_ASSERT(Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inverse).eigenvalues().minCoeff() > 0);
    RC_ASSERT((inverse * hessian - Eigen::Matrix3d::Identity()).norm() < 2e-3);
  }
}

fem::TetBlocks tet_blocks(const StepOfBlock& step, std::vector<std::uint32_t>& rows,
                          std::vector<std::uint32_t>& corners, std::vector<float>& gradients,
                          std::vector<float>& volumes) {
  const std::size_t count = step.elements.tets().size(), blocks = (count + 7) / 8;
  rows.assign(8 * blocks, 0);
  corners.assign(32 * blocks, 0);
  gradients.assign(72 * blocks, 0);
  volumes.assign(8 * blocks, 0);
  for (std::size_t t = 0; t < count; ++t) {
    rows[t] = static_cast<std::uint32_t>(3 * t);
    volumes[t] = static_cast<float>(step.elements.volume(TetId(t)));
    for (std::size_t c = 0; c < 4; ++c) corners[(4 * (t / 8) + c) * 8 + t % 8] = step.elements.tets()[t][c].value;
    for (std::size_t k = 0; k < 9; ++k)
      gradients[(9 * (t / 8) + k) * 8 + t % 8] =
          static_cast<float>(step.elements.inverse(TetId(t))(static_cast<int>(k / 3), static_cast<int>(k % 3)));
  }
  return {blocks, rows.data(), corners.data(), gradients.data(), volumes.data()};
}

RC_GTEST_PROP(NeoHookean, GradientsOfAllVerticesAreThoseOfThePotential, (std::uint64_t seed)) {
  Random random(seed);
  StepOfBlock step(random, 0.02);
  std::vector<std::uint32_t> rows, corners;
  std::vector<float> gradients, volumes, tangent(fem::kTangentSize * 8 * 4), gradient(step.moved.size(), 0);
  const fem::TetBlocks tets = tet_blocks(step, rows, corners, gradients, volumes);
  double with_gradient[8] = {};
  fem::add_gradient(tets, step.kernel, gradient.data(), tangent.data(), with_gradient);
  const std::vector<Vec3> force = step.minus_gradient_now();
  for (std::size_t i = 0; i < force.size(); ++i) {
    Vec3 sum(gradient[4 * i], gradient[4 * i + 1], gradient[4 * i + 2]);
    for (int k = 0; k < 3; ++k) {
      const std::size_t at = 4 * i + static_cast<std::size_t>(k);
      sum[k] += step.masses[i] / (step.h * step.h) *
                (static_cast<double>(step.moved[at]) - static_cast<double>(step.inertial[at]));
    }
    RC_ASSERT((sum + force[i]).norm() < 1e-4 * largest(force));
  }
  double lanes[8] = {}, elastic[8] = {}, unused[8] = {}, viscous = 0, sum = 0, elastic_sum = 0;
  fem::add_potential(tets, step.kernel, lanes);
  fem::add_elastic_energies(tets, step.kernel, unused, elastic);
  for (std::size_t t = 0; t < step.elements.tets().size(); ++t) viscous += step.viscous(TetId(t), step.positions());
  for (std::size_t l = 0; l < 8; ++l) {
    RC_ASSERT(with_gradient[l] == lanes[l]);
    sum += lanes[l];
    elastic_sum += elastic[l];
  }
  const double expected = step.elements.neo_hookean_energy(step.positions());
  RC_ASSERT(std::abs(elastic_sum - expected) < 1e-4 * expected);
  RC_ASSERT(std::abs(sum - expected - viscous) < 1e-4 * (expected + viscous));
}

RC_GTEST_PROP(NeoHookean, ProductsWithTheHessianAreSymmetricAndNearRestItsDifferences, (std::uint64_t seed)) {
  Random random(seed);
  StepOfBlock step(random, 1e-3);
  std::vector<std::uint32_t> rows, corners;
  std::vector<float> gradients, volumes, tangent(fem::kTangentSize * 8 * 4), at(step.moved.size(), 0), next = at;
  const fem::TetBlocks tets = tet_blocks(step, rows, corners, gradients, volumes);
  double energy[8] = {};
  fem::add_gradient(tets, step.kernel, at.data(), tangent.data(), energy);
  const std::vector<float> p = StepOfBlock::rows(random_vectors(random, step.start.size(), 1e-3));
  const std::vector<float> q = StepOfBlock::rows(random_vectors(random, step.start.size(), 1e-3));
  std::vector<float> hp(p.size(), 0), hq = hp;
  fem::add_product(tets, step.kernel, tangent.data(), p.data(), hp.data());
  fem::add_product(tets, step.kernel, tangent.data(), q.data(), hq.data());
  double pq = 0, qp = 0, size = 0, off = 0;
  for (std::size_t k = 0; k < p.size(); ++k) step.moved[k] += p[k];
  std::vector<float> unused = tangent;
  fem::add_gradient(tets, step.kernel, next.data(), unused.data(), energy);
  for (std::size_t k = 0; k < p.size(); ++k) {
    pq += static_cast<double>(p[k]) * static_cast<double>(hq[k]);
    qp += static_cast<double>(q[k]) * static_cast<double>(hp[k]);
    const double d = static_cast<double>(next[k]) - static_cast<double>(at[k]);
    size += d * d;
    off += (d - static_cast<double>(hp[k])) * (d - static_cast<double>(hp[k]));
  }
  double hp_size = 0, q_size = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    hp_size += static_cast<double>(hp[k]) * static_cast<double>(hp[k]);
    q_size += static_cast<double>(q[k]) * static_cast<double>(q[k]);
  }
  RC_ASSERT(std::abs(pq - qp) < 1e-4 * std::sqrt(hp_size * q_size));
  RC_ASSERT(off < 0.15 * 0.15 * size);
}

TEST(NeoHookean, ChoosesConjugateGradientsForSliversAndForWhatIsStiffForItsCells) {
  const auto choice = [](const Vec3& size, const Eigen::Vector3i& cells, const ElasticMaterial& material) {
    return FemBody(make_tet_box({size, cells}), {.material = material}).integrator();
  };
  const ElasticMaterial soft{.young = 2e4, .poisson = 0.3, .density = 1000};
  EXPECT_EQ(choice({0.3, 0.3, 0.3}, {7, 7, 8}, soft), FemIntegrator::vertex_descent);
  EXPECT_EQ(choice({0.3, 0.3, 0.02}, {5, 5, 8}, soft), FemIntegrator::conjugate_gradients);
  EXPECT_EQ(choice({0.3, 0.3, 0.3}, {7, 7, 8}, elastic_material("rubber")), FemIntegrator::conjugate_gradients);
  EXPECT_EQ(FemBody(make_tet_box({}), {.integrator = FemIntegrator::backward_euler}).energy(),
            FemEnergy::st_venant_kirchhoff);
}

}  // namespace
}  // namespace pliant
