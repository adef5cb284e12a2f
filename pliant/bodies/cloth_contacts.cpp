#include "pliant/bodies/cloth_contacts.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using sheet::kLanes;

// Contacts that share a vertex settle among themselves in so many rounds: at the start of a sub-step, and in a sweep.
constexpr int kStartRounds = 3;
constexpr int kSweepRounds = 2;
// Friction below this fraction of what it can be holds a point; above it is about to slide.
constexpr double kHolding = 0.999;
constexpr double kSameNormal = 1e-3;
constexpr double kSameForce = 1e-8;  // square of the relative change
constexpr int kSlideRounds = 6;
// Of the distance that two points of the sheet keep: what a step may leave open. More would be pushed after it, against
// the elastic forces.
constexpr double kMostOpen = 0.4;
// What lacks of an obstacle is regained in the rest of the step, or in this fraction of a step if that is longer. All
// of it in the last sub-step strains sheets (an edge that falls from 60 cm gained 18 %), over a whole step friction is
// too much (a sheet slid 3.6 % too slowly); both hold with a half.
constexpr double kShortestRegain = 0.5;
constexpr double kImpact = 200;  // m/s^2: what is stopped that hard stands still for long waves
// Contacts give way a little under force, over the stretch stiffness: those that contradict each other would otherwise
// strain a sheet without limit (an edge of cotton that hits the ground at 6 m/s gained two thirds of its energy, a heap
// some percent). What lies on something sinks in by less than a micrometre.
constexpr double kGive = 0.2, kSelfGive = 1;

Vec3 row_at(const float* rows, std::uint32_t row) {
  const float* r = rows + 4 * std::size_t{row};
  return {r[0], r[1], r[2]};
}
void set_row(float* rows, std::uint32_t row, const Vec3& value) {
  for (std::size_t k = 0; k < 3; ++k)
    rows[4 * std::size_t{row} + k] = static_cast<float>(value[static_cast<Eigen::Index>(k)]);
}
// Where a point of the sheet is that has rows and weights.
template <class Point>
Vec3 position(const Point& point, const float* rows) {
  Vec3 at = Vec3::Zero();
  for (std::uint32_t k = 0; k < point.count; ++k) at += point.weights[k] * row_at(rows, point.rows[k]);
  return at;
}
Vec3 lanes_at(const double* lanes, std::uint32_t row) {
  const double* p = lanes + row / kLanes * 3 * kLanes + row % kLanes;
  return {p[0], p[kLanes], p[2 * kLanes]};
}

bool holds_by(const Vec3& force, const PointLimit& limit) {
  const double push = limit.normal.dot(force);
  return limit.friction > 0 && push > 0 && (force - push * limit.normal).norm() < kHolding * limit.friction * push;
}

// The force that takes a point to where it holds, whatever friction says.
Vec3 holding_force(const Eigen::Matrix3d& compliance, const Vec3& free, const PointLimit& limit) {
  const Vec3 held = limit.drift + (limit.gap - limit.normal.dot(limit.drift)) * limit.normal;
  return compliance.inverse() * (held - free);
}

}  // namespace

void ClothContacts::begin(std::span<const SurfaceConstraint> constraints, double seconds) {
  constraints_ = constraints;
  seconds_ = seconds;
  points_.clear();
  list_rows();
  compliance_.assign(touched_.size(), Eigen::Matrix3d::Identity());
  for (std::uint32_t i = 0; i < constraints.size(); ++i) {
    const SurfaceConstraint& c = constraints[i];
    Point point;
    point.constraint = i;
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (c.weights[k] == 0) continue;
      sum += c.weights[k];
      const std::uint32_t row = layout_.row_of_vertex()[c.vertices[k].index()];
      if (row >= layout_.free_rows()) continue;
      point.touched[point.count] = index_of_row_[row];
      point.weights[point.count++] = c.weights[k];
      point.mobility += c.weights[k] * c.weights[k] / masses_[row];
    }
    point.is_outside = sum > 0.5;
    if (point.count > 0) points_.push_back(point);
  }
  acting_.clear();
}

