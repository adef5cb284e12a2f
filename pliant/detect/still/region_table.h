// The regions of one body, a hierarchy of one level: their faces, and boxes that follow the body.
#pragma once

#include <span>
#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/bounds/leaf_boxes.h"
#include "pliant/bounds/leaf_fit.h"
#include "pliant/bounds/wide_boxes.h"
#include "pliant/detect/still/still_bodies.h"
#include "pliant/mesh/partition.h"

namespace pliant {

// Owned: every face is in one region, that of most of its corners, so that boxes over them are a hierarchy of one
// level. Touching: a region has all faces with a corner in it, as the paper asks; those at its border are in several.
enum class RegionFaces : std::uint8_t { owned, touching };

// The faces of all regions, one region after the other; those of region r end before first[r + 1].
struct RegionLists {
  std::vector<std::uint32_t> faces;
  std::vector<std::uint32_t> first{0};

  std::size_t count() const { return first.size() - 1; }
  void end_region() { first.push_back(static_cast<std::uint32_t>(faces.size())); }
};
RegionLists list_regions(const TriangleMesh& mesh, const Partition& partition, RegionFaces which);

// A face stands in one *slot* for each region that has it; the slots of a region follow each other, from a multiple of
// eight on, so that its boxes are whole blocks; slots between regions are empty.
class RegionTable {
 public:
  RegionTable() = default;
  RegionTable(const TriangleMesh& mesh, const RegionLists& lists);
  RegionTable(const TriangleMesh& mesh, const Partition& partition, RegionFaces which)
      : RegionTable(mesh, list_regions(mesh, partition, which)) {}

  std::uint32_t count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  // Its box, the first of its slots and their number; a region without faces has an empty box.
  const AabbNode& node(std::uint32_t region) const { return nodes_[region]; }
  const LeafBoxes& boxes() const { return boxes_; }  // of all regions
  const Aabb& bounds() const { return bounds_; }     // of the body's faces

  std::span<const std::uint32_t> faces() const { return faces_; }        // by slot
  std::span<const Triangle> corners() const { return corners_; }         // by slot, of regions whose faces are fitted
  std::span<const WideBoxes> face_boxes() const { return face_boxes_; }  // likewise, eight slots each
  std::span<const std::uint32_t> faces_of(std::uint32_t region) const { return slots(faces_, region); }

  // New boxes of the regions. The boxes of their faces are made for those that are asked for, of different regions also
  // by several threads at once.
  void refit(Threads threads, std::span<const Vec3> positions);
  void prepare_faces(const StillBody& body);  // before the first of them, of every frame
  bool is_fitted(std::uint32_t region) const { return fitted_[region] != 0; }
  void fit_faces(std::uint32_t region, const StillBody& body);

  std::size_t bytes() const;

 private:
  template <class T>
  std::span<const T> slots(const std::vector<T>& all, std::uint32_t region) const {
    return std::span(all).subspan(nodes_[region].first, nodes_[region].count);
  }
  void list_vertices(const TriangleMesh& mesh);
  void set_corners(const AabbNode& region, const StillBody& body);

  std::vector<AabbNode> nodes_;
  std::vector<std::uint32_t> faces_;
  std::vector<std::uint32_t> vertices_;               // as leaf_fit.h wants them
  std::vector<leaf_fit::Leaf> leaves_;                // regions that have faces
  std::vector<std::uint32_t> own_;                    // by region: where its vertices begin
  std::array<std::vector<std::uint32_t>, 3> places_;  // by corner and slot: index among the region's vertices
  LeafBoxes boxes_;
  Aabb bounds_;
  std::vector<Triangle> corners_;
  bool as_in_mesh_ = false;  // the corners of all slots: no vertex is another one
  std::vector<WideBoxes> face_boxes_;
  std::vector<std::uint8_t> fitted_;  // by region: its faces
};

}  // namespace pliant
