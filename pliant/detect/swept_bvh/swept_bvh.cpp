#include "pliant/detect/swept_bvh/swept_bvh.h"

#include "pliant/detect/moving/leaf_candidates.h"
#include "pliant/detect/moving/tree_search.h"
#include "pliant/detect/overlay.h"
#include "pliant/detect/setting_table.h"

namespace pliant {

namespace {

constexpr SettingInfo kSweptBvhSettings[]{
    setting<&SweptBvhSettings::leaf_size>({.name = "leaf_size",
                                           .unit = "faces",
                                           .effect = "most faces in a leaf of a tree",
                                           .least = 1,
                                           .most = SweptTree::kMostInLeaf}),
    setting<&SweptBvhSettings::rebuild_growth>(
        {.name = "rebuild_growth",
         .effect = "a tree is built anew when its boxes have this many times their first surface",
         .least = 1,
         .most = 1e6}),
    setting<&SweptBvhSettings::narrow_below>(
        {.name = "narrow_below",
         .unit = "of the time",
         .effect = "a search for the first contact fits its boxes anew when only this much of the time still matters",
         .least = 0,
         .most = 1}),
};

}  // namespace

const MethodInfo SweptBvhDetector::kInfo{.name = "swept-bvh",
                                         .answers = "all first contacts of moving meshes, by swept box trees",
                                         .guarantee = "exact",
                                         .paper = "none (textbook method; binned SAH build: Wald 2007)",
                                         .still = false,
                                         .moving = true,
                                         .settings = kSweptBvhSettings};

void SweptBvhDetector::body_removed(BodyId body) {
  if (body.index() < trees_.size()) trees_[body.index()] = new_tree();
}

SweptFindings SweptBvhDetector::search(const SweptQuery& query, SearchTasks& tasks) {
  SweptTrees trees;
  for (const SweptBody& body : query.bodies) trees_.resize(std::max(trees_.size(), body.id.index() + 1), new_tree());
  const auto fit = [&](double limit) {
    for (const SweptBody& body : query.bodies)
      trees_[body.id.index()].fit(settings().threads, body, {query.min_separation, limit});
  };
  fit(1);
  for (const SweptBody& body : query.bodies) trees.push_back(&trees_[body.id.index()].tree());
  return search_trees(
      query, trees, tasks,
      [&](BodyPair pair, const AabbNode& leaf_a, const AabbNode& leaf_b, CandidateSolver& solver) {
        const SweptTree& a = trees_[query.bodies[pair.a].id.index()];
        const SweptTree& b = trees_[query.bodies[pair.b].id.index()];
        add_leaf_candidates({a, leaf_a}, {b, leaf_b}, solver);
      },
      NarrowTrees{swept_.narrow_below, fit}, stars_.clear_of_themselves(query, *this));
}

std::optional<Region> SweptBvhDetector::find_region(BodyId body, std::uint32_t id) const {
  if (body.index() >= trees_.size()) return std::nullopt;
  return node_region(trees_[body.index()].tree(), id);
}

void SweptBvhDetector::draw(const Report&, detail::Overlay& overlay) const {
  for (const BodyId id : body_ids())
    if (id.index() < trees_.size()) overlay.add_level(id, trees_[id.index()].tree());
}

std::size_t SweptBvhDetector::bytes() const {
  std::size_t sum = 0;
  for (const SweptTree& tree : trees_) sum += tree.bytes();
  return sum;
}

}  // namespace pliant
