// Boxes of a dense surface from the coarse one that it follows, each made when it is asked for.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pliant/bounds/wide_tree.h"
#include "pliant/motion/embedding.h"
#include "pliant/motion/motion.h"

namespace pliant {

// Nodes with few vertices have boxes of these; larger ones that hang on a few tetrahedra have the boxes of what is in
// each of them, which are images of boxes in weights; others have the box of the coarse vertices that they hang on,
// grown by how far dense ones can be away from them. No box is tight but the first; all hold what they should.
//
// Which of these a node has is found out in steps of about a microsecond.
class EmbeddedBoxes {
 public:
  // `tree` must outlive it and keep its shape.
  EmbeddedBoxes(const WideTree& tree, const TriangleMesh& mesh, const EmbeddedIn& in);

  bool is_for(const EmbeddedIn& in) const { return links_ == in.links && barycentric_ == in.barycentric; }
  // Goes on with the plan. False when it is done.
  bool step();
  bool done() const { return phase_ == Phase::done; }

  // From now on. `coarse` must stay; `dense` gives all dense positions where single ones cannot be had.
  void place(std::span<const Vec3> coarse, Motion dense, double time);

  // Holds what is below a lane. Tells in nanoseconds, about, what it took.
  Aabb box(WideRef ref, std::uint32_t& took);
  // Sees to it that positions()[v] is where the vertex is, bit for bit as the motion has it.
  void need(VertexId v) {
    if (placed_[v.index()] != epoch_) evaluate(v);
  }
  std::span<const Vec3> positions() const { return positions_; }
  std::size_t bytes() const;

 private:
  enum class Phase : std::uint8_t { clear, ranges, lanes, done };
  enum class Plan : std::uint8_t { vertices, cells, hull };
  struct Lane {
    std::uint32_t first_slot = 0, face_count = 0;  // faces below
    std::uint32_t first = 0, count = 0;            // of the plan's list
    Plan plan = Plan::hull;
    double reach = 0;  // hull: how far out of it; length for links, times its size for tetrahedra
  };
  // What is below a lane in one tetrahedron: weights of its corners 1, 2 and 3.
  struct Cell {
    std::uint32_t tet;
    Vec3 low, high;
  };

  void clear_step();
  void ranges_step();
  void lanes_step();
  void see(VertexId v);
  void see_cell(std::uint32_t tet, const std::array<double, 4>& weights);
  void see_coarse(VertexId v);
  void finish_lane(Lane& lane);
  bool next_lane();
  void evaluate(VertexId v);
  Aabb cell_box(const Cell& cell) const;

  const WideTree& tree_;
  const TriangleMesh& mesh_;
  std::shared_ptr<const RigidLinks> links_;
  std::shared_ptr<const BarycentricEmbedding> barycentric_;
  double rest_size_ = 0;  // largest coordinate of dense vertices at rest

  std::vector<Lane> lanes_;  // by WideRef
  std::vector<std::uint32_t> vertices_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> coarse_vertices_;

  // The plan at work.
  Phase phase_ = Phase::clear;
  std::uint32_t next_ = 0;                                            // vertex, node from the end, or lane
  std::uint32_t slot_ = 0;                                            // of the lane's faces
  std::vector<std::uint32_t> seen_vertex_, seen_coarse_, seen_cell_;  // by lane, plus one
  std::vector<std::uint32_t> found_vertices_, found_coarse_;
  std::vector<Cell> found_cells_;
  std::vector<std::uint32_t> cell_slot_;
  double found_reach_ = 0;

  // Where it is.
  std::span<const Vec3> coarse_;
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
