#include "pliant/detect/kinetic/kinetic.h"

#include "pliant/detect/moving/leaf_candidates.h"
#include "pliant/detect/overlay.h"
#include "pliant/detect/setting_table.h"

namespace pliant {

using kinetic::FrontTrees;
using kinetic::StreamFindings;
using kinetic::StreamQuery;
using kinetic::TwoEndTree;

namespace {

constexpr SettingInfo kKineticSettings[]{
    setting<&KineticSettings::leaf_size>({.name = "leaf_size",
                                          .unit = "faces",
                                          .effect = "most faces in a leaf of a tree",
                                          .least = 1,
                                          .most = SweptTree::kMostInLeaf}),
    setting<&KineticSettings::rebuild_growth>(
        {.name = "rebuild_growth",
         .effect = "a tree, with its lists, is built anew when its boxes have this many times their first surface",
         .least = 1,
         .most = 1e6}),
    setting<&KineticSettings::list_growth>({.name = "list_growth",
                                            .effect = "a part of a list is made anew when it is this many times longer",
                                            .least = 1,
                                            .most = 1e6}),
    setting<&KineticSettings::renewal>({.name = "renewal",
                                        .unit = "segments",
                                        .effect = "every part of a list is made anew once in this many segments",
                                        .least = 1,
                                        .most = 1e6}),
};

}  // namespace

const MethodInfo KineticDetector::kInfo{
    .name = "kinetic",
    .answers = "all first contacts of moving meshes, by separation lists over interpolated boxes",
    .guarantee = "exact",
    .paper =
        "Weller, Zachmann: Kinetic Separation Lists for Continuous Collision Detection of Deformable Objects, 2006",
    .still = false,
    .moving = true,
    .settings = kKineticSettings};

void KineticDetector::forget_body(BodyId body) {
  if (body.index() < trees_.size()) trees_[body.index()] = new_tree();
  forget_fronts_of(body);
}

// Without a map any face may be anywhere, and a tree of new nodes is better.
void KineticDetector::change_mesh(BodyId id, const MeshMaps& maps) {
  const bool kept = id.index() < trees_.size() && !trees_[id.index()].empty();
  if (!kept || maps.old_face.empty() || body(id).mesh->face_count() == 0) forget_body(id);
  else trees_[id.index()].change_mesh(maps.old_face);
}

void KineticDetector::forget_fronts_of(BodyId body) {
  for (auto it = fronts_.begin(); it != fronts_.end();)
    it = it->first.first == body || it->first.second == body ? fronts_.erase(it) : std::next(it);
}

void KineticDetector::fit_trees(const SweptQuery& query) {
  for (const SweptBody& body : query.bodies) trees_.resize(std::max(trees_.size(), body.id.index() + 1), new_tree());
  for (const SweptBody& body : query.bodies)
    if (trees_[body.id.index()].fit(settings().threads, body, query.min_separation)) forget_fronts_of(body.id);
}

// Lists of bodies that are apart, or of no interest any more, are given up.
std::vector<KineticDetector::Task> KineticDetector::cut_into_tasks(const StreamQuery& query) {
  constexpr std::size_t kSlices = 128;
  const auto& bodies = query.swept.bodies;
  std::vector<Aabb> boxes;
  boxes.reserve(bodies.size());
  for (const SweptBody& body : bodies) boxes.push_back(trees_[body.id.index()].swept_box(0));
  const std::vector<bool> clear = stars_.clear_of_themselves(query.swept, *this);
  const auto wanted = [&](std::uint32_t a, std::uint32_t b) {
    return query.swept.wants({a, b}) && !(a == b && clear[a]);
  };
  std::map<std::pair<BodyId, BodyId>, Front> kept;
  std::vector<Task> tasks;
  for (const BodyPair pair : overlapping_body_pairs(boxes, wanted)) {
    const auto key = std::pair(bodies[pair.a].id, bodies[pair.b].id);
    const FrontTrees trees{trees_[key.first.index()], trees_[key.second.index()]};
    Front& front = kept.try_emplace(key, kinetic::FrontSettings{kinetic_.list_growth, kinetic_.renewal}).first->second;
    if (const auto old = fronts_.find(key); old != fronts_.end()) front = std::move(old->second);
    if (!query.is_new(pair)) continue;
    if (!front.is_cut()) front.cut(trees, kSlices);
    front.next_turn();
    for (std::size_t i = 0; i < front.slices().size(); ++i)
      tasks.push_back({pair, trees, &front.slices()[i], front.is_due(i)});
  }
  fronts_ = std::move(kept);
  return tasks;
}

SweptTaskHits KineticDetector::run_task(const SweptQuery& query, const Task& task, BudgetMeter& meter) const {
  SweptTaskHits found;
  if (!task.slice->update(task.trees, task.anew, meter)) return found;
  EarliestTime earliest;
  CandidateSolver solver(query, task.pair, earliest, found, meter.state());
  found.finished = true;
  for (const NodePair leaves : task.slice->open()) {
    const std::uint64_t tests = std::uint64_t{task.trees.a.node(leaves.a).count} * task.trees.b.node(leaves.b).count;
    found.finished = meter.spend(tests);
    if (!found.finished) break;
    const SweptTree& a = task.trees.a.swept();
    const SweptTree& b = task.trees.b.swept();
    add_leaf_candidates({a, a.tree().node(leaves.a)}, {b, b.tree().node(leaves.b)}, solver);
  }
  solver.flush();
  found.finished = found.finished && !found.late;
  return found;
}

void KineticDetector::count_work(const std::vector<Task>& tasks, Counters& counters) const {
  std::size_t open = 0;
  for (const Task& task : tasks) open += task.slice->open().size();
  counters.add("leaf_pairs", open);
  counters.raise("list_size", list_size());
  counters.raise("bytes", bytes());
}

StreamFindings KineticDetector::begin(const StreamQuery& query, SearchTasks& runner) {
  fit_trees(query.swept);
  const std::vector<Task> tasks = cut_into_tasks(query);
  std::vector<SweptTaskHits> found = runner.run(
      tasks.size(), false, [&](std::size_t i, BudgetMeter& meter) { return run_task(query.swept, tasks[i], meter); });
  StreamFindings findings;
  std::uint64_t tests = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tests += found[i].pair_tests;
    findings.blocks.push_back({std::move(found[i].hits), tasks[i].pair, &query});
    if (found[i].finished) continue;
    const auto& [pair, trees, slice, anew] = tasks[i];
    for (const NodePair root : slice->roots())
      findings.unresolved.push_back({region_feature(query.swept.bodies[pair.a].id, root.a),
                                     region_feature(query.swept.bodies[pair.b].id, root.b),
                                     united(trees.a.swept_box(root.a), trees.b.swept_box(root.b)).diagonal()});
  }
  findings.counters.add("pair_tests", tests);
  count_work(tasks, findings.counters);
  return findings;
}

