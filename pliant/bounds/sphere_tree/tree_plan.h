// A sphere tree while it is built: nodes that own runs of pieces, level by level. Internal to bounds/sphere_tree/.
#pragma once

#include <functional>
#include <mutex>

#include "pliant/bounds/sphere_tree/build_sphere_tree.h"

namespace pliant {

class TreePlan {
 public:
  TreePlan(const TriangleMesh& mesh, const SphereTreeSettings& settings);

  const TriangleMesh& mesh() const { return mesh_; }
  const SphereTreeSettings& settings() const { return settings_; }
  std::uint32_t branching() const { return settings_.shape.branching; }

  std::size_t piece_count() const { return pieces_.pieces.size(); }
  // By number of piece, not by place.
  const std::array<Vec3, 3>& corners(std::uint32_t piece) const { return corners_[piece]; }
  FaceId face(std::uint32_t piece) const { return pieces_.pieces[piece].face; }
  Vec3 middle(std::uint32_t piece) const { return (corners_[piece][0] + corners_[piece][1] + corners_[piece][2]) / 3; }

  const Sphere& sphere(std::uint32_t node) const { return parts_.spheres[node]; }
  std::span<std::uint32_t> pieces(std::uint32_t node) {
    return std::span(parts_.order).subspan(parts_.ranges[node].first, parts_.ranges[node].count);
  }
  // The nodes of a level that are there, ascending.
  std::vector<std::uint32_t> level(std::uint32_t depth) const;
  // Whether a node is to be divided: above the last level, with more than one piece.
  bool is_divided(std::uint32_t node) const { return parts_.ranges[node].count > 1; }

  // Children with the centres of `spheres`, in their order: child_of[i] is that of the i-th of pieces(node). Radii are
  // those that hold their pieces; children without pieces are left out. Safe for different nodes at once.
  void divide(std::uint32_t node, std::span<const Vec3> centres, std::span<const std::uint32_t> child_of);

  // Tells that one more node is done.
  void tell(std::size_t done, std::size_t of, double begin, double end);

  SphereTreePtr finish();

 private:
  Sphere around(const Vec3& centre, std::span<const std::uint32_t> pieces) const;
  void make_layered();

  const TriangleMesh& mesh_;
  const SphereTreeSettings& settings_;
  SphereTree::Parts parts_;
  SurfacePieces pieces_;
  std::vector<std::array<Vec3, 3>> corners_;
  double slack_ = 0;  // how far rounding can put a corner off
  std::mutex mutex_;
};

// Numbers 0 to count - 1 in the order of keys; equal ones by number.
std::vector<std::uint32_t> order_by(std::size_t count, const std::function<double(std::uint32_t)>& key);

void divide_by_octants(TreePlan& plan);
void divide_by_boxes(TreePlan& plan);
void divide_node_by_boxes(TreePlan& plan, std::uint32_t node);
void divide_by_medial_axis(TreePlan& plan);

}  // namespace pliant
