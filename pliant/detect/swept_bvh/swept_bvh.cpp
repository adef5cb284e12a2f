#include "pliant/detect/swept_bvh/swept_bvh.h"

#include "pliant/detect/moving/tree_search.h"

namespace pliant {

const MethodInfo SweptBvhDetector::kInfo{.name = "swept-bvh",
                                         .answers = "all first contacts of moving meshes, by swept box trees",
                                         .guarantee = "exact",
                                         .paper = "none (textbook method; binned SAH build: Wald 2007)",
                                         .still = false,
                                         .moving = true};

namespace {

// Room for all pairs of edges of two leaves; vertices and faces are fewer.
constexpr std::size_t kMostPairs = 9 * SweptTree::kLeafSize * SweptTree::kLeafSize;

// The features of two leaves against each other.
class LeafCandidates {
 public:
  LeafCandidates(const SweptTree& a, const SweptTree& b, CandidateSolver& solver) : a_(a), b_(b), solver_(solver) {}

  void add(const AabbNode& leaf_a, const AabbNode& leaf_b) {
    const bool one_leaf = &leaf_a == &leaf_b;
    vertices_against_faces(a_, leaf_a, b_, leaf_b, solver_.vertices_a_faces_b());
    if (!one_leaf) vertices_against_faces(b_, leaf_b, a_, leaf_a, solver_.vertices_b_faces_a());
    edges_against_edges(leaf_a, leaf_b, one_leaf);
  }

 private:
  using Stream = CandidateSolver::Stream;

  swept::LeafInput input(const AabbNode& leaf_b) const {
    swept::LeafInput in{};
    in.one_mesh = solver_.is_self();
    for (std::size_t i = 0; i < 3; ++i) {
      in.b_lo[i] = leaf_b.lo[i];
      in.b_hi[i] = leaf_b.hi[i];
    }
    return in;
  }

  void vertices_against_faces(const SweptTree& a, const AabbNode& leaf_a, const SweptTree& b, const AabbNode& leaf_b,
                              Stream& stream) {
    swept::LeafInput in = input(leaf_b);
    in.a = a.vertices().arrays();
    in.b = b.faces().arrays();
    in.range_a = a.vertices_of(leaf_a);
    in.range_b = SweptTree::faces_of(leaf_b);
    in.corners_a = 1;
    in.corners_b = 3;
    const std::size_t count = swept::overlapping_features(in, pairs_);
    for (std::size_t n = 0; n < count; ++n) {
      const auto [i, j] = pairs_[n];
      stream.add({in.a.corner[0][i], in.b.corner[0][j], in.b.corner[1][j], in.b.corner[2][j]}, a.vertices().id(i),
                 b.faces().id(j));
    }
  }

  void edges_against_edges(const AabbNode& leaf_a, const AabbNode& leaf_b, bool one_leaf) {
    swept::LeafInput in = input(leaf_b);
    in.a = a_.edges().arrays();
    in.b = b_.edges().arrays();
    in.range_a = a_.edges_of(leaf_a);
    in.range_b = b_.edges_of(leaf_b);
    in.corners_a = 2;
    in.corners_b = 2;
    in.one_list = one_leaf;
    const std::size_t count = swept::overlapping_features(in, pairs_);
    for (std::size_t n = 0; n < count; ++n) {
      auto [i, j] = pairs_[n];
      if (solver_.is_self() && b_.edges().id(j) < a_.edges().id(i)) std::swap(i, j);
      solver_.edges().add({in.a.corner[0][i], in.a.corner[1][i], in.b.corner[0][j], in.b.corner[1][j]},
                          a_.edges().id(i), b_.edges().id(j));
    }
  }

  const SweptTree& a_;
  const SweptTree& b_;
  CandidateSolver& solver_;
  std::uint32_t pairs_[kMostPairs][2];
};

}  // namespace

void SweptBvhDetector::body_removed(BodyId body) {
  if (body.index() < trees_.size()) trees_[body.index()] = {};
}

SweptFindings SweptBvhDetector::search(const SweptScene& scene, SweptTasks& tasks) {
  SweptTrees trees;
  for (const SweptBody& body : scene.bodies) trees_.resize(std::max(trees_.size(), body.id.index() + 1));
  for (const SweptBody& body : scene.bodies) {
    trees_[body.id.index()].fit(settings().threads, body, scene.min_separation);
    trees.push_back(&trees_[body.id.index()].tree());
  }
  return search_trees(scene, trees, tasks,
                      [&](BodyPair pair, const AabbNode& leaf_a, const AabbNode& leaf_b, CandidateSolver& solver) {
                        const SweptTree& a = trees_[scene.bodies[pair.a].id.index()];
                        const SweptTree& b = trees_[scene.bodies[pair.b].id.index()];
                        LeafCandidates(a, b, solver).add(leaf_a, leaf_b);
                      });
}

Region SweptBvhDetector::region(BodyId body, std::uint32_t id) const {
  return node_region(trees_[body.index()].tree(), id);
}

std::size_t SweptBvhDetector::bytes() const {
  std::size_t sum = 0;
  for (const SweptTree& tree : trees_) sum += tree.bytes();
  return sum;
}

}  // namespace pliant
