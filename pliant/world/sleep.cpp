#include "pliant/world/sleep.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/core/disjoint_sets.h"
#include "pliant/core/error.h"

namespace pliant {

bool Sleep::calm(const Sleeper& body) const {
  double sum = 0;
  for (const Vec3& v : body.model->velocities()) sum += v.squaredNorm();
  const auto count = static_cast<double>(body.model->velocities().size());
  return std::sqrt(sum / count) < settings_.speed;
}

// Whether a body that touches others keeps them awake: an obstacle that moves at all, or a body that is not calm.
bool Sleep::stirs(BodyId body, std::span<const Sleeper> bodies) const {
  const Sleeper& one = bodies[body.index()];
  if (!one.obstacle) return !asleep(body) && !calm(one);
  const auto v = one.model->velocities();
  return std::any_of(v.begin(), v.end(), [](const Vec3& x) { return !x.isZero(0); });
}

std::vector<BodyId> Sleep::sleeping_with(BodyId body) const {
  std::vector<BodyId> all;
  if (!asleep(body)) return all;
  all.push_back(body);
  std::vector<bool> known(calm_seconds_.size(), false);
  known[body.index()] = true;
  for (std::size_t next = 0; next < all.size(); ++next) {
    for (const auto& [a, b] : touching_) {
      if (a != all[next] && b != all[next]) continue;
      const BodyId other = a == all[next] ? b : a;
      if (known[other.index()] || !asleep(other)) continue;
      known[other.index()] = true;
      all.push_back(other);
    }
  }
  return all;
}

void Sleep::wake(BodyId body) {
  for (const BodyId one : sleeping_with(body)) {
    calm_seconds_[one.index()] = 0;
    crept_[one.index()] = 0;
  }
}

void Sleep::wake_if_moved(const StepBody& body, double seconds, double way) {
  double farthest = 0;
  for (std::size_t i = 0; i < body.x_t1.size(); ++i)
    farthest = std::max(farthest, (body.x_t1[i] - body.x_t0.positions()[i]).norm());
  double& crept = crept_[body.id.index()];
  crept += farthest;
  if (farthest > settings_.speed * seconds || crept > way) wake(body.id);
}

// Whoever sleeps on something that moves now, wakes: it may have to fall, or to push back.
void Sleep::wake_what_lost_hold(std::span<const Sleeper> bodies) {
  std::vector<BodyId> woken;
  for (const auto& [a, b] : touching_) {
    for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)})
      if (asleep(one) && stirs(other, bodies)) woken.push_back(one);
  }
  for (const BodyId body : woken) wake(body);
}

// By body: whether something holds it, and nothing that it touches stirs.
std::vector<bool> Sleep::held(std::span<const Sleeper> bodies, const Pairs& pushed) const {
  std::vector<bool> held, stirred(bodies.size(), false);
  held.reserve(bodies.size());
  for (const Sleeper& body : bodies) held.push_back(body.pinned);
  for (const auto& [a, b] : pushed) {
    if (a == b) continue;
    held[a.index()] = held[b.index()] = true;
    stirred[a.index()] = stirred[a.index()] || stirs(b, bodies);
    stirred[b.index()] = stirred[b.index()] || stirs(a, bodies);
  }
  for (std::size_t i = 0; i < held.size(); ++i) held[i] = held[i] && !stirred[i];
  return held;
}

// Bodies that push each other have been calm as long as the one of them that is so last, and not at all if nothing
// holds any of them.
void Sleep::calm_down_together(std::span<const Sleeper> bodies, const Pairs& pushed) {
  DisjointSets together(bodies.size());
  for (const auto& [a, b] : pushed)
    if (!bodies[a.index()].obstacle && !bodies[b.index()].obstacle) together.unite(a.value, b.value);
  std::vector<double> least(bodies.size(), std::numeric_limits<double>::infinity());
  std::vector<bool> is_held(bodies.size(), false);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].obstacle) continue;
    const std::uint32_t root = together.root(i);
    least[root] = std::min(least[root], calm_seconds_[i]);
    if (bodies[i].pinned || asleep(BodyId(i))) is_held[root] = true;
  }
  for (const auto& [a, b] : pushed)
    for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)})
      if (bodies[one.index()].obstacle && !bodies[other.index()].obstacle) is_held[together.root(other.value)] = true;
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].obstacle) calm_seconds_[i] = is_held[together.root(i)] ? least[together.root(i)] : 0;
}

std::vector<BodyId> Sleep::frame_done(std::span<const Sleeper> bodies, const Pairs& pushed, double seconds) {
  std::vector<BodyId> fallen;
  if (!settings_.enabled) return fallen;
  // What sleeps keeps the neighbours that it fell asleep with.
  std::erase_if(touching_, [&](const auto& pair) {
    const bool rests = (asleep(pair.first) || bodies[pair.first.index()].obstacle) &&
                       (asleep(pair.second) || bodies[pair.second.index()].obstacle);
    return !rests;
  });
  touching_.insert(pushed.begin(), pushed.end());
  wake_what_lost_hold(bodies);
  const std::vector<bool> is_held = held(bodies, pushed);
  std::vector<bool> slept;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    slept.push_back(asleep(BodyId(i)));
    if (!bodies[i].obstacle && !slept[i])
      calm_seconds_[i] = is_held[i] && calm(bodies[i]) ? calm_seconds_[i] + seconds : 0;
  }
  calm_down_together(bodies, pushed);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].obstacle && !slept[i] && asleep(BodyId(i))) fallen.push_back(BodyId(i));
  return fallen;
}

void Sleep::save(WorldState& state) const {
  state.calm_seconds = calm_seconds_;
  state.crept = crept_;
  for (const auto& [a, b] : touching_) state.touching.emplace_back(a.value, b.value);
}

void Sleep::load(const WorldState& state) {
  if (state.calm_seconds.size() != calm_seconds_.size() || state.crept.size() != crept_.size())
    throw Error("a state with another number of bodies", "restore a state of the same scene");
  calm_seconds_ = state.calm_seconds;
  crept_ = state.crept;
  touching_.clear();
  for (const auto& [a, b] : state.touching) touching_.emplace(a, b);
}

}  // namespace pliant