void ClothContacts::list_rows() {
  touched_.clear();
  for (const SurfaceConstraint& c : constraints_)
    for (std::size_t k = 0; k < 4; ++k)
      if (c.weights[k] != 0) touched_.push_back(layout_.row_of_vertex()[c.vertices[k].index()]);
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  while (!touched_.empty() && touched_.back() >= layout_.free_rows()) touched_.pop_back();
  index_of_row_.resize(layout_.free_rows());
  for (std::uint32_t t = 0; t < touched_.size(); ++t) index_of_row_[touched_[t]] = t;
}

void ClothContacts::list_points() {
  first_.assign(touched_.size() + 1, 0);
  for (const Acting& point : acting_)
    for (std::uint32_t k = 0; k < point.count; ++k) ++first_[point.touched[k] + 1];
  for (std::size_t i = 0; i < touched_.size(); ++i) first_[i + 1] += first_[i];
  list_.resize(first_.back());
  next_ = first_;
  for (std::uint32_t p = 0; p < acting_.size(); ++p)
    for (std::uint32_t k = 0; k < acting_[p].count; ++k) list_[next_[acting_[p].touched[k]]++] = p;
}

std::span<const std::uint32_t> ClothContacts::points_of(std::size_t touched) const {
  return std::span(list_).subspan(first_[touched], first_[touched + 1] - first_[touched]);
}

// What lacks at the start of a sub-step is regained evenly, of the sheet itself over a step, of obstacles over half a
// step or more: what resists that would otherwise be strained by all of it in the last sub-step. False: it does not
// act.
bool ClothContacts::place_limit(Point& point, const Substep& step, Acting& placed) const {
  const SurfaceConstraint& c = constraints_[point.constraint];
  const double end = step.time + step.h;
  if (point.is_dead || end <= c.from) return false;
  Vec3 at = Vec3::Zero(), pins = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (c.weights[k] == 0) continue;
    const std::uint32_t row = layout_.row_of_vertex()[c.vertices[k].index()];
    if (row < layout_.free_rows()) {
      at += c.weights[k] * (lanes_at(step.x, row) - step.origin);
    } else {
      const std::size_t pin = row - layout_.free_rows();
      at += c.weights[k] * (step.pins_t0[pin] - step.origin);
      pins += c.weights[k] * (step.pins[pin] - step.origin);
    }
  }
  const double speed = c.normal.dot(c.velocity);
  double offset = c.offset - (seconds_ - end) * speed;
  if (point.is_outside) offset -= c.normal.dot(step.origin);
  const double lacking = offset - step.h * speed - c.normal.dot(at);
  if (c.from > step.time) {  // its time has come
    if (lacking > 0) point.is_dead = true;
    point.kept = std::min(c.keep, -lacking);
  }
  if (point.is_dead) return false;
  offset += point.kept;
  const double open = std::max(0.0, lacking + point.kept), left = std::max(step.h, seconds_ - step.time);
  // Obstacles do not resist: what is left open of them would be pushed after the step, with friction. But never all of
  // it in the last sub-step.
  double regained = open * std::min(1.0, step.h / std::max(left, kShortestRegain * seconds_));
  if (!point.is_outside)
    regained = std::max(open * std::min(1.0, step.h / seconds_), (open - kMostOpen * c.offset) * step.h / left);
  offset -= open - regained;
  placed.other_move = step.h * c.velocity;
  placed.limit = {.normal = c.normal,
                  .gap = offset - c.normal.dot(pins),
                  .drift = at + placed.other_move - pins,
                  .friction = c.friction};
  placed.touched = point.touched;
  for (std::uint32_t k = 0; k < point.count; ++k) placed.rows[k] = touched_[point.touched[k]];
  placed.weights = point.weights;
  placed.count = point.count;
  placed.constraint = point.constraint;
  placed.is_outside = point.is_outside;
  placed.mobility = point.mobility;
  placed.give = (point.is_outside ? kGive : kSelfGive) / step.stretch;
  return true;
}

