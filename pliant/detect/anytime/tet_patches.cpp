#include "pliant/detect/anytime/tet_patches.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

using simd::Float4;
using Matrix3d = Eigen::Matrix3d;

// Unit roundoff of float. A box is a sum of four products of differences: about 20 roundings of terms that are no
// larger than weights times twice the largest coordinate.
constexpr double kFloatRounding = 64 * 0x1p-24;

// Turns rows and columns i and j of a symmetric matrix so that they are no longer coupled (Jacobi).
void uncouple(Matrix3d& matrix, Matrix3d& axes, int i, int j) {
  const double coupled = matrix(i, j);
  if (!(std::abs(coupled) > 1e-9 * (std::abs(matrix(i, i)) + std::abs(matrix(j, j))))) return;
  const double apart = (matrix(j, j) - matrix(i, i)) / (2 * coupled);
  const double tangent = (apart < 0 ? -1 : 1) / (std::abs(apart) + std::sqrt(apart * apart + 1));
  const double cosine = 1 / std::sqrt(tangent * tangent + 1), sine = tangent * cosine;
  const auto turn = [&](double& x, double& y) {
    const double before = x;
    x = cosine * before - sine * y;
    y = sine * before + cosine * y;
  };
  for (int k = 0; k < 3; ++k) turn(matrix(k, i), matrix(k, j));
  for (int k = 0; k < 3; ++k) turn(matrix(i, k), matrix(j, k));
  for (int k = 0; k < 3; ++k) turn(axes(k, i), axes(k, j));
}

// Orthonormal columns along which the points with these sums of squares lie, nearly; the widest direction first.
Matrix3d principal_axes(Matrix3d squares) {
  Matrix3d axes = Matrix3d::Identity();
  constexpr int kSweeps = 4;  // each squares what is left
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    uncouple(squares, axes, 0, 1);
    uncouple(squares, axes, 0, 2);
    uncouple(squares, axes, 1, 2);
  }
  std::array<int, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int i, int j) { return squares(i, i) > squares(j, j); });
  Matrix3d sorted;
  for (int k = 0; k < 3; ++k) sorted.col(k) = axes.col(order[static_cast<std::size_t>(k)]);
  return sorted;
}

Matrix3d product(const Matrix3d& a, const Matrix3d& b) {
  Matrix3d c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  return c;
}
Vec3 product(const Matrix3d& a, const Vec3& x) {
  Vec3 y;
  for (int i = 0; i < 3; ++i) y[i] = a(i, 0) * x[0] + a(i, 1) * x[1] + a(i, 2) * x[2];
  return y;
}

// Rows are cross products of columns over the determinant; not finite if there is none.
Matrix3d inverse_of(const Matrix3d& m) {
  const Vec3 a = m.col(0), b = m.col(1), c = m.col(2);
  const Vec3 bc = b.cross(c), ca = c.cross(a), ab = a.cross(b);
  const double determinant = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
  Matrix3d inverse;
  for (int i = 0; i < 3; ++i) {
    inverse(0, i) = bc[i] / determinant;
    inverse(1, i) = ca[i] / determinant;
    inverse(2, i) = ab[i] / determinant;
  }
  return inverse;
}

bool nearly_inverse(const Matrix3d& a, const Matrix3d& b) {
  const Matrix3d off = product(a, b) - Matrix3d::Identity();
  return off.allFinite() && off.cwiseAbs().maxCoeff() < 1e-6;
}

// Of weights that float cannot hold.
TetPatch nowhere_known(std::uint32_t tet) {
  TetPatch patch{};
  patch.tet = tet;
  patch.margin = std::numeric_limits<float>::infinity();
  return patch;
}

}  // namespace

ScaledCage::Box ScaledCage::box(std::span<const TetPatch> patches, std::span<const Tet> tets) const {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  Box all{Float4{} + kInf, Float4{} - kInf};
  for (const TetPatch& patch : patches) {
    const Tet& tet = tets[patch.tet];
    const Float4 origin = positions[tet[0].index()];
    const Float4 e0 = positions[tet[1].index()] - origin, e1 = positions[tet[2].index()] - origin,
                 e2 = positions[tet[3].index()] - origin;
    const auto image = [&](const float* w) PLIANT_SIMD_INLINE_LAMBDA { return e0 * w[0] + e1 * w[1] + e2 * w[2]; };
    const Float4 middle = origin + image(patch.middle);
    const Float4 a = image(patch.axis[0]), b = image(patch.axis[1]), c = image(patch.axis[2]);
    const Float4 wide = simd::min(simd::abs(a) + simd::abs(b), patch.round * simd::sqrt(a * a + b * b));
    const Float4 half = wide + simd::abs(c) + patch.margin * largest;
    all.lo = simd::min(all.lo, middle - half);
    all.hi = simd::max(all.hi, middle + half);
  }
  return all;
}

