// Boxes of a dense surface from the coarse one that it follows, each made when it is asked for.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pliant/bounds/wide_tree.h"
#include "pliant/detect/anytime/node_vertices.h"
#include "pliant/detect/anytime/tet_patches.h"
#include "pliant/motion/embedding.h"
#include "pliant/motion/motion.h"

namespace pliant {

// The whole body has the box of its coarse vertices. Below that, in a cage of tetrahedra, a node has a patch for each
// tetrahedron that holds something of it, and the box of these: its time depends on their number, not on the node's
// vertices. Leaves have the boxes of their vertices. Bodies on links have, for few
// vertices, the box of these, and otherwise that of the coarse vertices that they hang on, grown by how far dense ones
// can be away from them. All boxes hold what they should; none is tight but those of vertices.
//
// What a node has is found out in steps of about a microsecond, once; where coarse vertices are, likewise, for every
// frame.
class EmbeddedBoxes {
 public:
  // `tree` must outlive it and keep its shape.
  EmbeddedBoxes(const WideTree& tree, const TriangleMesh& mesh, const EmbeddedIn& in);

  bool is_for(const EmbeddedIn& in) const { return links_ == in.links && barycentric_ == in.barycentric; }

  // From now on. `coarse` must stay; `dense` gives all dense positions where single ones cannot be had.
  void place(std::span<const Vec3> coarse, Motion dense, double time);
  // Goes on with what has to be known before there are boxes. False when there are. Throws Error for a coarse position
  // that is not finite.
  bool step();

  // Holds everything.
  Aabb whole_box() const;
  // What is below each lane of a node, as far as it is inside of `around`.
  void fit(std::uint32_t node, const Aabb& around, WideBoxes& boxes);
  // Asks memory for what that needs; and, earlier, for what this has to know.
  void prefetch(std::uint32_t node) const;
  void prefetch_lanes(std::uint32_t node) const {
    __builtin_prefetch(&lanes_[8 * node]);
    __builtin_prefetch(&lanes_[8 * (node + 1)]);
  }
  // What that takes, about, in nanoseconds.
  std::uint32_t time_to_fit(std::uint32_t node) const;
  // Sees to it that positions()[v] is where the vertex is, bit for bit as the motion has it.
  void need(VertexId v) {
    if (placed_[v.index()] != epoch_) evaluate(v);
  }
  // Asks memory for what that needs.
  void prefetch(VertexId v) const {
    __builtin_prefetch(&placed_[v.index()]);
    if (barycentric_) __builtin_prefetch(&barycentric_->anchors()[v.index()]);
  }
  std::span<const Vec3> positions() const { return positions_; }
  // In a cage of tetrahedra: those of leaves. Null otherwise.
  NodeVertices* node_vertices() const { return node_vertices_.get(); }
  std::size_t bytes() const;

 private:
  enum class Phase : std::uint8_t { clear, faces, see, turn, measure, outline, keep, vertices, done };
  // What the boxes of a lane are made of: a run of patches_, vertices_ or coarse_vertices_.
  struct Lane {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  struct Faces {
    std::uint32_t first_slot = 0;
    std::uint32_t count = 0;
  };

  // Each does so much of a phase, or less, and tells how much it was.
  std::uint32_t plan(std::uint32_t most);
  void reserve();
  void clear();
  void find_faces();
  std::uint32_t see_faces(std::uint32_t most);
  void see(VertexId v);
  void see_coarse(VertexId v);
  std::uint32_t fit_patches(std::uint32_t most);
  void keep_lane();
  void keep_links_lane();
  void read_coarse();

  void evaluate(VertexId v);
  Aabb patches_box(const Lane& lane) const;
  Aabb real_box(const Aabb& scaled) const;
  Aabb vertices_box(const Lane& lane);
  Aabb hull_box(const Lane& lane, double reach) const;

  const WideTree& tree_;
  const TriangleMesh& mesh_;
  std::shared_ptr<const RigidLinks> links_;
  std::shared_ptr<const BarycentricEmbedding> barycentric_;
  double rest_size_ = 0;    // largest coordinate of dense vertices at rest
  double whole_reach_ = 0;  // how far out of the coarse box: a length for links, times its size for tetrahedra

  std::vector<Lane> lanes_;        // by WideRef
  std::vector<TetPatch> patches_;  // lane after lane, so that those of a node are together
  std::unique_ptr<NodeVertices> node_vertices_;
  // Of bodies on links.
  std::vector<double> reach_;  // by lane; negative: its box is that of vertices
  std::vector<std::uint32_t> vertices_;
  std::vector<std::uint32_t> coarse_vertices_;

  // The plan at work.
  Phase phase_ = Phase::clear;
  std::uint32_t next_ = 0;                                // entry, node from the end, or lane
  std::uint32_t slot_ = 0;                                // of what the phase goes through in a lane
  std::vector<Faces> faces_;                              // by lane
  std::vector<std::uint32_t> seen_vertex_, seen_coarse_;  // by lane, plus one
  std::vector<std::uint32_t> found_vertices_, found_coarse_;
  double found_reach_ = 0;
  std::unique_ptr<TetPatchFitter> fitter_;

  // Where it is.
  std::span<const Vec3> coarse_;
  std::uint32_t read_ = 0;  // of coarse positions
  Vec3 low_ = Vec3::Zero(), high_ = Vec3::Zero();
  ScaledCage cage_;
  std::optional<Motion> dense_;
  double time_ = 0;
  std::optional<Frame> all_;  // if a single one could not be had
  std::uint32_t epoch_ = 0;
  std::vector<Vec3> positions_;
  std::vector<std::uint32_t> placed_;  // epoch, by vertex
  std::vector<std::uint32_t> framed_;  // epoch, by triple
  std::vector<std::optional<LinkFrame>> frames_;
};

}  // namespace pliant
