#include "pliant/detect/bvh/bvh.h"

#include <algorithm>
#include <bit>

#include "pliant/detect/overlay.h"
#include "pliant/detect/setting_table.h"
#include "pliant/detect/still/clear_fans.h"
#include "pliant/detect/still/face_tests.h"

namespace pliant {

namespace {

constexpr SettingInfo kBvhSettings[]{
    setting<&BvhSettings::leaf_size>({.name = "leaf_size",
                                      .unit = "faces",
                                      .effect = "most faces in a leaf: small leaves for pairs, large ones for refits",
                                      .least = 1,
                                      .most = 255}),
    setting<&BvhSettings::quick_searches>(
        {.name = "quick_searches",
         .unit = "searches",
         .effect = "how many use the quickly built tree of a body before it gets a better one",
         .least = 0,
         .most = 1e6}),
    // A rebuild costs about twenty refits; below twice the surface queries do not repay it.
    setting<&BvhSettings::rebuild_growth>(
        {.name = "rebuild_growth",
         .effect = "a tree is built anew when its boxes have this many times their first surface",
         .least = 1,
         .most = 1e6}),
};

}  // namespace

const MethodInfo BvhDetector::kInfo{.name = "bvh",
                                    .answers = "all intersecting triangle pairs of still meshes, by box trees",
                                    .guarantee = "exact",
                                    .paper = "binned SAH build: Wald 2007",
                                    .still = true,
                                    .moving = false,
                                    .settings = kBvhSettings};

namespace {

// The slots of faces are those of the leaves.
class LeafTest {
 public:
  LeafTest(FaceTests& tests, const LeafBoxes& boxes_a, const LeafBoxes& boxes_b)
      : tests_(tests), boxes_a_(boxes_a), boxes_b_(boxes_b) {}

  void add(const AabbNode& leaf_a, const AabbNode& leaf_b) {
    const SplatBox box_b(leaf_b.box());
    for (std::uint32_t i = 0; i < leaf_a.count; i += LeafBoxes::kLanes) {
      unsigned rows = boxes_a_.overlaps(box_b, leaf_a.first + i, leaf_a.count - i);
      for (; rows != 0; rows &= rows - 1) {
        const std::uint32_t slot = leaf_a.first + i + static_cast<std::uint32_t>(std::countr_zero(rows));
        add_row(slot, &leaf_a == &leaf_b ? slot + 1 : leaf_b.first, leaf_b.first + leaf_b.count);
      }
    }
  }

 private:
  // The face in slot i of a against those in slots [first, last) of b.
  void add_row(std::uint32_t i, std::uint32_t first, std::uint32_t last) {
    const SplatBox box_a(boxes_a_[i]);
    for (; first < last; first += LeafBoxes::kLanes) {
      tests_.found().box_tests += std::min(last - first, LeafBoxes::kLanes);
      tests_.gather(i, boxes_b_.overlaps(box_a, first, last - first), [first](std::uint32_t k) { return first + k; });
    }
  }

  FaceTests& tests_;
  const LeafBoxes& boxes_a_;
  const LeafBoxes& boxes_b_;
};

}  // namespace

void BvhDetector::body_removed(BodyId body) {
  if (body.index() < trees_.size()) trees_[body.index()] = {};
}

// Refits a kept tree. False if it should be built anew.
bool BvhDetector::still_fits(BodyTree& kept, const StillBody& body) {
  if (kept.tree.tree().empty()) return false;
  if (kept.uses < bvh_.quick_searches && ++kept.uses == bvh_.quick_searches) return false;
  if (kept.fitted == body.frame.stamp()) return true;
  kept.tree.refit(settings().threads, *body.mesh, body.frame.positions());
  kept.face_boxes.clear();
  kept.clear.clear();
  kept.fitted = body.frame.stamp();
  return kept.tree.tree().total_area() <= bvh_.rebuild_growth * kept.built_area;
}

void BvhDetector::update_tree(const StillBody& body) {
  BodyTree& kept = trees_[body.id.index()];
  if (still_fits(kept, body)) return;
  const TreeBuild build = kept.uses < bvh_.quick_searches ? TreeBuild::morton : TreeBuild::sah;
  const std::vector<Aabb> boxes = face_boxes(*body.mesh, body.frame.positions(), settings().threads);
  kept.tree = FaceTree(boxes, {.build = build, .leaf_size = bvh_.leaf_size, .threads = settings().threads});
  kept.built_area = kept.tree.tree().total_area();
  kept.clear.clear();
  kept.fitted = body.frame.stamp();
  order_leaf_faces(body, [&](FaceId face, const Triangle&) { return boxes[face.index()]; });
}

// Fills face_boxes and corners; box_of(face, corners) gives a face's box.
template <class BoxOf>
void BvhDetector::order_leaf_faces(const StillBody& body, BoxOf&& box_of) {
  BodyTree& kept = trees_[body.id.index()];
  kept.face_boxes.resize(body.mesh->face_count());
  kept.corners.resize(body.mesh->face_count());
  const auto order = kept.tree.order();
  parallel_for(settings().threads, order.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const FaceId face(order[i]);
      kept.corners[i] = body.corners(face);
      kept.face_boxes.set(i, box_of(face, kept.corners[i]));
    }
  });
}

void BvhDetector::update_leaf_faces(const StillBody& body) {
  if (!trees_[body.id.index()].face_boxes.empty()) return;
  order_leaf_faces(body, [&](FaceId, const Triangle& corners) { return face_box(corners, body.frame.positions()); });
}

