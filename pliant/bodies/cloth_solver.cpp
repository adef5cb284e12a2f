#include "pliant/bodies/cloth_solver.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/geometry/extent.h"

namespace pliant {
namespace {

using sheet::kLanes;

// Of the stretch stiffness, across threads (cloth_kernel.h): without any, folds jitter; with more, transverse motion is
// slow to follow its forces (0.02: a swing takes 5 percent longer). Where contacts push, more is needed.
constexpr float kFold = 0.002f, kFoldInContact = 0.05f, kPress = 0.3f;
constexpr double kContactStep = 1.0 / 960;  // s
// Bending stiffness of a vertex over its inertia, up to which one cycle is right within 1 percent, and the shortest
// sub-step that is made of it, s.
constexpr double kMostBending = 2, kShortestBending = 1.0 / 3840;
constexpr int kMostCycles = 6;
constexpr double kFreeGain = 3e-6;  // of the elastic energy: rounding
// Float places vertices within kBlur of the body's size, which blurs its energy, and a step of the body may gain
// kFreeLift of its weight times its size. Less is not answered: a sheet that turns round in its swing would be stopped
// there again and again, and stick.
constexpr double kBlur = 3e-8, kFreeLift = 1e-7;
// Of mass gravity^2 h^2, the energy that falling for a step is about: less is taken from velocities without more
// cycles.
constexpr double kSmallGain = 0.01;

std::size_t lane_place(std::size_t row, std::size_t axis) {
  return row / kLanes * 3 * kLanes + axis * kLanes + row % kLanes;
}

// Union of vertices that share an element, and which of these parts have no pin.
std::vector<std::int32_t> free_parts(const ClothElements& elements, std::span<const double> masses,
                                     std::size_t& count) {
  std::vector<std::uint32_t> parent(masses.size());
  for (std::uint32_t v = 0; v < parent.size(); ++v) parent[v] = v;
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parent[std::max(a, b)] = std::min(a, b);
  };
  for (const ClothFace& f : elements.faces()) {
    join(f.v[0], f.v[1]);
    join(f.v[0], f.v[2]);
  }
  for (const ClothHinge& h : elements.hinges())
    for (std::size_t i = 1; i < 4; ++i) join(h.v[0], h.v[i]);
  std::vector<bool> has_pin(masses.size(), false);
  for (std::uint32_t v = 0; v < parent.size(); ++v)
    if (std::isinf(masses[v])) has_pin[root(v)] = true;
  std::vector<std::int32_t> result(masses.size(), -1);
  count = 0;
  for (std::uint32_t v = 0; v < parent.size(); ++v) {
    const std::uint32_t r = root(v);
    if (has_pin[r]) continue;
    result[v] = r == v ? static_cast<std::int32_t>(count++) : result[r];  // a root comes before the rest of its part
  }
  return result;
}

// The rigid motion that has these moments.
sheet::RigidChange rigid_change(const sheet::Moments& m) {
  if (!(m.mass > 0)) return {};
  const Vec3 centre = Vec3(m.first[0], m.first[1], m.first[2]) / m.mass;
  const Vec3 linear = Vec3(m.linear[0], m.linear[1], m.linear[2]);
  const Vec3 angular = Vec3(m.angular[0], m.angular[1], m.angular[2]) - centre.cross(linear);
  Eigen::Matrix3d spread;
  spread << m.second[0], m.second[5], m.second[4],  //
      m.second[5], m.second[1], m.second[3],        //
      m.second[4], m.second[3], m.second[2];
  spread -= m.mass * centre * centre.transpose();
  const double trace = spread(0, 0) + spread(1, 1) + spread(2, 2);
  // A straight thread of faces has no inertia about itself.
  const Eigen::Matrix3d inertia = (trace + 1e-12 * trace) * Eigen::Matrix3d::Identity() - spread;
  const Vec3 turn = trace > 0 ? Vec3(inertia.inverse() * angular) : Vec3(Vec3::Zero());
  const Vec3 shift = linear / m.mass - turn.cross(centre);
  return {{shift.x(), shift.y(), shift.z()}, {turn.x(), turn.y(), turn.z()}};
}

}  // namespace

