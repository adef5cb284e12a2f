// Surfaces cut into regions: every vertex in one, none empty, connected, the same whatever the units, place and
// threads.
#include "pliant/mesh/partition.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/vertex_graph.h"
#include "tests/support/errors.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

MeshPtr lumpy(const MeshPtr& mesh, std::uint64_t seed) {
  const SmoothField field({.seed = seed, .amplitude = 0.2, .wavelength = 1});
  return with_positions(*mesh, displaced(mesh->positions(), field));
}

// A mesh of some kind, most of them without blemish.
MeshPtr any_mesh(Dice& dice) {
  switch (dice.below(7)) {
    case 0:
      return lumpy(make_icosphere({.frequency = 4 + static_cast<int>(dice.below(5))}), dice.below(1000));
    case 1:
      return lumpy(make_torus({.segments = 24, .sides = 12}), dice.below(1000));
    case 2:
      return make_teapot({.segments = 4, .trimmed = dice.below(2) == 0});
    case 3:
      return crumpled_sheet(dice, 4 + dice.below(8), 0.05);
    case 4:
      return unshared(*crumpled_sheet(dice, 6, 0.05));
    case 5:
      return loose_soup(dice, 1 + dice.below(20), 1, 0.3);
    default:
      return grid_soup(dice, 3 + dice.below(20), 1 + dice.below(30), 1 + dice.below(3));
  }
}

std::uint32_t distinct_vertices(const TriangleMesh& mesh) {
  return static_cast<std::uint32_t>(mesh.vertex_count() - mesh.weld_copies().size());
}

std::set<std::uint32_t> regions_used(const Partition& p) {
  return {p.region_of_vertex.begin(), p.region_of_vertex.end()};
}

// The vertices of each region that lie on faces hang together.
bool is_connected(const TriangleMesh& mesh, const Partition& p) {
  const VertexGraph graph = vertex_graph(mesh);
  const GraphParts parts = graph_parts(mesh, graph, p.region_of_vertex);
  std::vector<std::set<std::uint32_t>> of_region(p.region_count);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    if (!graph[mesh.welded(VertexId(v))].empty()) of_region[p.region_of_vertex[v]].insert(parts.part_of_vertex[v]);
  return std::all_of(of_region.begin(), of_region.end(), [](const auto& parts_of) { return parts_of.size() <= 1; });
}

RC_GTEST_PROP(Partition, EveryVertexIsInOneRegionAndNoRegionIsEmpty, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr mesh = any_mesh(dice);
  const std::uint32_t wanted = 1 + dice.below(40);
  PartitionSettings settings;
  settings.connected = dice.below(4) > 0;
  settings.normal_weight = dice.below(3) == 0 ? 0 : 0.25;
  const Partition p = partition(mesh, wanted, settings);
  RC_ASSERT(p.asked == wanted);
  RC_ASSERT(p.region_of_vertex.size() == mesh->vertex_count());
  RC_ASSERT(regions_used(p).size() == p.region_count);
  RC_ASSERT(*regions_used(p).rbegin() == p.region_count - 1);
  // As many as asked for; fewer only where vectors are equal, more only by components of their own.
  RC_ASSERT(p.region_count <= wanted + p.added);
  RC_ASSERT(p.region_count == std::min(wanted, distinct_vertices(*mesh)) + p.added - p.empty_cells);
  for (const VertexId v : mesh->weld_copies())
    RC_ASSERT(p.region_of_vertex[v.index()] == p.region_of_vertex[mesh->welded(v).index()]);
  if (settings.connected) RC_ASSERT(is_connected(*mesh, p));
  for (std::size_t f = 0; f < mesh->face_count(); ++f) RC_ASSERT(p.region_of_face(*mesh, FaceId(f)) < p.region_count);
}

