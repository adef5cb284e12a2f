#include "pliant/bodies/fem_descent.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pliant/bodies/best_rotation.h"

namespace pliant {
namespace {

constexpr double kLeastInertia = 1e-6;
// Newton's steps end when none moves a vertex by more than a part of the way that elasticity and contacts took one in
// this step, and of the body's size.
constexpr double kStillPart = 0.1;  // 0.3 is too much for friction on a slope
constexpr double kStillSize = 1e-8;
// Of |F|^2, which is 3 at rest.
constexpr double kCollapsed = 0.9;
constexpr double kTorn = 5;
// Cosines, and fractions of the volume and of the shear modulus (is_tangled()).
constexpr double kTangled = 0.9;
constexpr double kAstray = 0.7;
constexpr double kMostAstray = 0.02;
constexpr double kStrained = 0.02;
// Of its kinetic energy, that a body may gain in a step; and what rounding makes of elastic energy, of the shear
// modulus times the volume.
constexpr double kEnergyTolerance = 1e-5;
constexpr double kEnergyNoise = 1e-7;

void set_row(std::vector<float>& rows, std::size_t node, const Vec3& v) {
  for (int k = 0; k < 3; ++k) rows[4 * node + static_cast<std::size_t>(k)] = static_cast<float>(v[k]);
}
Vec3 row(const std::vector<float>& rows, std::size_t node) {
  return {rows[4 * node], rows[4 * node + 1], rows[4 * node + 2]};
}

std::vector<double> finite_masses(std::span<const double> inverse_masses) {
  std::vector<double> masses;
  for (const double inverse : inverse_masses) masses.push_back(inverse > 0 ? 1 / inverse : 0);
  return masses;
}

}  // namespace

FemDescent::FemDescent(const FemElements& elements, std::span<const Vec3> rest, std::span<const double> inverse_masses)
    : elements_(elements),
      blocks_(elements, inverse_masses),
      masses_(finite_masses(inverse_masses)),
      newton_(elements, masses_),
      inverse_masses_(inverse_masses.begin(), inverse_masses.end()),
      rest_(rest.begin(), rest.end()),
      touched_index_(inverse_masses.size(), FemBlocks::kNone) {
  for (const double mass : masses_) pinned_ = pinned_ || !(mass > 0);
  for (std::size_t t = 0; t < elements.tets().size(); ++t)
    noise_ += kEnergyNoise * elements.material().mu() * elements.volume(TetId(t));
  inverses_.assign(6 * fem::kVertexLanes * blocks_.count(), 0);
  for (const Vec3& p : rest_) size_ = std::max(size_, (p - rest_[0]).norm());
  // One more for the lanes that blocks do not need.
  inertial_.assign(4 * (masses_.size() + 1), 0);
  moved_ = inertial_;
}

void FemDescent::begin(const FemStep& step, const ParticleState& state) {
  const double h = step.seconds;
  seconds_ = h;
  kinetic_energy_ = 0;
  driven_ = false;
  has_inverses_ = false;
  newton_.begin();
  pulls_.resize(masses_.size());
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const Vec3 free = h * state.v[i];
    set_row(inertial_, i, masses_[i] > 0 ? Vec3(free + h * h * step.accelerations[i]) : free);
    kinetic_energy_ += 0.5 * masses_[i] * state.v[i].squaredNorm();
    pulls_[i] = masses_[i] * step.accelerations[i];
    driven_ = driven_ || (!(masses_[i] > 0) && state.v[i] != Vec3::Zero());
  }
  moved_ = inertial_;
  joints_.clear();
  const fem::SizeRange range = elements_.store_gradients(state.x, start_gradients_);
  const ElasticMaterial& m = elements_.material();
  kernel_step_ = {.start_gradients = start_gradients_.data(),
                  .inertial = inertial_.data(),
                  .moved = moved_.data(),
                  .mu = static_cast<float>(m.mu()),
                  .stiffness = static_cast<float>(elements_.neo_hookean_stiffness()),
                  .phi = static_cast<float>(m.phi / h),
                  .psi = static_cast<float>(m.psi / h),
                  .per_square_second = static_cast<float>(1 / (h * h)),
                  .recovering = false,
                  .pose = {}};
  if (range.least < kCollapsed || range.largest > kTorn) mark_ruined(state.x);
  for (const std::uint32_t node : contacts_.nodes()) touched_index_[node] = FemBlocks::kNone;
  contacts_.begin(step.constraints, h, step.later, state.x, inverse_masses_);
  for (std::uint32_t t = 0; t < contacts_.nodes().size(); ++t) touched_index_[contacts_.nodes()[t]] = t;
  mark_blocks();
}