TetPatchFitter::TetPatchFitter(const BarycentricEmbedding& embedding) : embedding_(embedding) {
  node_of_.reserve(embedding.tets().size());
  cell_of_.reserve(embedding.tets().size());
}

void TetPatchFitter::grow(std::size_t tets) {
  const std::size_t size = std::min(tets, embedding_.tets().size());
  if (size <= node_of_.size()) return;
  node_of_.resize(size);
  cell_of_.resize(size);
}

void TetPatchFitter::start() {
  ++node_;
  count_ = 0;
}

void TetPatchFitter::see(VertexId v) {
  const std::uint32_t tet = embedding_.anchors()[v.index()].tet.value;
  if (node_of_[tet] != node_) {
    node_of_[tet] = node_;
    cell_of_[tet] = static_cast<std::uint32_t>(count_);
    if (count_ == cells_.size()) cells_.emplace_back();
    Cell& made = cells_[count_++] = Cell{};
    made.tet = tet;
    const Tet& corners = embedding_.tets()[tet];
    for (int i = 0; i < 3; ++i)
      made.edges.col(i) = embedding_.coarse_rest()[corners[static_cast<std::size_t>(i) + 1].index()] -
                          embedding_.coarse_rest()[corners[0].index()];
    made.first = product(made.edges, weights(v));
  }
  Cell& cell = cells_[cell_of_[tet]];
  const Vec3 x = product(cell.edges, weights(v)) - cell.first;
  cell.count += 1;
  cell.sum += x;
  for (int j = 0; j < 3; ++j) cell.squares.col(j) += x * x[j];
}

void TetPatchFitter::turn(std::size_t index) {
  Cell& cell = cells_[index];
  const Vec3 mean = cell.sum / cell.count;
  for (int j = 0; j < 3; ++j) cell.squares.col(j) -= cell.sum * mean[j];
  const Matrix3 axes = principal_axes(cell.squares);
  cell.turned = product(axes.transpose(), cell.edges);
  cell.back = product(inverse_of(cell.edges), axes);
  // A tetrahedron with hardly a volume: along its weights.
  if (!nearly_inverse(cell.back, cell.turned)) cell.turned = cell.back = Matrix3::Identity();
  cell.low = Vec3::Constant(std::numeric_limits<double>::infinity());
  cell.high = -cell.low;
}

void TetPatchFitter::measure(VertexId v) {
  Cell& cell = cell_of(v);
  const Vec3 w = weights(v), t = product(cell.turned, w);
  cell.low = cell.low.cwiseMin(t);
  cell.high = cell.high.cwiseMax(t);
  cell.lost = std::max(cell.lost, (product(cell.back, t) - w).cwiseAbs().maxCoeff());
}

void TetPatchFitter::round(VertexId v) {
  Cell& cell = cell_of(v);
  const Vec3 extent = cell.high - cell.low, t = product(cell.turned, weights(v));
  double sum = 0;
  for (int i = 0; i < 2; ++i) {
    const double half = 0.5 * extent[i];
    const double off = half > 0 ? (t[i] - 0.5 * (cell.low[i] + cell.high[i])) / half : 0;
    sum += off * off;
  }
  cell.round_sq = std::max(cell.round_sq, sum);
}

TetPatch TetPatchFitter::patch(std::size_t index) const {
  const Cell& cell = cells_[index];
  const Vec3 middle = product(cell.back, Vec3(0.5 * (cell.low + cell.high)));
  TetPatch patch{};
  patch.tet = cell.tet;
  double size = 1 + middle.cwiseAbs().sum();
  for (int i = 0; i < 3; ++i) patch.middle[i] = static_cast<float>(middle[i]);
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = 0.5 * (cell.high[k] - cell.low[k]) * cell.back.col(k);
    for (int i = 0; i < 3; ++i) patch.axis[k][i] = static_cast<float>(axis[i]);
    size += axis.cwiseAbs().sum();
  }
  constexpr double kMost = 1e12;
  if (!(size < kMost)) return nowhere_known(cell.tet);
  patch.round = static_cast<float>(std::sqrt(cell.round_sq) * (1 + 1e-6));
  patch.margin = static_cast<float>(kFloatRounding * size + 8 * cell.lost);
  return patch;
}

}  // namespace pliant