ClothSolver::ClothSolver(const ClothElements& elements, std::span<const double> masses, double longest_substep)
    : stretch_(elements.material().stretch),
      damping_(elements.material().damping),
      layout_(elements, masses, damping_ > longest_substep),
      coarse_(elements, layout_, masses),
      masses_(layout_.free_rows(), 0),
      contacts_(layout_, masses_),
      touched_index_(layout_.free_rows(), 0),
      joint_index_(layout_.free_rows(), 0) {
  const std::vector<std::int32_t> parts = free_parts(elements, masses, part_count_);
  const std::size_t free = layout_.free_rows();
  part_of_row_.assign(free, -1);
  for (std::size_t row = 0; row < free; ++row) {
    const std::uint32_t v = layout_.vertex_of_row()[row];
    if (v == ClothLayout::kNoVertex) continue;
    masses_[row] = masses[v];
    part_of_row_[row] = parts[v];
  }
  const sheet::SheetArrays sheet = layout_.arrays();
  const double inertia = 1 / (longest_substep * longest_substep * stretch_);
  for (std::size_t row = 0; row < free; ++row)
    bends_stiffly_ =
        bends_stiffly_ || static_cast<double>(sheet.blocks[row / kLanes].bend[row % kLanes]) > inertia * masses_[row];
  is_one_part_ = part_count_ == 1 && std::count(parts.begin(), parts.end(), -1) == 0;
  x_.assign(3 * free, 0);
  v_ = push_ = x_;
  pin_x_.assign(layout_.row_count() - free, Vec3::Zero());
  pin_v_ = pin_x_t0_ = pin_x_;
  rows_.assign(4 * layout_.row_count(), 0);
  gradient_ = rows_;
  y_.assign(3 * free, 0);
  float_v_ = air_ = start_ = y_;
  if (damping_ > longest_substep) {
    rest_faces_.assign(layout_.ring_slots() * 3 * kLanes, 0);
    rest_hinges_.assign(layout_.hinge_slots() * kLanes, 0);
  }
}

double ClothSolver::fitting_substep(double asked) const {
  std::vector<double> squares;  // s^2
  for (std::size_t row = 0; row < layout_.free_rows(); ++row) {
    const auto bend = static_cast<double>(layout_.arrays().blocks[row / kLanes].bend[row % kLanes]);
    if (masses_[row] > 0 && bend > 0) squares.push_back(kMostBending * masses_[row] / (stretch_ * bend));
  }
  if (squares.empty()) return asked;
  const auto stiff = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 5);
  std::nth_element(squares.begin(), stiff, squares.end());
  const double wanted = std::sqrt(*stiff);
  return wanted < kShortestBending ? asked : std::min(asked, wanted);
}

void ClothSolver::advance(double h, int count, const ClothLoads& loads, ParticleState& state) {
  begin(h, count, loads, state);
  for (int i = 0; i < count; ++i) {
    begin_substep(h, i * h, loads);
    end_substep(minimise(), loads.impulses);
  }
  store(state);
}

void ClothSolver::begin(double h, int count, const ClothLoads& loads, const ParticleState& state) {
  clear_marks();
  load(state);
  gravity_ = loads.gravity;
  // Somebody else steps it so that contacts can act in between.
  in_contact_ = count == 1 && h <= kContactStep * (1 + 1e-9);
  find_push(h, loads);
  sheet::export_motion(motion(), layout_.block_count(), rows_.data(), float_v_.data());
  write_pins();
  energy_ = stretch_ * sheet::find_energy(layout_.arrays(), rows_.data());
  sheet::guess_start(layout_.arrays(), {.x = rows_.data(),
                                        .y = y_.data(),
                                        .inertia = static_cast<float>(1 / (h * h * stretch_)),
                                        .fold = kFold,
                                        .press = kPress,
                                        .start = start_.data()});
  contacts_.begin(loads.constraints, h * count);
  coarse_.release();
}

