#include "pliant/detect/sphere_tree/sphere_search.h"

#include <algorithm>
#include <utility>

#include "pliant/bounds/box_distances.h"

namespace pliant {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::infinity();

enum Order : std::uint32_t { largest_first, in_turn, depth_first };

std::uint32_t child_count(const SphereTree& tree, std::uint32_t node) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < tree.shape().branching; ++i) count += tree.has(tree.first_child(node) + i) ? 1 : 0;
  return count;
}

}  // namespace

SphereSearch::SphereSearch(std::vector<SphereBody>& bodies, std::span<const SphereBodyPair> pairs,
                           const SphereTreeMethodSettings& settings, const Detail& detail, const ContactFilter* filter)
    : bodies_(bodies), pairs_(pairs), settings_(settings), detail_(detail), filter_(filter), queues_(pairs.size()) {
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    SpherePair root{i, 0, 0, 0};
    root.size = size_of(root, kUnknown);
    (is_self(root) ? selves_ : others_).push_back(root);
  }
  for (const SpherePair& root : others_) sort_in(root);
}

// Spheres of children may stick out of those of their parents, what they hold does not.
float SphereSearch::size_of(const SpherePair& p, float most) const {
  const double of_spheres = farthest_distance(tree_a(p).sphere(p.a), tree_b(p).sphere(p.b));
  const double of_boxes = farthest_distance(tree_a(p).box(p.a), tree_b(p).box(p.b));
  return std::min(most, round_up(std::min(of_spheres, of_boxes)));
}

bool SphereSearch::is_fine_enough(const SpherePair& p) const {
  if (detail_.everything()) return false;
  if (detail_.level < std::numeric_limits<std::uint32_t>::max() && is_deep_enough(tree_a(p).tree(), p.a) &&
      is_deep_enough(tree_b(p).tree(), p.b))
    return true;
  const Sphere a = tree_a(p).sphere(p.a), b = tree_b(p).sphere(p.b);
  double nearest = 0;
  if (detail_.viewer) {
    const Vec3& eye = detail_.viewer->position;
    nearest = std::max(0.0, std::min(fixed_length(eye - a.centre) - a.radius, fixed_length(eye - b.centre) - b.radius));
  }
  return detail_.fine_enough(p.size, nearest);
}

// Where a pair that overlaps goes.
void SphereSearch::sort_in(const SpherePair& pair) {
  if (is_fine_enough(pair)) fine_.push_back(pair);
  else if (is_leaf_pair(pair)) leaves_.push_back(pair);
  else push(pair);
}

void SphereSearch::queue(const SpherePair& pair) {
  queues_[pair.pair].push_back(pair);
  ++queued_;
}

void SphereSearch::push(const SpherePair& pair) {
  ++counts_.pushed;
  if (settings_.order == largest_first) buckets_.push(pair);
  else if (settings_.order == in_turn) queue(pair);
  else stack_.push_back(pair);
  counts_.most_open = std::max<std::uint64_t>(counts_.most_open, waiting() + leaves_.size());
}

std::size_t SphereSearch::waiting() const { return buckets_.size() + stack_.size() + queued_; }

bool SphereSearch::pop(SpherePair& pair) {
  if (settings_.order == largest_first) {
    if (buckets_.size() == 0) return false;
    pair = buckets_.pop_largest();
    return true;
  }
  if (settings_.order == depth_first) {
    if (stack_.empty()) return false;
    pair = stack_.back();
    stack_.pop_back();
    return true;
  }
  for (std::size_t tried = 0; tried < queues_.size(); ++tried) {
    auto& queue = queues_[turn_++ % queues_.size()];
    if (queue.empty()) continue;
    pair = queue.front();
    queue.pop_front();
    --queued_;
    return true;
  }
  return false;
}

void SphereSearch::add_if_overlapping(SpherePair pair, std::vector<SpherePair>& into) {
  ++counts_.tested;
  const Sphere a = tree_a(pair).sphere(pair.a);
  const Sphere& b = tree_b(pair).sphere(pair.b);
  if (!overlap(a, b) || !tree_a(pair).box(pair.a).overlaps(tree_b(pair).box(pair.b))) return;
  pair.size = size_of(pair, pair.size);
  counts_.deepest =
      std::max<std::uint64_t>(counts_.deepest, tree_a(pair).tree().level(pair.a) + tree_b(pair).tree().level(pair.b));
  into.push_back(pair);
}

void SphereSearch::test_children(const SpherePair& pair, bool of_a, std::vector<SpherePair>& into) {
  const SphereTree& tree = (of_a ? tree_a(pair) : tree_b(pair)).tree();
  const std::uint32_t first = tree.first_child(of_a ? pair.a : pair.b);
  for (std::uint32_t i = 0; i < tree.shape().branching; ++i) {
    if (!tree.has(first + i)) continue;
    if (of_a) add_if_overlapping({pair.pair, first + i, pair.b, pair.size}, into);
    else add_if_overlapping({pair.pair, pair.a, first + i, pair.size}, into);
  }
}