std::vector<BvhDetector::Task> BvhDetector::cut_into_tasks(const StillQuery& query) const {
  constexpr std::size_t kTasks = 256;
  std::vector<Aabb> boxes;
  for (const StillBody& body : query.bodies) boxes.push_back(tree_of(body).tree.tree().bounds());
  std::vector<Task> tasks;
  for (const BodyPair pair : overlapping_body_pairs(boxes, [&](std::uint32_t a, std::uint32_t b) {
         return wants(query, {a, b});
       })) {
    const AabbTree& a = tree_of(query.bodies[pair.a]).tree.tree();
    const AabbTree& b = tree_of(query.bodies[pair.b]).tree.tree();
    const TreeTraversal traversal = pair.a == pair.b ? TreeTraversal(a) : TreeTraversal(a, b);
    for (const NodePair start : traversal.split(kTasks)) tasks.push_back({pair, start});
  }
  return tasks;
}

TaskFindings BvhDetector::run_task(const StillQuery& query, const Task& task, BudgetMeter& meter,
                                   std::vector<NodePair>& left_over) const {
  TaskFindings found;
  const BodyTree& a = tree_of(query.bodies[task.pair.a]);
  const BodyTree& b = tree_of(query.bodies[task.pair.b]);
  const StillPair pair = query.pair(task.pair.a, task.pair.b);
  FaceTests tests(pair, task.pair, {a.corners, a.tree.order()}, {b.corners, b.tree.order()}, a.clear, found,
                  meter.state());
  LeafTest leaves(tests, a.face_boxes, b.face_boxes);
  const TreeTraversal traversal =
      pair.is_self() ? TreeTraversal(a.tree.tree()) : TreeTraversal(a.tree.tree(), b.tree.tree());
  left_over = traversal.run(task.start, meter, [&](const AabbNode& leaf_a, const AabbNode& leaf_b) {
    if (!meter.spend(leaf_a.count * leaf_b.count)) return false;
    leaves.add(leaf_a, leaf_b);
    return true;
  });
  tests.test_gathered();
  if (tests.is_late()) left_over = {task.start};
  found.finished = left_over.empty();
  return found;
}

UnresolvedPair BvhDetector::unresolved(const StillQuery& query, const Task& task, NodePair nodes) const {
  const StillBody& a = query.bodies[task.pair.a];
  const StillBody& b = query.bodies[task.pair.b];
  return unresolved_pair(region_feature(a.id, nodes.a), tree_of(a).tree.tree().node(nodes.a).box(),
                         region_feature(b.id, nodes.b), tree_of(b).tree.tree().node(nodes.b).box());
}

// Trees are not interrupted; what is done for one body is kept for the next search. False: it is too late for the rest.
bool BvhDetector::update_trees(const StillQuery& query, BudgetState& state) {
  for (const StillBody& body : query.bodies) {
    if (state.is_late()) return false;
    trees_.resize(std::max(trees_.size(), body.id.index() + 1));
    update_tree(body);
  }
  return true;
}

// What the leaves of the tasks' bodies need. False: it is too late for the rest.
bool BvhDetector::update_leaves(const StillQuery& query, std::span<const Task> tasks, BudgetState& state) {
  for (const Task& task : tasks) {
    const StillBody& body = query.bodies[task.pair.a];
    BodyTree& a = trees_[body.id.index()];
    const bool needs_fans = task.pair.a == task.pair.b && a.clear.empty();
    if (needs_fans && state.is_late()) return false;
    update_leaf_faces(body);
    update_leaf_faces(query.bodies[task.pair.b]);
    if (needs_fans) a.clear = clear_fans(body, settings().threads);
  }
  return true;
}

StillFindings BvhDetector::search(const StillQuery& query, BudgetState& state, Goal goal) {
  if (!update_trees(query, state)) return nothing_found(query);
  const std::vector<Task> tasks = cut_into_tasks(query);
  if (!update_leaves(query, tasks, state)) return nothing_found(query);

  SearchTasks run(state, settings().threads);
  std::vector<std::vector<NodePair>> left_over(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) left_over[i] = {tasks[i].start};
  auto found = run.run(tasks.size(), goal == Goal::any, [&](std::size_t i, BudgetMeter& meter) {
    return run_task(query, tasks[i], meter, left_over[i]);
  });

  StillFindings findings;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    findings.add(std::move(found[i]));
    if (run.over()) continue;
    for (const NodePair nodes : left_over[i]) findings.unresolved.push_back(unresolved(query, tasks[i], nodes));
  }
  return findings;
}

std::optional<Region> BvhDetector::find_region(BodyId body, std::uint32_t id) const {
  if (id == 0) return StillDetector::find_region(body, id);  // the whole body: its tree may be an older one
  if (body.index() >= trees_.size()) return std::nullopt;
  const AabbTree& tree = trees_[body.index()].tree.tree();
  if (!tree.has_node(id)) return std::nullopt;
  const auto [first, last] = tree.range_below(id);
  std::vector<FaceId> faces;
  for (std::uint32_t i = first; i < last; ++i) faces.emplace_back(tree.order()[i]);
  std::sort(faces.begin(), faces.end());
  return region_of(std::move(faces), tree.node(id).box());
}

void BvhDetector::draw(const Report&, detail::Overlay& overlay) const {
  for (const BodyId id : body_ids())
    if (id.index() < trees_.size()) overlay.add_level(id, trees_[id.index()].tree.tree());
}

std::size_t BvhDetector::bytes() const {
  std::size_t sum = 0;
  for (const BodyTree& body : trees_)
    sum += body.tree.bytes() + body.face_boxes.bytes() + body.corners.size() * sizeof(Triangle) + body.clear.size();
  return sum;
}

}  // namespace pliant
