// The spheres of a tree and the vertices of its surface after deformation, each computed when it is first asked for.
#pragma once

#include <optional>

#include "pliant/bounds/aabb.h"
#include "pliant/bounds/sphere_tree/node_links.h"
#include "pliant/motion/motion.h"

namespace pliant {

struct FollowSettings {
  // As printed (C. Mendoza and C. O'Sullivan): the centre goes by the mean displacement of the coarse vertices nearest
  // to it, the radius grows by the largest ratio lambda of their new and old distances from it. Such a sphere can lose
  // what it covers, even where the body only turns.
  bool printed = false;
  std::uint32_t near_vertices = 4;  // V_i: how many, when printed
  // Spheres of no more pieces than this are fitted to their vertices; larger ones are bounded.
  std::uint32_t fitted_pieces = 32;
};

// Not safe for use from several threads.
//
// Of an embedded motion only coarse positions are read, and of the dense vertices those that small spheres and exact
// tests ask for. A sphere of a large node follows the rotation Q of its coarse vertices and grows by what these differ
// from a rigid motion: for a vertex with weights a_j on coarse vertices and offset R on a frame that turns by G,
//   |p' - c' - Q (p - c)| <= sum a_j |(q_j' - q') - Q (q_j - q)| + |R| |G - Q|,
// after the BD-tree of D. James and D. Pai (2004), made to turn with the body: no growth in a rigid motion. Any Q gives
// a sphere that holds the surface; the sphere around the coarse vertices, with the longest offset added, is taken where
// it is smaller. Between keyframes, where dense vertices move linearly, spheres are interpolated, which holds them too.
//
// Of other motions every sphere is fitted to its vertices when it is first asked for. That of the root is the sphere
// around the ends of all coordinates, where they are known: a first look at a body does not read it.
class SphereFollower {
 public:
  SphereFollower(SphereTreePtr tree, MeshPtr mesh, const FollowSettings& settings);

  const SphereTree& tree() const { return *tree_; }
  const TriangleMesh& mesh() const { return *mesh_; }

  // What spheres hang on, for this motion and all with the same links: takes as long as a look at the whole tree, once.
  // place() does it where it was not done before.
  void link(const Motion& motion);
  // The motion must live as long as it is asked for positions. Nothing is done again for frames that it knows.
  void place(const Motion& motion, double time);
  // Whether only coarse positions are read.
  bool is_embedded() const { return links_.has_value(); }
  bool is_printed() const { return settings_.printed; }

  const Sphere& sphere(std::uint32_t node) {
    if (sphere_stamp_[node] != stamp_) update(node);
    return spheres_[node];
  }
  // Holds the same part of the surface, of a node whose sphere is up to date: large triangles have spheres that reach
  // far beyond them. Everything where nothing is known but the sphere.
  const Aabb& box(std::uint32_t node) const { return boxes_[node]; }
  // What that will take, about, in nanoseconds.
  std::uint32_t time_for(std::uint32_t node) const { return sphere_stamp_[node] == stamp_ ? 0 : time_to_update(node); }
  // The faces of a node, which is a leaf as a rule, and their boxes.
  struct Faces {
    std::vector<FaceId> faces;  // ascending
    std::vector<Aabb> boxes;
    Aabb box;  // of all
    std::uint32_t stamp = 0;
  };
  const Faces& faces(std::uint32_t node);
  std::size_t face_count(std::uint32_t node) { return listed_faces(node).faces.size(); }
  // Where a dense vertex is: bit for bit what the motion says.
  const Vec3& vertex(VertexId v) {
    if (!full_ && vertex_stamp_[v.index()] != stamp_) update_vertex(v);
    return full_ ? full_->positions()[v.index()] : dense_[v.index()];
  }
  // All positions; of an embedded motion only those that vertex() was asked for are there.
  std::span<const Vec3> positions() const { return full_ ? full_->positions() : std::span<const Vec3>(dense_); }

  // V_i: the coarse vertices nearest to a sphere's centre, nearest first; of a motion that is not embedded vertices of
  // the mesh itself. Invalid ones stand for those that are not there.
  std::span<const VertexId> near_vertices(std::uint32_t node);

  std::uint32_t stamp() const { return stamp_; }                          // changes when it is placed elsewhere
  const NodeLinks* links() const { return links_ ? &*links_ : nullptr; }  // of an embedded motion
  std::uint64_t updated() const { return updated_; }                      // spheres, since it was made
  std::size_t bytes() const;

 private:
  // One keyframe of the coarse motion.
  struct Key {
    Frame coarse;
    std::vector<std::uint32_t> frame_stamp;  // by triple
    std::vector<LinkFrame> frames;
  };
  void link_to(const Motion& motion);
  bool set_keys(const Motion& motion, double time);
  void update(std::uint32_t node);
  std::uint32_t time_to_update(std::uint32_t node) const;
  bool is_small(std::uint32_t node) const { return tree_->pieces(node).size() <= settings_.fitted_pieces; }
  std::optional<Sphere> around_everything();
  Sphere resting(std::uint32_t node);
  struct Ends {
    Vec3 low, high;
  };
  Ends ends_of(std::uint32_t node);
  void update_vertex(VertexId v);
  const LinkFrame* frame_of(Key& key, std::uint32_t triple);  // null if it has collapsed
  std::optional<Vec3> vertex_at(Key& key, VertexId v);

  Sphere printed(std::uint32_t node);
  Sphere bounded(std::uint32_t node);
  Sphere bounded_at(std::uint32_t node, Key& key);
  double growth_of(std::uint32_t node, Key& key, const Eigen::Matrix3d& q, double enough);
  Sphere fitted(std::uint32_t node);
  template <class Visit>
  void for_each_corner(std::uint32_t node, Visit&& visit);
  void list_vertices();
  Faces& listed_faces(std::uint32_t node);  // without boxes
  std::span<const VertexId> near(std::uint32_t node) const;
  void find_near();

  SphereTreePtr tree_;
  MeshPtr mesh_;
  FollowSettings settings_;
  // Of nodes whose faces are whole: each of its vertices once. A corner of a piece is such a vertex.
  std::vector<std::uint32_t> first_vertex_;  // by node; empty: faces are cut
  std::vector<VertexId> vertices_;

  // What the motion hangs on, as far as it is embedded.
  std::shared_ptr<const RigidLinks> rigid_;
  std::shared_ptr<const BarycentricEmbedding> barycentric_;
  std::optional<NodeLinks> links_;
  std::vector<Vec3> coarse_rest_;
  std::vector<double> stray_;   // by coarse vertex: of the node that is being bounded
  std::vector<VertexId> near_;  // near_vertices of them for each node

  const Motion* motion_ = nullptr;
  double time_ = 0;
  std::optional<Frame> full_;  // all dense positions
  Key start_;
  Key end_;
  double share_ = 0;  // of the way from start to end; 0: the end counts for nothing
  bool at_rest_ = false;

  std::uint32_t stamp_ = 0;
  std::vector<Sphere> spheres_;
  std::vector<std::uint32_t> sphere_stamp_;
  std::vector<Aabb> boxes_;
  std::vector<std::uint8_t> has_rest_box_;  // by node: boxes_ has that at rest
  std::vector<Faces> faces_;                // by node, those that were asked for
  std::vector<Vec3> dense_;
  std::vector<std::uint32_t> vertex_stamp_;
  std::uint64_t updated_ = 0;
};

}  // namespace pliant
