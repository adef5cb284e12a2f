#include "pliant/bounds/closest_face.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "pliant/bounds/face_tree.h"
#include "pliant/geometry/distance.h"
#include "pliant/geometry/ray_crossing.h"
#include "pliant/geometry/segment_triangle.h"

namespace pliant {
namespace {

double distance_sq(const AabbNode& node, const Vec3& p) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    const double outside = std::max({node.lo[axis] - p[i], p[i] - node.hi[axis], 0.0});
    sum += outside * outside;
  }
  return sum;
}

// Of a ray along x, from p upwards.
bool meets_ray(const AabbNode& node, const Vec3& p) {
  return node.hi[0] >= p.x() && node.lo[1] <= p.y() && p.y() <= node.hi[1] && node.lo[2] <= p.z() &&
         p.z() <= node.hi[2];
}

bool is_in_box(const Vec3& p, const Triangle3& t) {
  for (int i = 0; i < 3; ++i) {
    const auto [least, most] = std::minmax({t[0][i], t[1][i], t[2][i]});
    if (p[i] < least || p[i] > most) return false;
  }
  return true;
}

}  // namespace

ClosestFace::ClosestFace(const PosedMesh& mesh)
    : mesh_(mesh),
      tree_(face_boxes(*mesh.mesh, mesh.positions, {1}), {.build = TreeBuild::sah, .leaf_size = 4, .threads = {1}}) {}

NearestOnSurface ClosestFace::find(const Vec3& p) const {
  assert(!tree_.empty());
  return find_within(p, std::numeric_limits<double>::infinity());
}

NearestOnSurface ClosestFace::find_within(const Vec3& p, double reach) const {
  NearestOnSurface best{.distance = reach};
  if (tree_.empty()) return best;
  std::array<std::uint32_t, 128> stack;  // deeper than any tree: one node waits at every level
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const AabbNode& node = tree_.node(stack[--size]);
    if (distance_sq(node, p) > best.distance * best.distance) continue;
    if (node.is_leaf()) {
      for (const std::uint32_t i : tree_.primitives(node)) {
        const FaceId f(i);
        const ClosestPoints found = closest_points(p, triangle(f));
        if (found.distance < best.distance || (found.distance == best.distance && f < best.face))
          best = {f, found.b, found.distance};
      }
      continue;
    }
    const bool left_first = distance_sq(tree_.node(node.first), p) <= distance_sq(tree_.node(node.first + 1), p);
    stack[size++] = node.first + (left_first ? 1 : 0);
    stack[size++] = node.first + (left_first ? 0 : 1);
  }
  return best;
}

SurfaceCrossings ClosestFace::crossings(const Vec3& p) const {
  SurfaceCrossings found;
  if (tree_.empty()) return found;
  std::array<std::uint32_t, 128> stack;
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const AabbNode& node = tree_.node(stack[--size]);
    if (!meets_ray(node, p)) continue;
    if (!node.is_leaf()) {
      stack[size++] = node.first + 1;
      stack[size++] = node.first;
      continue;
    }
    for (const std::uint32_t i : tree_.primitives(node)) {
      const Triangle3 t = triangle(FaceId(i));
      if (is_in_box(p, t) && point_in_triangle(p, t)) return {.on_surface = true};
      const int crossing = ray_crossing(p, t);
      found.winding += crossing;
      if (crossing != 0) ++found.count;
    }
  }
  return found;
}

}  // namespace pliant