RC_GTEST_PROP(Partition, DistortionNeverGrowsWithinARound, (std::uint64_t seed)) {
  Dice dice(seed);
  const Partition p = partition(any_mesh(dice), 1 + dice.below(60));
  for (const std::vector<double>& round : p.distortions)
    for (std::size_t i = 1; i < round.size(); ++i) RC_ASSERT(round[i] <= round[i - 1] * (1 + 1e-12));
}

RC_GTEST_PROP(Partition, IsTheSameForAnyNumberOfThreadsAndForTheExhaustiveSearch, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr mesh = any_mesh(dice);
  const std::uint32_t wanted = 1 + dice.below(50);
  PartitionSettings settings;
  settings.threads = {1};
  const Partition one = partition(mesh, wanted, settings);
  settings.threads = {2};
  RC_ASSERT(partition(mesh, wanted, settings).region_of_vertex == one.region_of_vertex);
  settings.exhaustive = true;
  const Partition exhaustive = partition(mesh, wanted, settings);
  RC_ASSERT(exhaustive.region_of_vertex == one.region_of_vertex);
  RC_ASSERT(exhaustive.distortions == one.distortions);
}

// Which half of a cell keeps its number depends on the axes.
std::vector<std::uint32_t> numbered_by_first_vertex(const Partition& p) {
  std::map<std::uint32_t, std::uint32_t> number;
  std::vector<std::uint32_t> result;
  for (const std::uint32_t r : p.region_of_vertex)
    result.push_back(number.try_emplace(r, static_cast<std::uint32_t>(number.size())).first->second);
  return result;
}

// On surfaces without symmetry, where no two distances are equal.
// A lumpy body where it is, and somewhere else, turned and a thousand times as large.
struct HereAndThere {
  explicit HereAndThere(std::uint64_t seed) {
    Dice dice(seed);
    const MeshPtr mesh =
        lumpy(dice.below(2) == 0 ? make_icosphere({.frequency = 7}) : make_torus({}), dice.below(1000));
    const std::uint32_t wanted = 2 + dice.below(30);
    here = partition(mesh, wanted);
    const RigidTransform pose = rigid(dice.point(-1, 1), dice.uniform(0, 6), dice.point(-3, 3));
    std::vector<Vec3> moved = transformed(mesh->positions(), pose);
    for (Vec3& p : moved) p *= 1e3;
    there = partition({mesh, moved}, wanted);
  }
  Partition here, there;
};

// Where distances are equal up to rounding a vertex may go to either side, and others follow it: one random case in
// some ten thousand, so these are always the same.
TEST(Partition, DoesNotDependOnPlaceSizeAndOrientation) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const HereAndThere both(seed);
    EXPECT_EQ(numbered_by_first_vertex(both.there), numbered_by_first_vertex(both.here)) << seed;
  }
}

RC_GTEST_PROP(Partition, IsAsGoodAtAnyPlaceSizeAndOrientation, (std::uint64_t seed)) {
  const HereAndThere both(seed);
  const double here = both.here.distortions.back().back(), there = both.there.distortions.back().back();
  RC_ASSERT(both.there.region_count == both.here.region_count);
  RC_ASSERT(std::abs(there - here) <= 0.05 * here);
}

TEST(Partition, PrintedSplittingLeavesOneCellToABodyAroundTheOrigin) {
  PartitionSettings printed;
  printed.as_printed = true;
  // Their mean is zero to the last bit. Of other balls the rounding of the mean decides who goes where.
  for (const MeshPtr& body : {make_icosphere({.frequency = 5}), make_box({.cells = {6, 6, 6}})}) {
    const Partition failed = partition(body, 8, printed);
    EXPECT_EQ(failed.region_count, 1u);
    EXPECT_EQ(failed.empty_cells, 7u);
    const Partition ours = partition(body, 8);
    EXPECT_EQ(ours.region_count, 8u);
    EXPECT_EQ(ours.empty_cells, 0u);
    // The same body away from the origin: there the printed rule does split.
    const std::vector<Vec3> away = transformed(body->positions(), rigid({0, 0, 1}, 0, {3, 1, 2}));
    EXPECT_GT(partition({body, away}, 8, printed).region_count, 1u);
  }
}

