#include "pliant/detect/swept_bvh/swept_bvh.h"

#include "pliant/detect/moving/leaf_candidates.h"
#include "pliant/detect/moving/tree_search.h"

namespace pliant {

const MethodInfo SweptBvhDetector::kInfo{.name = "swept-bvh",
                                         .answers = "all first contacts of moving meshes, by swept box trees",
                                         .guarantee = "exact",
                                         .paper = "none (textbook method; binned SAH build: Wald 2007)",
                                         .still = false,
                                         .moving = true};

void SweptBvhDetector::body_removed(BodyId body) {
  if (body.index() < trees_.size()) trees_[body.index()] = {};
}

SweptFindings SweptBvhDetector::search(const SweptScene& scene, SearchTasks& tasks) {
  SweptTrees trees;
  for (const SweptBody& body : scene.bodies) trees_.resize(std::max(trees_.size(), body.id.index() + 1));
  const auto fit = [&](double limit) {
    for (const SweptBody& body : scene.bodies)
      trees_[body.id.index()].fit(settings().threads, body, {scene.min_separation, limit});
  };
  fit(1);
  for (const SweptBody& body : scene.bodies) trees.push_back(&trees_[body.id.index()].tree());
  return search_trees(
      scene, trees, tasks,
      [&](BodyPair pair, const AabbNode& leaf_a, const AabbNode& leaf_b, CandidateSolver& solver) {
        const SweptTree& a = trees_[scene.bodies[pair.a].id.index()];
        const SweptTree& b = trees_[scene.bodies[pair.b].id.index()];
        add_leaf_candidates({a, leaf_a}, {b, leaf_b}, solver);
      },
      fit);
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
