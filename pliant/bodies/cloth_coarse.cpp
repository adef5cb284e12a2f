#include "pliant/bodies/cloth_coarse.h"

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/core/simd.h"

namespace pliant {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using RowSparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();
constexpr double kLeastWeight = 1e-3;
constexpr std::size_t kKeptFactors = 4;
constexpr double kUsualRate = 480;  // 1/s: steps of this length, its halves and so on have factors of their own

// Edges between seeds: one node for 16 vertices, up to some 500 nodes, then for up to 64.
std::uint32_t spacing_for(std::size_t vertices) {
  const double wanted = std::sqrt(static_cast<double>(vertices) / 520);
  return static_cast<std::uint32_t>(std::clamp(std::ceil(wanted), 4.0, 8.0));
}

// Free vertices by their rows, and who is next to whom.
std::vector<std::vector<std::uint32_t>> neighbours_of(const ClothElements& elements, const ClothLayout& layout) {
  std::vector<std::vector<std::uint32_t>> result(layout.free_rows());
  for (const ClothFace& face : elements.faces()) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = layout.row_of_vertex()[face.v[i]], b = layout.row_of_vertex()[face.v[(i + 1) % 3]];
      if (a >= result.size() || b >= result.size()) continue;
      result[a].push_back(b);
      result[b].push_back(a);
    }
  }
  for (auto& list : result) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return result;
}

// Greedy seeds `spacing` edges apart, in the order of the mesh; every row belongs to its nearest.
class Aggregation {
 public:
  Aggregation(const ClothLayout& layout, const std::vector<std::vector<std::uint32_t>>& neighbours,
              std::uint32_t spacing)
      : neighbours_(neighbours), node_(neighbours.size(), kNoNode), distance_(neighbours.size(), kNoNode) {
    for (const std::uint32_t row : layout.row_of_vertex())
      if (row < neighbours.size() && (distance_[row] == kNoNode || distance_[row] >= spacing)) grow(row);
  }

  std::uint32_t count() const { return count_; }
  std::span<const std::uint32_t> node_of_row() const { return node_; }

 private:
  void grow(std::uint32_t seed) {
    std::vector<std::uint32_t> queue{seed};
    distance_[seed] = 0;
    node_[seed] = count_;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::uint32_t next : neighbours_[queue[i]]) {
        if (distance_[next] <= distance_[queue[i]] + 1) continue;
        distance_[next] = distance_[queue[i]] + 1;
        node_[next] = count_;
        queue.push_back(next);
      }
    }
    ++count_;
  }

  const std::vector<std::vector<std::uint32_t>>& neighbours_;
  std::vector<std::uint32_t> node_, distance_;
  std::uint32_t count_ = 0;
};

// Aggregates smoothed `passes` times: w <- 0.4 w + 0.6 mean over neighbours.
RowSparse smoothed(const Aggregation& aggregation, const std::vector<std::vector<std::uint32_t>>& neighbours,
                   std::uint32_t passes) {
  const auto rows = static_cast<Eigen::Index>(neighbours.size());
  Triplets pass, aggregates;
  for (std::size_t row = 0; row < neighbours.size(); ++row) {
    const auto r = static_cast<int>(row);
    const double fraction = neighbours[row].empty() ? 0 : 0.6 / static_cast<double>(neighbours[row].size());
    pass.emplace_back(r, r, neighbours[row].empty() ? 1 : 0.4);
    for (const std::uint32_t next : neighbours[row]) pass.emplace_back(r, static_cast<int>(next), fraction);
    const std::uint32_t node = aggregation.node_of_row()[row];
    if (node != kNoNode) aggregates.emplace_back(r, static_cast<int>(node), 1.0);
  }
  RowSparse smooth(rows, rows), weights(rows, static_cast<Eigen::Index>(aggregation.count()));
  smooth.setFromTriplets(pass.begin(), pass.end());
  weights.setFromTriplets(aggregates.begin(), aggregates.end());
  for (std::uint32_t i = 0; i < passes; ++i) weights = RowSparse(smooth * weights);
  weights.prune([](Eigen::Index, Eigen::Index, double w) { return w > kLeastWeight; });
  return weights;
}