// Whether the tets do not fit the pose: by the cosine between F and the rotation, which is 1 at rest, 0.9 when squeezed
// to a fifth along one axis, 1/3 when inside out. Either on average, or some of them in a body that is badly strained.
bool FemDescent::is_tangled(const Eigen::Matrix3d& pose) const {
  double volume = 0, cosine = 0, astray = 0, energy = 0;
  const double stiffness = elements_.neo_hookean_stiffness() / elements_.material().mu();
  for (std::size_t t = 0; t < elements_.tets().size(); ++t) {
    const float* const rows = &start_gradients_[12 * t];
    Eigen::Matrix3d f;
    for (int k = 0; k < 9; ++k) f(k / 3, k % 3) = rows[4 * (k / 3) + k % 3];
    const double size_sq = f.squaredNorm(), growth = f.determinant() - 1, own = elements_.volume(TetId(t));
    const double along = size_sq > 0 ? f.cwiseProduct(pose).sum() / std::sqrt(3 * size_sq) : 0;
    volume += own;
    cosine += own * along;
    if (along < kAstray) astray += own;
    energy += own * (0.5 * (size_sq - 3) - growth + 0.5 * stiffness * growth * growth);
  }
  return cosine < kTangled * volume || (astray > kMostAstray * volume && energy > kStrained * volume);
}

void FemDescent::mark_ruined(std::span<const Vec3> x) {
  const Eigen::Matrix3d pose = best_rotation(rest_, x, masses_);
  const bool tangled = is_tangled(pose);
  for (std::size_t t = 0; t < elements_.tets().size(); ++t) {
    float* const rows = &start_gradients_[12 * t];
    double size_sq = 0;
    for (std::size_t k = 0; k < 12; ++k) size_sq += static_cast<double>(rows[k]) * static_cast<double>(rows[k]);
    rows[3] = tangled ? 1 : static_cast<float>(std::clamp(2 - 2 * size_sq / kCollapsed, 0.0, 1.0));
    kernel_step_.recovering = kernel_step_.recovering || rows[3] > 0;
  }
  for (int k = 0; k < 9; ++k) kernel_step_.pose[k] = static_cast<float>(pose(k / 3, k % 3));
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

FemNewton::Outcome FemDescent::correct() {
  if (!has_inverses_) {
    sweep(false, true);
    has_inverses_ = true;
    backward_next_ = true;
  }
  contacts_.find_held();
  return newton_.correct({kernel_step_, blocks_, inverses_, contacts_, noise_});
}

bool FemDescent::corrected_cycle() {
  const FemNewton::Outcome newton = correct();
  if (newton.foretold && contacts_.empty()) return true;
  sweep(backward_next_);
  backward_next_ = !backward_next_;
  // Forces of contacts follow what a correction does only in the sweep after it.
  const bool pushed = contacts_.total_force() != Vec3::Zero();
  return (newton.foretold && !pushed) || newton.way <= kStillPart * reach() + kStillSize * size_;
}

void FemDescent::join(std::span<JointVertex> vertices) {
  for (const JointVertex& one : vertices) {
    const std::size_t node = one.vertex.index(), block = blocks_.block_of(node);
    const std::span<const std::uint32_t> nodes = blocks_.nodes(block);
    const auto lane = static_cast<std::size_t>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
    joints_.push_back({node, 6 * fem::kVertexLanes * block + lane, row(inertial_, node), pulls_[node]});
  }
  backward_next_ = false;
  tell(vertices);
}

void FemDescent::take(std::span<const JointVertex> vertices) {
  contacts_.forget_held();
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Joint& joint = joints_[k];
    const Vec3& force = vertices[k].force;
    set_row(inertial_, joint.node, joint.inertial + seconds_ * seconds_ * inverse_masses_[joint.node] * force);
    set_row(moved_, joint.node, vertices[k].moved);
    pulls_[joint.node] = joint.pull + force;
    if (force != Vec3::Zero()) contacts_.hold_too(static_cast<std::uint32_t>(joint.node), vertices[k].free_ways);
  }
}

