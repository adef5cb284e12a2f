// Two triangles with area in two different planes, arranged along the line in which the planes meet.
#pragma once

#include <utility>

#include "pliant/geometry/predicates.h"
#include "pliant/geometry/triangle.h"

namespace pliant {

// On which side of a plane the corners of a triangle lie.
struct CornerSides {
  int s[3];

  CornerSides(const Triangle3& t, const PlaneSide& side) : s{side(t[0]), side(t[1]), side(t[2])} {}

  bool all_on_one_side() const { return s[0] == s[1] && s[1] == s[2] && s[0] != 0; }
  bool all_on_plane() const { return (s[0] | s[1] | s[2]) == 0; }
  bool on_both_sides() const { return (s[0] > 0 || s[1] > 0 || s[2] > 0) && (s[0] < 0 || s[1] < 0 || s[2] < 0); }

  // The corner whose two edges reach the plane: alone on its side, the plane itself counting as the other side.
  // There is one unless all corners are on one side, or all on the plane.
  int lone_corner() const {
    for (int i = 0; i < 2; ++i) {
      if (is_lone(i)) return i;
    }
    return 2;
  }

 private:
  bool is_lone(int i) const {
    const int j = s[Triangle3::next(i)];
    const int k = s[Triangle3::next(Triangle3::next(i))];
    return (j <= 0 && k <= 0 && s[i] > j && s[i] > k && s[i] >= 0) ||
           (j >= 0 && k >= 0 && s[i] < j && s[i] < k && s[i] <= 0);
  }
};

// After P. Guigue and O. Devillers, "Fast and robust triangle-triangle overlap test using orientation predicates"
// (2003), extended to corners on the other plane and to telling touching from crossing.
//
// Each triangle meets the common line of the planes between its two edges at a lone corner. Arranged so that both lone
// corners lie on positive sides, the line runs so that a's part goes from edge a0-a1 to edge a0-a2 and b's part from
// edge b0-b2 to edge b0-b1, and orient3d of two such edges is the order in which they meet the line.
struct Transversal {
  int a0, a1, a2;
  int b0, b1, b2;

  Transversal(const CornerSides& a_sides, const CornerSides& b_sides)
      : a0(a_sides.lone_corner()),
        a1(Triangle3::next(a0)),
        a2(Triangle3::next(a1)),
        b0(b_sides.lone_corner()),
        b1(Triangle3::next(b0)),
        b2(Triangle3::next(b1)) {
    // Exchanging two corners turns a triangle's plane over, and with it the sides of the other's corners.
    if (a_sides.s[a0] < a_sides.s[a1]) std::swap(b1, b2);
    if (b_sides.s[b0] < b_sides.s[b1]) std::swap(a1, a2);
  }
};

}  // namespace pliant
