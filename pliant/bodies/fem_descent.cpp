#include "pliant/bodies/fem_descent.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

namespace pliant {
namespace {

constexpr double kLeastInertia = 1e-6;

void set_row(std::vector<float>& rows, std::size_t node, const Vec3& v) {
  for (int k = 0; k < 3; ++k) rows[4 * node + static_cast<std::size_t>(k)] = static_cast<float>(v[k]);
}
Vec3 row(const std::vector<float>& rows, std::size_t node) {
  return {rows[4 * node], rows[4 * node + 1], rows[4 * node + 2]};
}

}  // namespace

FemDescent::FemDescent(const FemElements& elements, std::span<const double> inverse_masses)
    : elements_(elements),
      blocks_(elements, inverse_masses),
      inverse_masses_(inverse_masses.begin(), inverse_masses.end()),
      touched_index_(inverse_masses.size(), FemBlocks::kNone) {
  for (const double inverse : inverse_masses) {
    masses_.push_back(inverse > 0 ? 1 / inverse : 0);
    pinned_ = pinned_ || !(inverse > 0);
  }
  // One more for the lanes that blocks do not need.
  inertial_.assign(4 * (masses_.size() + 1), 0);
  moved_ = inertial_;
}

void FemDescent::begin(const FemStep& step, const ParticleState& state) {
  const double h = step.seconds;
  seconds_ = h;
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const Vec3 free = h * state.v[i];
    set_row(inertial_, i, masses_[i] > 0 ? Vec3(free + h * h * step.accelerations[i]) : free);
  }
  moved_ = inertial_;
  elements_.store_gradients(state.x, start_gradients_);
  const ElasticMaterial& m = elements_.material();
  kernel_step_ = {.start_gradients = start_gradients_.data(),
                  .inertial = inertial_.data(),
                  .moved = moved_.data(),
                  .mu = static_cast<float>(m.mu()),
                  .stiffness = static_cast<float>(elements_.neo_hookean_stiffness()),
                  .phi = static_cast<float>(m.phi / h),
                  .psi = static_cast<float>(m.psi / h),
                  .per_square_second = static_cast<float>(1 / (h * h))};
  for (const std::uint32_t node : contacts_.nodes()) touched_index_[node] = FemBlocks::kNone;
  contacts_.begin(step.constraints, h, step.later, state.x, inverse_masses_);
  for (std::uint32_t t = 0; t < contacts_.nodes().size(); ++t) touched_index_[contacts_.nodes()[t]] = t;
  mark_blocks();
}

void FemDescent::mark_blocks() {
  marked_.clear();
  for (const std::uint32_t node : contacts_.nodes()) marked_.push_back(blocks_.block_of(node));
  std::sort(marked_.begin(), marked_.end());
  marked_.erase(std::unique(marked_.begin(), marked_.end()), marked_.end());
}

void FemDescent::cycle() {
  sweep(false);
  sweep(true);
}

void FemDescent::sweep(bool backward) {
  const std::size_t count = blocks_.count();
  if (backward) {
    std::size_t last = count;
    for (auto block = marked_.rbegin(); block != marked_.rend(); ++block) {
      descend(*block + 1, last, backward, nullptr);
      settle_block(*block);
      last = *block;
    }
    descend(0, last, backward, nullptr);
  } else {
    std::size_t first = 0;
    for (const std::uint32_t block : marked_) {
      descend(first, block, backward, nullptr);
      settle_block(block);
      first = block + 1;
    }
    descend(first, count, backward, nullptr);
  }
}

void FemDescent::descend(std::size_t first, std::size_t last, bool backward, float* inverses) {
  if (first < last) fem::descend(blocks_.arrays(), kernel_step_, first, last, backward, inverses);
}

void FemDescent::settle_block(std::size_t block) {
  std::array<float, 6 * fem::kVertexLanes> inverses;
  descend(block, block + 1, false, inverses.data());
  const std::span<const std::uint32_t> nodes = blocks_.nodes(block);
  for (std::size_t l = 0; l < fem::kVertexLanes; ++l) {
    if (nodes[l] >= masses_.size() || touched_index_[nodes[l]] == FemBlocks::kNone) continue;
    const auto entry = [&](std::size_t k) { return static_cast<double>(inverses[k * fem::kVertexLanes + l]); };
    Eigen::Matrix3d inverse;
    inverse << entry(0), entry(1), entry(2), entry(1), entry(3), entry(4), entry(2), entry(4), entry(5);
    contacts_.set_compliance(touched_index_[nodes[l]], inverse);
    contacts_.settle(touched_index_[nodes[l]], moved_.data());
  }
}

// What outside must have exerted for the body to move as it does.
Vec3 FemDescent::gained_force() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < masses_.size(); ++i) sum += masses_[i] * (row(moved_, i) - row(inertial_, i));
  return sum / (seconds_ * seconds_);
}

// A rigid displacement such that linear and angular momentum are those that inertia and outer forces give. Since the
// arms are those of the start of the step, a spinning body goes on to spin, which backward Euler would slow down.
void FemDescent::keep_momentum(std::span<const Vec3> x) {
  double mass = 0;
  Vec3 centre = Vec3::Zero(), shift = Vec3::Zero(), twist = Vec3::Zero();
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    mass += masses_[i];
    centre += masses_[i] * x[i];
    shift += masses_[i] * (row(moved_, i) - row(inertial_, i));
  }
  centre /= mass;
  shift /= mass;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const Vec3 arm = x[i] - centre;
    inertia += masses_[i] * (arm.squaredNorm() * Eigen::Matrix3d::Identity() - arm * arm.transpose());
    twist += masses_[i] * arm.cross(row(moved_, i) - row(inertial_, i));
  }
  const double size = inertia.trace();
  // Bodies that are nearly a line or a point spin as they like.
  const bool can_turn = inertia.determinant() > kLeastInertia * size * size * size;
  const Vec3 turn = can_turn ? Vec3(inertia.inverse() * twist) : Vec3(Vec3::Zero());
  for (std::size_t i = 0; i < masses_.size(); ++i)
    set_row(moved_, i, row(moved_, i) - shift - turn.cross(x[i] - centre));
}

void FemDescent::finish(const FemStep& step, ParticleState& state) {
  const bool pushed = contacts_.total_force() != Vec3::Zero();
  if (!pinned_ && !pushed) keep_momentum(state.x);
  if (!pinned_ && pushed) contacts_.spread(gained_force() - contacts_.total_force());
  contacts_.add_impulses(step.seconds, step.impulses);
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    if (!(masses_[i] > 0)) {
      state.x[i] += seconds_ * state.v[i];
      continue;
    }
    const Vec3 moved = row(moved_, i);
    state.x[i] += moved;
    state.v[i] = moved / seconds_;
  }
}

}  // namespace pliant