RowSparse mass_matrix(const ClothLayout& layout, std::span<const double> masses) {
  Triplets entries;
  for (std::size_t row = 0; row < layout.free_rows(); ++row)
    if (layout.vertex_of_row()[row] != ClothLayout::kNoVertex)
      entries.emplace_back(static_cast<int>(row), static_cast<int>(row), masses[layout.vertex_of_row()[row]]);
  const auto rows = static_cast<Eigen::Index>(layout.free_rows());
  RowSparse result(rows, rows);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

// Divided by the stretch stiffness.
RowSparse stiffness_matrix(const ClothElements& elements, const ClothLayout& layout) {
  Triplets entries;
  const auto add = [&](std::uint32_t v, std::uint32_t w, double value) {
    const std::uint32_t a = layout.row_of_vertex()[v], b = layout.row_of_vertex()[w];
    if (a < layout.free_rows() && b < layout.free_rows())
      entries.emplace_back(static_cast<int>(a), static_cast<int>(b), value);
  };
  const double k = elements.material().stretch, membrane = 1 + 2 * elements.material().shear / k;
  for (const ClothFace& f : elements.faces())
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        add(f.v[i], f.v[j], membrane * f.area * (f.u_weight[i] * f.u_weight[j] + f.v_weight[i] * f.v_weight[j]));
  for (const ClothHinge& h : elements.hinges())
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) add(h.v[i], h.v[j], h.stiffness / k * h.weight[i] * h.weight[j]);
  const auto rows = static_cast<Eigen::Index>(layout.free_rows());
  RowSparse result(rows, rows);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

// The smallest 2^(n/4) that is not below x, as n: four factors for each doubling.
int quarter_power(double x) {
  constexpr double kQuarters[] = {0.5, 0.59460355750136051, 0.70710678118654757, 0.84089641525371461};
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);  // [0.5, 1)
  int quarter = 0;
  while (quarter < 4 && kQuarters[quarter] < fraction * (1 - 1e-9)) ++quarter;
  return 4 * exponent + quarter;
}
double value_of(int quarter_power) {
  constexpr double kQuarters[] = {0.5, 0.59460355750136051, 0.70710678118654757, 0.84089641525371461};
  const int quarter = ((quarter_power % 4) + 4) % 4;
  return std::ldexp(kQuarters[quarter], (quarter_power - quarter) / 4);
}

}  // namespace

