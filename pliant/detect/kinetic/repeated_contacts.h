// What was delivered at the last instant, and pairs of bodies that come back to it again and again.
#pragma once

#include <vector>

#include "pliant/detect/kinetic/pending_hits.h"

namespace pliant::kinetic {

// Contacts are answered by changes of motion, after which the same pair may meet at once again: StreamDetector says
// what is then reported. An instant is a length of time.
class RepeatedContacts {
 public:
  void clear();
  void begin_segment() { rests_.clear(); }

  // Whether a pair that touches at the start of a plan was delivered at the very instant before.
  bool holds(const StreamHit& found, double instant) const;
  void add(const SweptHit& delivered, double instant);

  // Whether the two bodies were handed over as resting.
  bool are_at_rest(const SweptHit& hit) { return rest_of(hit).resting; }
  // Whether this is one contact too many at one instant: they are at rest from now on.
  bool come_to_rest(const StreamHit& found, double instant);

 private:
  struct Rest {
    BodyId a, b;
    std::uint64_t query = 0;  // of the last contact that counted
    double time = 0;
    int changes = 0;
    bool resting = false;
  };
  Rest& rest_of(const SweptHit& hit);

  double last_time_ = 0;
  std::vector<std::pair<Feature, Feature>> last_pairs_;
  std::vector<Rest> rests_;
};

}  // namespace pliant::kinetic