std::uint32_t SphereSearch::time_for_children(const SphereFollower& tree, std::uint32_t node) {
  std::uint32_t sum = 0;
  const std::uint32_t first = tree.tree().first_child(node);
  for (std::uint32_t i = 0; i < tree.tree().shape().branching; ++i)
    if (tree.tree().has(first + i)) sum += tree.time_for(first + i);
  return sum;
}

bool SphereSearch::go_on(std::uint32_t nanoseconds) {
  finish_->reserve(*pace_, left_count(), hits_.size());
  return pace_->worked(nanoseconds);
}

// The larger of the two falls into its children, a node with itself into all pairs of them.
bool SphereSearch::expand(const SpherePair& pair, std::vector<SpherePair>& into) {
  constexpr std::uint32_t kTest = 25, kOpen = 60;  // ns
  const SphereTree& a = tree_a(pair).tree();
  const SphereTree& b = tree_b(pair).tree();
  if (is_self(pair) && pair.a == pair.b) {
    const std::uint32_t count = child_count(a, pair.a), first = a.first_child(pair.a);
    const std::uint32_t tests = count * (count + 1) / 2;
    const std::uint32_t time = kOpen + kTest * tests + time_for_children(tree_a(pair), pair.a);
    if (!may_test(tests, time)) return false;
    for (std::uint32_t i = 0; i < a.shape().branching; ++i)
      for (std::uint32_t j = i; j < a.shape().branching; ++j)
        if (a.has(first + i) && a.has(first + j))
          add_if_overlapping({pair.pair, first + i, first + j, pair.size}, into);
    go_on(time);
    return true;
  }
  const bool of_a = !is_deep_enough(a, pair.a) && (is_deep_enough(b, pair.b) || tree_a(pair).sphere(pair.a).radius >=
                                                                                    tree_b(pair).sphere(pair.b).radius);
  const std::uint32_t tests = of_a ? child_count(a, pair.a) : child_count(b, pair.b);
  const std::uint32_t time = kOpen + kTest * tests +
                             (of_a ? time_for_children(tree_a(pair), pair.a) : time_for_children(tree_b(pair), pair.b));
  if (!may_test(tests, time)) return false;
  test_children(pair, of_a, into);
  go_on(time);
  return true;
}

// Down to leaves without a queue, whose triangles are tested at once. What an interruption leaves goes on the stack.
bool SphereSearch::resolve(const SpherePair& pair) {
  std::vector<SpherePair> own{pair};
  while (!own.empty()) {
    const SpherePair next = own.back();
    if (is_fine_enough(next) || (is_leaf_pair(next) && !settings_.exact)) {
      (is_fine_enough(next) ? fine_ : leaves_).push_back(next);
      own.pop_back();
    } else if (is_leaf_pair(next)) {
      if (!test_faces(next)) break;
      own.pop_back();
    } else {
      std::vector<SpherePair> children;
      if (!expand(next, children)) break;
      own.pop_back();
      own.insert(own.end(), children.begin(), children.end());
    }
  }
  for (const SpherePair& left : own) (is_leaf_pair(left) ? leaves_ : stack_).push_back(left);
  return own.empty();
}

// Bodies with themselves, which overlap everywhere, come after all others: nothing starves for them.
void SphereSearch::run(Pace& pace, const FinishTimes& finish, bool first_only) {
  pace_ = &pace;
  finish_ = &finish;
  finish.reserve(pace, left_count(), 0);
  run_what_waits(first_only);
  if (pace.stopped() || (first_only && !hits_.empty())) return;
  for (const SpherePair& root : selves_) sort_in(root);
  selves_.clear();
  run_what_waits(first_only);
}

void SphereSearch::run_what_waits(bool first_only) {
  std::vector<SpherePair> children;
  SpherePair pair;
  while (!(first_only && !hits_.empty()) && pop(pair)) {
    if (waiting() + leaves_.size() >= settings_.most_pairs && settings_.order != depth_first) {
      if (settings_.order == largest_first) {
        buckets_.push(pair);
        pair = buckets_.pop_smallest();
      }
      if (!resolve(pair)) return;
      continue;
    }
    children.clear();
    if (!expand(pair, children)) {
      stack_.push_back(pair);
      return;
    }
    for (const SpherePair& child : children) sort_in(child);
  }
  if (settings_.exact) test_leaves(first_only);
}

