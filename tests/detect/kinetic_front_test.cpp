// The parts of `kinetic`: spans of overlap, boxes at both ends of a segment, and the list that is kept over segments.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Geometry>

#include <set>

#include "pliant/detect/kinetic/separation_front.h"
#include "tests/detect/motions.h"

namespace pliant::testing {
namespace {

using kinetic::FrontSlice;
using kinetic::FrontTrees;
using kinetic::overlap_span;
using kinetic::OverlapSpan;
using kinetic::SeparatedPair;
using kinetic::SeparationFront;
using kinetic::TwoEndBox;
using kinetic::TwoEndTree;

// ---- spans ----

// Corners on a small grid: ties, zero extents and touches are the rule.
TwoEndBox grid_box(Dice& dice, std::uint32_t side, float unit) {
  TwoEndBox box{};
  const auto fill = [&](float* lo, float* hi) {
    for (int k = 0; k < 3; ++k) {
      const auto x = static_cast<float>(dice.below(side)) * unit, y = static_cast<float>(dice.below(side)) * unit;
      lo[k] = std::min(x, y);
      hi[k] = std::max(x, y);
    }
  };
  fill(box.lo_t0, box.hi_t0);
  fill(box.lo_t1, box.hi_t1);
  return box;
}

// The gaps of a condition at both ends, in the order of OverlapSpan::apart_by; exact for the boxes above.
std::pair<double, double> gaps(const TwoEndBox& a, const TwoEndBox& b, int condition) {
  const int k = condition % 3;
  const auto gap = [](float hi, float lo) { return double{hi} - double{lo}; };
  if (condition < 3) return {gap(b.hi_t0[k], a.lo_t0[k]), gap(b.hi_t1[k], a.lo_t1[k])};
  return {gap(a.hi_t0[k], b.lo_t0[k]), gap(a.hi_t1[k], b.lo_t1[k])};
}

struct TrueSpan {
  double begin = 0;
  double end = 1;
};

TrueSpan true_span(const TwoEndBox& a, const TwoEndBox& b) {
  TrueSpan span;
  for (int condition = 0; condition < 6; ++condition) {
    const auto [g0, g1] = gaps(a, b, condition);
    if (g0 < 0 && g1 < 0) return {1, 0};
    if (g0 < 0) span.begin = std::max(span.begin, g0 / (g0 - g1));
    if (g1 < 0) span.end = std::min(span.end, g0 / (g0 - g1));
  }
  return span;
}

RC_GTEST_PROP(OverlapSpan, HoldsTheTrueSpanAndIsHardlyWider, (std::uint64_t seed)) {
  constexpr double kRounding = 1e-6;
  Dice dice(seed);
  for (int i = 0; i < 200; ++i) {
    const std::uint32_t side = 2 + dice.below(100);
    const auto unit = static_cast<float>(dice.below(2) == 0 ? 1.0 : dice.uniform(1e-6, 1e6));
    const TwoEndBox a = grid_box(dice, side, unit), b = grid_box(dice, side, unit);
    const OverlapSpan span = overlap_span(a, b);
    const TrueSpan truth = true_span(a, b);
    if (span.apart_by != OverlapSpan::kNone) {
      RC_ASSERT(gaps(a, b, span.apart_by).first < 0);
      RC_ASSERT(gaps(a, b, span.apart_by).second < 0);
    }
    if (truth.begin <= truth.end) {
      RC_ASSERT(!span.empty());
      RC_ASSERT(double{span.begin} <= truth.begin);
      RC_ASSERT(double{span.end} >= truth.end);
      RC_ASSERT(span.begin >= truth.begin - kRounding);
      RC_ASSERT(span.end <= truth.end + kRounding);
    } else if (truth.begin > truth.end + kRounding) {
      RC_ASSERT(span.empty());
    }
  }
}

TEST(OverlapSpan, OfTheConditionsThatKeepBoxesApartNamesTheWidest) {
  TwoEndBox a{}, b{};
  for (float* hi : {a.hi_t0, a.hi_t1}) std::fill_n(hi, 3, 1.0F);
  for (float* lo : {b.lo_t0, b.lo_t1}) lo[0] = 2, lo[1] = 5, lo[2] = 0;
  for (float* hi : {b.hi_t0, b.hi_t1}) hi[0] = 3, hi[1] = 6, hi[2] = 1;
  EXPECT_EQ(overlap_span(a, b).apart_by, 4);  // a lies below b on the second axis
  EXPECT_EQ(overlap_span(b, a).apart_by, 1);
}

// ---- trees over segments ----

// Bodies with trees that are fitted to one segment after the other.
class Fitted {
 public:
  Fitted(const std::vector<Mover>& movers, double min_separation)
      : min_separation_(min_separation), trees_(movers.size()) {
    for (const Mover& m : movers) bodies_.push_back({m.mesh, m.motion, 0});
  }

