#include "pliant/bounds/aabb_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <set>

#include "pliant/bounds/face_tree.h"
#include "pliant/bounds/traverse.h"
#include "pliant/core/cpu.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

// Boxes of many kinds: points, slabs, huge ones, copies of one another, infinite ends.
std::vector<Aabb> random_boxes(Dice& dice, std::size_t count) {
  std::vector<Aabb> boxes;
  const double size = dice.uniform(0, 0.5);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && dice.below(8) == 0) boxes.push_back(boxes[dice.below(static_cast<std::uint32_t>(i))]);
    else if (dice.below(50) == 0) boxes.push_back(united(Aabb::of({-1e300, 0, 0}), Aabb::of(dice.point(-1, 1e300))));
    else {
      const Vec3 centre = dice.point(-1, 1);
      boxes.push_back(united(Aabb::of(centre), Aabb::of(centre + dice.point(-size, size))));
    }
  }
  return boxes;
}

Pairs overlapping_pairs(std::span<const Aabb> a, std::span<const Aabb> b, bool self) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < a.size(); ++i)
    for (std::uint32_t j = self ? i + 1 : 0; j < b.size(); ++j)
      if (a[i].overlaps(b[j])) pairs.emplace(i, j);
  return pairs;
}

// Runs a traversal from every start and gathers overlapping primitives; fails on a pair that comes twice.
Pairs traversed_pairs(const TreeTraversal& traversal, const AabbTree& a, const AabbTree& b,
                      std::span<const Aabb> boxes_a, std::span<const Aabb> boxes_b, bool self, std::size_t starts) {
  Pairs pairs;
  BudgetState state{Budget{}};
  BudgetMeter meter(state);
  for (const NodePair start : traversal.split(starts)) {
    const auto left = traversal.run(start, meter, [&](const AabbNode& leaf_a, const AabbNode& leaf_b) {
      for (const std::uint32_t i : a.primitives(leaf_a)) {
        for (const std::uint32_t j : b.primitives(leaf_b)) {
          if (self && &leaf_a == &leaf_b && j <= i) continue;
          if (!boxes_a[i].overlaps(boxes_b[j])) continue;
          RC_ASSERT(pairs.emplace(self ? std::min(i, j) : i, self ? std::max(i, j) : j).second);
        }
      }
      return true;
    });
    RC_ASSERT(left.empty());
  }
  return pairs;
}

void require_well_formed(const AabbTree& tree, std::span<const Aabb> boxes, std::uint32_t leaf_size) {
  std::set<std::uint32_t> seen;
  for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
    if (i == 1) continue;
    const AabbNode& node = tree.node(i);
    if (!node.is_leaf()) {
      RC_ASSERT(node.first > i);
      RC_ASSERT(node.box() == united(tree.node(node.first).box(), tree.node(node.first + 1).box()));
      continue;
    }
    RC_ASSERT(node.count <= leaf_size);
    Aabb box;
    for (const std::uint32_t p : tree.primitives(node)) {
      RC_ASSERT(seen.insert(p).second);
      box.add(boxes[p]);
    }
    RC_ASSERT(box == node.box());
  }
  RC_ASSERT(seen.size() == boxes.size());
}

AabbTreeSettings random_settings(Dice& dice) {
  AabbTreeSettings settings;
  settings.build = static_cast<TreeBuild>(dice.below(3));
  settings.leaf_size = 1 + dice.below(9);
  return settings;
}

RC_GTEST_PROP(AabbTree, HoldsEveryPrimitiveOnce, (std::uint64_t seed)) {
  Dice dice(seed);
  const auto boxes = random_boxes(dice, 1 + dice.below(3000));
  const AabbTreeSettings settings = random_settings(dice);
  require_well_formed(AabbTree(boxes, settings), boxes, settings.leaf_size);
}

RC_GTEST_PROP(AabbTree, SelfTraversalFindsEveryOverlapOnce, (std::uint64_t seed)) {
  Dice dice(seed);
  const auto boxes = random_boxes(dice, 1 + dice.below(300));
  const AabbTree tree(boxes, random_settings(dice));
  const std::size_t starts = 1 + dice.below(40);
  RC_ASSERT(traversed_pairs(TreeTraversal(tree), tree, tree, boxes, boxes, true, starts) ==
            overlapping_pairs(boxes, boxes, true));
}