void FemDescent::tell(std::span<JointVertex> vertices) const {
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Joint& joint = joints_[k];
    vertices[k].moved = row(moved_, joint.node);
    const float* const inverse = &inverses_[joint.inverse];
    const auto entry = [&](std::size_t e) { return static_cast<double>(inverse[e * fem::kVertexLanes]); };
    if (has_inverses_)
      vertices[k].compliance << entry(0), entry(1), entry(2), entry(1), entry(3), entry(4), entry(2), entry(4),
          entry(5);
    else vertices[k].compliance = seconds_ * seconds_ * inverse_masses_[joint.node] * Eigen::Matrix3d::Identity();
  }
}

void FemDescent::round(std::span<JointVertex> vertices, bool corrected) {
  take(vertices);
  if (corrected && has_inverses_) correct();
  sweep(backward_next_, true);
  has_inverses_ = true;
  backward_next_ = !backward_next_;
  tell(vertices);
}

// How far elasticity and contacts took a vertex at most from where inertia and outer forces would have it, m.
double FemDescent::reach() const {
  double reach_sq = 0;
  for (std::size_t i = 0; i < masses_.size(); ++i)
    reach_sq = std::max(reach_sq, (row(moved_, i) - row(inertial_, i)).squaredNorm());
  return std::sqrt(reach_sq);
}

bool FemDescent::gains_energy() const {
  if (driven_) return false;
  const FemNewton::Energies elastic = newton_.energies(kernel_step_);
  double kinetic = 0, given = contacts_.outer_work();
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const Vec3 moved = row(moved_, i);
    kinetic += 0.5 * masses_[i] * moved.squaredNorm() / (seconds_ * seconds_);
    given += pulls_[i].dot(moved);
  }
  const double gained = kinetic + elastic.end - kinetic_energy_ - elastic.start - given;
  return gained > kEnergyTolerance * kinetic_energy_ + noise_;
}

void FemDescent::sweep(bool backward, bool keep_inverses) {
  const std::size_t count = blocks_.count();
  if (backward) {
    std::size_t last = count;
    for (auto block = marked_.rbegin(); block != marked_.rend(); ++block) {
      descend(*block + 1, last, backward, keep_inverses);
      settle_block(*block);
      last = *block;
    }
    descend(0, last, backward, keep_inverses);
  } else {
    std::size_t first = 0;
    for (const std::uint32_t block : marked_) {
      descend(first, block, backward, keep_inverses);
      settle_block(block);
      first = block + 1;
    }
    descend(first, count, backward, keep_inverses);
  }
}

void FemDescent::descend(std::size_t first, std::size_t last, bool backward, bool keep_inverses) {
  if (first < last)
    fem::descend(blocks_.arrays(), kernel_step_, first, last, backward,
                 keep_inverses ? &inverses_[6 * fem::kVertexLanes * first] : nullptr);
}

void FemDescent::settle_block(std::size_t block) {
  descend(block, block + 1, false, true);
  const float* inverses = &inverses_[6 * fem::kVertexLanes * block];
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