// L D L^T of the coarse matrix, in the order that keeps L sparse. That order, and where entries are, is the same for
// all.
class ClothCoarseFactor {
 public:
  using Ldlt = Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<int>>;
  ClothCoarseFactor(const Sparse& matrix, Ldlt& ldlt, int power) : power_(power) {
    ldlt.factorize(matrix);
    if (ldlt.info() != Eigen::Success || !(ldlt.vectorD().array() > 0).all()) return;  // then there is no correction
    const auto n = static_cast<std::size_t>(matrix.cols());
    order_.resize(n);  // old index by new one
    for (std::size_t i = 0; i < n; ++i)
      order_[static_cast<std::size_t>(ldlt.permutationP().indices()[static_cast<Eigen::Index>(i)])] =
          static_cast<std::uint32_t>(i);
    const Sparse& lower = ldlt.matrixL().nestedExpression();
    entries_.reserve(static_cast<std::size_t>(lower.nonZeros()));
    first_.reserve(n + 1);
    inverse_.reserve(n);
    for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
      first_.push_back(static_cast<std::uint32_t>(entries_.size()));
      for (Sparse::InnerIterator entry(lower, column); entry; ++entry)
        if (entry.row() > column)
          entries_.push_back({static_cast<std::uint32_t>(entry.row()), static_cast<float>(entry.value())});
      inverse_.push_back(static_cast<float>(1 / ldlt.vectorD()[column]));
    }
    first_.push_back(static_cast<std::uint32_t>(entries_.size()));
    work_.resize(n);
  }

  int power() const { return power_; }

  // Rows of four floats.
  void solve(const float* right, float* left) {
    using simd::Float4;
    const auto n = order_.size();
    for (std::size_t i = 0; i < n; ++i) __builtin_memcpy(&work_[i], right + 4 * std::size_t{order_[i]}, sizeof(Float4));
    for (std::size_t column = 0; column < n; ++column) {
      const Float4 value = work_[column];
      for (std::uint32_t e = first_[column]; e < first_[column + 1]; ++e)
        work_[entries_[e].row] -= entries_[e].value * value;
    }
    for (std::size_t column = n; column-- > 0;) {
      Float4 even = inverse_[column] * work_[column], odd{};
      std::uint32_t e = first_[column];
      for (; e + 1 < first_[column + 1]; e += 2) {
        even -= entries_[e].value * work_[entries_[e].row];
        odd -= entries_[e + 1].value * work_[entries_[e + 1].row];
      }
      if (e < first_[column + 1]) even -= entries_[e].value * work_[entries_[e].row];
      work_[column] = even + odd;
    }
    for (std::size_t i = 0; i < n; ++i) __builtin_memcpy(left + 4 * std::size_t{order_[i]}, &work_[i], sizeof(Float4));
  }
  bool works() const { return !work_.empty(); }

 private:
  struct Entry {
    std::uint32_t row;
    float value;
  };
  int power_;
  std::vector<std::uint32_t> order_, first_;
  std::vector<Entry> entries_;
  std::vector<float> inverse_;
  std::vector<simd::Float4> work_;
};

struct ClothCoarse::Matrices {
  Sparse mass, stiffness;  // with the same entries
  ClothCoarseFactor::Ldlt ldlt;
};

ClothCoarse::ClothCoarse(const ClothElements& elements, const ClothLayout& layout, std::span<const double> masses)
    : usual_inertia_(kUsualRate * kUsualRate / elements.material().stretch) {
  const auto neighbours = neighbours_of(elements, layout);
  const std::uint32_t spacing = spacing_for(layout.free_rows());
  const RowSparse weights = smoothed(Aggregation(layout, neighbours, spacing), neighbours, spacing / 2 + 1);
  const Sparse by_node(weights);
  for (Eigen::Index row = 0; row < weights.rows(); ++row) {
    row_first_.push_back(static_cast<std::uint32_t>(of_row_.size()));
    for (RowSparse::InnerIterator w(weights, row); w; ++w)
      of_row_.push_back({static_cast<std::uint32_t>(w.col()), static_cast<float>(w.value())});
  }
  row_first_.push_back(static_cast<std::uint32_t>(of_row_.size()));
  for (Eigen::Index node = 0; node < by_node.cols(); ++node) {
    node_first_.push_back(static_cast<std::uint32_t>(of_node_.size()));
    for (Sparse::InnerIterator w(by_node, node); w; ++w)
      of_node_.push_back({static_cast<std::uint32_t>(w.row()), static_cast<float>(w.value())});
  }
  node_first_.push_back(static_cast<std::uint32_t>(of_node_.size()));
  const RowSparse stiffness = stiffness_matrix(elements, layout);
  for (Eigen::Index row = 0; row < stiffness.rows(); ++row) stiffness_of_row_.push_back(stiffness.coeff(row, row));
  const auto coarse = [&](const RowSparse& fine) { return Sparse(by_node.transpose() * Sparse(fine * weights)); };
  matrices_ = std::make_unique<Matrices>();
  matrices_->stiffness = coarse(stiffness);
  // Entries of one that the other lacks are zero in it.
  matrices_->mass = coarse(mass_matrix(layout, masses)) + 0.0 * matrices_->stiffness;
  matrices_->stiffness = matrices_->stiffness + Sparse(0.0 * matrices_->mass);
  matrices_->ldlt.analyzePattern(matrices_->stiffness);
  right_.resize(4 * node_count());
  left_.resize(4 * node_count());
}