  // True if a tree was built anew.
  bool fit(double t0, double t1) {
    bool anew = false;
    swept_.clear();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Motion& motion = bodies_[i].motion;
      swept_.push_back(sweep_body(BodyId(i), bodies_[i], motion.positions_at(t0), motion.positions_at(t1), true));
      anew = trees_[i].fit({1}, swept_.back(), min_separation_) || anew;
    }
    return anew;
  }

  void replace(std::size_t i, const Mover& mover, std::vector<FaceId> old_face) {
    bodies_[i] = {mover.mesh, mover.motion, 0};
    trees_[i].change_mesh(std::move(old_face));
  }

  const TwoEndTree& tree(std::size_t i) const { return trees_[i]; }
  const SweptBody& body(std::size_t i) const { return swept_[i]; }
  std::size_t size() const { return bodies_.size(); }
  double margin() const { return 0.5 * min_separation_; }

  std::vector<FaceId> faces_below(std::size_t i, std::uint32_t node) const { return trees_[i].region(node).faces; }

 private:
  double min_separation_;
  std::vector<Body> bodies_;
  std::vector<TwoEndTree> trees_;
  std::vector<SweptBody> swept_;
};

// Both boxes of a node are those of its vertices, rounded outward by no more than float does.
void expect_boxes_of_vertices(const Fitted& fitted, std::size_t i) {
  const TwoEndTree& tree = fitted.tree(i);
  const SweptBody& body = fitted.body(i);
  for (std::uint32_t node = 0; node < tree.nodes().size(); ++node) {
    if (node == 1) continue;
    const TwoEndBox& box = tree.node(node);
    Vec3 lo[2], hi[2];
    for (int end = 0; end < 2; ++end) {
      lo[end].setConstant(1e30), hi[end].setConstant(-1e30);
      const auto x = (end == 0 ? body.x_t0 : body.x_t1).positions();
      for (const FaceId f : fitted.faces_below(i, node))
        for (const VertexId v : body.mesh->triangle(f)) {
          lo[end] = lo[end].cwiseMin(x[v.index()]);
          hi[end] = hi[end].cwiseMax(x[v.index()]);
        }
    }
    const auto check = [&](const float* low, const float* high, int end) {
      for (int k = 0; k < 3; ++k) {
        const double least = lo[end][k] - fitted.margin(), most = hi[end][k] + fitted.margin();
        RC_ASSERT(double{low[k]} <= least);
        RC_ASSERT(double{high[k]} >= most);
        RC_ASSERT(double{low[k]} >= least - 1e-6 * (1 + std::abs(least)));
        RC_ASSERT(double{high[k]} <= most + 1e-6 * (1 + std::abs(most)));
      }
    };
    check(box.lo_t0, box.hi_t0, 0);
    check(box.lo_t1, box.hi_t1, 1);
  }
}

std::vector<Mover> wandering(Dice& dice, std::size_t frames) {
  std::vector<Mover> movers;
  const double noise = dice.uniform(0.01, 0.3);
  movers.push_back(thrown(dice, crumpled_sheet(dice, 4 + dice.below(8), 0.02), frames, noise, Vec3::Zero()));
  if (dice.below(2) == 0) movers.push_back(thrown(dice, loose_soup(dice, 60, 1, 0.2), frames, 0.1, Vec3(0.1, 0, 0)));
  else movers.push_back(hopping(dice, grid_soup(dice, 12, 40, 3), frames, 3));
  return movers;
}

// Times of segments: mostly one after the other, now and then a jump, or the second half of one.
std::vector<Interval> random_segments(Dice& dice, std::uint32_t frames) {
  std::vector<Interval> segments;
  std::uint32_t k = 0;
  for (int i = 0; i < 12; ++i) {
    if (k + 1 >= frames || dice.below(6) == 0) k = dice.below(frames - 1);
    const double from = k + (dice.below(5) == 0 ? 0.5 : 0.0);
    segments.push_back({from, static_cast<double>(++k)});
  }
  return segments;
}

RC_GTEST_PROP(TwoEndTree, HasTheBoxesOfItsVerticesAtBothEndsOfAnySegment, (std::uint64_t seed)) {
  Dice dice(seed);
  Fitted fitted(wandering(dice, 8), dice.below(3) == 0 ? 0.05 : 0);
  for (const Interval& segment : random_segments(dice, 8)) {
    fitted.fit(segment.t0, segment.t1);
    for (std::size_t i = 0; i < fitted.size(); ++i) expect_boxes_of_vertices(fitted, i);
  }
}

// Every face in one leaf, and no leaf without one.
void expect_faces_once(const Fitted& fitted, std::size_t i) {
  std::set<FaceId> seen;
  const TwoEndTree& tree = fitted.tree(i);
  for (std::uint32_t node = 0; node < tree.nodes().size(); ++node) {
    if (node == 1 || !tree.node(node).is_leaf()) continue;
    RC_ASSERT(tree.node(node).count <= SweptTree::kMostInLeaf);
    for (const FaceId f : fitted.faces_below(i, node)) RC_ASSERT(seen.insert(f).second);
  }
  RC_ASSERT(seen.size() == fitted.body(i).mesh->face_count());
}

RC_GTEST_PROP(TwoEndTree, KeepsItsNodesForAMeshThatWasCutAndPatched, (std::uint64_t seed)) {
  Dice dice(seed);
  Mover mover = thrown(dice, crumpled_sheet(dice, 10, 0.02), 8, 0.02, Vec3(0, 0, 0.1));
  Fitted fitted({mover}, 0);
  RC_ASSERT(fitted.fit(0, 1));
  const std::size_t nodes = fitted.tree(0).nodes().size();
  for (int k = 1; k < 7; ++k) {
    const EditedMover next = edited(dice, mover, dice.below(2), 1 + dice.below(10));
    mover = next.mover;
    fitted.replace(0, mover, next.maps.old_face);
    const bool anew = fitted.fit(k, k + 1);
    if (k == 1) RC_ASSERT(!anew);  // later boxes may have grown too much
    if (anew) return;
    RC_ASSERT(fitted.tree(0).nodes().size() == nodes);
    expect_faces_once(fitted, 0);
    expect_boxes_of_vertices(fitted, 0);
  }
}

// ---- the list ----

using Nodes = std::pair<std::uint32_t, std::uint32_t>;

// What a traversal of the trees from the roots ends at.
struct Traversal {
  explicit Traversal(const FrontTrees& trees) : trees_(trees) { visit(0, 0); }
  std::set<Nodes> closed;
  std::set<Nodes> open;

