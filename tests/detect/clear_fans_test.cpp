#include "pliant/detect/still/clear_fans.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numbers>

#include "pliant/mesh/rings.h"
#include "pliant/mesh/shapes.h"
#include "tests/detect/reports.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

// A fan around vertex 0 whose spokes point to the given angles (in turns) at the given heights.
MeshPtr fan(const std::vector<double>& turns, const std::vector<double>& heights) {
  std::vector<Vec3> positions{{0, 0, 0}};
  std::vector<Triangle> triangles;
  const std::size_t k = turns.size();
  for (std::size_t i = 0; i < k; ++i) {
    const double angle = 2 * std::numbers::pi * turns[i];
    positions.emplace_back(std::cos(angle), std::sin(angle), heights[i]);
    triangles.push_back({VertexId(0), VertexId(1 + i), VertexId(1 + (i + 1) % k)});
  }
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles));
}

bool centre_is_clear(const MeshPtr& mesh) {
  const Body body{mesh, Motion::at_rest(mesh), 0};
  return clear_fans(freeze(BodyId(0), body, 0, true), {1})[0] != 0;
}

TEST(ClearFans, FlatAndGentlyBentFansAreClear) {
  const std::vector<double> sixths{0, 1 / 6., 2 / 6., 3 / 6., 4 / 6., 5 / 6.};
  EXPECT_TRUE(centre_is_clear(fan(sixths, {0, 0, 0, 0, 0, 0})));
  EXPECT_TRUE(centre_is_clear(fan(sixths, {0.5, -0.5, 0.5, -0.5, 0.5, -0.5})));
  EXPECT_TRUE(centre_is_clear(fan({0, 1 / 3., 2 / 3.}, {-1, -1, -1})));
}

TEST(ClearFans, VerticesOfARegularGridAreClear) {
  const MeshPtr grid = make_grid({.columns = 10, .rows = 10});
  const Body body{grid, Motion::at_rest(grid), 0};
  const auto clear = clear_fans(freeze(BodyId(0), body, 0, true), {1});
  EXPECT_EQ(std::count(clear.begin(), clear.end(), 1), 81);  // all but the boundary
}

TEST(ClearFans, FanThatWindsTwiceIsNotClear) {
  EXPECT_FALSE(centre_is_clear(fan({0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75}, {0, 1, 2, 3, 4, 3, 2, 1})));
  EXPECT_FALSE(centre_is_clear(fan({0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.75}, {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.3})));
}

TEST(ClearFans, FanThatFoldsBackIsNotClear) {
  EXPECT_FALSE(centre_is_clear(fan({0, 0.3, 0.2, 0.5, 0.75}, {0, 0, 0.1, 0, 0})));
  EXPECT_FALSE(centre_is_clear(fan({0, 0.25, 0.25, 0.5, 0.75}, {0, 0, 0, 0, 0})));
}

TEST(ClearFans, AlmostAllVerticesOfASmoothMeshAreClear) {
  const MeshPtr ball = make_icosphere({.frequency = 20});
  const Body body{ball, Motion::at_rest(ball), 0};
  const auto clear = clear_fans(freeze(BodyId(0), body, 0, true), {2});
  EXPECT_GT(std::count(clear.begin(), clear.end(), 1),
            static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(clear.size())));
}

RC_GTEST_PROP(ClearFans, FacesAtAClearVertexMeetOnlyInWhatTheyShare, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::size_t k = 3 + dice.below(6);
  std::vector<double> turns;
  std::vector<double> heights;
  const double rounds = dice.uniform(0.3, 2.2);
  for (std::size_t i = 0; i < k; ++i) {
    turns.push_back(rounds * static_cast<double>(i) / static_cast<double>(k) + dice.uniform(-0.1, 0.1));
    heights.push_back(dice.uniform(-1, 1));
  }
  const MeshPtr mesh = fan(turns, heights);
  const bool clear = centre_is_clear(mesh);
  RC_CLASSIFY(clear, "clear");
  if (clear) RC_ASSERT(detect_still("brute-force", {mesh}).contacts.empty());
}

RC_GTEST_PROP(VertexRings, SurroundTheirVertices, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr mesh = dice.below(2) ? grid_soup(dice, 8, 1 + dice.below(20), 3) : crumpled_sheet(dice, 6, 0.1);
  const VertexRings& rings = mesh->rings();
  RC_ASSERT(rings.size() == mesh->vertex_count());
  for (std::size_t v = 0; v < mesh->vertex_count(); ++v) {
    const auto ring = rings[VertexId(v)];
    if (ring.empty()) continue;
    std::size_t faces = 0;
    for (const Triangle& t : mesh->triangles()) faces += std::count(t.begin(), t.end(), VertexId(v));
    RC_ASSERT(faces == ring.size());
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Triangle wanted{VertexId(v), ring[i], ring[(i + 1) % ring.size()]};
      const bool found = std::any_of(mesh->triangles().begin(), mesh->triangles().end(), [&](Triangle t) {
        for (int turn = 0; turn < 3; ++turn, std::rotate(t.begin(), t.begin() + 1, t.end()))
          if (t == wanted) return true;
        return false;
      });
      RC_ASSERT(found);
    }
  }
}

TEST(VertexRings, InnerVerticesOfASheetHaveSixNeighboursAndBoundaryOnesNoRing) {
  Dice dice(1);
  const MeshPtr sheet = crumpled_sheet(dice, 4, 0);
  EXPECT_EQ(sheet->rings()[VertexId(6)].size(), 6u);
  EXPECT_TRUE(sheet->rings()[VertexId(0)].empty());
}

}  // namespace
}  // namespace pliant::testing