// Rounds may have been given up on the way.
void ClothSolver::clear_marks() {
  for (const std::uint32_t row : contacts_.rows()) touched_index_[row] = 0;
  for (const Joint& joint : joints_) joint_index_[joint.row] = 0;
  joints_.clear();
  marked_.clear();
}

sheet::MotionArrays ClothSolver::motion() {
  return {x_.data(), v_.data(), masses_.data(), {origin_.x(), origin_.y(), origin_.z()}};
}

void ClothSolver::load(const ParticleState& state) {
  const Extent extent = extent_of(state.x);
  origin_ = extent.centre();
  size_ = extent.largest_side();
  unanswered_ = 0;
  const std::span<const std::uint32_t> vertices = layout_.vertex_of_row();
  for (std::size_t row = 0; row < layout_.free_rows(); ++row) {
    const bool is_there = vertices[row] != ClothLayout::kNoVertex;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<Eigen::Index>(axis);
      x_[lane_place(row, axis)] = is_there ? state.x[vertices[row]][k] : origin_[k];
      v_[lane_place(row, axis)] = is_there ? state.v[vertices[row]][k] : 0;
    }
  }
  for (std::size_t i = 0; i < pin_x_.size(); ++i) {
    pin_x_[i] = state.x[vertices[layout_.free_rows() + i]];
    pin_v_[i] = state.v[vertices[layout_.free_rows() + i]];
  }
  pins_move_ = std::any_of(pin_v_.begin(), pin_v_.end(), [](const Vec3& v) { return v != Vec3::Zero(); });
}

void ClothSolver::store(ParticleState& state) const {
  const std::span<const std::uint32_t> vertices = layout_.vertex_of_row();
  for (std::size_t row = 0; row < layout_.free_rows(); ++row) {
    if (vertices[row] == ClothLayout::kNoVertex) continue;
    const std::size_t x = lane_place(row, 0), y = lane_place(row, 1), z = lane_place(row, 2);
    state.x[vertices[row]] = {x_[x], x_[y], x_[z]};
    state.v[vertices[row]] = {v_[x], v_[y], v_[z]};
  }
  for (std::size_t i = 0; i < pin_x_.size(); ++i) state.x[vertices[layout_.free_rows() + i]] = pin_x_[i];
}

// What gravity and forces add to velocities in each sub-step.
void ClothSolver::find_push(double h, const ClothLoads& loads) {
  for (std::size_t row = 0; row < layout_.free_rows(); ++row) {
    if (masses_[row] == 0) continue;
    const Vec3 push = h * (loads.gravity + loads.forces[layout_.vertex_of_row()[row]] / masses_[row]);
    for (std::size_t axis = 0; axis < 3; ++axis) push_[lane_place(row, axis)] = push[static_cast<Eigen::Index>(axis)];
  }
}

void ClothSolver::begin_substep(double h, double time, const ClothLoads& loads) {
  h_ = h;
  energy_t0_ = energy_;
  const float* by_air = find_air(h, loads.air);
  if (!contacts_.empty()) find_elastic_forces();
  // Backward Euler itself damps like a viscosity of h: a material gets what it has beyond that.
  const double extra = rest_faces_.empty() ? 0 : std::max(0.0, damping_ - h) / h;
  rest_ = {rest_faces_.data(), rest_hinges_.data()};
  if (extra > 0) sheet::find_rest(layout_.arrays(), rows_.data(), static_cast<float>(extra / (1 + extra)), rest_);
  sheet::begin_step(motion(), layout_.block_count(), {h, push_.data(), by_air, start_.data()}, y_.data(), rows_.data());
  pin_x_t0_ = pin_x_;
  for (std::size_t i = 0; i < pin_x_.size(); ++i) pin_x_[i] += h * pin_v_[i];
  write_pins();
  if (!contacts_.empty()) begin_contacts(h, time);
  step_ = {.x = rows_.data(),
           .y = y_.data(),
           .inertia = static_cast<float>(1 / (h * h * stretch_ * (1 + extra))),
           .fold = in_contact_ ? kFoldInContact : kFold,
           .press = kPress,
           .rest = extra > 0 ? &rest_ : nullptr};
}

