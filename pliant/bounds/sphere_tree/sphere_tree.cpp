#include "pliant/bounds/sphere_tree/sphere_tree.h"

#include <algorithm>
#include <string>

#include "pliant/core/error.h"
#include "pliant/mesh/mesh_hash.h"

namespace pliant {
namespace {

[[noreturn]] void refuse(std::uint32_t node, const char* why) {
  throw Error(ErrorPlace{.element = "sphere " + std::to_string(node)}, why, "build the sphere tree anew");
}

// Counting ends where it is too many.
std::uint64_t nodes_of(const SphereTree::Shape& shape) {
  std::uint64_t count = 1, level = 1;
  for (std::uint32_t i = 0; i < shape.depth && count <= SphereTree::kMostNodes; ++i) {
    level *= shape.branching;
    count += level;
  }
  return count;
}

}  // namespace

bool SphereTree::fits(const Shape& shape) { return nodes_of(shape) <= kMostNodes; }

std::uint32_t SphereTree::node_count(const Shape& shape) {
  if (shape.branching < 2)
    throw Error("a sphere tree of branching " + std::to_string(shape.branching), "at least 2 children are needed");
  if (!fits(shape))
    throw Error(
        "a sphere tree of branching " + std::to_string(shape.branching) + " and depth " + std::to_string(shape.depth),
        "it would have more than " + std::to_string(kMostNodes) + " spheres: choose less of either");
  return static_cast<std::uint32_t>(nodes_of(shape));
}

SphereTree::SphereTree(const TriangleMesh& mesh, Parts parts)
    : parts_(std::move(parts)),
      pieces_(cut_surface(mesh, parts_.cut_length)),
      leaf_(parts_.spheres.size(), 1),
      mesh_hash_(pliant::mesh_hash(mesh)) {
  require_shape();
  std::vector<SurfacePiece> ordered;
  ordered.reserve(parts_.order.size());
  for (const std::uint32_t piece : parts_.order) ordered.push_back(pieces_.pieces[piece]);
  pieces_.pieces = std::move(ordered);
  for (std::uint32_t node = 0; node < parts_.spheres.size(); ++node) require_children(node);
  require_cover(mesh);
}

void SphereTree::require_shape() const {
  const std::size_t nodes = node_count(parts_.shape);
  if (parts_.spheres.size() != nodes || parts_.ranges.size() != nodes)
    throw Error("a sphere tree with " + std::to_string(parts_.spheres.size()) + " spheres",
                "its shape asks for " + std::to_string(nodes));
  const std::size_t pieces = pieces_.pieces.size();
  std::vector<bool> seen(pieces, false);
  for (const std::uint32_t piece : parts_.order) {
    if (piece >= pieces || seen[piece]) throw Error("the pieces of a sphere tree are not those of its mesh");
    seen[piece] = true;
  }
  if (parts_.order.size() != pieces) throw Error("a sphere tree without all pieces of its mesh");
  const Range& root = parts_.ranges[0];
  if (!is_there(parts_.spheres[0]) || root.first != 0 || root.count != pieces) refuse(0, "is not the whole surface");
}

// The children that are there share out the pieces in their order. Marks inner nodes.
void SphereTree::require_children(std::uint32_t node) {
  const bool has_node = is_there(parts_.spheres[node]);
  const Range& range = parts_.ranges[node];
  std::uint64_t next = range.first;
  for (std::uint32_t i = 0; i < parts_.shape.branching; ++i) {
    const std::uint64_t child = std::uint64_t{node} * parts_.shape.branching + 1 + i;
    if (child >= parts_.spheres.size()) return;
    if (!is_there(parts_.spheres[child])) continue;
    if (!has_node) refuse(static_cast<std::uint32_t>(child), "has no parent");
    if (parts_.ranges[child].first != next || parts_.ranges[child].count == 0)
      refuse(static_cast<std::uint32_t>(child), "does not go on where the one before it ends");
    next += parts_.ranges[child].count;
    leaf_[node] = 0;
  }
  if (leaf_[node] == 0 && next != std::uint64_t{range.first} + range.count)
    refuse(node, "has pieces that are in no child");
}

void SphereTree::require_cover(const TriangleMesh& mesh) const {
  for (std::uint32_t node = 0; node < parts_.spheres.size(); ++node) {
    const Sphere& sphere = parts_.spheres[node];
    if (!is_there(sphere)) continue;
    if (!sphere.centre.allFinite() || std::isnan(sphere.radius)) refuse(node, "is not a number");
    for (const SurfacePiece& piece : pieces(node)) {
      const std::array<Vec3, 3> face = face_corners(mesh.triangle(piece.face), mesh.positions());
      for (std::size_t i = 0; i < 3; ++i)
        if (!holds(sphere, corner(piece, i, face))) refuse(node, "does not hold its part of the surface");
    }
  }
}

std::uint32_t SphereTree::level(std::uint32_t node) const {
  std::uint32_t level = 0;
  for (; node != 0; node = parent(node)) ++level;
  return level;
}

std::vector<FaceId> SphereTree::faces(std::uint32_t node) const {
  std::vector<FaceId> result;
  for (const SurfacePiece& piece : pieces(node)) result.push_back(piece.face);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::size_t SphereTree::bytes() const {
  return parts_.spheres.size() * (sizeof(Sphere) + sizeof(Range) + 1) + parts_.order.size() * 4 +
         pieces_.pieces.size() * sizeof(SurfacePiece) + pieces_.cuts.size() * sizeof(PieceCut);
}

}  // namespace pliant
