#include "pliant/mesh/quantiser.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "pliant/core/parallel.h"

namespace pliant {
namespace {

constexpr std::size_t kCellsAtOnce = 8;  // that one thread takes

double vector_distance_sq(const double* a, const double* b, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// The square of a symmetric matrix, such that its trace is 1; false if there is nothing of it.
bool square(std::vector<double>& matrix, std::size_t size) {
  double trace = 0;
  for (std::size_t i = 0; i < size; ++i) trace += matrix[i * size + i];
  if (!(trace > 0)) return false;
  for (double& x : matrix) x /= trace;
  std::vector<double> result(size * size, 0);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      for (std::size_t k = 0; k < size; ++k) result[i * size + j] += matrix[i * size + k] * matrix[k * size + j];
  matrix = std::move(result);
  return true;
}

}  // namespace

Quantiser::Quantiser(std::vector<double> vectors, std::size_t size, std::uint32_t cells,
                     const QuantiserSettings& settings)
    : settings_(settings),
      vectors_(std::move(vectors)),
      size_(size),
      count_(vectors_.size() / size),
      wanted_(static_cast<std::uint32_t>(std::min<std::size_t>(cells, count_))) {
  cell_.assign(count_, 0);
  next_cell_.assign(count_, 0);
  distance_sq_.assign(count_, 0);
  centres_.assign(size_, 0);
  list_members();
  if (count_ == 0) {
    phase_ = Phase::finished;
    return;
  }
  move_to_means();
  for (std::size_t m = 0; m < count_; ++m) distance_sq_[m] = vector_distance_sq(vector(m), centre(0), size_);
  distortions_.push_back({sum_distortion()});
}

bool Quantiser::step() {
  if (phase_ == Phase::finished) return false;
  if (phase_ == Phase::split) split_cells();
  else iterate();
  return true;
}

// Vectors by cell: a counting sort, which keeps them ascending.
void Quantiser::list_members() {
  first_member_.assign(cell_count() + 1, 0);
  for (const std::uint32_t c : cell_) ++first_member_[c + 1];
  std::partial_sum(first_member_.begin(), first_member_.end(), first_member_.begin());
  members_.resize(count_);
  std::vector<std::uint32_t> next(first_member_.begin(), first_member_.end() - 1);
  for (std::size_t m = 0; m < count_; ++m) members_[next[cell_[m]]++] = static_cast<std::uint32_t>(m);
}

void Quantiser::move_to_means() {
  parallel_for(settings_.threads, cell_count(), kCellsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      const auto own = members(c);
      if (own.empty()) continue;
      double* mean = centre(c);
      std::fill(mean, mean + size_, 0.0);
      for (const std::uint32_t m : own)
        for (std::size_t i = 0; i < size_; ++i) mean[i] += vector(m)[i];
      for (std::size_t i = 0; i < size_; ++i) mean[i] /= static_cast<double>(own.size());
    }
  });
}

// From the distances; also per cell.
double Quantiser::sum_distortion() {
  cell_distortion_.assign(cell_count(), 0);
  for (std::size_t m = 0; m < count_; ++m) cell_distortion_[cell_[m]] += distance_sq_[m];
  const double sum = std::accumulate(cell_distortion_.begin(), cell_distortion_.end(), 0.0);
  return sum / static_cast<double>(size_ * count_);
}

// The direction in which the cell's vectors vary most, by squaring their covariance matrix again and again; and their
// standard deviation along it.
std::vector<double> Quantiser::principal_direction(std::uint32_t cell, double& deviation) const {
  constexpr int kSquarings = 12;  // as 4096 multiplications by the matrix
  std::vector<double> covariance(size_ * size_, 0);
  std::vector<double> from_mean(size_);
  for (const std::uint32_t m : members(cell)) {
    for (std::size_t i = 0; i < size_; ++i) from_mean[i] = vector(m)[i] - centre(cell)[i];
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t j = 0; j < size_; ++j) covariance[i * size_ + j] += from_mean[i] * from_mean[j];
  }
  std::vector<double> power = covariance;
  for (int k = 0; k < kSquarings; ++k)
    if (!square(power, size_)) break;
  std::size_t longest = 0;
  for (std::size_t i = 1; i < size_; ++i)
    if (power[i * size_ + i] > power[longest * size_ + longest]) longest = i;
  std::vector<double> direction(power.begin() + static_cast<std::ptrdiff_t>(longest * size_),
                                power.begin() + static_cast<std::ptrdiff_t>((longest + 1) * size_));
  double length_sq = 0;
  for (const double x : direction) length_sq += x * x;
  deviation = 0;
  if (!(length_sq > 0)) return direction;
  // The largest component, here on the diagonal of a matrix without negative eigenvalues, is positive.
  for (double& x : direction) x /= std::sqrt(length_sq);
  double variance = 0;
  for (std::size_t i = 0; i < size_; ++i)
    for (std::size_t j = 0; j < size_; ++j) variance += direction[i] * covariance[i * size_ + j] * direction[j];
  deviation = std::sqrt(std::max(0.0, variance) / static_cast<double>(members(cell).size()));
  return direction;
}

