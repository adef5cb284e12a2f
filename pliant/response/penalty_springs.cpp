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
  springs_.push_back({&contact, normal, depth, ends_.size()});
}

void PenaltySprings::add_end(std::uint32_t row, double weight) {
  if (weight == 0) return;
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

std::vector<std::uint32_t> PenaltySprings::springs_of_rows() const {
  std::vector<std::uint32_t> count(flat_.size(), 0);
  for (const End& end : ends_) ++count[end.row];
  return count;
}

// `mass`: what the ends have together against each other.
Vec3 PenaltySprings::force_of(std::size_t index, double mass) const {
  const Spring& spring = springs_[index];
  Vec3 v = Vec3::Zero();
  for (const End& end : ends(index)) v += end.weight * flat_.v_t1[end.row];
  const double omega = swing_rate(settings_, flat_.seconds);
  const double approach = -spring.normal.dot(v);
  const double damping = std::min(2 * settings_.damping * omega, kMostDamped / flat_.seconds);
  const double push = std::max(0.0, mass * (omega * omega * spring.depth + damping * approach));
  const Vec3 slip = v + approach * spring.normal;
  const double speed = fixed_length(slip);
  const Contact& contact = *spring.contact;
  const Surface surface =
      between(step_.bodies[contact.a.body.index()].surface, step_.bodies[contact.b.body.index()].surface);
  // Enough to stop the slip within the spring's time, and no more than Coulomb allows.
  const double rub = std::min(surface.friction * push, mass * omega * speed);
  Vec3 force = push * spring.normal;
  if (speed > 0) force -= (rub / speed) * slip;
  return force;
}

void PenaltySprings::add_forces(std::span<Vec3> forces, std::vector<Impact>& impacts, bool averaged) const {
  const std::vector<std::uint32_t> count = springs_of_rows();
  std::vector<Vec3> received(averaged ? flat_.size() : 0, Vec3::Zero());
  const std::span<Vec3> into = averaged ? std::span<Vec3>(received) : forces;
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    double mobility = 0;
    for (const End& end : ends(i))
      mobility += end.weight * end.weight * flat_.inverse_mass[end.row] * (averaged ? 1 : count[end.row]);
    if (!(mobility > 0)) continue;
    const Vec3 force = force_of(i, 1 / mobility);
    if (force == Vec3::Zero()) continue;
    for (const End& end : ends(i)) into[end.row] += end.weight * force;
    Contact contact = *springs_[i].contact;
    contact.normal = springs_[i].normal;
    contact.depth = springs_[i].depth;
    impacts.push_back({contact, force * flat_.seconds});
  }
  for (std::size_t i = 0; i < received.size(); ++i)
    if (count[i] > 0) forces[i] += received[i] / count[i];
}

}  // namespace pliant
