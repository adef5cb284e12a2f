#include "pliant/asset/find_tets.h"

#include <algorithm>
#include <array>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/bounds/closest_face.h"
#include "pliant/geometry/predicates.h"

namespace pliant {
namespace {

bool holds(const TetMesh& mesh, const Tet& t, const Vec3& p) {
  for (const auto& face : kTetFaces) {
    const auto corner = [&](std::size_t i) -> const Vec3& { return mesh.positions()[t[face[i]].index()]; };
    if (orient3d(corner(0), corner(1), corner(2), p) < 0) return false;  // above the face: outside
  }
  return true;
}

// Boxes of tets, to find those around a point.
class TetTree {
 public:
  explicit TetTree(const TetMesh& mesh) : mesh_(mesh), tree_(boxes(mesh), {.leaf_size = 4}) {}

  TetId find(const Vec3& p) const {
    TetId best;
    std::array<std::uint32_t, 128> stack;  // deeper than any tree: one node waits at every level
    std::size_t size = 0;
    stack[size++] = 0;
    while (size > 0) {
      const AabbNode& node = tree_.node(stack[--size]);
      if (!node.box().contains(p)) continue;
      if (!node.is_leaf()) {
        stack[size++] = node.first;
        stack[size++] = node.first + 1;
        continue;
      }
      for (const std::uint32_t t : tree_.primitives(node))
        if (TetId(t) < best && holds(mesh_, mesh_.tets()[t], p)) best = TetId(t);
    }
    return best;
  }

 private:
  static std::vector<Aabb> boxes(const TetMesh& mesh) {
    std::vector<Aabb> result;
    for (const Tet& t : mesh.tets()) {
      PointBounds bounds;
      for (const VertexId v : t) bounds.add(mesh.positions()[v.index()]);
      result.push_back(bounds.box());
    }
    return result;
  }

  const TetMesh& mesh_;
  AabbTree tree_;
};

Triangle sorted(Triangle t) {
  std::sort(t.begin(), t.end());
  return t;
}

// The tet behind each face of the boundary.
std::vector<TetId> tets_of_surface(const TetMesh& mesh) {
  std::vector<std::pair<Triangle, TetId>> faces;
  for (std::size_t t = 0; t < mesh.tet_count(); ++t)
    for (const auto& f : kTetFaces) {
      const Tet& tet = mesh.tets()[t];
      faces.emplace_back(sorted({tet[f[0]], tet[f[1]], tet[f[2]]}), TetId(t));
    }
  std::sort(faces.begin(), faces.end());
  std::vector<TetId> result;
  for (const Triangle& t : mesh.surface()->triangles()) {
    const auto names = mesh.surface_vertices();
    const Triangle key = sorted({names[t[0].index()], names[t[1].index()], names[t[2].index()]});
    result.push_back(std::lower_bound(faces.begin(), faces.end(), std::pair(key, TetId(0)))->second);
  }
  return result;
}

}  // namespace

std::vector<TetId> find_tets(std::span<const Vec3> points, const TetMesh& mesh, Threads threads) {
  const TetTree tree(mesh);
  const ClosestFace closest(*mesh.surface());
  const std::vector<TetId> behind = tets_of_surface(mesh);
  std::vector<TetId> result(points.size());
  parallel_for(threads, points.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      result[i] = tree.find(points[i]);
      if (!result[i].valid()) result[i] = behind[closest.find(points[i]).face.index()];
    }
  });
  return result;
}

}  // namespace pliant
