#include "pliant/response/carried_pulls.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pliant {
namespace {

constexpr int kPullSweeps = 100;
constexpr int kObstacleSweeps = 8;  // of obstacles alone
constexpr int kVelocitySweeps = 20;
// Of the largest pull: what the sweeps may leave open, and how much more than it asks for each is given for that.
constexpr double kPullsEnough = 1e-3;

auto order_of(const Contact& c) { return std::tuple(c.a.body, c.a.kind, c.a.id, c.b.body, c.b.kind, c.b.id); }

double longest_side(const Carrier& carrier, const std::vector<Vec3>& x) {
  double longest_sq = 0;
  for (std::size_t i = 0; i < carrier.count; ++i)
    for (std::size_t k = 0; k < i; ++k)
      longest_sq = std::max(longest_sq, (x[carrier.slot[i]] - x[carrier.slot[k]]).squaredNorm());
  return std::sqrt(longest_sq);
}

}  // namespace

CarriedPulls::CarriedPulls(const DenseStep& dense, FlatStep& flat, const PullBackSettings& settings)
    : dense_(dense), flat_(flat), settings_(settings), nodes_(flat), moved_(flat.size(), Vec3::Zero()) {}

void CarriedPulls::add_end(One& one, std::uint32_t slot, const Eigen::Matrix3d& turn) {
  for (std::size_t i = one.first; i < ends_.size(); ++i)
    if (ends_[i].slot == slot) {
      ends_[i].turn += turn;
      return;
    }
  ends_.push_back({slot, turn, Vec3::Zero()});
  ++one.count;
}

void CarriedPulls::add(const Pull& pull) {
  One one{.contact = pull.contact, .normal = pull.normal, .first = ends_.size(), .is_particle = pull.is_particle};
  one.lack = pull.height - pull.normal.dot(pull.relative(dense_.flat().x_t1));
  if (pull.way) {
    one.lack = pull.way->norm();
    if (one.lack > 0) one.normal = *pull.way / one.lack;
  }
  const Carrier first = dense_.carrier(pull.slot[0]);
  // A body that is deep inside another comes out bit by bit, in its shape: by what it is made of at a time.
  if (std::isfinite(pull.most)) one.lack = std::min(one.lack, std::max(pull.most, longest_side(first, flat_.x_t1)));
  for (std::size_t i = 0; i < pull.count; ++i) {
    const Carrier carrier = i == 0 ? first : dense_.carrier(pull.slot[i]);
    for (std::size_t k = 0; k < carrier.count; ++k) add_end(one, carrier.slot[k], pull.weight[i] * carrier.turn[k]);
  }
  const std::vector<StepBody>& bodies = dense_.step().bodies;
  const Surface skin =
      between(bodies[pull.contact.a.body.index()].surface, bodies[pull.contact.b.body.index()].surface);
  one.friction = skin.friction;
  one.restitution = skin.restitution;
  const auto is_obstacle = [&](BodyId body) { return flat_.is_obstacle[body.index()]; };
  one.is_of_obstacle = is_obstacle(pull.contact.a.body) || is_obstacle(pull.contact.b.body);
  for (End& end : std::span(ends_).subspan(one.first, one.count)) end.rise = end.turn.transpose() * one.normal;
  find_mobility(one);
  if (one.mobility > 0 && std::isfinite(one.mobility)) pulls_.push_back(one);
  else ends_.resize(one.first);
}

void CarriedPulls::find_mobility(One& one) const {
  double all = 0;
  for (const End& end : ends(one)) {
    const double inverse_mass = nodes_.inverse_mass(end.slot);
    one.mobility += inverse_mass * end.rise.squaredNorm();
    all += inverse_mass * end.turn.squaredNorm();
  }
  one.mobility_across = std::max(one.mobility, all - one.mobility);
}

void CarriedPulls::sort() {
  std::sort(pulls_.begin(), pulls_.end(), [](const One& x, const One& y) {
    const auto of = [](const One& one) {
      return std::tuple(order_of(one.contact), one.lack, one.normal.x(), one.normal.y(), one.normal.z());
    };
    return of(x) < of(y);
  });
}

// Returns what it lacked.
double CarriedPulls::pull_once(One& one) {
  double risen = 0;
  for (const End& end : ends(one)) risen += end.rise.dot(moved_[nodes_.node(end.slot)]);
  const double lack = one.lack - risen, before = one.moved;
  one.moved = std::max(0.0, before + lack / one.mobility);
  const double change = one.moved - before;
  if (change == 0) return 0;
  for (const End& end : ends(one)) moved_[nodes_.node(end.slot)] += (nodes_.inverse_mass(end.slot) * change) * end.rise;
  return lack;
}

