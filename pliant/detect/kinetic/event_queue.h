// The queue of everything that is going to happen to kinetic trees and lists.
#pragma once

#include <boost/heap/d_ary_heap.hpp>
#include <cstdint>
#include <tuple>

namespace pliant::kinetic {

// At one time boxes change first, then pairs open, then pairs close: an instantaneous touch is seen.
enum class EventKind : std::uint8_t { box, opening, closing };

struct Event {
  double time = 0;  // 0 to 1, of the segment
  EventKind kind = EventKind::box;
  std::uint8_t height = 0;    // boxes: deeper nodes first
  std::uint32_t owner = 0;    // which tree or list
  std::uint32_t subject = 0;  // which certificate or pair there
  std::uint32_t stamp = 0;    // the event counts if this is still the subject's stamp

  // A heap has the largest on top, and that must be the first to happen.
  friend bool operator<(const Event& x, const Event& y) {
    return std::tie(y.time, y.kind, y.height, y.owner, y.subject, y.stamp) <
           std::tie(x.time, x.kind, x.height, x.owner, x.subject, x.stamp);
  }
};
static_assert(sizeof(Event) == 24);

// Events that no longer count stay in the heap until they come up (lazy deletion). Chosen by replaying the events of
// three segments of the tablecloth, 16,000 triangles, 313,654 operations, in ms: lazy heaps of arity 2, 4, 8: 33, 32,
// 37 (std::priority_queue: 30, but it cannot be gone through); lazy pairing heap: 86; with handles, so that an event
// is erased when it no longer counts: arity 4: 64, pairing: 91, Fibonacci: 95.
using EventQueue = boost::heap::d_ary_heap<Event, boost::heap::arity<4>>;

}  // namespace pliant::kinetic
