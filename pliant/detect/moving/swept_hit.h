// Feature pairs that meet in a segment, and their contacts.
#pragma once

#include <optional>
#include <tuple>
#include <vector>

#include "pliant/detect/moving/swept_query.h"

namespace pliant {

struct SweptHit {
  double time = 0;  // of the motion
  Feature a;        // vertex, or the smaller edge
  Feature b;
  std::uint32_t body_a = 0;  // indices in SweptQuery::bodies
  std::uint32_t body_b = 0;
  CcdResult result;
  // They have a common point at some time of the segment, and at its very end only. With a minimum separation that is
  // more than `result` says.
  bool touches = false;
  bool touches_only_at_end = false;

  bool is_certain() const { return touches || result.status == CcdStatus::hit; }

  // The order of reports.
  friend bool operator<(const SweptHit& x, const SweptHit& y) {
    return std::tie(x.time, x.a, x.b) < std::tie(y.time, y.a, y.b);
  }
};

// The four points of a pair of features, over the segment.
struct PairMotion {
  CcdKind kind;
  CcdQuery points;
};
PairMotion motion_of(const SweptQuery& query, const SweptHit& hit);

// Makes the hit of a pair complete that comes within the query's minimum separation as `hit.result` says. Nearness at
// the start excuses nearness, never a touch: what is apart then, however near, and meets later has its impact as its
// only contact, with the bits of a search without a separation; only if it never touches it is an initial one.
void decide_touch(const SweptQuery& query, SweptHit& hit);

// The same pair if the end of the segment does not belong to it; nothing if it meets at the very end only. (Within the
// last 2^-53 of the segment "before" is not told from "at the end".)
std::optional<SweptHit> without_end(const SweptQuery& query, const SweptHit& hit);

// `touching` if the pair touches in the segment, `near` if it only comes within the minimum separation, `possible` if
// the solver did not decide that. A first contact is where two features begin to meet: no other relation says more.
//
// `point` lies half-way between the two features' points at the time in the middle of the solver's bracket. `normal` is
// that of b's face (of both edges; against the relative velocity where these have none) on the side that a comes from;
// zero where a does not approach b, and for initial contacts, whose side the pair alone does not tell.
Contact contact_of(const SweptQuery& query, const SweptHit& hit);

// The two features come at least this near in the segment.
double distance_bound(const SweptQuery& query, const SweptHit& hit);

}  // namespace pliant
