#include "pliant/detect/kinetic/repeated_contacts.h"

#include <algorithm>

namespace pliant::kinetic {

void RepeatedContacts::clear() {
  last_pairs_.clear();
  rests_.clear();
}

bool RepeatedContacts::holds(const StreamHit& found, double instant) const {
  if (!found.query->replanned || !found.hit.result.initial || found.hit.time > last_time_ + instant) return false;
  return std::find(last_pairs_.begin(), last_pairs_.end(), std::pair(found.hit.a, found.hit.b)) != last_pairs_.end();
}

void RepeatedContacts::add(const SweptHit& delivered, double instant) {
  if (delivered.time > last_time_ + instant) last_pairs_.clear();
  if (last_pairs_.empty()) last_time_ = delivered.time;
  last_pairs_.emplace_back(delivered.a, delivered.b);
}

RepeatedContacts::Rest& RepeatedContacts::rest_of(const SweptHit& hit) {
  const auto [a, b] = std::minmax(hit.a.body, hit.b.body);
  const auto known =
      std::find_if(rests_.begin(), rests_.end(), [a = a, b = b](const Rest& r) { return r.a == a && r.b == b; });
  if (known != rests_.end()) return *known;
  rests_.push_back({a, b});
  return rests_.back();
}

bool RepeatedContacts::come_to_rest(const StreamHit& found, double instant) {
  constexpr int kMostChanges = 100;
  Rest& rest = rest_of(found.hit);
  if (rest.query == found.query->number) return false;
  rest.changes = rest.query != 0 && found.hit.time <= rest.time + instant ? rest.changes + 1 : 0;
  rest.query = found.query->number;
  rest.time = found.hit.time;
  rest.resting = rest.changes >= kMostChanges;
  return rest.resting;
}

}  // namespace pliant::kinetic