// The largest first, as long as the budget lasts.
void SphereSearch::test_leaves(bool first_only) {
  std::stable_sort(leaves_.begin(), leaves_.end(),
                   [](const SpherePair& x, const SpherePair& y) { return x.size < y.size; });
  while (!leaves_.empty() && !(first_only && !hits_.empty())) {
    if (!test_faces(leaves_.back())) return;
    leaves_.pop_back();
  }
}

// Where these faces are, and which of their vertices are one and the same.
void SphereSearch::freeze(SphereBody& body, const std::vector<FaceId>& faces) {
  if (body.welds && !body.follower->is_embedded()) {
    const std::uint32_t stamp = body.follower->stamp();
    if (std::exchange(body.frozen_stamp, stamp) != stamp) body.still.identity = body.freeze().identity;
  } else if (body.welds) {
    for (const FaceId f : faces)
      for (const VertexId v : body.still.corners(f)) body.follower->vertex(v);
  }
  // A collapsed triple may have put all positions elsewhere.
  const std::span<const Vec3> x = body.follower->positions();
  if (body.still.frame.positions().data() != x.data()) body.still.frame = Frame::share(nullptr, x);
}

bool SphereSearch::test_faces(const SpherePair& p) {
  constexpr std::uint32_t kLeaves = 300, kFace = 90, kBoxes = 2, kTriangles = 130;  // ns
  SphereBody &body_a = bodies_[pairs_[p.pair].a], &body_b = bodies_[pairs_[p.pair].b];
  const std::size_t faces_of_a = body_a.follower->face_count(p.a), faces_of_b = body_b.follower->face_count(p.b);
  const double time = kLeaves + kFace * static_cast<double>(faces_of_a + faces_of_b) +
                      kBoxes * static_cast<double>(faces_of_a) * static_cast<double>(faces_of_b);
  constexpr double kLong = 4e9;
  if (!pace_->has_time_for(static_cast<std::uint32_t>(std::min(time, kLong)))) return false;
  if (!pace_->spend(faces_of_a * faces_of_b)) return false;
  const SphereFollower::Faces &a = body_a.follower->faces(p.a), &b = body_b.follower->faces(p.b);
  freeze(body_a, a.faces);
  freeze(body_b, b.faces);
  const StillPair pair(body_a.still, body_b.still, filter_);
  const std::uint64_t before = counts_.triangle_tests;
  for (std::size_t i = 0; i < a.faces.size(); ++i) {
    if (!a.boxes[i].overlaps(b.box)) continue;
    for (std::size_t j = 0; j < b.faces.size(); ++j) {
      FaceId f = a.faces[i], g = b.faces[j];
      if (!a.boxes[i].overlaps(b.boxes[j]) || (is_self(p) && (f == g || (p.a == p.b && g < f)))) continue;
      if (is_self(p) && g < f) std::swap(f, g);
      ++counts_.triangle_tests;
      const Relation relation = pair.test(f, g);
      if (relation != Relation::none) hits_.push_back({pairs_[p.pair].a, pairs_[p.pair].b, f, g, relation});
    }
  }
  go_on(static_cast<std::uint32_t>(
      std::min(time + kTriangles * static_cast<double>(counts_.triangle_tests - before), kLong)));
  return true;
}

std::vector<SpherePair> SphereSearch::open() const {
  std::vector<SpherePair> result = stack_;
  result.insert(result.end(), selves_.begin(), selves_.end());
  SizeBuckets left = buckets_;
  while (left.size() > 0) result.push_back(left.pop_largest());
  for (const auto& queue : queues_) result.insert(result.end(), queue.begin(), queue.end());
  return result;
}

UnresolvedPair SphereSearch::unresolved(const SpherePair& p, bool leaves) const {
  UnresolvedPair pair = unresolved_spheres({bodies_[pairs_[p.pair].a], p.a}, {bodies_[pairs_[p.pair].b], p.b}, leaves);
  // Rounded as sizes are: a bound never grows from one operation to the next, in the last bit neither.
  pair.bound = std::min(round_up(pair.bound), p.size);
  return pair;
}

UnresolvedPair unresolved_spheres(const SphereNode& a, const SphereNode& b, bool leaves) {
  const Sphere sphere_a = a.body.follower->sphere(a.node), sphere_b = b.body.follower->sphere(b.node);
  UnresolvedPair pair{.a = region_feature(a.body.id, a.node),
                      .b = region_feature(b.body.id, b.node),
                      .bound = farthest_distance(sphere_a, sphere_b),
                      .sphere_a = sphere_a,
                      .sphere_b = sphere_b,
                      .leaves = leaves};
  if (pair.b < pair.a) {
    std::swap(pair.a, pair.b);
    std::swap(pair.sphere_a, pair.sphere_b);
  }
  return pair;
}

}  // namespace pliant
