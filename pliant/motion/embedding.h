// Dense vertices as a function of coarse ones: a fine surface that follows a coarse simulation.
//
// Two ways. Rigid links (C. Mendoza and C. O'Sullivan, "An interruptible algorithm for collision detection between
// deformable objects"): each dense vertex hangs, at a fixed distance, on a frame of its three nearest coarse vertices.
// Barycentric: each is a weighted mean of the corners of the tetrahedron that it lies in; linear, without state, but
// needs tetrahedra around the surface.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pliant/core/ids.h"
#include "pliant/core/vec3.h"
#include "pliant/mesh/tet_mesh.h"

namespace pliant {

// An orthonormal frame: of a triple q0, q1, q2 with u = q1 - q0 and n = u x (q2 - q0), the directions n, -u, u x n.
struct LinkFrame {
  std::array<Vec3, 3> axis;
};

// One dense vertex: p = sum weight_i q_i + sum offset_i axis_i.
struct RigidLink {
  std::uint32_t triple = 0;
  std::array<double, 3> weights{};
  Vec3 offset = Vec3::Zero();
};

// Differs from the paper, whose formulas have three errors: its weights (S - d_i) / S, S = d_0 + d_1 + d_2, sum to 2,
// so that a translation moves the vertex twice as far (here they are halved); its frame is built from q1 - q0 in one
// place and q0 - q1 in another; and its projections onto the frame are multiplied by their own signs, which loses them
// (here they are signed numbers).
//
// Immutable; safe to share between threads. At rest every dense vertex is where it was, bit for bit. Under a rigid
// motion of the coarse vertices the dense ones follow it; |p - sum weight_i q_i| never changes.
class RigidLinks {
 public:
  // Links each dense vertex to the nearest coarse ones: of its eight neighbours by distance (then by index), the first
  // three that make a triangle of good shape, or else the first that are not nearly on a line. Throws Error if there
  // are no such three, or for coordinates that are not finite.
  RigidLinks(std::span<const Vec3> dense_rest, std::span<const Vec3> coarse_rest);
  // The same links again from what was stored of them: the triple of each dense vertex. Throws Error for a triple that
  // is out of range or on a line.
  RigidLinks(std::span<const Vec3> dense_rest, std::span<const Vec3> coarse_rest,
             std::span<const std::array<VertexId, 3>> triple_of_dense);

  std::size_t dense_count() const { return links_.size(); }
  std::size_t coarse_count() const { return coarse_rest_.size(); }
  std::span<const RigidLink> links() const { return links_; }
  std::span<const std::array<VertexId, 3>> triples() const { return triples_; }
  std::span<const LinkFrame> rest_frames() const { return rest_frames_; }
  std::span<const Vec3> coarse_rest() const { return coarse_rest_; }

  // The frame of a triple whose coarse vertices are at `coarse`; none if it has collapsed.
  std::optional<LinkFrame> frame_at(std::size_t triple, std::span<const Vec3> coarse) const;
  // One dense vertex, whose triple has the frame.
  Vec3 position(VertexId dense, std::span<const Vec3> coarse, const LinkFrame& frame) const {
    const RigidLink& link = links_[dense.index()];
    return position(link, coarse, frame) + rounding_[dense.index()];
  }

 private:
  friend class LinkFollower;
  // What tells a triple that has collapsed.
  struct RestSize {
    double normal = 0;  // |n|, twice the area
    double edge = 0;    // |u|
  };
  void add_link(const Vec3& p, std::span<const Vec3> coarse, const std::array<VertexId, 3>& triple);
  Vec3 position(const RigidLink& link, std::span<const Vec3> coarse, const LinkFrame& frame) const;

  std::vector<Vec3> coarse_rest_;
  std::vector<RigidLink> links_;
  std::vector<Vec3> rounding_;                    // what the formula misses at rest
  std::vector<std::array<VertexId, 3>> triples_;  // distinct
  std::vector<LinkFrame> rest_frames_;
  std::vector<RestSize> rest_sizes_;
};

// Follows the coarse vertices over time. A triple that collapses keeps its last frame, turned the shortest way with its
// first edge (parallel transport), so that the dense vertices stay finite and their distances kept.
class LinkFollower {
 public:
  // `links` must outlive it.
  explicit LinkFollower(const RigidLinks& links);

  // Dense positions; valid until the next call. Throws Error for a wrong number of coarse vertices.
  std::span<const Vec3> follow(std::span<const Vec3> coarse);

  std::size_t collapsed_count() const { return collapsed_; }  // triples without a frame of their own, last time
  std::size_t flipped_count() const { return flipped_; }      // triples whose normal turned over since the time before

  // All the state there is.
  std::span<const LinkFrame> frames() const { return frames_; }
  void restore(std::span<const LinkFrame> frames);

 private:
  void update_frame(std::size_t triple, std::span<const Vec3> coarse);

  const RigidLinks* links_;
  std::vector<LinkFrame> frames_;
  std::vector<Vec3> dense_;
  std::size_t collapsed_ = 0;
  std::size_t flipped_ = 0;
};

// Immutable; safe to share between threads.
class BarycentricEmbedding {
 public:
  // A vertex outside all tetrahedra goes with the nearest one (its weights are then partly negative). Throws Error if
  // there is no tetrahedron with volume.
  BarycentricEmbedding(std::span<const Vec3> dense_rest, const TetMesh& mesh);
  // The same embedding again from what was stored of it: the tetrahedron of each dense vertex. Throws Error for one
  // that is out of range or has no volume.
  BarycentricEmbedding(std::span<const Vec3> dense_rest, const TetMesh& mesh, std::span<const TetId> tet_of_dense);

  struct Anchor {
    TetId tet;
    std::array<double, 4> weights{};  // sum 1
  };
  std::size_t dense_count() const { return anchors_.size(); }
  std::size_t coarse_count() const { return coarse_rest_.size(); }
  std::span<const Anchor> anchors() const { return anchors_; }
  std::span<const Tet> tets() const { return tets_; }
  std::span<const Vec3> coarse_rest() const { return coarse_rest_; }
  std::size_t outside_count() const { return outside_; }

  // `coarse`: positions of all vertices of the tet mesh. Throws Error for a wrong number of them.
  std::vector<Vec3> positions(std::span<const Vec3> coarse) const;
  // One dense vertex.
  Vec3 position(VertexId dense, std::span<const Vec3> coarse) const;

 private:
  std::vector<Vec3> coarse_rest_;
  std::vector<Tet> tets_;
  std::vector<Anchor> anchors_;
  std::size_t outside_ = 0;
};

}  // namespace pliant