// The cell keeps the upper half of its vectors, `child` takes the lower one.
void Quantiser::split_cell(std::uint32_t cell, std::uint32_t child) {
  double deviation = 1;
  std::vector<double> direction;
  if (settings_.split_rule == CellSplit::principal) direction = principal_direction(cell, deviation);
  else direction.assign(centre(cell), centre(cell) + size_);
  for (std::size_t i = 0; i < size_; ++i) {
    const double middle = centre(cell)[i], aside = settings_.split * deviation * direction[i];
    centre(cell)[i] = middle + aside;
    centre(child)[i] = middle - aside;
  }
  for (const std::uint32_t m : members(cell)) {
    const double upper = vector_distance_sq(vector(m), centre(cell), size_);
    const double lower = vector_distance_sq(vector(m), centre(child), size_);
    if (lower < upper) cell_[m] = child;
  }
}

void Quantiser::split_cells() {
  const std::uint32_t before = cell_count();
  std::vector<std::uint32_t> chosen;
  if (before < wanted_)
    for (std::uint32_t c = 0; c < before; ++c)
      if (cell_distortion_[c] > 0) chosen.push_back(c);
  if (chosen.empty()) return finish();
  move_to_means();
  if (chosen.size() > wanted_ - before) {
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return cell_distortion_[a] > cell_distortion_[b]; });
    chosen.resize(wanted_ - before);
    std::sort(chosen.begin(), chosen.end());
  }
  centres_.resize((before + chosen.size()) * size_);
  for (std::size_t k = 0; k < chosen.size(); ++k) split_cell(chosen[k], before + static_cast<std::uint32_t>(k));
  list_members();
  distortions_.emplace_back();
  phase_ = Phase::iterate;
}

void Quantiser::assign_members_exhaustively(std::uint32_t cell) {
  for (const std::uint32_t m : members(cell)) {
    std::uint32_t best = 0;
    double least = vector_distance_sq(vector(m), centre(0), size_);
    for (std::uint32_t c = 1; c < cell_count(); ++c) {
      const double d = vector_distance_sq(vector(m), centre(c), size_);
      if (d < least) least = d, best = c;
    }
    next_cell_[m] = best;
    distance_sq_[m] = least;
  }
}

// A code vector nearer than the own one is at most twice as far from it as the vector is.
void Quantiser::assign_members_pruned(std::uint32_t cell) {
  constexpr double kSlack = 1 + 1e-9;  // beyond all rounding
  double farthest = 0;
  for (const std::uint32_t m : members(cell)) {
    distance_sq_[m] = vector_distance_sq(vector(m), centre(cell), size_);
    farthest = std::max(farthest, distance_sq_[m]);
  }
  std::vector<std::pair<double, std::uint32_t>> near;
  for (std::uint32_t c = 0; c < cell_count(); ++c) {
    const double d = vector_distance_sq(centre(cell), centre(c), size_);
    if (c != cell && d <= 4 * farthest * kSlack) near.emplace_back(d, c);
  }
  std::sort(near.begin(), near.end());
  for (const std::uint32_t m : members(cell)) {
    const double reach = 4 * distance_sq_[m] * kSlack;
    std::pair<double, std::uint32_t> best(distance_sq_[m], cell);
    for (const auto& [apart, c] : near) {
      if (apart > reach) break;
      best = std::min(best, {vector_distance_sq(vector(m), centre(c), size_), c});
    }
    distance_sq_[m] = best.first;
    next_cell_[m] = best.second;
  }
}

void Quantiser::assign_all() {
  parallel_for(settings_.threads, cell_count(), kCellsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      const auto cell = static_cast<std::uint32_t>(c);
      if (settings_.exhaustive) assign_members_exhaustively(cell);
      else assign_members_pruned(cell);
    }
  });
  std::swap(cell_, next_cell_);
}

// An added code vector makes no vector's distance longer, so the distortion goes on falling.
void Quantiser::refill_empty_cells() {
  for (std::uint32_t c = 0; c < cell_count(); ++c) {
    if (!members(c).empty()) continue;
    const auto worst = std::max_element(cell_distortion_.begin(), cell_distortion_.end());
    if (!(*worst > 0)) return;
    const auto from = static_cast<std::size_t>(worst - cell_distortion_.begin());
    std::uint32_t farthest = members(from)[0];
    double most = -1;
    for (const std::uint32_t m : members(from)) {
      const double d = vector_distance_sq(vector(m), centre(from), size_);
      if (d > most) most = d, farthest = m;
    }
    std::copy(vector(farthest), vector(farthest) + size_, centre(c));
    *worst = 0;  // once is enough for a cell; the rest comes with the next iteration
  }
}

void Quantiser::iterate() {
  assign_all();
  list_members();
  std::vector<double>& round = distortions_.back();
  round.push_back(sum_distortion());
  const double now = round.back();
  const double before = round.size() > 1 ? round[round.size() - 2] : now;
  const bool settled = round.size() > 1 && (before - now <= settings_.stop * before || before <= 1e-300);
  if (settled || round.size() > static_cast<std::size_t>(settings_.most_iterations)) {
    phase_ = Phase::split;
    return;
  }
  move_to_means();
  if (settings_.split_rule == CellSplit::principal) refill_empty_cells();
}

// Cells without vectors are dropped, the others keep their order.
void Quantiser::finish() {
  std::vector<std::uint32_t> number(cell_count(), 0);
  std::uint32_t kept = 0;
  for (std::uint32_t c = 0; c < cell_count(); ++c) {
    if (members(c).empty()) continue;
    std::copy(centre(c), centre(c) + size_, centre(kept));
    number[c] = kept++;
  }
  empty_cells_ = cell_count() - kept;
  centres_.resize(kept * size_);
  for (std::uint32_t& c : cell_) c = number[c];
  list_members();
  phase_ = Phase::finished;
}

}  // namespace pliant
