// How far two patches of surface reach into each other, and which way they part. Internal to response/.
#pragma once

#include <optional>
#include <span>

#include "pliant/core/vec3.h"

namespace pliant {

struct Patch {
  std::span<const Vec3> points;
  std::span<const Vec3> ways_out;  // unit normals of its faces, outward; none if it has no outside
};

struct Overlap {
  Vec3 normal = Vec3::Zero();  // unit; moves a away from b
  double depth = 0;            // m, above 0: how far a has to go along it
};

// The least of the overlaps along `line` (unit, the way that a leaves b; zero: none), along the ways out of b, and out
// of a. None if the points are apart along any of them: that is a proof for the convex hulls of the points.
//
// The shortest way of all would not do: of a patch that has gone more than half through another it leads further in.
// Where outsides are known only ways towards them count, so `line` does not if it leads into either of them.
std::optional<Overlap> least_overlap(const Patch& a, const Patch& b, const Vec3& line);

}  // namespace pliant
