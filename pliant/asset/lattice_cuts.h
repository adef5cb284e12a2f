// Where a surface cuts the edges of a lattice, and the nodes that move there. Internal to asset/.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pliant/asset/bcc_lattice.h"
#include "pliant/bounds/aabb_tree.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// A box tree over the faces of a mesh, which must outlive it, for segments.
class SegmentSearch {
 public:
  explicit SegmentSearch(const TriangleMesh& mesh, Threads threads = {});

  struct Meeting {
    FaceId face;
    double fraction = 0;  // of the way from p to q
  };
  // The first face on the way from p to q, other than `without`; of two at one place the smaller.
  std::optional<Meeting> first_on_way(const Vec3& p, const Vec3& q, FaceId without = {}) const;

 private:
  const TriangleMesh& mesh_;
  AabbTree tree_;
};

// An edge of the lattice with one end inside.
struct LatticeCut {
  BccLattice::Node inner = 0, outer = 0;
  double fraction = 0;  // of the way from `inner` to `outer`
  double rate = 0;      // by how much that grows when the surface moves outward by a length of 1
};

// `inside`: by node. In the order of cubes; those of a node are next to each other in cuts_of(node).
class LatticeCuts {
 public:
  LatticeCuts(const BccLattice& lattice, std::vector<std::uint8_t> inside, const TriangleMesh& surface,
              Threads threads);

  const BccLattice& lattice() const { return lattice_; }
  bool inside(BccLattice::Node n) const { return inside_[n] != 0; }
  std::span<const LatticeCut> cuts() const { return cuts_; }
  std::span<const BccLattice::Node> nodes() const { return nodes_; }  // with cuts, ascending
  std::span<const std::uint32_t> cuts_of(std::size_t slot) const {    // of nodes()[slot]
    return std::span(cuts_of_).subspan(starts_[slot], starts_[slot + 1] - starts_[slot]);
  }
  std::size_t slot_of(BccLattice::Node n) const;                             // nodes().size() if it has none
  std::uint32_t find(BccLattice::Node inner, BccLattice::Node outer) const;  // a cut that is there

 private:
  void collect();
  void place(const TriangleMesh& surface, Threads threads);
  void sort_by_node();

  const BccLattice& lattice_;
  std::vector<std::uint8_t> inside_;
  std::vector<LatticeCut> cuts_;
  std::vector<BccLattice::Node> nodes_;
  std::vector<std::uint32_t> starts_, cuts_of_;
};

// The lattice with nodes moved onto the surface where that passes near them: no cut is left so near to a node that
// tetrahedra become flat.
class WarpedLattice {
 public:
  // How near is too near, as a fraction of the edge, for long and short edges (Labelle and Shewchuk, 2007): with
  // smaller fractions cuts come nearer to nodes, with larger ones nodes move farther, and either makes the least angle
  // smaller.
  static constexpr double kNearLong = 0.24999, kNearShort = 0.41189;

  // The surface counts as moved outward by `offset`. Nodes with rigid[slot] stay in their places; cuts too near to them
  // are moved away instead.
  WarpedLattice(const LatticeCuts& cuts, double offset, std::span<const std::uint8_t> rigid);

  enum class Side : std::uint8_t { outside, on_surface, inside };
  Side side(BccLattice::Node n) const { return side_[n]; }
  Vec3 point(BccLattice::Node n) const;
  Vec3 cut_point(std::uint32_t cut) const;
  std::size_t moved_count() const { return moved_count_; }

 private:
  static constexpr std::uint32_t kNotMoved = 0xFFFFFFFF;
  double nearness(BccLattice::Node n, const LatticeCut& cut, double fraction) const;

  const LatticeCuts& cuts_;
  std::vector<double> fraction_;         // by cut
  std::vector<std::uint32_t> moved_to_;  // by slot: the cut
  std::vector<Side> side_;
  std::size_t moved_count_ = 0;
};

}  // namespace pliant