TEST(Partition, NormalsKeepTheTwoSidesOfAThinPlateApart) {
  const MeshPtr plate = make_box({.size = {1, 1, 0.01}, .cells = {12, 12, 1}});
  const auto mixed = [&](double weight) {
    PartitionSettings settings;
    settings.normal_weight = weight;
    const Partition p = partition(plate, 12, settings);
    std::size_t count = 0;  // regions that have inner vertices of both sides
    for (std::uint32_t r = 0; r < p.region_count; ++r) {
      bool above = false, below = false;
      for (std::size_t v = 0; v < plate->vertex_count(); ++v) {
        const Vec3& x = plate->positions()[v];
        if (p.region_of_vertex[v] != r || std::abs(x.x()) > 0.45 || std::abs(x.y()) > 0.45) continue;
        (x.z() > 0 ? above : below) = true;
      }
      count += above && below;
    }
    return count;
  };
  EXPECT_EQ(mixed(0.25), 0u);
}

TEST(Partition, ExtraAttributesCutWhereTheyChange) {
  const MeshPtr sheet = make_grid({.columns = 20, .rows = 20});
  VertexAttribute colour{{}, 1, 5};
  for (const Vec3& p : sheet->positions()) colour.values.push_back(p.x() + p.y() > 0.1 ? 1 : 0);
  PartitionSettings settings;
  settings.attributes = {colour};
  const Partition p = partition(sheet, 8, settings);
  std::vector<std::set<double>> colours(p.region_count);
  for (std::size_t v = 0; v < sheet->vertex_count(); ++v) colours[p.region_of_vertex[v]].insert(colour.values[v]);
  for (const auto& one : colours) EXPECT_EQ(one.size(), 1u);

  settings.attributes[0].values.pop_back();
  EXPECT_TRUE(says(refusal([&] { partition(sheet, 8, settings); }), "for each vertex"));
}

TEST(Partition, TakesEveryOddMesh) {
  const auto triangle =
      std::make_shared<const TriangleMesh>(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                           std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}});
  EXPECT_EQ(partition(triangle, 1).region_count, 1u);
  EXPECT_EQ(partition(triangle, 100).region_count, 3u);
  const auto point = std::make_shared<const TriangleMesh>(
      std::vector<Vec3>(9, Vec3(1, 2, 3)), std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}});
  EXPECT_EQ(partition(point, 5).region_count, 1u);
  const auto nothing = std::make_shared<const TriangleMesh>(std::vector<Vec3>{}, std::vector<Triangle>{});
  EXPECT_EQ(partition(nothing, 5).region_count, 0u);
  Dice dice(3);
  for (const double scale : {1e-310, 1e-160, 1e160, 1e307}) {
    const MeshPtr soup = grid_soup(dice, 30, 40, 3, scale);
    const Partition p = partition(soup, 6);
    EXPECT_EQ(p.region_count, 6 + p.added) << scale;
  }
  EXPECT_TRUE(says(refusal([&] { partition(triangle, 0); }), "at least one region"));
  std::vector<Vec3> odd(3, Vec3::Constant(std::nan("")));
  EXPECT_THROW(partition({triangle, odd}, 1), Error);
}

TEST(Partition, SplitsSingleRegions) {
  const MeshPtr ball = lumpy(make_icosphere({.frequency = 8}), 4);
  const Partition before = partition(ball, 10);
  const std::vector<std::uint32_t> chosen{2, 7};
  const Partition after = split_regions(ball, before, chosen);
  EXPECT_EQ(after.region_count, 12u);
  EXPECT_TRUE(is_connected(*ball, after));
  for (std::size_t v = 0; v < ball->vertex_count(); ++v) {
    if (before.region_of_vertex[v] != 2 && before.region_of_vertex[v] != 7) {
      EXPECT_EQ(after.region_of_vertex[v], before.region_of_vertex[v]);
    }
  }
}

}  // namespace
}  // namespace pliant::testing