RC_GTEST_PROP(AabbTree, PairTraversalFindsEveryOverlapOnce, (std::uint64_t seed)) {
  Dice dice(seed);
  const auto boxes_a = random_boxes(dice, 1 + dice.below(300));
  const auto boxes_b = random_boxes(dice, 1 + dice.below(300));
  const AabbTree a(boxes_a, random_settings(dice));
  const AabbTree b(boxes_b, random_settings(dice));
  const std::size_t starts = 1 + dice.below(40);
  RC_ASSERT(traversed_pairs(TreeTraversal(a, b), a, b, boxes_a, boxes_b, false, starts) ==
            overlapping_pairs(boxes_a, boxes_b, false));
}

RC_GTEST_PROP(AabbTree, InterruptedTraversalNamesWhatIsLeft, (std::uint64_t seed)) {
  Dice dice(seed);
  const auto boxes = random_boxes(dice, 1 + dice.below(300));
  const AabbTree tree(boxes, random_settings(dice));
  const TreeTraversal traversal(tree);
  Pairs leaves_whole;
  Pairs leaves_in_two;
  const auto note = [&](Pairs& pairs) {
    return [&](const AabbNode& a, const AabbNode& b) { return pairs.emplace(a.first, b.first).second; };
  };
  BudgetState unlimited{Budget{}};
  BudgetMeter meter(unlimited);
  RC_ASSERT(traversal.run({0, 0}, meter, note(leaves_whole)).empty());
  BudgetState limited{Budget::operations(dice.below(100))};
  BudgetMeter short_meter(limited);
  for (const NodePair left : traversal.run({0, 0}, short_meter, note(leaves_in_two)))
    RC_ASSERT(traversal.run(left, meter, note(leaves_in_two)).empty());
  RC_ASSERT(leaves_whole == leaves_in_two);
}

bool same_bytes(const AabbTree& a, const AabbTree& b) {
  return a.nodes().size() == b.nodes().size() && std::equal(a.order().begin(), a.order().end(), b.order().begin()) &&
         std::memcmp(a.nodes().data(), b.nodes().data(), 32) == 0 &&
         std::memcmp(a.nodes().data() + 2, b.nodes().data() + 2, 32 * (a.nodes().size() - 2)) == 0;
}

TEST(AabbTree, IsTheSameForAnyNumberOfThreads) {
  Dice dice(1);
  const auto boxes = random_boxes(dice, 60'000);
  for (const TreeBuild build : {TreeBuild::sah, TreeBuild::morton, TreeBuild::median}) {
    const AabbTree serial(boxes, {.build = build, .threads = {1}});
    const AabbTree parallel(boxes, {.build = build, .threads = {3}});
    EXPECT_TRUE(same_bytes(serial, parallel));
  }
}

TEST(AabbTree, DepthIsBoundedForExponentiallySpacedBoxes) {
  std::vector<Aabb> boxes;
  for (int i = -140; i < 120; ++i)
    for (int copies = 0; copies < 20; ++copies) boxes.push_back(Aabb::of(Vec3::Constant(std::ldexp(1.0, i))));
  const AabbTree tree(boxes, {.leaf_size = 1});
  std::vector<std::uint32_t> depth(tree.nodes().size(), 0);
  std::uint32_t deepest = 0;
  for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
    if (i == 1 || tree.node(i).is_leaf()) continue;
    for (std::uint32_t child = 0; child < 2; ++child) depth[tree.node(i).first + child] = depth[i] + 1;
    deepest = std::max(deepest, depth[i] + 1);
  }
  EXPECT_LE(deepest, 64u + 14u);
}

TEST(AabbTree, EmptyTreeIsFine) {
  const AabbTree tree({}, {});
  EXPECT_TRUE(tree.empty());
  EXPECT_TRUE(TreeTraversal(tree).split(10).empty());
  EXPECT_TRUE(tree.bounds().empty());
}