void ClothSolver::end_substep(double gain, std::span<Vec3> impulses) {
  sheet::RigidChange less;
  const bool pushed = contacts_.pushed_from_outside();
  if (pushed && pin_x_.empty())
    contacts_.match(Vec3(moments_.linear[0], moments_.linear[1], moments_.linear[2]) / (h_ * h_));
  if (is_one_part_ && !pushed) less = rigid_change(moments_);
  else if (part_count_ > 0 && !pushed) keep_momentum_of_parts(h_);
  contacts_.add_impulses(impulses);
  sheet::end_step(motion(), layout_.block_count(), h_, y_.data(), rows_.data(), less);
  unanswered_ = gain > 0 ? 0 : std::max(0.0, unanswered_ + gain_);
  if (gain > 0) take_away(gain);
}

// Cycles until the sub-step gains no energy, or enough of them. Gives what it gains (J), 0 where nobody can say.
double ClothSolver::minimise() {
  double gain = 0;
  for (int cycle = 0; cycle < kMostCycles; ++cycle) {
    contacts_.set_trial(cycle == 0);
    if (cycle == 1 && contacts_.empty()) start_anew();
    sweep(false);
    correct();
    contacts_.set_trial(false);
    sweep(true);
    gain = find_gain();
    if (gain == 0 || gain < kSmallGain * moments_.mass * gravity_.squaredNorm() * h_ * h_) break;
  }
  return gain;
}

// What the last step changed was no good guess.
void ClothSolver::start_anew() {
  for (std::size_t row = 0; row < layout_.free_rows(); ++row)
    for (std::size_t axis = 0; axis < 3; ++axis) rows_[4 * row + axis] = y_[lane_place(row, axis)];
}

// What elastic forces do to velocities, what they store, and what they do against gravity and against what is pushed
// (J), with what was not answered before; 0: too little to tell, or nobody can say.
double ClothSolver::find_gain() {
  moments_ = sheet::find_moments(motion(), layout_.block_count(), y_.data(), rows_.data());
  energy_ = stretch_ * sheet::find_energy(layout_.arrays(), rows_.data());
  const Vec3 lifted(moments_.linear[0], moments_.linear[1], moments_.linear[2]);
  gain_ = moments_.work / h_ + moments_.change_sq / (2 * h_ * h_) + energy_ - energy_t0_ - gravity_.dot(lifted) -
          moments_.mass * gravity_.squaredNorm() * h_ * h_ / 2 - contacts_.outer_work();
  for (const Joint& joint : joints_) gain_ -= given_to(joint);
  if (pins_move_ || contacts_.driven()) gain_ = 0;
  const double free = kFreeGain * energy_t0_ + kBlur * size_ * std::sqrt(2 * stretch_ * energy_t0_) +
                      kFreeLift * moments_.mass * gravity_.norm() * size_;
  return unanswered_ + gain_ > free ? unanswered_ + gain_ : 0;
}

void ClothSolver::sweep(bool backward) {
  const sheet::SheetArrays sheet = layout_.arrays();
  step_.start = backward ? start_.data() : nullptr;       // the last sweep knows best
  std::size_t at = backward ? layout_.block_count() : 0;  // blocks before it, or from it on, are done
  for (std::size_t i = 0; i < marked_.size(); ++i) {
    const std::size_t block = backward ? marked_[marked_.size() - 1 - i] : marked_[i];
    if (backward) sheet::sweep(sheet, step_, {block + 1, at, true});
    else sheet::sweep(sheet, step_, {at, block, false});
    settle_block(block);
    at = backward ? block : block + 1;
  }
  if (backward) sheet::sweep(sheet, step_, {0, at, true});
  else sheet::sweep(sheet, step_, {at, layout_.block_count(), false});
}

