#include "pliant/bodies/fem_newton.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

using fem::kVertexLanes;

constexpr int kMostIterations = 60;
// Of the residual, in the norm of the preconditioner. With 0.1 a stiff block creeps on a slope that should hold it,
// with 0.03 one of rubber trembles at 2 cm/s and does not fall asleep.
constexpr double kTolerance = 0.01;
// The same of the first residual of a step: later corrections leave what is below.
constexpr double kStepTolerance = 1e-3;
// Of what rounding makes of the potential, which is far above what it makes of residuals: a smaller one is none. (At
// 1e-2 a stiff cantilever sags too little.)
constexpr double kNoResidual = 1e-5;
constexpr int kHalvings = 5;
constexpr double kModelError = 0.05;

float entry(const Eigen::Matrix3d& m, int r, int c) { return static_cast<float>(m(r, c)); }

// Fixed order, in double: four sums side by side, since one would wait for itself. Rows are of four.
double dot_rows(const std::vector<float>& a, const std::vector<float>& b) {
  double sums[4] = {0, 0, 0, 0};
  for (std::size_t i = 0; i < a.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] += static_cast<double>(a[i + k]) * static_cast<double>(b[i + k]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double sum_of_lanes(const std::array<double, kVertexLanes>& lanes) {
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  return sum;
}

}  // namespace

FemNewton::FemNewton(const FemElements& elements, std::span<const double> masses)
    : masses_(masses.begin(), masses.end()) {
  pack(elements);
  for (std::vector<float>* rows : {&residual_, &way_, &preconditioned_, &direction_, &product_, &pushes_})
    rows->assign(4 * (masses_.size() + 1), 0);
  pinned_ = std::any_of(masses_.begin(), masses_.end(), [](double mass) { return !(mass > 0); });
  inverse_rows_.assign(12 * (masses_.size() + 1), 0);
}

void FemNewton::pack(const FemElements& elements) {
  const std::span<const Tet> tets = elements.tets();
  blocks_ = (tets.size() + kVertexLanes - 1) / kVertexLanes;
  rows_.assign(blocks_ * kVertexLanes, 0);
  volumes_.assign(blocks_ * kVertexLanes, 0);
  corners_.assign(4 * blocks_ * kVertexLanes, tets[0][0].value);
  gradients_.assign(9 * blocks_ * kVertexLanes, 0);
  tangent_.assign(fem::kTangentSize * blocks_ * kVertexLanes, 0);
  for (std::size_t t = 0; t < tets.size(); ++t) {
    const std::size_t block = t / kVertexLanes, lane = t % kVertexLanes;
    rows_[t] = static_cast<std::uint32_t>(3 * t);
    volumes_[t] = static_cast<float>(elements.volume(TetId(t)));
    for (std::size_t c = 0; c < 4; ++c) corners_[(4 * block + c) * kVertexLanes + lane] = tets[t][c].value;
    for (std::size_t k = 0; k < 9; ++k)
      gradients_[(9 * block + k) * kVertexLanes + lane] =
          entry(elements.inverse(TetId(t)), static_cast<int>(k / 3), static_cast<int>(k % 3));
  }
}

fem::TetBlocks FemNewton::tets() const {
  return {.blocks = blocks_,
          .rows = rows_.data(),
          .corners = corners_.data(),
          .gradients = gradients_.data(),
          .volumes = volumes_.data()};
}

FemNewton::Energies FemNewton::energies(const fem::DescentStep& step) const {
  std::array<double, kVertexLanes> start{}, end{};
  fem::add_elastic_energies(tets(), step, start.data(), end.data());
  return {sum_of_lanes(start), sum_of_lanes(end)};
}

double FemNewton::potential(const Step& step) const {
  std::array<double, kVertexLanes> lanes{};
  fem::add_potential(tets(), step.kernel, lanes.data());
  return sum_of_lanes(lanes) + potential_of_nodes(step);
}

// Of inertia, and of pushes.
double FemNewton::potential_of_nodes(const Step& step) const {
  double sum = 0;
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    double way_sq = 0, pushed = 0;
    for (std::size_t k = 4 * i; k < 4 * i + 3; ++k) {
      const double at = step.kernel.moved[k], off = at - static_cast<double>(step.kernel.inertial[k]);
      way_sq += off * off;
      pushed += at * static_cast<double>(pushes_[k]);
    }
    sum += 0.5 * masses_[i] * static_cast<double>(step.kernel.per_square_second) * way_sq - pushed;
  }
  return sum;
}

FemNewton::Outcome FemNewton::correct(const Step& step) {
  find_residual(step);
  list_inverses(step);
  const double foretold = solve(step);
  return foretold > 0 ? walk(step, foretold) : Outcome{0, true};
}

