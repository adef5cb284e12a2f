#include "pliant/response/penalty_springs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/core/rigid.h"

namespace pliant {
namespace {

// Radians that a spring swings in a short step, at most. Forces act for a whole short step: from 1 on they would push
// farther than what overlaps.
constexpr double kMostSwing = 0.7;
// Of the speed of what comes nearer, that its damper may take within a short step.
constexpr double kMostDamped = 0.8;

double swing_rate(const PenaltySettings& settings, double step_seconds) {
  return std::min(std::numbers::pi / (2 * settings.seconds), kMostSwing / step_seconds);
}

}  // namespace

void PenaltySprings::begin(const Contact& contact, const Vec3& normal, double depth) {
  springs_.push_back({.contact = contact, .normal = normal, .depth = depth, .first_end = ends_.size()});
  springs_.back().contact.normal = normal;
  springs_.back().contact.depth = depth;
}

void PenaltySprings::add_end(std::uint32_t row, double weight) {
  if (weight == 0) return;
  if (row >= end_of_row_.size()) end_of_row_.resize(row + 1, 0);
  std::size_t& known = end_of_row_[row];
  if (known < ends_.size() && known >= springs_.back().first_end && ends_[known].row == row) {
    ends_[known].weight += weight;
    return;
  }
  known = ends_.size();
  ends_.push_back({row, weight});
}

std::span<const PenaltySprings::End> PenaltySprings::ends(std::size_t spring) const {
  const std::size_t first = springs_[spring].first_end;
  const std::size_t last = spring + 1 < springs_.size() ? springs_[spring + 1].first_end : ends_.size();
  return std::span(ends_).subspan(first, last - first);
}

Vec3 PenaltySprings::weighted(std::size_t spring, const std::vector<Vec3>& row) const {
  Vec3 sum = Vec3::Zero();
  for (const End& end : ends(spring)) sum += end.weight * row[end.row];
  return sum;
}

void PenaltySprings::finish(const Step& step, const FlatStep& flat) {
  count_.assign(flat.size(), 0);
  for (const End& end : ends_) ++count_[end.row];
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    Spring& spring = springs_[i];
    double mobility = 0;
    for (const End& end : ends(i))
      mobility += end.weight * end.weight * flat.inverse_mass[end.row] * (averaged_ ? 1 : count_[end.row]);
    spring.mass = mobility > 0 ? 1 / mobility : 0;
    spring.apart = weighted(i, flat.x_t0);
    spring.friction =
        between(step.bodies[spring.contact.a.body.index()].surface, step.bodies[spring.contact.b.body.index()].surface)
            .friction;
  }
}

Vec3 PenaltySprings::force_of(std::size_t index, const FlatStep& flat) const {
  const Spring& spring = springs_[index];
  const double depth = spring.depth - spring.normal.dot(weighted(index, flat.x_t0) - spring.apart);
  if (!(depth > 0)) return Vec3::Zero();
  const Vec3 v = weighted(index, flat.v_t1);
  const double omega = swing_rate(settings_, flat.seconds);
  const double approach = -spring.normal.dot(v);
  const double damping = std::min(2 * settings_.damping * omega, kMostDamped / flat.seconds);
  const double push = std::max(0.0, spring.mass * (omega * omega * depth + damping * approach));
  const Vec3 slip = v + approach * spring.normal;
  const double speed = fixed_length(slip);
  // Enough to stop the slip within the spring's time, and no more than Coulomb allows.
  const double rub = std::min(spring.friction * push, spring.mass * omega * speed);
  Vec3 force = push * spring.normal;
  if (speed > 0) force -= (rub / speed) * slip;
  return force;
}

void PenaltySprings::add_forces(const FlatStep& flat, std::span<Vec3> forces) {
  received_.assign(averaged_ ? flat.size() : 0, Vec3::Zero());
  const std::span<Vec3> into = averaged_ ? std::span<Vec3>(received_) : forces;
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    if (springs_[i].mass == 0) continue;
    const Vec3 force = force_of(i, flat);
    springs_[i].impulse += force * flat.seconds;
    for (const End& end : ends(i)) into[end.row] += end.weight * force;
  }
  for (std::size_t i = 0; i < received_.size(); ++i)
    if (count_[i] > 0) forces[i] += received_[i] / count_[i];
}

void PenaltySprings::add_impacts(std::vector<Impact>& impacts) const {
  for (const Spring& spring : springs_)
    if (spring.impulse != Vec3::Zero()) impacts.push_back({spring.contact, spring.impulse});
}

}  // namespace pliant
