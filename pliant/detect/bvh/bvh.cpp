#include "pliant/detect/bvh/bvh.h"

#include "pliant/bounds/overlap.h"

namespace pliant {

const MethodInfo BvhDetector::kInfo{.name = "bvh",
                                    .answers = "all intersecting triangle pairs of still meshes, by box trees",
                                    .guarantee = "exact",
                                    .paper = "binned SAH build: Wald 2007",
                                    .still = true,
                                    .moving = false};

namespace {

// Total surface area of the boxes: what a traversal costs is about proportional to it.
double total_area(const AabbTree& tree) {
  double area = 0;
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    if (i == 1) continue;
    const AabbNode& node = tree.nodes()[i];
    const double x = double{node.hi[0]} - double{node.lo[0]};
    const double y = double{node.hi[1]} - double{node.lo[1]};
    const double z = double{node.hi[2]} - double{node.lo[2]};
    area += x * y + y * z + z * x;
  }
  return area;
}

// A rebuild costs about twenty refits; below this growth queries do not repay it.
constexpr double kRebuildGrowth = 2;

// The faces of a body in the order of its leaves.
struct LeafFaces {
  std::span<const AabbNode> boxes;
  std::span<const Triangle> corners;
};

// Gathers pairs of faces with overlapping boxes from pairs of leaves and tests them exactly, some hundred at a time,
// sorted by how many corners they share: the branches of the exact tests are then predictable, which they are not in
// the order in which pairs are found.
class LeafTest {
 public:
  LeafTest(const StillPair& pair, BodyPair bodies, LeafFaces a, LeafFaces b, TaskFindings& found)
      : pair_(pair), bodies_(bodies), a_(a), b_(b), found_(found) {}

  void add(const AabbNode& leaf_a, const AabbNode& leaf_b) {
    const bool same = &leaf_a == &leaf_b;
    const std::uint32_t last = leaf_b.first + leaf_b.count;
    for (std::uint32_t i = leaf_a.first; i < leaf_a.first + leaf_a.count; ++i) {
      if (!same && !boxes_overlap(a_.boxes[i], leaf_b)) continue;
      if (gathered_ + leaf_b.count > kBatch) test_gathered();
      const std::uint32_t first = same ? i + 1 : leaf_b.first;
      found_.box_tests += last - first;
      for (std::uint32_t j = first; j < last; ++j) {
        batch_[gathered_] = {i, j, 0};
        gathered_ += boxes_overlap(a_.boxes[i], b_.boxes[j]) ? 1 : 0;
      }
    }
  }

  // To be called at the end.
  void test_gathered() {
    found_.triangle_tests += gathered_;
    if (pair_.is_self()) test_sorted();
    else for (std::uint32_t k = 0; k < gathered_; ++k) test(batch_[k]);
    gathered_ = 0;
  }

 private:
  static constexpr std::uint32_t kBatch = 512;  // at least the largest leaf
  struct Candidate {
    std::uint32_t i;  // places in the order of the leaves
    std::uint32_t j;
    std::uint32_t equalities;
  };

  void test_sorted() {
    std::array<std::uint32_t, 5> start{};  // start[c + 1]: how many share c corners
    for (std::uint32_t k = 0; k < gathered_; ++k) {
      Candidate& c = batch_[k];
      c.equalities = corner_equalities(a_.corners[c.i], b_.corners[c.j]);
      ++start[kSharedByEqualities[c.equalities].count + 1u];
    }
    for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
    for (std::uint32_t k = 0; k < gathered_; ++k)
      sorted_[start[kSharedByEqualities[batch_[k].equalities].count]++] = batch_[k];
    for (std::uint32_t k = 0; k < gathered_; ++k) test(sorted_[k]);
  }

  void test(const Candidate& c) {
    const Relation relation = pair_.relation(a_.corners[c.i], b_.corners[c.j], kSharedByEqualities[c.equalities]);
    if (relation != Relation::none) [[unlikely]]
      take(FaceId(a_.boxes[c.i].first), FaceId(b_.boxes[c.j].first), relation);
  }

  void take(FaceId face_a, FaceId face_b, Relation relation) {
    if (pair_.is_self() && face_b < face_a) std::swap(face_a, face_b);
    if (pair_.wants(face_a, face_b)) found_.hits.push_back({bodies_.a, bodies_.b, face_a, face_b, relation});
  }

  const StillPair& pair_;
  BodyPair bodies_;
  LeafFaces a_;
  LeafFaces b_;
  TaskFindings& found_;
  std::uint32_t gathered_ = 0;
  std::array<Candidate, kBatch + 1> batch_;  // one more: written before it is known whether it counts
  std::array<Candidate, kBatch + 1> sorted_;
};

}  // namespace

void BvhDetector::body_removed(BodyId body) {
  if (body.index() < trees_.size()) trees_[body.index()] = {};
}

// Refits a kept tree. False if it should be built anew.
bool BvhDetector::still_fits(BodyTree& kept, const StillBody& body) {
  if (kept.tree.tree().empty()) return false;
  if (kept.uses < kQuickUses && ++kept.uses == kQuickUses) return false;
  if (kept.fitted.positions.data() == body.frame.positions.data()) return true;
  kept.tree.refit(settings().threads, *body.mesh, body.frame.positions);
  kept.face_boxes.clear();
  kept.fitted = body.frame;
  return total_area(kept.tree.tree()) <= kRebuildGrowth * kept.built_area;
}

