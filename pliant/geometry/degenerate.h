// Points on one line as the segment that they span.
#pragma once

#include "pliant/geometry/predicates.h"
#include "pliant/geometry/segment.h"
#include "pliant/geometry/triangle.h"

namespace pliant {

// The ends of a set of collinear points, in lexicographic order, which along a line is the order on the line.
// By address: the positions must outlive it.
class LexRange {
 public:
  explicit LexRange(const Vec3& point) : lower_(&point), upper_(&point) {}
  explicit LexRange(const Segment3& s) : LexRange(s.p()) { include(s.q()); }
  explicit LexRange(const Triangle3& t) : LexRange(t[0]) {
    include(t[1]);
    include(t[2]);
  }

  void include(const Vec3& point) {
    if (lex_less(point, *lower_)) lower_ = &point;
    if (lex_less(*upper_, point)) upper_ = &point;
  }

  const Vec3& lower() const { return *lower_; }
  const Vec3& upper() const { return *upper_; }
  bool is_point() const { return *lower_ == *upper_; }
  Segment3 segment() const { return {*lower_, *upper_}; }

 private:
  const Vec3* lower_;
  const Vec3* upper_;
};

}  // namespace pliant
