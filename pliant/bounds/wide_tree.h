// A tree over the faces of a mesh with eight boxes a node, built a little at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pliant/bounds/aabb.h"
#include "pliant/bounds/leaf_fit.h"
#include "pliant/bounds/wide_boxes.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// What a lane of a node stands for: an inner node, a leaf, or nothing.
struct WideChild {
  std::uint32_t bits = kNothing;

  static constexpr std::uint32_t kNothing = 0xffffffff;
  static constexpr std::uint32_t kLeaf = 0x80000000;
  static WideChild leaf(std::uint32_t index) { return {index | kLeaf}; }

  bool nothing() const { return bits == kNothing; }
  bool is_leaf() const { return (bits & kLeaf) != 0; }  // not to be asked of nothing
  std::uint32_t index() const { return bits & ~kLeaf; }
};

struct WideNode {
  WideBoxes boxes;
  std::array<WideChild, WideBoxes::kLanes> child;
};

// A lane of a node. The root is lane 0 of node 0, which has no other; its child is node 1.
struct WideRef {
  std::uint32_t bits = 0;

  static WideRef of(std::uint32_t node, std::uint32_t lane) { return {node << 3 | lane}; }
  std::uint32_t node() const { return bits >> 3; }
  std::uint32_t lane() const { return bits & 7; }
  friend auto operator<=>(const WideRef&, const WideRef&) = default;
};

// The shape; boxes are given by whoever uses it. Parents stand before their children.
struct WideTree {
  struct Leaf {
    std::uint32_t first = 0;  // slot of its first face in `order`
    std::uint32_t count = 0;
    std::uint32_t vertices = 0;  // where its own begin in `vertices`; they end where those of the next leaf begin
  };

  std::vector<WideNode> nodes;
  std::vector<std::uint8_t> level;      // of nodes; node 0 has level 0
  std::vector<WideRef> parent;          // of nodes, but for node 0
  std::vector<Leaf> leaves;             // one more than there are, for the end
  std::vector<std::uint32_t> order;     // faces, slot by slot
  std::vector<Triangle> corners;        // of the faces, in the same order
  std::vector<std::uint32_t> vertices;  // distinct ones of each leaf; three times their numbers, in whole groups
  std::vector<leaf_fit::Leaf> fits;     // of leaves, for leaf_fit::fit_leaves: where its vertices end

  std::uint32_t leaf_count() const { return leaves.empty() ? 0 : static_cast<std::uint32_t>(leaves.size()) - 1; }
  WideChild child(WideRef ref) const { return nodes[ref.node()].child[ref.lane()]; }
  Aabb box(WideRef ref) const { return nodes[ref.node()].boxes.box(ref.lane()); }
  // Asks memory for what will be looked at soon.
  void prefetch(std::uint32_t node) const {
    const char* const at = reinterpret_cast<const char*>(&nodes[node]);
    for (std::size_t line = 0; line < sizeof(WideNode); line += 64) __builtin_prefetch(at + line);
  }
  bool has(WideRef ref) const { return ref.node() < nodes.size() && !child(ref).nothing(); }
  std::span<const std::uint32_t> faces(std::uint32_t leaf) const {
    return std::span(order).subspan(leaves[leaf].first, leaves[leaf].count);
  }
  std::span<const Triangle> triangles(std::uint32_t leaf) const {
    return std::span(corners).subspan(leaves[leaf].first, leaves[leaf].count);
  }
  // All faces below, ascending.
  std::vector<FaceId> faces_below(WideRef ref) const;
  std::size_t bytes() const;
};

// Top down: a node takes a run of faces and halves, by the surface-area heuristic in 16 bins (Wald 2007), whichever of
// its runs has the largest surface, until there are eight or none is larger than a leaf. The shape depends on the mesh
// alone, at rest.
//
// Every step looks at some hundred faces at most and takes about a microsecond, so that a build can be spread over many
// calls; nothing is allocated or cleared that takes longer.
class WideTreeBuilder {
 public:
  // `mesh` must outlive it. Leaves of 1 to 8 faces.
  WideTreeBuilder(const TriangleMesh& mesh, std::uint32_t leaf_size);
  ~WideTreeBuilder();

  // False when all is done (and was before): then take() gives the tree.
  bool step();
  WideTree take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pliant
