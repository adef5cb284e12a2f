// When two boxes overlap whose faces move linearly: closed form, rounded outward.
#pragma once

#include <cstdint>

namespace pliant::kinetic {

// The box of a tree's node at both ends of a linear segment of time: one cache line.
//
// Within the segment every vertex moves linearly, so the least of their coordinates is a concave function of time and
// the largest a convex one: the box whose faces go straight from those of the first box to those of the second holds
// all of them all the time. Boxes are rounded outward from double, which keeps that true.
struct alignas(64) TwoEndBox {
  float lo_t0[3];
  std::uint32_t first;  // leaf: first slot in the order of faces; inner node: left child, the right one follows it
  float hi_t0[3];
  std::uint32_t count;  // faces of a leaf, 0 for an inner node
  float lo_t1[3];
  std::uint32_t first_too;  // the same again: each half is laid out like an AabbNode
  float hi_t1[3];
  std::uint32_t count_too;

  bool is_leaf() const { return count != 0; }
};
static_assert(sizeof(TwoEndBox) == 64);

// The part of a segment, 0 to 1, in which two boxes overlap; none if begin > end.
//
// The true part lies within [begin, end]. Each of the six conditions "this face is not beyond that one" is a gap that
// changes linearly from g0 to g1 and has to be 0 or more. Let u = 2^-24. A float difference has the sign of the true
// one and a relative error of at most u, so conditions that fail or hold at both ends are decided exactly. Where a
// condition changes, it does so at q = g0 / (g0 - g1); g0 and -g1 have one sign, hence g0 - g1 errs by at most 2u
// relative to itself, q by 4u and one rounding more: q is moved outward by 8u of itself, and by the least normal number
// against underflow. Infinite gaps (coordinates beyond the range of float) give no condition.
struct OverlapSpan {
  float begin = 0;
  float end = 1;
  // A condition that fails during the whole segment: 0 to 2 says that a lies above b on that axis, 3 to 5 that it lies
  // below. Of several the one that fails by most, so that it is likely to fail in the next segment too. kNone: each
  // holds at some time (but not at one and the same, if the span is empty).
  static constexpr int kNone = -1;
  int apart_by = kNone;

  bool empty() const { return apart_by != kNone || begin > end; }
};

class OverlapSpanFinder {
 public:
  OverlapSpan find(const TwoEndBox& a, const TwoEndBox& b) {
    for (int k = 0; k < 3; ++k) {
      require(b.hi_t0[k] - a.lo_t0[k], b.hi_t1[k] - a.lo_t1[k], k);
      require(a.hi_t0[k] - b.lo_t0[k], a.hi_t1[k] - b.lo_t1[k], 3 + k);
    }
    return span_;
  }

 private:
  static constexpr float kDown = 1 - 0x1p-21f;
  static constexpr float kUp = 1 + 0x1p-21f;
  static constexpr float kTiny = 0x1p-126f;

  void require(float g0, float g1, int condition) {
    if (g0 < 0 && g1 < 0) {
      const float larger = g0 > g1 ? g0 : g1;
      if (larger >= widest_) return;
      widest_ = larger;
      span_.apart_by = condition;
    } else if (g0 < 0) {
      const float opens = g0 / (g0 - g1) * kDown - kTiny;
      if (opens > span_.begin) span_.begin = opens;
    } else if (g1 < 0) {
      const float closes = g0 / (g0 - g1) * kUp + kTiny;
      if (closes < span_.end) span_.end = closes;
    }
  }

  OverlapSpan span_;
  float widest_ = 0;
};

inline OverlapSpan overlap_span(const TwoEndBox& a, const TwoEndBox& b) { return OverlapSpanFinder().find(a, b); }

}  // namespace pliant::kinetic
