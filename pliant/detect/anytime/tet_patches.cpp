#include "pliant/detect/anytime/tet_patches.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pliant/bounds/wide_kernel.h"
#include "pliant/bounds/wide_tree.h"
#include "pliant/core/cpu.h"

namespace pliant {
namespace {

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

// Up to so many vertices of a cell are their own points: eight of them take as long as an octagon around all, which
// makes boxes of small nodes an eighth too large.
constexpr std::size_t kOwnPoints = 32;

constexpr double kMostSize = 1e12;

// Of weights that float cannot hold.
TetPatch nowhere_known(std::uint32_t tet) {
  TetPatch patch{};
  patch.tet = tet;
  patch.margin = std::numeric_limits<float>::infinity();
  return patch;
}

// One patch, point by point, and how large its weights are.
class PatchMaker {
 public:
  explicit PatchMaker(std::uint32_t tet) { patch_.tet = tet; }
  void put(const Vec3& w) {
    for (int i = 0; i < 3; ++i) patch_.point[i][next_] = static_cast<float>(w[i]);
    size_ = std::max(size_, 1 + w.cwiseAbs().sum());
    ++next_;
  }
  void set_thick(const Vec3& thick) {
    for (int i = 0; i < 3; ++i) patch_.thick[i] = static_cast<float>(thick[i]);
    size_ += thick.cwiseAbs().sum();
  }
  TetPatch patch(double lost) {
    if (!(size_ < kMostSize)) return nowhere_known(patch_.tet);
    patch_.margin = static_cast<float>(kFloatRounding * size_ + 8 * lost);
    return patch_;
  }

 private:
  TetPatch patch_{};
  std::size_t next_ = 0;
  double size_ = 1;
};

}  // namespace

CageView view_of(const ScaledCage& cage, std::span<const Tet> tets) {
  return {&tets[0][0].value, reinterpret_cast<const float*>(cage.positions.data()), cage.largest};
}

float patch_margin(double size) {
  return size < kMostSize ? static_cast<float>(kFloatRounding * size) : std::numeric_limits<float>::infinity();
}

Aabb box_of(std::span<const TetPatch> patches, const ScaledCage& cage, std::span<const Tet> tets) {
  static_assert(sizeof(Tet) == 4 * sizeof(std::uint32_t));
#if defined(PLIANT_AVX2)
  const auto bound = use_avx2() ? tet_patch::avx2::bound : tet_patch::portable::bound;
#else
  constexpr auto bound = tet_patch::portable::bound;
#endif
  const CageView view = view_of(cage, tets);
  WideBoxes boxes;
  bound(patches.data(), patches.data() + patches.size(), view, &boxes.lo[0][0]);
  float ends[6];
  wide::kernels().unite(&boxes.lo[0][0], ends);
  return {{ends[0], ends[1], ends[2]}, {ends[3], ends[4], ends[5]}};
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
    Cell& made = cells_[count_++];
    std::vector<Vec3> few = std::move(made.few);  // its memory is used again
    few.clear();
    made = Cell{};
    made.few = std::move(few);
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

void TetPatchFitter::outline(VertexId v) {
  Cell& cell = cell_of(v);
  const Vec3 w = weights(v), t = product(cell.turned, w);
  if (cell.kept < kOwnPoints) cell.few.push_back(w);
  ++cell.kept;
  double off[2];
  for (int i = 0; i < 2; ++i) {
    const double half = 0.5 * (cell.high[i] - cell.low[i]);
    off[i] = half > 0 ? (t[i] - 0.5 * (cell.low[i] + cell.high[i])) / half : 0;
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      double& most = cell.diagonal[i][j];
      most = std::max(most, (i == 0 ? off[0] : -off[0]) + (j == 0 ? off[1] : -off[1]));
    }
}

// The weights of a point of the plane through the middle, in units of the half extents.
Vec3 TetPatchFitter::in_outline(const Cell& cell, double x, double y) {
  const Vec3 middle = 0.5 * (cell.low + cell.high), half = 0.5 * (cell.high - cell.low);
  return product(cell.back, Vec3(middle[0] + x * half[0], middle[1] + y * half[1], middle[2]));
}

void TetPatchFitter::add_patches(std::size_t index, std::vector<TetPatch>& patches) const {
  const Cell& cell = cells_[index];
  if (cell.kept <= kOwnPoints) add_points(cell, patches);
  else patches.push_back(octagon(cell));
}

// The last patch is filled up with its last vertex.
void TetPatchFitter::add_points(const Cell& cell, std::vector<TetPatch>& patches) {
  for (std::size_t first = 0; first < cell.few.size(); first += TetPatch::kPoints) {
    PatchMaker maker(cell.tet);
    for (std::size_t i = 0; i < TetPatch::kPoints; ++i) maker.put(cell.few[std::min(first + i, cell.few.size() - 1)]);
    patches.push_back(maker.patch(cell.lost));
  }
}

// Where the diagonals cut the corners off the rectangle of all extents.
TetPatch TetPatchFitter::octagon(const Cell& cell) {
  PatchMaker maker(cell.tet);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const double x = i == 0 ? 1 : -1, y = j == 0 ? 1 : -1, cut = cell.diagonal[i][j] - 1;
      maker.put(in_outline(cell, x, y * cut));
      maker.put(in_outline(cell, x * cut, y));
    }
  maker.set_thick(0.5 * (cell.high[2] - cell.low[2]) * cell.back.col(2));
  return maker.patch(cell.lost);
}

}  // namespace pliant
