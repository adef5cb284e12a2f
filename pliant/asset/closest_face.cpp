#include "pliant/asset/closest_face.h"

#include <array>
#include <cassert>
#include <limits>

#include "pliant/bounds/face_tree.h"
#include "pliant/geometry/distance.h"

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

}  // namespace

ClosestFace::ClosestFace(const TriangleMesh& mesh)
    : mesh_(mesh),
      tree_(face_boxes(mesh, mesh.positions(), {1}), {.build = TreeBuild::sah, .leaf_size = 4, .threads = {1}}) {}

NearestOnSurface ClosestFace::find(const Vec3& p) const {
  assert(!tree_.empty());
  return find_within(p, std::numeric_limits<double>::infinity());
}

NearestOnSurface ClosestFace::find_within(const Vec3& p, double reach) const {
  NearestOnSurface best{.distance = reach};
  if (tree_.empty()) return best;
  const auto corner = [&](FaceId f, std::size_t i) -> const Vec3& { return mesh_.position(mesh_.triangle(f)[i]); };
  std::array<std::uint32_t, 128> stack;  // deeper than any tree: one node waits at every level
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const AabbNode& node = tree_.node(stack[--size]);
    if (distance_sq(node, p) > best.distance * best.distance) continue;
    if (node.is_leaf()) {
      for (const std::uint32_t i : tree_.primitives(node)) {
        const FaceId f(i);
        const ClosestPoints found = closest_points(p, Triangle3{corner(f, 0), corner(f, 1), corner(f, 2)});
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

}  // namespace pliant