 private:
  void visit(std::uint32_t a, std::uint32_t b) {
    const TwoEndBox& x = trees_.a.node(a);
    const TwoEndBox& y = trees_.b.node(b);
    const bool same = trees_.self() && a == b;
    if (!same && overlap_span(x, y).empty()) {
      closed.emplace(a, b);
    } else if (x.is_leaf() && y.is_leaf()) {
      open.emplace(a, b);
    } else {
      const std::uint32_t of_a = x.is_leaf() ? 1 : 2, of_b = y.is_leaf() ? 1 : 2;
      for (std::uint32_t i = 0; i < of_a; ++i)
        for (std::uint32_t j = same ? i : 0; j < of_b; ++j)
          visit(x.is_leaf() ? a : x.first + i, y.is_leaf() ? b : y.first + j);
    }
  }
  const FrontTrees& trees_;
};

struct Lists {
  std::set<Nodes> closed;
  std::set<Nodes> open;
};

// Of all slices together, in which no pair stands twice.
Lists lists_of(const SeparationFront& front) {
  Lists lists;
  for (const FrontSlice& slice : front.slices()) {
    for (const SeparatedPair& pair : slice.closed())
      RC_ASSERT(lists.closed.emplace(pair.nodes().a, pair.nodes().b).second);
    for (const NodePair pair : slice.open()) RC_ASSERT(lists.open.emplace(pair.a, pair.b).second);
  }
  RC_ASSERT(lists.closed.size() + lists.open.size() == front.size());
  return lists;
}

// Leaves below a node.
std::vector<std::uint32_t> leaves_below(const TwoEndTree& tree, std::uint32_t node) {
  if (tree.node(node).is_leaf()) return {node};
  std::vector<std::uint32_t> leaves = leaves_below(tree, tree.node(node).first);
  for (const std::uint32_t leaf : leaves_below(tree, tree.node(node).first + 1)) leaves.push_back(leaf);
  return leaves;
}

void expect_every_leaf_pair_once(const FrontTrees& trees, const Lists& lists) {
  std::set<Nodes> covered;
  for (const std::set<Nodes>* some : {&lists.closed, &lists.open})
    for (const auto& [a, b] : *some)
      for (const std::uint32_t x : leaves_below(trees.a, a))
        for (const std::uint32_t y : leaves_below(trees.b, b))
          RC_ASSERT(covered.insert(trees.self() ? Nodes(std::minmax(x, y)) : Nodes(x, y)).second);
  const std::size_t a = leaves_below(trees.a, 0).size(), b = leaves_below(trees.b, 0).size();
  RC_ASSERT(covered.size() == (trees.self() ? a * (a + 1) / 2 : a * b));
}

bool update_all(SeparationFront& front, const FrontTrees& trees, bool anew, BudgetMeter& meter) {
  for (FrontSlice& slice : front.slices())
    if (!slice.update(trees, anew, meter)) return false;
  return true;
}

// Segment after segment: the kept list is a front of the traversal, with its open leaves, and a list built anew is what
// the traversal ends at.
void expect_lists_of_traversals(Fitted& fitted, std::size_t a, std::size_t b, Dice& dice) {
  BudgetState state{Budget{}};
  BudgetMeter meter(state);
  SeparationFront front;
  const FrontTrees trees{fitted.tree(a), fitted.tree(b)};
  for (const Interval& segment : random_segments(dice, 8)) {
    if (fitted.fit(segment.t0, segment.t1) || !front.is_cut()) front.cut(trees, 1 + dice.below(20));
    const Traversal fresh(trees);
    RC_ASSERT(update_all(front, trees, false, meter));
    const Lists kept = lists_of(front);
    RC_ASSERT(kept.open == fresh.open);
    for (const auto& [x, y] : kept.closed) RC_ASSERT(overlap_span(trees.a.node(x), trees.b.node(y)).empty());
    expect_every_leaf_pair_once(trees, kept);
    if (dice.below(4) != 0) continue;
    SeparationFront whole;
    whole.cut(trees, 1);
    RC_ASSERT(update_all(whole, trees, true, meter));
    const Lists built = lists_of(whole);
    RC_ASSERT(built.open == fresh.open);
    RC_ASSERT(built.closed == fresh.closed);
  }
}

RC_GTEST_PROP(SeparationFront, IsAFrontOfAFreshTraversalInEverySegment, (std::uint64_t seed)) {
  Dice dice(seed);
  Fitted fitted(wandering(dice, 8), dice.below(3) == 0 ? 0.05 : 0);
  expect_lists_of_traversals(fitted, 0, 1, dice);
  expect_lists_of_traversals(fitted, 0, 0, dice);
}

// Whether boxes around two triangles touch at one of some times.
bool boxes_touch(const SweptBody& a, FaceId f, const SweptBody& b, FaceId g) {
  for (int step = 0; step <= 16; ++step) {
    const auto box = [t = step / 16.0](const SweptBody& body, FaceId face) {
      Eigen::AlignedBox3d all;
      for (const VertexId v : body.mesh->triangle(face))
        all.extend(Vec3(body.x_t0.positions()[v.index()] * (1 - t) + body.x_t1.positions()[v.index()] * t));
      return all;
    };
    if (box(a, f).intersects(box(b, g))) return true;
  }
  return false;
}

RC_GTEST_PROP(SeparationFront, ItsOpenLeavesHoldAllTrianglesWhoseBoxesTouch, (std::uint64_t seed)) {
  Dice dice(seed);
  Fitted fitted({thrown(dice, loose_soup(dice, 40, 1, 0.2), 8, 0.2, Vec3(0.1, 0, 0)),
                 thrown(dice, loose_soup(dice, 40, 1, 0.2), 8, 0.2, Vec3(-0.1, 0, 0))},
                0);
  BudgetState state{Budget{}};
  BudgetMeter meter(state);
  SeparationFront front;
  const FrontTrees trees{fitted.tree(0), fitted.tree(1)};
  for (const Interval& segment : random_segments(dice, 8)) {
    if (fitted.fit(segment.t0, segment.t1) || !front.is_cut()) front.cut(trees, 8);
    RC_ASSERT(update_all(front, trees, false, meter));
    std::set<std::pair<FaceId, FaceId>> open;
    for (const auto& [a, b] : lists_of(front).open)
      for (const FaceId f : fitted.faces_below(0, a))
        for (const FaceId g : fitted.faces_below(1, b)) open.emplace(f, g);
    for (std::size_t f = 0; f < fitted.body(0).mesh->face_count(); ++f)
      for (std::size_t g = 0; g < fitted.body(1).mesh->face_count(); ++g)
        if (boxes_touch(fitted.body(0), FaceId(f), fitted.body(1), FaceId(g)))
          RC_ASSERT(open.count({FaceId(f), FaceId(g)}) == 1);
  }
}

}  // namespace
}  // namespace pliant::testing