RC_GTEST_PROP(FaceTree, RefitGivesTheBoxesOfTheFacesBelow, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr mesh = dice.below(2) ? grid_soup(dice, 40, 1 + dice.below(200), 4) : crumpled_sheet(dice, 12, 0.1);
  FaceTree tree(*mesh, mesh->positions(), random_settings(dice));
  std::vector<Vec3> x_t0(mesh->positions().begin(), mesh->positions().end());
  std::vector<Vec3> x_t1 = x_t0;
  for (Vec3& p : x_t0) p += dice.point(-1, 1);
  for (Vec3& p : x_t1) p += dice.point(-1, 1);
  std::vector<Aabb> still;
  std::vector<Aabb> swept;
  for (const Triangle& t : mesh->triangles()) {
    still.push_back(face_box(t, x_t1));
    swept.push_back(united(face_box(t, x_t0), face_box(t, x_t1)));
  }
  tree.refit({static_cast<int>(1 + dice.below(3))}, *mesh, x_t1);
  require_well_formed(tree.tree(), still, 9);
  tree.refit_swept({1}, *mesh, {x_t0, x_t1});
  require_well_formed(tree.tree(), swept, 9);
}

// Coordinates of every size, and those on which rounding to float turns over.
double awkward(Dice& dice) {
  const double choices[] = {0,      -0.0,        0x1p-1074,          -0x1p-1074,     0x1p-149,       1e-310,
                            -1e-40, 1 + 0x1p-24, -1 - 0x1p-25,       0x1.fffffep127, 0x1.ffffffp127, -0x1.ffffffp127,
                            1e300,  -1e300,      dice.uniform(-1, 1)};
  return choices[dice.below(std::size(choices))];
}

RC_GTEST_PROP(FaceTree, RefitIsTightForEveryCoordinateOnEveryTarget, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr mesh = crumpled_sheet(dice, 3 + dice.below(6), 0.1);
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
  for (std::size_t v = 0; v < mesh->vertex_count(); ++v) {
    x_t0.emplace_back(awkward(dice), awkward(dice), awkward(dice));
    x_t1.emplace_back(awkward(dice), awkward(dice), awkward(dice));
  }
  std::vector<Aabb> swept;
  for (const Triangle& t : mesh->triangles()) swept.push_back(united(face_box(t, x_t0), face_box(t, x_t1)));
  for (const bool wide : {false, true}) {
    set_avx2_allowed(wide);
    FaceTree tree(*mesh, mesh->positions(), {.leaf_size = 1 + dice.below(12)});
    tree.refit_swept({1}, *mesh, {x_t0, x_t1});
    set_avx2_allowed(true);
    require_well_formed(tree.tree(), swept, 12);
    // What follows rounds as it did before.
    volatile double third = 1.0 / 3.0;
    RC_ASSERT(static_cast<float>(third) == 0x1.555556p-2f);
  }
}

RC_GTEST_PROP(AabbTree, TakesOtherPrimitivesIntoTheSameNodes, (std::uint64_t seed)) {
  constexpr std::uint32_t kLeafSize = 5;
  Dice dice(seed);
  AabbTree tree(random_boxes(dice, 1 + dice.below(300)), {.leaf_size = kLeafSize});
  const std::vector<AabbNode> nodes(tree.nodes().begin(), tree.nodes().end());
  const std::vector<std::uint32_t> leaves = tree.leaves();
  const auto count = static_cast<std::uint32_t>(leaves.size());
  const std::vector<Aabb> boxes = random_boxes(dice, 1 + dice.below(6 * count));
  std::vector<std::vector<std::uint32_t>> by_leaf(count);
  for (std::uint32_t i = 0; i < boxes.size(); ++i) by_leaf[dice.below(1 + dice.below(count))].push_back(i);
  const bool suits = boxes.size() >= count && boxes.size() <= kLeafSize * count;
  RC_ASSERT(tree.assign(by_leaf, kLeafSize) == suits);
  if (!suits) return;
  tree.refit({1}, [&](const AabbNode& leaf) {
    Aabb box;
    for (const std::uint32_t i : tree.primitives(leaf)) box.add(boxes[i]);
    return box;
  });
  for (const std::uint32_t leaf : leaves) RC_ASSERT(tree.node(leaf).count >= 1 && tree.node(leaf).count <= kLeafSize);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (i == 1 || nodes[i].is_leaf()) continue;
    RC_ASSERT(tree.node(i).first == nodes[i].first);
    RC_ASSERT(tree.range_below(i).second == tree.range_below(tree.node(i).first + 1).second);
  }
  RC_ASSERT(tree.range_below(0) ==
            (std::pair<std::uint32_t, std::uint32_t>(0, static_cast<std::uint32_t>(boxes.size()))));
  RC_ASSERT(traversed_pairs(TreeTraversal(tree), tree, tree, boxes, boxes, true, 1) ==
            overlapping_pairs(boxes, boxes, true));
}

}  // namespace
}  // namespace pliant::testing
