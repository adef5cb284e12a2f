// The innermost test of every traversal: do two boxes with four lanes a corner overlap?
#pragma once

#include "pliant/bounds/aabb_tree.h"
#include "pliant/core/simd.h"

namespace pliant {

inline simd::Float4 lower_corner(const AabbNode& node) {
  return *reinterpret_cast<const simd::Float4*>(node.lo.data());
}
inline simd::Float4 upper_corner(const AabbNode& node) {
  return *reinterpret_cast<const simd::Float4*>(node.hi.data());
}

// Branch-free over the three axes; the fourth lane (first, count) is ignored.
inline bool boxes_overlap(const AabbNode& a, const AabbNode& b) {
  const simd::Int4 overlap = (lower_corner(a) <= upper_corner(b)) & (lower_corner(b) <= upper_corner(a));
  return (simd::bits(overlap) & 7) == 7;
}

}  // namespace pliant