std::optional<Region> KineticDetector::find_region(BodyId body, std::uint32_t id) const {
  const bool known = body.index() < trees_.size() && trees_[body.index()].has_node(id);
  // An interrupted search names whole bodies that have no tree yet, or no faces.
  if (!known && id != 0) return std::nullopt;
  return known ? trees_[body.index()].region(id) : Region{};
}

// A level of the trees over the last segment, and the pairs of leaves that were open in it, those of different bodies
// first.
void KineticDetector::draw(const Report&, detail::Overlay& overlay) const {
  for (const BodyId id : body_ids()) {
    if (id.index() >= trees_.size() || trees_[id.index()].empty()) continue;
    const kinetic::TwoEndTree& tree = trees_[id.index()];
    const auto children = [&](std::uint32_t node) -> std::vector<std::uint32_t> {
      if (tree.node(node).is_leaf()) return {};
      return {tree.node(node).first, tree.node(node).first + 1};
    };
    overlay.add_level(id, 0, children, [&](std::uint32_t node) { return tree.swept_box(node); });
  }
  for (const bool self : {false, true})
    for (const auto& [ids, front] : fronts_) {
      if ((ids.first == ids.second) != self) continue;
      const kinetic::TwoEndTree& a = trees_[ids.first.index()];
      const kinetic::TwoEndTree& b = trees_[ids.second.index()];
      for (const kinetic::FrontSlice& slice : front.slices())
        for (const NodePair nodes : slice.open())
          if (!self || nodes.a != nodes.b)
            overlay.join_boxes({ids.first, a.swept_box(nodes.a)}, {ids.second, b.swept_box(nodes.b)});
    }
}

std::size_t KineticDetector::bytes() const {
  std::size_t sum = 0;
  for (const TwoEndTree& tree : trees_) sum += tree.bytes();
  for (const auto& [bodies, front] : fronts_) sum += front.bytes();
  return sum;
}

std::size_t KineticDetector::list_size() const {
  std::size_t sum = 0;
  for (const auto& [bodies, front] : fronts_) sum += front.size();
  return sum;
}

}  // namespace pliant
