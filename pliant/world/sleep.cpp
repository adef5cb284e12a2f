#include "pliant/world/sleep.h"

#include <cmath>

#include "pliant/core/error.h"

namespace pliant {

bool Sleep::calm(const Sleeper& body) const {
  double sum = 0;
  for (const Vec3& v : body.model->velocities()) sum += v.squaredNorm();
  const auto count = static_cast<double>(body.model->velocities().size());
  return std::sqrt(sum / count) < settings_.speed;
}

void Sleep::wake_if_moved(const StepBody& body, double seconds) {
  for (std::size_t i = 0; i < body.x_t1.size(); ++i) {
    if ((body.x_t1[i] - body.x_t0.positions[i]).norm() <= settings_.speed * seconds) continue;
    calm_seconds_[body.id.index()] = 0;
    return;
  }
}

// Whoever sleeps on something that moves now, wakes: it may have to fall.
void Sleep::wake_what_lost_hold(std::span<const Sleeper> bodies) {
  std::vector<BodyId> woken;
  for (const auto& [a, b] : touching_) {
    for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)})
      if (asleep(one) && !asleep(other) && !calm(bodies[other.index()])) woken.push_back(one);
  }
  for (const BodyId body : woken) calm_seconds_[body.index()] = 0;
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
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyId body(i);
    if (bodies[i].obstacle || asleep(body)) continue;
    calm_seconds_[i] = calm(bodies[i]) ? calm_seconds_[i] + seconds : 0;
    if (asleep(body)) fallen.push_back(body);
  }
  return fallen;
}

void Sleep::save(WorldState& state) const {
  state.calm_seconds = calm_seconds_;
  for (const auto& [a, b] : touching_) state.touching.emplace_back(a.value, b.value);
}

void Sleep::load(const WorldState& state) {
  if (state.calm_seconds.size() != calm_seconds_.size())
    throw Error("a state with another number of bodies", "restore a state of the same scene");
  calm_seconds_ = state.calm_seconds;
  touching_.clear();
  for (const auto& [a, b] : state.touching) touching_.emplace(a, b);
}

}  // namespace pliant