void CarriedPulls::solve_positions() {
  double largest = 0;
  for (const One& one : pulls_) largest = std::max(largest, one.lack);
  const double enough = kPullsEnough * largest;
  for (One& one : pulls_)
    if (one.lack > 0) one.lack += enough;
  for (int sweep = 0; sweep < kPullSweeps; ++sweep) {
    double worst = 0;
    for (std::size_t i = 0; i < pulls_.size(); ++i)
      worst = std::max(worst, pull_once(pulls_[sweep % 2 == 0 ? i : pulls_.size() - 1 - i]));
    if (worst <= enough) break;
  }
  for (int sweep = 0; sweep < kObstacleSweeps; ++sweep)
    for (One& one : pulls_)
      if (one.is_of_obstacle) pull_once(one);
  move_all(flat_.x_t1);
}

Vec3 CarriedPulls::velocity(const One& one) const {
  Vec3 sum = Vec3::Zero();
  for (const End& end : ends(one)) sum += end.turn * (flat_.v_t1[end.slot] + moved_[nodes_.node(end.slot)]);
  return sum;
}

// Coulomb: what rubs is at most friction times what pushes, of both so far.
void CarriedPulls::stop_once(One& one) {
  const Vec3 v = velocity(one);
  const double along = one.normal.dot(v), before = one.push;
  const Vec3 rub_before = one.rub;
  one.push = std::max(0.0, before + (one.speed - along) / one.mobility);
  one.rub -= (v - along * one.normal) / one.mobility_across;
  const double most = one.friction * one.push, now = one.rub.norm();
  if (now > most) one.rub *= most / now;
  const Vec3 impulse = (one.push - before) * one.normal + (one.rub - rub_before);
  if (impulse == Vec3::Zero()) return;
  for (const End& end : ends(one))
    moved_[nodes_.node(end.slot)] += nodes_.inverse_mass(end.slot) * (end.turn.transpose() * impulse);
}

void CarriedPulls::solve_velocities() {
  for (One& one : pulls_) one.speed = std::max(0.0, -one.restitution * one.normal.dot(velocity(one)));
  for (int sweep = 0; sweep < kVelocitySweeps; ++sweep)
    for (std::size_t i = 0; i < pulls_.size(); ++i) stop_once(pulls_[sweep % 2 == 0 ? i : pulls_.size() - 1 - i]);
  move_all(flat_.v_t1);
}

// As printed: a particle goes on with its speed, along the normal. Faces get nothing for it; a vertex that carries
// several particles has the mean of what they ask for.
void CarriedPulls::set_literal_velocities() {
  std::vector<std::uint32_t> count(flat_.size(), 0);
  for (const One& one : pulls_) {
    if (!one.is_particle) continue;
    const std::uint32_t particle = dense_.flat().slot(one.contact.a.body, VertexId(one.contact.a.id));
    const Vec3& v = dense_.flat().v_t1[particle];
    const Carrier carrier = dense_.carrier(particle);
    for (std::size_t k = 0; k < carrier.count; ++k) {
      if (!(nodes_.inverse_mass(carrier.slot[k]) > 0)) continue;
      moved_[nodes_.node(carrier.slot[k])] += v.norm() * one.normal - v;
      ++count[nodes_.node(carrier.slot[k])];
    }
  }
  for (std::size_t i = 0; i < count.size(); ++i)
    if (count[i] > 0) moved_[i] /= count[i];
  move_all(flat_.v_t1);
}

void CarriedPulls::move_all(std::vector<Vec3>& rows) {
  for (std::uint32_t p = 0; p < flat_.size(); ++p)
    if (nodes_.inverse_mass(p) > 0) rows[p] += moved_[nodes_.node(p)];
  std::fill(moved_.begin(), moved_.end(), Vec3::Zero());
}

void CarriedPulls::run(std::vector<Impact>& impacts) {
  if (pulls_.empty()) return;
  sort();
  solve_positions();
  if (settings_.literal_velocity) set_literal_velocities();
  else solve_velocities();
  for (const One& one : pulls_) impacts.push_back({one.contact, one.push * one.normal + one.rub});
}

}  // namespace pliant
