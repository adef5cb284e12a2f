// How many particles a body gets, how near is near enough, and how particles walk.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "pliant/bounds/face_tree.h"
#include "pliant/detect/particles/nomination.h"
#include "pliant/detect/particles/particle_count.h"
#include "tests/detect/particle_bodies.h"

namespace pliant::testing {
namespace {

// ---- how many ----

TEST(ParticleCount, ShadowRatiosAreThoseOfTheFormula) {
  EXPECT_NEAR(shadow_ratio(1, 1), 14.93, 0.005);
  EXPECT_NEAR(shadow_ratio(2, 1), 34.97, 0.005);
  EXPECT_NEAR(shadow_ratio(10, 1), 483.0, 0.05);
  EXPECT_NEAR(shadow_ratio(1, 2), 7.85, 0.01);
  EXPECT_NEAR(shadow_ratio(1, 100), 2.33, 0.005);
  EXPECT_NEAR(shadow_ratio(1, 1e12), 2, 1e-5);
  EXPECT_NEAR(shadow_ratio(1e9, 1) / (4 * 1e18), 1, 1e-8);  // 4 ((R + r) / r)^2: nothing cancels
  EXPECT_EQ(touching_spheres(1, 1), 12u);
  EXPECT_EQ(touching_spheres(2, 1), 34u);
}

RC_GTEST_PROP(ParticleCount, ShadowRatioGrowsWithTheSphere, (std::uint64_t seed)) {
  Dice dice(seed);
  const double small = std::pow(10, dice.uniform(-3, 3)), large = std::pow(10, dice.uniform(-3, 3));
  const double ratio = shadow_ratio(large, small);
  RC_ASSERT(ratio >= 2);
  RC_ASSERT(shadow_ratio(large * 1.1, small) > ratio);
  RC_ASSERT(std::abs(shadow_ratio(3 * large, 3 * small) / ratio - 1) < 1e-12);  // units do not matter
  // As many as are known to fit: 12 equal ones around one.
  if (large >= small) RC_ASSERT(std::floor(ratio) >= 12);
}

TEST(ParticleCount, ACubeFallsIntoItsSidesAndABallDoesNot) {
  const MeshPtr cube = make_box({.cells = {10, 10, 10}});
  EXPECT_EQ(part_spheres(cube, 40).size(), 6u);
  const MeshPtr ball = make_icosphere({.frequency = 8});
  const std::vector<PartSphere> one = part_spheres(ball, 40);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_NEAR(one[0].radius, 1, 0.06);
  EXPECT_EQ(part_spheres(cube, 170).size(), 1u);
  // Where all vertices are critical there is one part.
  EXPECT_EQ(part_spheres(make_box({}), 40).size(), 1u);
}

TEST(ParticleCount, FollowsTheSmallestSphereOfTheScene) {
  const MeshPtr large = make_icosphere({.radius = 2, .frequency = 8}), small = make_icosphere({.frequency = 8});
  const std::vector<PosedMesh> equal{large, large}, two{large, small};
  ParticleSettings settings;
  EXPECT_EQ(particle_counts(equal, settings), (std::vector<std::uint32_t>{12, 12}));
  const auto counts = particle_counts(two, settings);
  EXPECT_EQ(counts[0], 34u);
  EXPECT_EQ(counts[1], 12u);
  settings.most_regions = 20;
  EXPECT_EQ(particle_counts(two, settings)[0], 20u);
  settings.count_bodies = true;
  EXPECT_EQ(particle_counts(two, settings)[0], 1u);
  const std::vector<PosedMesh> alone{small};
  EXPECT_EQ(particle_counts(alone, settings)[0], 1u);
}

// ---- the lemma behind the collision distance ----

RC_GTEST_PROP(CollisionDistance, TrianglesThatMeetHaveCornersWithinTheSumOverRootThree, (std::uint64_t seed)) {
  Dice dice(seed);
  for (int k = 0; k < 200; ++k) {
    const double stretch = std::pow(10, dice.uniform(-2, 2));
    std::array<Vec3, 3> a, b;
    for (std::size_t i = 0; i < 3; ++i) a[i] = dice.point(-1, 1), b[i] = stretch * dice.point(-1, 1);
    if (triangle_triangle_relation({a[0], a[1], a[2]}, {b[0], b[1], b[2]}, {}) == Relation::none) continue;
    double longest_a = 0, longest_b = 0, nearest = 1e300;
    for (std::size_t i = 0; i < 3; ++i) {
      longest_a = std::max(longest_a, (a[i] - a[(i + 1) % 3]).norm());
      longest_b = std::max(longest_b, (b[i] - b[(i + 1) % 3]).norm());
      for (std::size_t j = 0; j < 3; ++j) nearest = std::min(nearest, (a[i] - b[j]).norm());
    }
    RC_ASSERT(nearest <= (longest_a + longest_b) / std::sqrt(3.0) * (1 + 1e-12));
  }
}

// ---- regions ----

RC_GTEST_PROP(RegionTable, CoversEveryFace, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr mesh = dice.below(2) == 0 ? lumpy_ball(dice.below(1000), 4) : grid_soup(dice, 20, 30, 3);
  const Partition regions = partition(mesh, 1 + dice.below(20));
  RegionTable owned(*mesh, regions, RegionFaces::owned), touching(*mesh, regions, RegionFaces::touching);
  for (RegionTable* table : {&owned, &touching}) table->refit({1}, mesh->positions());
  std::vector<int> owners(mesh->face_count(), 0);
  for (std::uint32_t r = 0; r < regions.region_count; ++r) {
    for (const std::uint32_t f : owned.faces_of(r)) {
      ++owners[f];
      RC_ASSERT(owned.node(r).box().contains(face_box(mesh->triangle(FaceId(f)), mesh->positions())));
    }
    // Exactly the faces with a corner in it.
    std::vector<std::uint32_t> expected;
    for (std::uint32_t f = 0; f < mesh->face_count(); ++f) {
      const Triangle& t = mesh->triangle(FaceId(f));
      const auto is_in = [&](VertexId v) { return regions.region_of_vertex[v.index()] == r; };
      if (std::any_of(t.begin(), t.end(), is_in)) expected.push_back(f);
    }
    RC_ASSERT(std::vector<std::uint32_t>(touching.faces_of(r).begin(), touching.faces_of(r).end()) == expected);
  }
  RC_ASSERT(std::all_of(owners.begin(), owners.end(), [](int count) { return count == 1; }));
}

// ---- the walk ----

struct Walk {
  std::vector<MeshPtr> meshes;
  std::vector<std::vector<Vec3>> positions;
  std::vector<std::unique_ptr<BodyRegions>> regions;
  std::vector<WalkingBody> walking;
  std::vector<SeeingPair> seeing;