void BvhDetector::update_tree(const StillBody& body) {
  BodyTree& kept = trees_[body.id.index()];
  if (still_fits(kept, body)) return;
  const TreeBuild build = kept.uses < kQuickUses ? TreeBuild::morton : TreeBuild::sah;
  const std::vector<Aabb> boxes = face_boxes(*body.mesh, body.frame.positions, settings().threads);
  kept.tree = FaceTree(boxes, {.build = build, .threads = settings().threads});
  kept.built_area = total_area(kept.tree.tree());
  kept.fitted = body.frame;
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
      const Aabb box = box_of(face, kept.corners[i]);
      kept.face_boxes[i] = {box.lo, order[i], box.hi, 0};
    }
  });
}

void BvhDetector::update_leaf_faces(const StillBody& body) {
  if (!trees_[body.id.index()].face_boxes.empty()) return;
  order_leaf_faces(body, [&](FaceId, const Triangle& corners) { return face_box(corners, body.frame.positions); });
}

std::vector<BvhDetector::Task> BvhDetector::cut_into_tasks(const StillScene& scene) const {
  constexpr std::size_t kPieces = 256;
  std::vector<Aabb> boxes;
  for (const StillBody& body : scene.bodies) boxes.push_back(tree_of(body).tree.tree().bounds());
  std::vector<Task> tasks;
  for (const BodyPair pair :
       overlapping_body_pairs(boxes, [&](std::uint32_t a, std::uint32_t b) { return wants(scene, {a, b}); })) {
    const AabbTree& a = tree_of(scene.bodies[pair.a]).tree.tree();
    const AabbTree& b = tree_of(scene.bodies[pair.b]).tree.tree();
    const TreeTraversal traversal = pair.a == pair.b ? TreeTraversal(a) : TreeTraversal(a, b);
    for (const NodePair start : traversal.split(kPieces)) tasks.push_back({pair, start});
  }
  return tasks;
}

TaskFindings BvhDetector::run_task(const StillScene& scene, const Task& task, BudgetMeter& meter,
                                   std::vector<NodePair>& left_over) const {
  TaskFindings found;
  const BodyTree& a = tree_of(scene.bodies[task.pair.a]);
  const BodyTree& b = tree_of(scene.bodies[task.pair.b]);
  const StillPair pair = scene.pair(task.pair.a, task.pair.b);
  LeafTest test_leaves(pair, task.pair, {a.face_boxes, a.corners}, {b.face_boxes, b.corners}, found);
  const TreeTraversal traversal =
      pair.is_self() ? TreeTraversal(a.tree.tree()) : TreeTraversal(a.tree.tree(), b.tree.tree());
  left_over = traversal.run(task.start, meter, [&](const AabbNode& leaf_a, const AabbNode& leaf_b) {
    if (!meter.spend(leaf_a.count * leaf_b.count)) return false;
    test_leaves.add(leaf_a, leaf_b);
    return true;
  });
  test_leaves.test_gathered();
  found.finished = left_over.empty();
  return found;
}

UnresolvedPair BvhDetector::unresolved(const StillScene& scene, const Task& task, NodePair nodes) const {
  const StillBody& a = scene.bodies[task.pair.a];
  const StillBody& b = scene.bodies[task.pair.b];
  const Aabb box = united(tree_of(a).tree.tree().node(nodes.a).box(), tree_of(b).tree.tree().node(nodes.b).box());
  return {region_feature(a.id, nodes.a), region_feature(b.id, nodes.b), box.diagonal()};
}

StillFindings BvhDetector::search(const StillScene& scene, BudgetState& state, Goal goal) {
  for (const StillBody& body : scene.bodies) {
    trees_.resize(std::max(trees_.size(), body.id.index() + 1));
    update_tree(body);
  }
  const std::vector<Task> tasks = cut_into_tasks(scene);
  for (const Task& task : tasks) {
    update_leaf_faces(scene.bodies[task.pair.a]);
    update_leaf_faces(scene.bodies[task.pair.b]);
  }

  SearchTasks run(state, settings().threads, goal == Goal::any);
  std::vector<std::vector<NodePair>> left_over(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) left_over[i] = {tasks[i].start};
  const auto found = run.run(tasks.size(), [&](std::size_t i, BudgetMeter& meter) {
    return run_task(scene, tasks[i], meter, left_over[i]);
  });

  StillFindings findings;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    findings.take(found[i]);
    if (run.over()) continue;
    for (const NodePair nodes : left_over[i]) findings.unresolved.push_back(unresolved(scene, tasks[i], nodes));
  }
  return findings;
}

Region BvhDetector::region(BodyId body, std::uint32_t id) const {
  const AabbTree& tree = trees_[body.index()].tree.tree();
  const auto [first, last] = tree.range_below(id);
  std::vector<FaceId> faces;
  for (std::uint32_t i = first; i < last; ++i) faces.emplace_back(tree.order()[i]);
  std::sort(faces.begin(), faces.end());
  return region_of(std::move(faces), tree.node(id).box());
}

}  // namespace pliant
