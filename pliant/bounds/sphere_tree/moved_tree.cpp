#include "pliant/bounds/sphere_tree/moved_tree.h"

#include <algorithm>

namespace pliant {
namespace {

bool same_cuts(const SurfacePieces& now, const SphereTree& tree) {
  const std::vector<std::uint32_t>& order = tree.parts().order;
  if (now.pieces.size() != order.size()) return false;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (now.pieces[order[i]].face != tree.pieces()[i].face) return false;
  return true;
}

Sphere around(const Vec3& centre, double least, std::span<const SurfacePiece> pieces, const SphereTree& tree,
              const TriangleMesh& moved) {
  constexpr double kRoundedUp = 1 + 1e-15;
  double most = least;
  for (const SurfacePiece& piece : pieces) {
    const std::array<Vec3, 3> face = face_corners(moved.triangle(piece.face), moved.positions());
    for (std::size_t i = 0; i < 3; ++i) most = std::max(most, fixed_length(tree.corner(piece, i, face) - centre));
  }
  return {centre, most * kRoundedUp};
}

}  // namespace

SphereTreePtr moved_tree(const SphereTree& tree, const TriangleMesh& moved, double scale,
                         FunctionRef<Vec3(const Vec3&)> place) {
  SphereTree::Parts parts = tree.parts();
  parts.cut_length *= scale;
  const SurfacePieces cut = cut_surface(moved, parts.cut_length);
  if (!same_cuts(cut, tree)) return nullptr;
  for (std::uint32_t node = 0; node < parts.spheres.size(); ++node) {
    if (!tree.has(node)) continue;
    const Sphere& old = tree.spheres()[node];
    parts.spheres[node] = around(place(old.centre), scale * old.radius, tree.pieces(node), tree, moved);
  }
  return std::make_shared<const SphereTree>(moved, std::move(parts));
}

}  // namespace pliant