void ClothSolver::settle_block(std::size_t block) {
  float inverse[6 * kLanes];
  sheet::sweep_block(layout_.arrays(), step_, block, inverse);
  for (std::size_t l = 0; l < kLanes; ++l) {
    const std::uint32_t touched = touched_index_[block * kLanes + l], joint = joint_index_[block * kLanes + l];
    if (touched == 0 && joint == 0) continue;
    const auto entry = [&](std::size_t k) { return static_cast<double>(inverse[k * kLanes + l]) / stretch_; };
    Eigen::Matrix3d compliance;
    compliance << entry(0), entry(1), entry(2), entry(1), entry(3), entry(4), entry(2), entry(4), entry(5);
    if (joint != 0) joints_[joint - 1].compliance = compliance;
    if (touched == 0) continue;
    contacts_.set_compliance(touched - 1, compliance);
    contacts_.settle(touched - 1, rows_.data());
  }
}

// Of long waves.
void ClothSolver::correct() {
  sheet::find_gradient(layout_.arrays(), step_, {0, layout_.block_count(), false}, gradient_.data());
  if (!contacts_.empty()) contacts_.take_forces(gradient_.data(), stretch_, rows_.data());
  if (!joints_.empty()) hold_joints();
  coarse_.correct(static_cast<double>(step_.inertia), gradient_.data(), rows_.data());
  if (!contacts_.empty()) contacts_.keep_free(rows_.data());
  keep_joints();
}

// Of vertices that touch, at the start of the sub-step.
void ClothSolver::find_elastic_forces() {
  sheet::export_motion(motion(), layout_.block_count(), rows_.data(), float_v_.data());
  write_pins();
  std::size_t last = layout_.block_count();
  for (const std::uint32_t row : contacts_.rows()) {
    const std::size_t block = row / kLanes;
    if (block == std::exchange(last, block)) continue;
    sheet::find_gradient(layout_.arrays(), {.x = rows_.data(), .y = y_.data(), .inertia = 0}, {block, block + 1, false},
                         gradient_.data());
  }
  for (const std::uint32_t row : contacts_.rows())
    for (std::size_t k = 0; k < 3; ++k) gradient_[4 * row + k] = -gradient_[4 * row + k];
}

void ClothSolver::begin_contacts(double h, double time) {
  for (const std::uint32_t row : contacts_.rows())
    for (std::size_t k = 0; k < 3; ++k) rows_[4 * row + k] = y_[lane_place(row, k)];
  contacts_.start({.h = h,
                   .time = time,
                   .x = x_.data(),
                   .pins = pin_x_,
                   .pins_t0 = pin_x_t0_,
                   .origin = origin_,
                   .elastic = gradient_.data(),
                   .stretch = stretch_},
                  rows_.data());
  coarse_.hold(contacts_.stopped_rows(bends_stiffly_));
  marked_.clear();
  for (std::uint32_t t = 0; t < contacts_.rows().size(); ++t) {
    const std::uint32_t row = contacts_.rows()[t], block = row / static_cast<std::uint32_t>(kLanes);
    touched_index_[row] = contacts_.acts(t) ? t + 1 : 0;
    if (contacts_.acts(t) && (marked_.empty() || marked_.back() != block)) marked_.push_back(block);
  }
}

void ClothSolver::write_pins() {
  for (std::size_t i = 0; i < pin_x_.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<Eigen::Index>(axis);
      rows_[4 * (layout_.free_rows() + i) + axis] = static_cast<float>(pin_x_[i][k] - origin_[k]);
    }
}

// What air changes velocities by; null: nothing. Leaves the rows at the start of the sub-step if they are needed there.
const float* ClothSolver::find_air(double h, const ClothAir& air) {
  if (air.density == 0 && rest_faces_.empty()) return nullptr;
  sheet::export_motion(motion(), layout_.block_count(), rows_.data(), float_v_.data());
  write_pins();
  if (air.density == 0) return nullptr;
  const auto f = [](double value) { return static_cast<float>(value); };
  sheet::find_air(layout_.arrays(), {.x = rows_.data(),
                                     .v = float_v_.data(),
                                     .change = air_.data(),
                                     .wind = {f(air.wind.x()), f(air.wind.y()), f(air.wind.z())},
                                     .seconds = f(h),
                                     .density = f(air.density),
                                     .drag = f(air.drag),
                                     .lift = f(air.lift)});
  return air_.data();
}

