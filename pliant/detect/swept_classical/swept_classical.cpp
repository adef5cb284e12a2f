#include "pliant/detect/swept_classical/swept_classical.h"

#include <algorithm>

#include "pliant/detect/moving/face_candidates.h"
#include "pliant/detect/moving/tree_search.h"
#include "pliant/detect/overlay.h"

namespace pliant {

const MethodInfo SweptClassicalDetector::kInfo{
    .name = "swept-classical",
    .answers = "all first contacts of moving meshes, by the textbook swept tree",
    .guarantee = "exact",
    .paper = "the comparison method of Weller and Zachmann (kinetic separation lists)",
    .still = false,
    .moving = true};

void SweptClassicalDetector::body_removed(BodyId body) {
  if (body.index() < trees_.size()) trees_[body.index()] = {};
}

SweptFindings SweptClassicalDetector::search(const SweptQuery& query, SearchTasks& tasks) {
  SweptTrees trees;
  for (const SweptBody& body : query.bodies) trees_.resize(std::max(trees_.size(), body.id.index() + 1));
  for (const SweptBody& body : query.bodies) {
    FaceTree& tree = trees_[body.id.index()];
    const SweptPositions positions{body.x_t0.positions(), body.x_t1.positions()};
    if (tree.tree().empty())
      tree =
          FaceTree(*body.mesh, positions.x_t0, {.build = TreeBuild::median, .leaf_size = 1, .threads = query.threads});
    tree.refit_swept(query.threads, *body.mesh, positions, 0.5 * query.min_separation);
    trees.push_back(&tree.tree());
  }
  return search_trees(query, trees, tasks,
                      [&](BodyPair pair, const AabbNode& leaf_a, const AabbNode& leaf_b, CandidateSolver& solver) {
                        if (&leaf_a == &leaf_b) return;
                        add_face_candidates(query, pair, FaceId(trees[pair.a]->order()[leaf_a.first]),
                                            FaceId(trees[pair.b]->order()[leaf_b.first]), solver);
                      });
}

std::optional<Region> SweptClassicalDetector::find_region(BodyId body, std::uint32_t id) const {
  if (body.index() >= trees_.size()) return std::nullopt;
  return node_region(trees_[body.index()].tree(), id);
}

void SweptClassicalDetector::draw(const Report&, detail::Overlay& overlay) const {
  for (const BodyId id : body_ids())
    if (id.index() < trees_.size()) overlay.add_level(id, trees_[id.index()].tree());
}

std::size_t SweptClassicalDetector::bytes() const {
  std::size_t sum = 0;
  for (const FaceTree& tree : trees_) sum += tree.bytes();
  return sum;
}

}  // namespace pliant
