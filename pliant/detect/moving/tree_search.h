// Search by a box tree per body: the traversal cut into tasks, what is left over as regions.
#pragma once

#include <array>
#include <vector>

#include "pliant/bounds/traverse.h"
#include "pliant/detect/moving/candidate_solver.h"
#include "pliant/detect/moving/moving_run.h"

namespace pliant {

struct SweptTreeTask {
  BodyPair pair;
  NodePair start;
};

// The trees of a query's bodies, in their order, fitted to the segment.
using SweptTrees = std::vector<const AabbTree*>;

// By body: proved not to meet itself in this segment.
using ClearOfThemselves = std::vector<bool>;

// In an order that starts with tasks from everywhere if only the first contact is wanted. No bodies are left out if
// `clear` is empty.
std::vector<SweptTreeTask> cut_into_tasks(const SweptQuery& query, const SweptTrees& trees,
                                          const ClearOfThemselves& clear = {});
UnresolvedPair unresolved_nodes(const SweptQuery& query, const SweptTrees& trees, BodyPair pair, NodePair nodes);
// A region is a node of the body's tree; none if there is no such node. Region 0 of a body without faces is empty.
std::optional<Region> node_region(const AabbTree& tree, std::uint32_t node);

// What is done once less of the segment matters: nothing, or fit(fraction of the segment) when that is less than
// `below` of what the trees are fitted to.
struct KeepTrees {
  static constexpr double below = 0;
  void fit(double) const {}
};
template <class Fit>
struct NarrowTrees {
  double below;
  Fit fit;
};
template <class Fit>
NarrowTrees(double, Fit) -> NarrowTrees<Fit>;

// How many tasks of a search for the first contact come before each time that the trees are narrowed.
inline std::array<std::size_t, 4> narrowing_rounds(const SweptQuery& query, std::size_t tasks) {
  if (!query.wants_first_only()) return {tasks, tasks, tasks, tasks};
  return {tasks / 16, tasks / 4, tasks / 2, tasks};
}

// visit(pair, leaf_a, leaf_b, solver) adds the candidates of two leaves with overlapping boxes (of one leaf if they are
// the same node).
//
// A search for the first contact looks at tasks from everywhere first. If they tell that only a small part of the
// segment matters, `narrow` may fit the trees to that part: much smaller boxes if things move fast.
template <class Visit, class Narrow = KeepTrees>
SweptFindings search_trees(const SweptQuery& query, const SweptTrees& trees, SearchTasks& runner, const Visit& visit,
                           const Narrow& narrow = {}, const ClearOfThemselves& clear = {}) {
  const std::vector<SweptTreeTask> tasks = cut_into_tasks(query, trees, clear);
  std::vector<std::vector<NodePair>> left_over(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) left_over[i] = {tasks[i].start};
  EarliestTime earliest;
  const bool any = query.goal == SweptGoal::any;
  const auto search = [&](std::size_t i, BudgetMeter& meter) {
    const BodyPair pair = tasks[i].pair;
    SweptTaskHits hits;
    CandidateSolver solver(query, pair, earliest, hits, meter.state());
    const TreeTraversal traversal =
        pair.a == pair.b ? TreeTraversal(*trees[pair.a]) : TreeTraversal(*trees[pair.a], *trees[pair.b]);
    left_over[i] = traversal.run(tasks[i].start, meter, [&](const AabbNode& leaf_a, const AabbNode& leaf_b) {
      if (!meter.spend(leaf_a.count * leaf_b.count)) return false;
      visit(pair, leaf_a, leaf_b, solver);
      return true;
    });
    solver.flush();
    if (hits.late) left_over[i] = {tasks[i].start};
    return hits;
  };
  std::vector<SweptTaskHits> found(tasks.size());
  std::size_t begin = 0;
  double fitted = 1;
  for (const std::size_t end : narrowing_rounds(query, tasks.size())) {
    runner.run_range<SweptTaskHits>({found, begin, end}, any, search);
    begin = end;
    if (end == tasks.size()) break;
    if (const double limit = earliest.limit(); limit < narrow.below * fitted) narrow.fit(fitted = limit);
  }

  SweptFindings findings;
  for (SweptTaskHits& hits : found) findings.add(std::move(hits));
  if (any && findings.certain) return findings;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    for (const NodePair nodes : left_over[i])
      findings.unresolved.push_back(unresolved_nodes(query, trees, tasks[i].pair, nodes));
  return findings;
}

}  // namespace pliant
