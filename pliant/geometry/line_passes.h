// Two triangles tested edge by edge: which edges of one meet the face of the other, and where.
//
// After J. Mesit and R. K. Guha, "Line-triangle test for collision detection and response in soft bodies": one pass per
// edge of a triangle, the third left out if the first two hit. As printed only the edges of one triangle are tested,
// which misses every pair in which both ends of the common segment lie on edges of the other: of pairs that intersect
// at random about a fourth. Here both are tested, and every decision is exact.
//
// No allocation, no exceptions, no state. Coordinates must be finite.
#pragma once

#include <array>
#include <span>

#include "pliant/geometry/segment_triangle.h"
#include "pliant/geometry/triangle_triangle.h"

namespace pliant {

// An edge of one triangle that meets the other.
struct EdgeHit {
  bool of_a = true;  // whose edge it is
  int edge = 0;      // from corner `edge` to the next one
  // Where on the edge. `crossing` pierces the inside of the face; `coplanar` lies in it, with two ends and no depth.
  SegmentTriangleContact contact;
};

// At most six, those of a first.
class EdgeHits {
 public:
  void add(const EdgeHit& hit) { hits_[count_++] = hit; }
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  const EdgeHit* begin() const { return hits_.data(); }
  const EdgeHit* end() const { return hits_.data() + count_; }
  const EdgeHit& operator[](std::size_t i) const { return hits_[i]; }

 private:
  std::array<EdgeHit, 6> hits_;
  std::size_t count_ = 0;
};

// What the printed passes leave out. The default leaves out nothing.
struct LinePasses {
  bool both_ways = true;  // edges of b against a too
  // The third pass only "if either first or second line is intersecting", as one can read the paper; otherwise unless
  // both are.
  bool third_needs_hit = false;
};

// The triangles have a point in common if and only if there is a hit (with the default passes; corners that are one and
// the same count as common points): where two convex sets meet, an end of what they have in common lies on the border
// of one of them. Two crossing hits are always different points, and there are never more: then nothing more is tested.
// Any other number, 1 to 6, comes from touches.
EdgeHits edge_hits(const Triangle3& a, const Triangle3& b, const LinePasses& passes = {});

// For neighbours in a mesh: edges that end in a shared corner are left out, since they always meet the other triangle
// there. What is found is beyond the shared corner; neighbours that fold onto each other in one plane are not found.
EdgeHits edge_hits_of_neighbours(const Triangle3& a, const Triangle3& b, const SharedVertices& shared);

}  // namespace pliant
