// Two triangles with area in two different planes, arranged along the line in which the planes meet.
#pragma once

#include <array>
#include <utility>

#include "pliant/geometry/predicates.h"
#include "pliant/geometry/triangle.h"

namespace pliant {

// On which side of a plane the three corners of a triangle lie. One number for all, because it is asked about at once
// after it is made: an array would go through memory.
class CornerSides {
 public:
  CornerSides(const Triangle3& t, const PlaneSide& side) : code_(side(t[0]) + 3 * side(t[1]) + 9 * side(t[2])) {}

  bool all_on_one_side() const { return code_ == kAllAbove || code_ == -kAllAbove; }
  bool all_on_plane() const { return code_ == 0; }
  bool on_both_sides() const { return answers().on_both_sides; }

  // -1, 0 or 1.
  int operator[](int corner) const { return answers().side[static_cast<std::size_t>(corner)]; }

  // The corner whose two edges reach the plane: alone on its side, where corners on the plane count as on the other
  // one. There is one unless all corners are on one side, or all on the plane.
  int lone_corner() const { return answers().lone_corner; }

  // Whether the lone corner lies higher than the others, on the positive side or on the plane.
  bool lone_is_above() const { return answers().lone_is_above; }

 private:
  static constexpr int kAllAbove = 13;

  struct Answers {
    std::array<signed char, 3> side{};
    signed char lone_corner = 0;
    bool lone_is_above = false;
    bool on_both_sides = false;
  };

  static constexpr Answers answers_for(int code) {
    std::array<int, 3> side{};
    int rest = code + kAllAbove;
    for (int& s : side) {
      s = rest % 3 - 1;
      rest /= 3;
    }
    Answers result;
    for (std::size_t i = 0; i < 3; ++i) {
      const int s = side[i], j = side[(i + 1) % 3], k = side[(i + 2) % 3];
      result.side[i] = static_cast<signed char>(s);
      const bool above = s >= 0 && j <= 0 && k <= 0 && s > j && s > k;
      const bool below = s <= 0 && j >= 0 && k >= 0 && s < j && s < k;
      if (above || below) {
        result.lone_corner = static_cast<signed char>(i);
        result.lone_is_above = above;
      }
      if (s > 0 && (j < 0 || k < 0)) result.on_both_sides = true;
    }
    return result;
  }

  static constexpr std::array<Answers, 2 * kAllAbove + 1> make_table() {
    std::array<Answers, 2 * kAllAbove + 1> table{};
    for (int code = -kAllAbove; code <= kAllAbove; ++code) {
      table[static_cast<unsigned>(code + kAllAbove)] = answers_for(code);
    }
    return table;
  }

  const Answers& answers() const;

  int code_;  // base 3 with digits -1, 0, 1
};

inline const CornerSides::Answers& CornerSides::answers() const {
  static constexpr auto kTable = make_table();
  return kTable[static_cast<unsigned>(code_ + kAllAbove)];
}

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
    if (!a_sides.lone_is_above()) std::swap(b1, b2);
    if (!b_sides.lone_is_above()) std::swap(a1, a2);
  }
};

}  // namespace pliant
