// A tree of spheres over a surface, of one shape however the surface bends.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pliant/bounds/sphere_tree/balls.h"
#include "pliant/bounds/sphere_tree/surface_pieces.h"

namespace pliant {

// A complete k-ary array: the children of node i are k i + 1 to k i + k, of which some may be absent (radius below 0).
// Node 0 is the root and always there.
//
// Wrapped, not layered: a sphere holds the part of the surface that is assigned to its node, at rest; the spheres of
// its children may stick out of it. Children share out the pieces of their parent, each piece to one of them. So every
// point of the surface lies in a sphere of every node on a path from the root to a leaf, and of no shorter path.
class SphereTree {
 public:
  struct Shape {
    std::uint32_t branching = 8;
    std::uint32_t depth = 4;  // levels below the root
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  // The pieces of a node follow each other in pieces().
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  // What a tree is made of; `order` puts the pieces of cut_surface(mesh, cut_length) into that of the tree.
  struct Parts {
    Shape shape;
    double cut_length = 0;
    std::vector<std::uint32_t> order;
    std::vector<Sphere> spheres;
    std::vector<Range> ranges;
  };

  // Proves what is said above, piece by piece, and throws Error, naming the node, for parts of which it does not hold:
  // whatever file they come from, a tree that exists covers the surface.
  SphereTree(const TriangleMesh& mesh, Parts parts);

  static constexpr std::uint32_t kMostNodes = 1 << 24;
  // 1 + k + k^2 + ... Throws Error for a branching below 2 (or a depth above 0 with it), and for more than kMostNodes.
  static std::uint32_t node_count(const Shape& shape);
  static bool fits(const Shape& shape);  // has no more than kMostNodes

  const Shape& shape() const { return parts_.shape; }
  std::uint64_t mesh_hash() const { return mesh_hash_; }

  bool has(std::uint32_t node) const { return node < parts_.spheres.size() && is_there(parts_.spheres[node]); }
  std::uint32_t first_child(std::uint32_t node) const { return node * parts_.shape.branching + 1; }
  std::uint32_t parent(std::uint32_t node) const { return (node - 1) / parts_.shape.branching; }  // not of the root
  bool is_leaf(std::uint32_t node) const { return leaf_[node] != 0; }
  std::uint32_t level(std::uint32_t node) const;

  std::span<const Sphere> spheres() const { return parts_.spheres; }  // at rest
  std::span<const SurfacePiece> pieces() const { return pieces_.pieces; }
  std::span<const SurfacePiece> pieces(std::uint32_t node) const {
    const Range& range = parts_.ranges[node];
    return pieces().subspan(range.first, range.count);
  }
  Vec3 corner(const SurfacePiece& piece, std::size_t i, const std::array<Vec3, 3>& face) const {
    return pieces_.corner(piece, i, face);
  }
  std::vector<FaceId> faces(std::uint32_t node) const;  // that have a piece in it, ascending
  bool cuts_faces() const { return !pieces_.cuts.empty(); }

  const Parts& parts() const { return parts_; }
  std::size_t bytes() const;

 private:
  void require_shape() const;
  void require_cover(const TriangleMesh& mesh) const;
  void require_children(std::uint32_t node);

  Parts parts_;
  SurfacePieces pieces_;
  std::vector<std::uint8_t> leaf_;
  std::uint64_t mesh_hash_ = 0;
};

using SphereTreePtr = std::shared_ptr<const SphereTree>;

}  // namespace pliant
