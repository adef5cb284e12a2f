#include "pliant/bodies/fem_elements.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pliant/core/error.h"

namespace pliant {
namespace {

constexpr double kStabilityRadius = 2.6;
constexpr double kSafety = 0.8;  // the stretch grows within a step
// Below this fraction of its longest edge cubed, a volume is rounding.
constexpr double kLeastVolume = 1e-12;

Eigen::Matrix3d edge_matrix(const Tet& t, std::span<const Vec3> x) {
  Eigen::Matrix3d m;
  for (int c = 0; c < 3; ++c) m.col(c) = x[t[static_cast<std::size_t>(c) + 1].index()] - x[t[0].index()];
  return m;
}

double checked_volume(std::size_t index, const Eigen::Matrix3d& edges) {
  const double volume = edges.determinant() / 6;
  const double longest = edges.colwise().norm().maxCoeff();
  if (!(volume > kLeastVolume * longest * longest * longest))
    throw Error(ErrorPlace{.element = "tetrahedron " + std::to_string(index)},
                volume < 0 ? "the tetrahedron is inside out" : "the tetrahedron has no volume",
                "remove or repair it before it is simulated");
  return volume;
}

}  // namespace

FemElements::FemElements(std::span<const Vec3> rest, std::vector<Tet> tets, const ElasticMaterial& material)
    : tets_(std::move(tets)), material_(material) {
  require_valid(material);
  if (tets_.empty()) throw Error("a body without tetrahedra", "give a volume mesh with at least one");
  for (std::size_t t = 0; t < tets_.size(); ++t) {
    const Eigen::Matrix3d edges = edge_matrix(tets_[t], rest);
    volume_.push_back(checked_volume(t, edges));
    inverse_.push_back(edges.inverse());
  }
  pack();
}

void FemElements::pack() {
  using fem::kLanes;
  blocks_ = (tets_.size() + kLanes - 1) / kLanes;
  packed_inverse_.assign(blocks_ * 9 * kLanes, 0);
  packed_volume_.assign(blocks_ * kLanes, 0);
  packed_gradient_sq_.assign(blocks_ * kLanes, 0);
  packed_corners_.assign(blocks_ * 4 * kLanes, tets_[0][0].value);
  for (std::size_t t = 0; t < tets_.size(); ++t) {
    const std::size_t block = t / kLanes, lane = t % kLanes;
    const Eigen::Matrix3d& inverse = inverse_[t];
    for (std::size_t k = 0; k < 9; ++k)
      packed_inverse_[(block * 9 + k) * kLanes + lane] = inverse(static_cast<int>(k / 3), static_cast<int>(k % 3));
    packed_volume_[t] = volume_[t];
    packed_gradient_sq_[t] = inverse.squaredNorm() + inverse.colwise().sum().squaredNorm();
    for (std::size_t c = 0; c < 4; ++c) packed_corners_[(block * 4 + c) * kLanes + lane] = tets_[t][c].value;
  }
}

Eigen::Matrix3d FemElements::gradient(TetId t, std::span<const Vec3> x) const {
  return edge_matrix(tets_[t.index()], x) * inverse_[t.index()];
}

fem::ElementArrays FemElements::arrays() const {
  return {.inverse = packed_inverse_.data(),
          .volume = packed_volume_.data(),
          .gradient_sq = packed_gradient_sq_.data(),
          .corners = packed_corners_.data(),
          .blocks = blocks_,
          .lambda = material_.lambda(),
          .mu = material_.mu(),
          .phi = material_.phi,
          .psi = material_.psi};
}

fem::Stiffness FemElements::add_forces(std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> forces) const {
  return fem::add_forces(arrays(), x.data()->data(), v.data()->data(), forces.data()->data());
}

fem::SizeRange FemElements::store_gradients(std::span<const Vec3> x, std::vector<float>& rows) const {
  rows.resize(12 * fem::kLanes * blocks_);
  return fem::store_gradients(arrays(), x.data()->data(), rows.data());
}

double FemElements::energy(std::span<const Vec3> x) const {
  double sum = 0;
  for (std::size_t t = 0; t < tets_.size(); ++t) {
    const Eigen::Matrix3d f = gradient(TetId(t), x);
    const Eigen::Matrix3d strain = 0.5 * (f.transpose() * f - Eigen::Matrix3d::Identity());
    const double trace = strain.trace();
    sum += volume_[t] * (0.5 * material_.lambda() * trace * trace + material_.mu() * strain.squaredNorm());
  }
  return sum;
}

double FemElements::neo_hookean_energy(std::span<const Vec3> x) const {
  double sum = 0;
  for (std::size_t t = 0; t < tets_.size(); ++t) {
    const Eigen::Matrix3d f = gradient(TetId(t), x);
    const double growth = f.determinant() - 1;
    sum += volume_[t] * (0.5 * material_.mu() * (f.squaredNorm() - 3) - material_.mu() * growth +
                         0.5 * neo_hookean_stiffness() * growth * growth);
  }
  return sum;
}

std::size_t FemElements::inverted_count(std::span<const Vec3> x) const {
  const std::size_t fillers = blocks_ * fem::kLanes - tets_.size();
  return fem::count_inverted(arrays(), x.data()->data()) - fillers;
}

std::vector<double> FemElements::lumped_masses(std::size_t nodes) const {
  std::vector<double> masses(nodes, 0);
  for (std::size_t t = 0; t < tets_.size(); ++t)
    for (const VertexId v : tets_[t]) masses[v.index()] += material_.density * volume_[t] / 4;
  return masses;
}

double FemElements::stable_step(const fem::Stiffness& stiffness) const {
  const double omega = std::sqrt(4 / material_.density * stiffness.elastic);
  const double gamma = 4 / material_.density * (material_.phi + 2 * material_.psi) * stiffness.stretch_sq;
  return kSafety * kStabilityRadius / std::max(omega, gamma);
}

}  // namespace pliant