// The rigid motions that parts have in common with a field (by row).
template <class Field>
std::vector<sheet::RigidChange> ClothSolver::rigid_motions(Field&& field) const {
  std::vector<sheet::Moments> parts(part_count_, sheet::Moments{});
  for (std::size_t row = 0; row < layout_.free_rows(); ++row) {
    if (part_of_row_[row] < 0) continue;
    sheet::Moments& part = parts[static_cast<std::size_t>(part_of_row_[row])];
    const double m = masses_[row];
    const Vec3 r = arm_of(row), change = field(row), turned = r.cross(change);
    constexpr int kPairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    part.mass += m;
    for (int k = 0; k < 3; ++k) {
      part.first[k] += m * r[k];
      part.linear[k] += m * change[k];
      part.angular[k] += m * turned[k];
    }
    for (int k = 0; k < 6; ++k) part.second[k] += m * r[kPairs[k][0]] * r[kPairs[k][1]];
  }
  std::vector<sheet::RigidChange> result;
  result.reserve(parts.size());
  for (const sheet::Moments& part : parts) result.push_back(rigid_change(part));
  return result;
}

Vec3 ClothSolver::rigid_at(const std::vector<sheet::RigidChange>& motions, std::size_t row) const {
  if (part_of_row_[row] < 0) return Vec3::Zero();
  const sheet::RigidChange& motion = motions[static_cast<std::size_t>(part_of_row_[row])];
  const Vec3 turn(motion.turn[0], motion.turn[1], motion.turn[2]);
  return Vec3(motion.shift[0], motion.shift[1], motion.shift[2]) + turn.cross(arm_of(row));
}

// Elastic forces have no resultant and no moment, those of a few cycles a little: it is taken away, as a rigid motion.
// Here for several parts; for a body in one piece find_moments and end_step do it.
void ClothSolver::keep_momentum_of_parts(double h) {
  const std::vector<sheet::RigidChange> less = rigid_motions([&](std::size_t row) {
    Vec3 change;
    for (std::size_t axis = 0; axis < 3; ++axis)
      change[static_cast<Eigen::Index>(axis)] =
          static_cast<double>(rows_[4 * row + axis]) - static_cast<double>(y_[lane_place(row, axis)]);
    return change;
  });
  for (std::size_t row = 0; row < layout_.free_rows(); ++row)
    if (part_of_row_[row] >= 0) set_velocity(row, velocity_of(row) - rigid_at(less, row) / h);
}

// Where even so a step has gained energy, velocities lose it: all but those of a part as a whole.
void ClothSolver::take_away(double gain) {
  const auto whole = rigid_motions([&](std::size_t row) { return velocity_of(row); });
  double kinetic = 0;
  for (std::size_t row = 0; row < layout_.free_rows(); ++row)
    kinetic += masses_[row] * (velocity_of(row) - rigid_at(whole, row)).squaredNorm() / 2;
  if (!(kinetic > 0)) return;
  const double kept = std::sqrt(std::max(0.0, 1 - gain / kinetic));
  for (std::size_t row = 0; row < layout_.free_rows(); ++row) {
    const Vec3 rigid = rigid_at(whole, row);
    set_velocity(row, rigid + kept * (velocity_of(row) - rigid));
  }
}

Vec3 ClothSolver::velocity_of(std::size_t row) const {
  return {v_[lane_place(row, 0)], v_[lane_place(row, 1)], v_[lane_place(row, 2)]};
}
void ClothSolver::set_velocity(std::size_t row, const Vec3& v) {
  for (std::size_t axis = 0; axis < 3; ++axis) v_[lane_place(row, axis)] = v[static_cast<Eigen::Index>(axis)];
}
Vec3 ClothSolver::arm_of(std::size_t row) const {
  return Vec3(x_[lane_place(row, 0)], x_[lane_place(row, 1)], x_[lane_place(row, 2)]) - origin_;
}

}  // namespace pliant