ClothCoarse::~ClothCoarse() = default;

// Each held row as a spring as stiff as the sheet, shared out to its nodes: stiffer than the spring itself, which is
// safe.
void ClothCoarse::hold(std::span<const std::uint32_t> rows) {
  if (std::includes(held_rows_.begin(), held_rows_.end(), rows.begin(), rows.end())) return;
  release();
  held_rows_.assign(rows.begin(), rows.end());
  held_.assign(node_count(), 0);
  for (const std::uint32_t row : rows)
    for (std::uint32_t w = row_first_[row]; w < row_first_[row + 1]; ++w)
      held_[of_row_[w].index] += static_cast<double>(of_row_[w].value) * stiffness_of_row_[row];
}

void ClothCoarse::release() {
  held_rows_.clear();
  held_.clear();
  held_factor_.reset();
}

Eigen::SparseMatrix<double> ClothCoarse::matrix_for(int power) const {
  Sparse matrix = matrices_->stiffness;
  const double inertia = usual_inertia_ * value_of(power);
  for (Eigen::Index i = 0; i < matrix.nonZeros(); ++i) matrix.valuePtr()[i] += inertia * matrices_->mass.valuePtr()[i];
  return matrix;
}

ClothCoarseFactor& ClothCoarse::factor_for(double inertia) {
  const int power = quarter_power(inertia / usual_inertia_);
  if (!held_.empty()) {
    if (held_factor_ && held_factor_->power() == power) return *held_factor_;
    Sparse matrix = matrix_for(power);
    for (std::size_t node = 0; node < held_.size(); ++node)
      matrix.coeffRef(static_cast<Eigen::Index>(node), static_cast<Eigen::Index>(node)) += held_[node];
    held_factor_ = std::make_unique<ClothCoarseFactor>(matrix, matrices_->ldlt, power);
    return *held_factor_;
  }
  const auto known =
      std::find_if(factors_.begin(), factors_.end(), [&](const auto& factor) { return factor->power() == power; });
  if (known != factors_.end()) {
    factors_.splice(factors_.begin(), factors_, known);
    return *factors_.front();
  }
  if (factors_.size() == kKeptFactors) factors_.pop_back();
  factors_.push_front(std::make_unique<ClothCoarseFactor>(matrix_for(power), matrices_->ldlt, power));
  return *factors_.front();
}

void ClothCoarse::correct(double inertia, const float* gradient, float* x) {
  using simd::Float4;
  if (node_count() == 0) return;
  ClothCoarseFactor& factor = factor_for(inertia);
  if (!factor.works()) return;
  const auto load = [](const float* p) {
    Float4 result;
    __builtin_memcpy(&result, p, sizeof(result));
    return result;
  };
  for (std::size_t node = 0; node < node_count(); ++node) {
    Float4 sum{};
    for (std::uint32_t w = node_first_[node]; w < node_first_[node + 1]; ++w)
      sum += of_node_[w].value * load(gradient + 4 * std::size_t{of_node_[w].index});
    __builtin_memcpy(&right_[4 * node], &sum, sizeof(sum));
  }
  factor.solve(right_.data(), left_.data());
  for (std::size_t row = 0; row + 1 < row_first_.size(); ++row) {
    Float4 at = load(x + 4 * row);
    for (std::uint32_t w = row_first_[row]; w < row_first_[row + 1]; ++w)
      at -= of_row_[w].value * load(&left_[4 * std::size_t{of_row_[w].index}]);
    __builtin_memcpy(x + 4 * row, &at, sizeof(at));
  }
}

}  // namespace pliant
