// Feature pairs that meet in a segment, and their contacts.
#pragma once

#include <optional>
#include <tuple>
#include <vector>

#include "pliant/detect/moving/swept_scene.h"

namespace pliant {

struct SweptHit {
  double time = 0;  // of the motion
  Feature a;        // vertex, or the smaller edge
  Feature b;
  std::uint32_t body_a = 0;  // places in SweptScene::bodies
  std::uint32_t body_b = 0;
  CcdResult result;

  // The order of reports.
  friend bool operator<(const SweptHit& x, const SweptHit& y) {
    return std::tie(x.time, x.a, x.b) < std::tie(y.time, y.a, y.b);
  }
};

// `touching` if the solver decided the pair, `possible` if not. A first contact is where two features begin to meet: no
// other relation says more.
//
// `point` lies half-way between the two features' points at the time in the middle of the solver's bracket. `normal` is
// that of b's face (of both edges; against the relative velocity where these have none) on the side that a comes from;
// zero where a does not approach b, and for initial contacts, whose side the pair alone does not tell.
Contact contact_of(const SweptScene& scene, const SweptHit& hit);

// The two features come at least this near in the segment.
double distance_bound(const SweptScene& scene, const SweptHit& hit);

}  // namespace pliant