void FemNewton::find_residual(const Step& step) {
  std::fill(product_.begin(), product_.end(), 0.0f);
  std::array<double, kVertexLanes> lanes{};
  fem::add_gradient(tets(), step.kernel, product_.data(), tangent_.data(), lanes.data());
  std::fill(pushes_.begin(), pushes_.end(), 0.0f);
  step.contacts.add_forces(pushes_.data());
  potential_ = sum_of_lanes(lanes) + potential_of_nodes(step);
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const float inertia = static_cast<float>(masses_[i]) * step.kernel.per_square_second;
    for (std::size_t k = 4 * i; k < 4 * i + 3; ++k)
      residual_[k] =
          masses_[i] > 0 ? pushes_[k] - product_[k] - inertia * (step.kernel.moved[k] - step.kernel.inertial[k]) : 0.0f;
  }
  step.contacts.keep_free(residual_.data());
}

// By node, as three rows of four: blocks have them by entry.
void FemNewton::list_inverses(const Step& step) {
  for (std::size_t block = 0; block < step.blocks.count(); ++block) {
    const float* w = step.inverses.data() + 6 * kVertexLanes * block;
    for (std::size_t l = 0; l < kVertexLanes; ++l, ++w) {
      float* const rows = &inverse_rows_[12 * std::size_t{step.blocks.nodes(block)[l]}];
      rows[0] = w[0];
      rows[1] = rows[4] = w[kVertexLanes];
      rows[2] = rows[8] = w[2 * kVertexLanes];
      rows[5] = w[3 * kVertexLanes];
      rows[6] = rows[9] = w[4 * kVertexLanes];
      rows[10] = w[5 * kVertexLanes];
    }
  }
}

void FemNewton::precondition(const Step& step) {
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const float *const r = &residual_[4 * i], *const w = &inverse_rows_[12 * i];
    float* const z = &preconditioned_[4 * i];
    for (std::size_t k = 0; k < 4; ++k) z[k] = w[k] * r[0] + w[4 + k] * r[1] + w[8 + k] * r[2];
  }
  step.contacts.keep_free(preconditioned_.data());
}

void FemNewton::multiply(const Step& step) {
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const float inertia = static_cast<float>(masses_[i]) * step.kernel.per_square_second;
    for (std::size_t k = 4 * i; k < 4 * i + 4; ++k) product_[k] = inertia * direction_[k];
  }
  fem::add_product(tets(), step.kernel, tangent_.data(), direction_.data(), product_.data());
  if (pinned_)
    for (std::size_t i = 0; i < masses_.size(); ++i)
      if (!(masses_[i] > 0)) std::fill_n(product_.begin() + static_cast<std::ptrdiff_t>(4 * i), 3, 0.0f);
  step.contacts.keep_free(product_.data());
}

// Preconditioned by the inverses of the vertices' own blocks.
double FemNewton::solve(const Step& step) {
  std::fill(way_.begin(), way_.end(), 0.0f);
  precondition(step);
  double size = dot_rows(residual_, preconditioned_), falls = 0;
  largest_residual_ = std::max(largest_residual_, size);
  const double enough = std::max(
      {kTolerance * kTolerance * size, kStepTolerance * kStepTolerance * largest_residual_, kNoResidual * step.noise});
  if (size > enough) direction_ = preconditioned_;
  for (iterations_ = 0; iterations_ < kMostIterations && size > enough; ++iterations_) {
    multiply(step);
    const double curvature = dot_rows(direction_, product_);
    if (!(curvature > 0)) return falls;
    const auto a = static_cast<float>(size / curvature);
    falls += 0.5 * size * size / curvature;
    for (std::size_t k = 0; k < way_.size(); ++k) {
      way_[k] += a * direction_[k];
      residual_[k] -= a * product_[k];
    }
    precondition(step);
    const double next = dot_rows(residual_, preconditioned_);
    const auto b = static_cast<float>(next / size);
    size = next;
    for (std::size_t k = 0; k < direction_.size(); ++k) direction_[k] = preconditioned_[k] + b * direction_[k];
  }
  return falls;
}

FemNewton::Outcome FemNewton::walk(const Step& step, double foretold) {
  const double before = potential_;
  float* const moved = step.kernel.moved;
  const std::vector<float> from(moved, moved + way_.size());
  float part = 1;
  double after = before;
  for (int halvings = 0;; part /= 2) {
    for (std::size_t k = 0; k < way_.size(); ++k) moved[k] = from[k] + part * way_[k];
    after = potential(step);
    if (after <= before + step.noise) break;
    if (++halvings > kHalvings) {
      std::copy(from.begin(), from.end(), moved);
      return {};
    }
  }
  double longest_sq = 0;
  for (std::size_t k = 0; k < way_.size(); k += 4)
    longest_sq = std::max(longest_sq, Vec3(way_[k], way_[k + 1], way_[k + 2]).squaredNorm());
  const bool as_foretold = std::abs(before - after - foretold) <= kModelError * foretold + step.noise;
  return {static_cast<double>(part) * std::sqrt(longest_sq), part == 1 && as_foretold};
}

}  // namespace pliant