void ClothContacts::start(const Substep& step, float* start) {
  h_ = step.h;
  acts_.assign(touched_.size(), 0);
  acting_.clear();
  for (Point& point : points_) {
    Acting placed;
    if (!place_limit(point, step, placed) || !comes_near(placed, start)) continue;
    acting_.push_back(placed);
    for (std::uint32_t k = 0; k < point.count; ++k) acts_[point.touched[k]] = 1;
  }
  list_points();
  // Where contacts would be if elastic forces went on as they are.
  before_.resize(touched_.size());
  for (std::size_t t = 0; t < touched_.size(); ++t) {
    if (!acts_[t]) continue;
    compliance_[t] = step.h * step.h / masses_[touched_[t]] * Eigen::Matrix3d::Identity();
    before_[t] = row_at(start, touched_[t]);
    const Vec3 pulled = step.h * step.h * step.stretch / masses_[touched_[t]] * row_at(step.elastic, touched_[t]);
    set_row(start, touched_[t], before_[t] + pulled);
  }
  trial_ = false;
  settle_masses(start);
  for (Acting& point : acting_) point.holds = holds_by(point.force, point.limit);
  // And where the solve begins.
  for (std::size_t t = 0; t < touched_.size(); ++t)
    if (acts_[t]) set_row(start, touched_[t], before_[t]);
  for (Acting& point : acting_) point.force = Vec3::Zero();
  trial_ = true;
  settle_masses(start);
}

// Among themselves, in the metric of the masses.
void ClothContacts::settle_masses(float* rows) {
  bool again = true;
  for (int round = 0; round < kStartRounds && again; ++round) {
    again = false;
    for (Acting& point : acting_) again = solve_masses(point, rows) || again;
  }
}

// As solve() for rows that give way by h^2 / mass, for which all is known in closed form. True: it had to change.
bool ClothContacts::solve_masses(Acting& point, float* rows) const {
  const Vec3 at = position(point, rows);
  const PointLimit& limit = point.limit;
  if (point.force == Vec3::Zero() && limit.normal.dot(at) >= limit.gap) return false;
  const double sideways = h_ * h_ * point.mobility;
  const double along = sideways + point.give;
  const Vec3 free = at - sideways * point.force;
  const double push = (limit.gap - limit.normal.dot(free)) / along;
  Vec3 force = Vec3::Zero();
  if (push > 0) {
    const Vec3 way = limit.drift - free;  // where it would hold
    Vec3 drag = (way - limit.normal.dot(way) * limit.normal) / sideways;
    const double length = std::sqrt(drag.squaredNorm());
    if (!(trial_ && point.holds) && length > limit.friction * push) drag *= limit.friction * push / length;
    force = push * limit.normal + drag;
  }
  const Vec3 change = force - point.force;
  for (std::uint32_t k = 0; k < point.count; ++k) {
    const std::uint32_t row = point.rows[k];
    set_row(rows, row, row_at(rows, row) + point.weights[k] * h_ * h_ / masses_[row] * change);
  }
  point.force = force;
  return change.squaredNorm() > kSameForce * force.squaredNorm();
}

// In this sub-step. What is farther off than a point may keep and than it moves does not.
bool ClothContacts::comes_near(const Acting& point, const float* start) const {
  const Vec3 end = position(point, start);
  const double reach = constraints_[point.constraint].keep + 2 * (end - point.limit.drift).norm();
  return point.limit.normal.dot(point.limit.drift) <= point.limit.gap + reach;
}

void ClothContacts::solve(Acting& point, float* rows) const {
  const Vec3 at = position(point, rows);
  if (point.force == Vec3::Zero() && point.limit.normal.dot(at) >= point.limit.gap) return;
  Eigen::Matrix3d compliance = Eigen::Matrix3d::Zero();
  for (std::uint32_t k = 0; k < point.count; ++k)
    compliance += point.weights[k] * point.weights[k] * compliance_[point.touched[k]];
  const Vec3 free = at - compliance * point.force;
  compliance += point.give * point.limit.normal * point.limit.normal.transpose();
  Vec3 force = Vec3::Zero();
  if (trial_ && point.holds) force = holding_force(compliance, free, point.limit);
  if (!(point.limit.normal.dot(force) > 0)) force = contact_force(compliance, free, point.limit, kSlideRounds);
  const Vec3 change = force - point.force;
  for (std::uint32_t k = 0; k < point.count; ++k) {
    const std::uint32_t row = point.rows[k];
    set_row(rows, row, row_at(rows, row) + point.weights[k] * (compliance_[point.touched[k]] * change));
  }
  point.force = force;
}