  void add(MeshPtr mesh, std::vector<Vec3> x, std::uint32_t count) {
    regions.push_back(
        std::make_unique<BodyRegions>(mesh, count, ParticleSettings{}, RegionFaces::touching, Threads{1}));
    BudgetState unlimited{Budget()};
    regions.back()->make(unlimited);
    meshes.push_back(std::move(mesh));
    positions.push_back(std::move(x));
  }
  void place(double reach) {
    for (std::size_t b = 0; b < meshes.size(); ++b) {
      walking.push_back({&regions[b]->graph(),
                         positions[b],
                         regions[b]->regions().partition.region_of_vertex,
                         &regions[b]->particles(),
                         {}});
      walking.back().place();
      for (std::uint32_t a = 0; a < b; ++a) seeing.push_back({{a, static_cast<std::uint32_t>(b)}, reach, 0.1});
    }
  }
  // Of all pairs of particles of different bodies.
  double potential() const {
    double sum = 0;
    for (const SeeingPair& pair : seeing)
      for (std::size_t i = 0; i < walking[pair.bodies.a].cloud.size(); ++i)
        sum += walking[pair.bodies.b].cloud.pull_on(walking[pair.bodies.a].cloud[i], pair.reach * pair.reach,
                                                    1e-18 * pair.reach * pair.reach);
    return sum;
  }
  WalkResult sweep(int most = 1, double relaxed_fraction = 0) {
    BudgetState unlimited{Budget{}};
    BudgetMeter meter(unlimited);
    const Attraction force(walking, seeing, {});
    return Relaxation(std::span(walking), force, WalkLimits{relaxed_fraction, most, false}, meter).run();
  }
};

RC_GTEST_PROP(ParticleWalk, StaysInItsRegionAndClimbsUntilItIsRelaxed, (std::uint64_t seed)) {
  Dice dice(seed);
  Walk walk;
  const std::uint32_t bodies = 2 + dice.below(2);
  for (std::uint32_t b = 0; b < bodies; ++b) {
    const MeshPtr mesh = lumpy_ball(dice.below(1000), 3 + static_cast<int>(dice.below(4)));
    walk.add(mesh, moved(mesh, dice.point(-1.2, 1.2)), 1 + dice.below(20));
  }
  walk.place(dice.uniform(0.5, 5));
  std::vector<std::vector<std::uint32_t>> home;
  for (std::size_t b = 0; b < bodies; ++b) {
    home.emplace_back();
    for (const VertexId v : walk.regions[b]->particles())
      home[b].push_back(walk.regions[b]->regions().partition.region_of_vertex[v.index()]);
  }
  double before = walk.potential();
  int sweeps = 0;
  while (true) {
    const WalkResult result = walk.sweep();
    const double now = walk.potential();
    RC_ASSERT((result.moves == 0 ? now == before : now > before * (1 - 1e-12)));
    before = now;
    for (std::size_t b = 0; b < bodies; ++b)
      for (std::size_t i = 0; i < home[b].size(); ++i)
        RC_ASSERT(walk.regions[b]->regions().partition.region_of_vertex[walk.regions[b]->particles()[i].index()] ==
                  home[b][i]);
    if (result.relaxed) break;
    RC_ASSERT(++sweeps < 1000);
  }
  RC_ASSERT(walk.sweep(7).sweeps <= 7);
}

TEST(ParticleWalk, DistantBodiesDoNotMoveParticles) {
  Walk walk;
  const MeshPtr ball = lumpy_ball(1);
  walk.add(ball, positions_of(*ball), 12);
  walk.add(ball, moved(ball, {10, 0, 0}), 12);
  walk.place(2);
  EXPECT_EQ(walk.potential(), 0);
  const WalkResult result = walk.sweep(50);
  EXPECT_EQ(result.moves, 0u);
  EXPECT_EQ(result.sweeps, 1u);
}

// A tenth of all particles would be more than the two small bodies have.
TEST(ParticleWalk, EveryBodyIsRelaxedForItselfHoweverManyOthersRest) {
  const MeshPtr ball = lumpy_ball(1);
  const auto walk = [&](std::uint32_t resting) {
    Walk walk;
    walk.add(ball, positions_of(*ball), 6);
    walk.add(ball, moved(ball, {1.9, 0, 0}), 6);
    for (std::uint32_t k = 0; k < resting; ++k) walk.add(ball, moved(ball, {10.0 * (k + 1), 10, 0}), 80);
    walk.place(2);
    return walk.sweep(50, 0.1);
  };
  const WalkResult alone = walk(0), among_others = walk(2);
  EXPECT_GT(alone.sweeps, 2u);
  EXPECT_TRUE(alone.relaxed);
  EXPECT_EQ(among_others.sweeps, alone.sweeps);
  EXPECT_EQ(among_others.moves, alone.moves);
}

TEST(ParticleWalk, ConvexBodiesBringAParticlePairWithinAnEdgeOfTheClosestVertices) {
  Dice dice(8);
  for (int k = 0; k < 30; ++k) {
    Walk walk;
    const MeshPtr ball = make_icosphere({.frequency = 6});
    const Vec3 way = 2.02 * dice.point(-1, 1).normalized();
    walk.add(ball, positions_of(*ball), 14);
    walk.add(ball, transformed(ball->positions(), rigid(dice.point(-1, 1), 1, way)), 14);
    walk.place(3);
    walk.sweep(100);
    double closest = 1e300, particles = 1e300, longest_edge = 0;
    for (const Vec3& p : walk.positions[0])
      for (const Vec3& q : walk.positions[1]) closest = std::min(closest, (p - q).norm());
    for (std::size_t i = 0; i < walk.walking[0].cloud.size(); ++i)
      for (std::size_t j = 0; j < walk.walking[1].cloud.size(); ++j)
        particles = std::min(particles, (walk.walking[0].cloud[i] - walk.walking[1].cloud[j]).norm());
    longest_edge = edge_lengths(ball).longest;
    EXPECT_LE(particles, closest + longest_edge) << k;
  }
}

}  // namespace
}  // namespace pliant::testing