void ClothContacts::settle(std::size_t touched, float* rows) {
  const std::span<const std::uint32_t> own = points_of(touched);
  const std::uint32_t row = touched_[touched];
  Vec3 force = Vec3::Zero();
  for (const std::uint32_t p : own)
    for (std::uint32_t k = 0; k < acting_[p].count; ++k)
      if (acting_[p].rows[k] == row) force += acting_[p].weights[k] * acting_[p].force;
  if (force != Vec3::Zero()) set_row(rows, row, row_at(rows, row) + compliance_[touched] * force);
  int pushing = 0;
  for (const std::uint32_t p : own) {
    solve(acting_[p], rows);
    pushing += acting_[p].force != Vec3::Zero() ? 1 : 0;
  }
  for (int round = 1; round < kSweepRounds && pushing > 1; ++round)
    for (const std::uint32_t p : own) solve(acting_[p], rows);
}

void ClothContacts::take_forces(float* gradient, double stretch, const float* before) {
  for (const Acting& point : acting_) {
    if (point.force == Vec3::Zero()) continue;
    for (std::uint32_t k = 0; k < point.count; ++k)
      set_row(gradient, point.rows[k], row_at(gradient, point.rows[k]) - point.weights[k] / stretch * point.force);
  }
  pushed_.clear();
  for (std::size_t t = 0; t < touched_.size(); ++t) {
    const auto pushes = [&](std::uint32_t p) { return acting_[p].is_outside && acting_[p].force != Vec3::Zero(); };
    const std::span<const std::uint32_t> own = points_of(t);
    if (!acts_[t] || std::none_of(own.begin(), own.end(), pushes)) continue;
    pushed_.push_back({touched_[t], row_at(before, touched_[t]), free_directions(t)});
    set_row(gradient, touched_[t], pushed_.back().free * row_at(gradient, touched_[t]));
  }
}

// Normals of obstacles that push, made orthogonal one after the other; all directions where friction holds.
Eigen::Matrix3d ClothContacts::free_directions(std::size_t touched) const {
  Eigen::Matrix3d free = Eigen::Matrix3d::Identity();
  for (const std::uint32_t p : points_of(touched)) {
    const Acting& point = acting_[p];
    if (!point.is_outside || point.force == Vec3::Zero()) continue;
    if (point.holds) return Eigen::Matrix3d::Zero();
    const Vec3 across = free * point.limit.normal;
    const double length = across.norm();
    if (length > kSameNormal) free -= across * across.transpose() / (length * length);
  }
  return free;
}

void ClothContacts::keep_free(float* rows) const {
  for (const Kept& kept : pushed_)
    set_row(rows, kept.row, kept.before + kept.free * (row_at(rows, kept.row) - kept.before));
}

std::vector<std::uint32_t> ClothContacts::stopped_rows(bool all) const {
  std::vector<std::uint32_t> stopped;
  for (std::size_t t = 0; t < touched_.size(); ++t) {
    const double impact = all ? 0 : kImpact * masses_[touched_[t]];
    for (const std::uint32_t p : points_of(t)) {
      const Acting& point = acting_[p];
      if (!point.is_outside || !(point.holds || point.force.squaredNorm() > impact * impact)) continue;
      stopped.push_back(touched_[t]);
      break;
    }
  }
  return stopped;
}

double ClothContacts::outer_work() const {
  double sum = 0;
  for (const Acting& point : acting_)
    if (point.is_outside) sum += point.force.dot(point.other_move);
  return sum;
}

bool ClothContacts::driven() const {
  return std::any_of(acting_.begin(), acting_.end(), [](const Acting& p) {
    return p.is_outside && p.force != Vec3::Zero() && p.other_move != Vec3::Zero();
  });
}

bool ClothContacts::pushed_from_outside() const {
  return std::any_of(acting_.begin(), acting_.end(),
                     [](const Acting& p) { return p.is_outside && p.force != Vec3::Zero(); });
}

void ClothContacts::match(const Vec3& force) {
  Vec3 lacking = force;
  double sum = 0;
  for (const Acting& point : acting_)
    if (point.is_outside) lacking -= point.force, sum += point.force.norm();
  if (!(sum > 0)) return;
  for (Acting& point : acting_)
    if (point.is_outside) point.force += (point.force.norm() / sum) * lacking;
}

void ClothContacts::add_impulses(std::span<Vec3> impulses) const {
  for (const Acting& point : acting_) impulses[point.constraint] += h_ * point.force;
}

}  // namespace pliant
