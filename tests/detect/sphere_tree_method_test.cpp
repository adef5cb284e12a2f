// The sphere-tree method: nothing missed at any budget in safe mode, and the lists of the paper in paper mode.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Geometry>
#include <deque>
#include <numbers>

#include "pliant/bounds/sphere_tree/build_sphere_tree.h"
#include "pliant/bounds/sphere_tree/tree_shelf.h"
#include "pliant/core/error.h"
#include "pliant/detect/sphere_tree/sphere_tree_detector.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/mesh_hash.h"
#include "pliant/mesh/shapes.h"
#include "pliant/motion/embedding.h"
#include "tests/detect/cuts.h"
#include "tests/detect/reports.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

const Interval kNow = Interval::instant(0);
constexpr std::int64_t kBranching = 4;

using Points = std::vector<Vec3>;

Points shaped(const TriangleMesh& mesh, Dice& dice) {
  Points x = positions_of(mesh);
  const Eigen::AngleAxisd turn(dice.uniform(-3, 3), dice.point(-1, 1).normalized());
  for (Vec3& p : x) p = turn * p;
  switch (dice.below(6)) {
    case 0:
      return x;
    case 1:
      return bent(x, dice.uniform(0.2, 3));
    case 2:
      for (Vec3& p : x) p.z() = 0.1;
      return x;
    case 3:
      for (Vec3& p : x) p = -p;
      return x;
    case 4:
      for (Vec3& p : x) p += dice.point(-0.3, 0.3);
      return x;
    default:
      return twisted(x, dice.uniform(-4, 4));
  }
}

// A ball and a ring or a sheet, either of which may hang on a coarse mesh.
struct Bodies {
  std::vector<MeshPtr> meshes;
  std::vector<Motion> motions;
  bool self = true;

  std::unique_ptr<Detector> with(std::string_view method, const MethodSettings& own = {}, Mode mode = Mode::safe,
                                 int threads = 1) const {
    DetectorSettings settings;
    settings.self = self;
    settings.mode = mode;
    settings.method = own;
    settings.threads = {threads};
    auto detector = make_detector(method, settings);
    for (std::size_t i = 0; i < meshes.size(); ++i) detector->add_body(meshes[i], motions[i]);
    return detector;
  }
};

MethodSettings small_trees(MethodSettings more = {}) {
  MethodSettings all{{"branching", kBranching}, {"depth", std::int64_t{2}}};
  all.set_all(more);
  return all;
}

Bodies any_bodies(Dice& dice) {
  Bodies bodies;
  bodies.meshes = {make_icosphere({.frequency = 2}),
                   dice.below(2) == 0 ? make_torus({.segments = 9, .sides = 6}) : crumpled_sheet(dice, 6, 0.1)};
  const MeshPtr coarse = make_icosphere({.frequency = 1});
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3 way = i == 0 ? Vec3(0, 0, 0) : dice.point(-0.6, 0.6);
    const bool embedded = i == 0 && dice.below(2) == 0;
    Points x = shaped(embedded ? *coarse : *bodies.meshes[i], dice);
    for (Vec3& p : x) p += way;
    const Motion motion = Motion::at_rest(Frame::own(x));
    bodies.motions.push_back(!embedded
                                 ? motion
                                 : Motion::embedded(motion, std::make_shared<const RigidLinks>(
                                                                bodies.meshes[0]->positions(), coarse->positions())));
  }
  bodies.self = dice.below(3) != 0;
  return bodies;
}

std::set<FacePair> truth_of(const Bodies& bodies) { return face_pairs(bodies.with("brute-force")->detect(kNow)); }

bool is_below(std::uint32_t node, std::uint32_t ancestor) {
  while (node > ancestor) node = (node - 1) / kBranching;
  return node == ancestor;
}

// Every true pair is found or below a pair of the cut; no pair of the cut is below another; contacts are the cut.
void check_cut_of_spheres(const Detector& detector, const Report& report, const std::set<FacePair>& truth) {
  const std::set<FacePair> found = face_pairs(report);
  Cover cover(detector, report);
  for (const FacePair& pair : truth) RC_ASSERT(found.count(pair) || cover.count(pair) > 0);
  for (const FacePair& pair : found) RC_ASSERT(truth.count(pair));
  for (const UnresolvedPair& x : report.cut)
    for (const UnresolvedPair& y : report.cut)
      if (&x != &y && x.a.body == y.a.body && x.b.body == y.b.body && x.a.body != x.b.body)
        RC_ASSERT(!(is_below(x.a.id, y.a.id) && is_below(x.b.id, y.b.id)));
  check_regions(report);
}

RC_GTEST_PROP(SphereTreeMethod, FindsEverythingWithTimeEnough, (std::uint64_t seed)) {
  Dice dice(seed);
  const Bodies bodies = any_bodies(dice);
  const Report report = bodies.with("sphere-tree", small_trees({{"order", std::int64_t(dice.below(3))}}))->detect(kNow);
  RC_ASSERT(report.complete);
  RC_ASSERT(report.guarantee == Guarantee::exact);
  RC_ASSERT(report.bound == 0.0);
  RC_ASSERT(hash_of(report) == hash_of(bodies.with("brute-force")->detect(kNow)));
}

RC_GTEST_PROP(SphereTreeMethod, MissesNothingAtEveryOperationBudget, (std::uint64_t seed)) {
  Dice dice(seed);
  const Bodies bodies = any_bodies(dice);
  const auto truth = truth_of(bodies);
  const auto detector = bodies.with("sphere-tree", small_trees({{"order", std::int64_t(dice.below(3))},
                                                                {"most_pairs", std::int64_t(dice.below(2) ? 16 : 4096)},
                                                                {"fitted_pieces", std::int64_t(dice.below(2) * 32)}}));
  for (std::uint64_t operations = 0;; operations += 1 + operations / 10) {
    const Report report = detector->detect(kNow, Budget::operations(operations));
    check_cut_of_spheres(*detector, report, truth);
    RC_ASSERT(report.complete == (report.guarantee == Guarantee::exact));
    if (report.complete) break;
    RC_ASSERT(report.stopped_by == StopReason::operations);
  }
}

// A clock that goes on whenever it is looked at: time ends in the middle of updates, of expansions and of leaves.
RC_GTEST_PROP(SphereTreeMethod, MissesNothingWhereverItsTimeEnds, (std::uint64_t seed)) {
  Dice dice(seed);
  const Bodies bodies = any_bodies(dice);
  const auto truth = truth_of(bodies);
  const auto detector = bodies.with("sphere-tree", small_trees({{"order", std::int64_t(dice.below(3))}}));
  const std::chrono::nanoseconds tick(dice.below(2) == 0 ? 150 : 2000);
  for (std::int64_t given = 0;; given += 2000 + given / 3) {
    Budget::Clock::time_point now{};
    const Budget until = Budget::until(now + std::chrono::nanoseconds(given));
    const Report report = detector->detect(kNow, until.with_clock([&] { return now += tick; }));
    check_cut_of_spheres(*detector, report, truth);
    if (report.complete) break;
    RC_ASSERT(report.stopped_by == StopReason::deadline);
  }
}

TEST(SphereTreeMethod, RefinesItsCutFromOneOperationToTheNext) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    Dice dice(seed);
    Bodies bodies = any_bodies(dice);
    bodies.self = false;
    const auto detector = bodies.with("sphere-tree", small_trees());
    std::vector<UnresolvedPair> coarser;
    std::set<FacePair> found;
    double bound = std::numeric_limits<double>::infinity();
    for (std::uint64_t operations = 0;; operations += operations < 300 ? 1 : 37) {
      const Report report = detector->detect(kNow, Budget::operations(operations));
      const auto more = face_pairs(report);
      ASSERT_TRUE(std::includes(more.begin(), more.end(), found.begin(), found.end()));
      for (const UnresolvedPair& fine : report.cut)
        ASSERT_TRUE(operations == 0 || std::any_of(coarser.begin(), coarser.end(), [&](const UnresolvedPair& c) {
                      return is_below(fine.a.id, c.a.id) && is_below(fine.b.id, c.b.id);
                    }));
      ASSERT_LE(report.bound, bound);
      bound = report.bound;
      if (report.complete) break;
      found = more;
      coarser = report.cut;
    }
  }
}

RC_GTEST_PROP(SphereTreeMethod, EndsAtALevelAndMissesNothing, (std::uint64_t seed)) {
  Dice dice(seed);
  const Bodies bodies = any_bodies(dice);
  const auto truth = truth_of(bodies);
  const auto detector = bodies.with("sphere-tree", small_trees());
  for (const std::uint32_t level : {0u, 1u, 2u}) {
    detector->set_detail({.level = level});
    const Report report = detector->detect(kNow);
    RC_ASSERT(report.complete);
    check_cut_of_spheres(*detector, report, truth);
    std::int64_t nodes = 1;  // down to the level
    for (std::uint32_t k = 0; k < level; ++k) nodes = nodes * kBranching + 1;
    for (const UnresolvedPair& pair : report.cut) {
      RC_ASSERT(pair.leaves);
      RC_ASSERT(std::int64_t{std::max(pair.a.id, pair.b.id)} < nodes);  // no deeper
    }
  }
}

TEST(SphereTreeMethod, SeesLessFromFartherAwayAndMissesNothing) {
  Bodies bodies{{make_icosphere({.frequency = 4}), make_torus()}, {}, false};
  for (const MeshPtr& mesh : bodies.meshes) bodies.motions.push_back(Motion::at_rest(mesh));
  const auto truth = truth_of(bodies);
  ASSERT_FALSE(truth.empty());
  const auto detector = bodies.with("sphere-tree");
  std::uint64_t tests = std::numeric_limits<std::uint64_t>::max();
  for (const double distance : {5.0, 50.0, 500.0, 5000.0}) {
    detector->set_detail({.viewer = Viewer{{0, 0, distance}, 60, 0.01}});
    const Report report = detector->detect(kNow);
    EXPECT_TRUE(report.complete);
    EXPECT_LE(report.counters["sphere_tests"], tests);
    tests = report.counters["sphere_tests"];
    for (const UnresolvedPair& pair : report.cut)
      EXPECT_LE(pair.bound, 0.01 * 2 * (distance + 2) * std::tan(std::numbers::pi / 6)) << distance;
    const auto found = face_pairs(report);
    for (const FacePair& pair : truth) {
      const auto [body_a, face_a, body_b, face_b] = pair;
      bool below = found.count(pair) > 0;
      for (const UnresolvedPair& c : report.cut) {
        const auto has = [&](const Feature& f, std::uint32_t face) {
          const std::vector<FaceId> faces = detector->region(f.body, f.id).faces;
          return std::find(faces.begin(), faces.end(), FaceId(face)) != faces.end();
        };
        if (below) break;
        below = has(c.a, face_a) && has(c.b, face_b);
      }
      EXPECT_TRUE(below) << distance;
    }
  }
  EXPECT_EQ(tests, 0u);  // from 5 km a single pair of roots is fine enough
}

TEST(SphereTreeMethod, WithoutOperationsLeavesTheRootPair) {
  Dice dice(3);
  Bodies bodies{{make_torus(), make_icosphere()}, {}, false};
  for (const MeshPtr& mesh : bodies.meshes) bodies.motions.push_back(Motion::at_rest(mesh));
  const Report report = bodies.with("sphere-tree")->detect(kNow, Budget::operations(0));
  ASSERT_EQ(report.cut.size(), 1u);
  EXPECT_EQ(report.cut[0].a.id, 0u);
  EXPECT_EQ(report.cut[0].b.id, 0u);
  EXPECT_FALSE(report.cut[0].leaves);
  EXPECT_EQ(report.guarantee, Guarantee::conservative);
}

RC_GTEST_PROP(SphereTreeMethod, EveryTruePairIsBelowAPairOfLeavesWithTimeEnough, (std::uint64_t seed)) {
  Dice dice(seed);
  const Bodies bodies = any_bodies(dice);
  const auto detector = bodies.with("sphere-tree", small_trees({{"exact", false}}));
  const Report report = detector->detect(kNow);
  RC_ASSERT(report.complete);
  RC_ASSERT(std::all_of(report.cut.begin(), report.cut.end(), [](const UnresolvedPair& c) { return c.leaves; }));
  check_cut_of_spheres(*detector, report, truth_of(bodies));
}

TEST(SphereTreeMethod, SpheresThatTouchOrShareACentreAreNotApart) {
  EXPECT_TRUE(overlap(Sphere{{0, 0, 0}, 1}, Sphere{{3, 0, 0}, 2}));
  EXPECT_FALSE(overlap(Sphere{{0, 0, 0}, 1}, Sphere{{3 + 1e-12, 0, 0}, 2}));
  EXPECT_TRUE(overlap(Sphere{{1, 2, 3}, 1e-3}, Sphere{{1, 2, 3}, 5}));
  EXPECT_TRUE(overlap(Sphere{{1, 2, 3}, 0}, Sphere{{1, 2, 3}, 0}));
}

// Only the surface is covered: of a ball inside another nothing need be said, and nothing wrong is.
TEST(SphereTreeMethod, ABodyInsideAnotherDoesNotMeetIt) {
  std::vector<Vec3> small;
  const MeshPtr ball = make_icosphere({.frequency = 4});
  for (const Vec3& p : ball->positions()) small.emplace_back(0.3 * p);
  for (const std::int64_t depth : {0, 1, 3}) {
    DetectorSettings settings;
    settings.method = {{"depth", depth}};
    const auto detector = make_detector("sphere-tree", settings);
    detector->add_body(ball);
    detector->add_body(ball, Motion::at_rest(Frame::own(small)));
    const Report report = detector->detect(kNow);
    EXPECT_TRUE(report.complete);
    EXPECT_TRUE(report.contacts.empty()) << depth;
  }
}

// Also the first: trees and links were made when the bodies were added.
TEST(SphereTreeMethod, AFirstCallWithoutTimeUpdatesNothingButTheRoots) {
  const MeshPtr dense = make_icosphere({.frequency = 16}), coarse = make_icosphere({.frequency = 2});
  const auto links = std::make_shared<const RigidLinks>(dense->positions(), coarse->positions());
  const auto detector = make_detector("sphere-tree", {.self = false});
  for (int i = 0; i < 2; ++i)
    detector->add_body(dense, Motion::embedded(Motion::at_rest(Frame::own(positions_of(*coarse))), links));
  const Report report = detector->detect(kNow, Budget::within_seconds(0));
  EXPECT_FALSE(report.complete);
  ASSERT_EQ(report.cut.size(), 1u);
  EXPECT_EQ(report.counters["spheres_updated"], 2u);
}

// Every sphere of the cut holds all of its node's part of the surface where that is now, and no two points of a pair,
// one of each part, are farther apart than its bound. Parts are made of triangles: their corners tell.
RC_GTEST_PROP(SphereTreeMethod, ItsBoundIsTrue, (std::uint64_t seed)) {
  Dice dice(seed);
  const Bodies bodies = any_bodies(dice);
  std::vector<SphereTreePtr> trees;
  for (const MeshPtr& mesh : bodies.meshes) {
    SphereTreeSettings build;
    build.builder = SphereTreeBuilder::boxes;
    build.shape = {kBranching, 2};
    build.pieces = dice.below(2) == 0 ? 0 : 3 * mesh->face_count();  // faces are cut, or none is
    trees.push_back(build_sphere_tree(*mesh, build));
    put_on_shelf(trees.back());
  }
  const auto detector = bodies.with("sphere-tree", {{"fitted_pieces", std::int64_t(dice.below(2) * 32)}});
  const Report report = detector->detect(kNow, Budget::operations(dice.below(300)));
  const auto corners = [&](const Feature& f) {
    Points points;
    const SphereTree& tree = *trees[f.body.index()];
    const Frame frame = bodies.motions[f.body.index()].positions_at(0);
    for (const SurfacePiece& piece : tree.pieces(f.id)) {
      const auto face = face_corners(bodies.meshes[f.body.index()]->triangle(piece.face), frame.positions());
      for (std::size_t i = 0; i < 3; ++i) points.push_back(tree.corner(piece, i, face));
    }
    return points;
  };
  for (const UnresolvedPair& c : report.cut) {
    RC_ASSERT(c.bound <= report.bound);
    const Points a = corners(c.a), b = corners(c.b);
    for (const Vec3& p : a) RC_ASSERT(holds(c.sphere_a, p));
    for (const Vec3& q : b) RC_ASSERT(holds(c.sphere_b, q));
    for (const Vec3& p : a)
      for (const Vec3& q : b) RC_ASSERT(fixed_length(p - q) <= c.bound);
  }
}

RC_GTEST_PROP(SphereTreeMethod, GivesTheSameBitsOnAnyNumberOfThreads, (std::uint64_t seed)) {
  Dice dice(seed);
  const Bodies bodies = any_bodies(dice);
  const Budget budget = Budget::operations(dice.below(600));
  for (const Mode mode : {Mode::safe, Mode::paper}) {
    const auto once = [&](int threads) {
      return hash_of(bodies.with("sphere-tree", small_trees(), mode, threads)->detect(kNow, budget));
    };
    RC_ASSERT(once(1) == once(2));
  }
}

// The search of figure 7, written down again over the spheres at rest.
struct Figure7 {
  const SphereTree* tree[2];
  struct Entity {
    int tree_1;
    std::uint32_t node_1;
    int tree_2;
    std::uint32_t node_2;
  };
  std::deque<Entity> pair_list{{0, 0, 1, 0}};
  std::size_t collisions = 0, pushed = 1, tested = 0;

  void run(std::uint64_t steps) {
    for (; steps > 0 && !pair_list.empty(); --steps) {
      const Entity p = pair_list.front();
      pair_list.pop_front();
      ++tested;
      const Sphere &s1 = tree[p.tree_1]->spheres()[p.node_1], &s2 = tree[p.tree_2]->spheres()[p.node_2];
      if ((s1.centre - s2.centre).norm() > s1.radius + s2.radius) continue;
      if (tree[p.tree_2]->is_leaf(p.node_2)) {
        if (tree[p.tree_1]->is_leaf(p.node_1)) ++collisions;
        else add({p.tree_2, p.node_2, p.tree_1, p.node_1});
        continue;
      }
      for (std::uint32_t i = 0; i < tree[p.tree_2]->shape().branching; ++i)
        if (tree[p.tree_2]->has(tree[p.tree_2]->first_child(p.node_2) + i))
          add({p.tree_2, tree[p.tree_2]->first_child(p.node_2) + i, p.tree_1, p.node_1});
    }
  }
  void add(const Entity& e) {
    pair_list.push_back(e);
    ++pushed;
  }
};

TEST(SphereTreeMethod, CountsAsThePaperDoes) {
  SphereTreeSettings build;
  build.builder = SphereTreeBuilder::medial;
  build.shape = {3, 3};
  const MeshPtr a = make_torus({.segments = 20, .sides = 10});
  std::vector<Vec3> moved;
  for (const Vec3& p : a->positions()) moved.emplace_back(p + Vec3(0.9, 0.2, 0.1));
  const auto b =
      std::make_shared<const TriangleMesh>(moved, std::vector<Triangle>(a->triangles().begin(), a->triangles().end()));
  const SphereTreePtr tree_a = build_sphere_tree(*a, build), tree_b = build_sphere_tree(*b, build);
  put_on_shelf(tree_a);
  put_on_shelf(tree_b);
  const auto detector = make_detector("sphere-tree", {.mode = Mode::paper});
  detector->add_body(a);
  detector->add_body(b);
  bool some_collided = false, some_left = false;
  for (const std::uint64_t steps : {0, 1, 2, 3, 5, 8, 20, 60, 200, 1000, 100000}) {
    Figure7 expected{{tree_a.get(), tree_b.get()}};
    expected.run(steps);
    const Report report = detector->detect(kNow, Budget::operations(steps));
    EXPECT_EQ(report.counters["pair_list"], expected.pair_list.size()) << steps;
    EXPECT_EQ(report.counters["collision_list"], expected.collisions) << steps;
    EXPECT_EQ(report.counters["pairs_pushed"], expected.pushed) << steps;
    EXPECT_EQ(report.counters["sphere_tests"], expected.tested) << steps;
    EXPECT_EQ(report.cut.size(), expected.pair_list.size() + expected.collisions) << steps;
    EXPECT_EQ(report.guarantee, Guarantee::statistical);
    EXPECT_EQ(report.complete, expected.pair_list.empty());
    some_collided = some_collided || expected.collisions > 0;
    some_left = some_left || !expected.pair_list.empty();
  }
  EXPECT_TRUE(some_collided && some_left);
}

TEST(SphereTreeMethod, UsesTheStoredTreeOfAMeshAndNoOther) {
  const MeshPtr mesh = make_torus({.segments = 17, .sides = 9}), other = make_torus({.segments = 17, .sides = 10});
  SphereTreeSettings build;
  build.builder = SphereTreeBuilder::boxes;
  build.shape = {5, 2};
  put_on_shelf(build_sphere_tree(*mesh, build));
  EXPECT_EQ(find_on_shelf(mesh_hash(*mesh))->shape().branching, 5u);
  EXPECT_EQ(find_on_shelf(mesh_hash(*other)), nullptr);
  const auto detector = make_detector("sphere-tree");
  const BodyId stored = detector->add_body(mesh), built = detector->add_body(other);
  detector->detect(kNow);
  EXPECT_NO_THROW(detector->region(stored, 30));  // the last of 1 + 5 + 25
  EXPECT_THROW(detector->region(stored, 31), Error);
  EXPECT_NO_THROW(detector->region(built, 8));
}

TEST(SphereTreeMethod, AnEmbeddedMotionIsReadOnlyWhereSpheresMeet) {
  const MeshPtr dense = make_icosphere({.frequency = 24}), coarse = make_icosphere({.frequency = 2});
  const auto links = std::make_shared<const RigidLinks>(dense->positions(), coarse->positions());
  const auto at = [&](double x) {
    Points q = positions_of(*coarse);
    for (Vec3& p : q) p.x() += x;
    return Motion::embedded(Motion::at_rest(Frame::own(q)), links);
  };
  const auto detector = make_detector("sphere-tree", {.self = false});
  detector->add_body(dense, at(0));
  detector->add_body(dense, at(1.97));
  const Report report = detector->detect(kNow);
  EXPECT_EQ(report.guarantee, Guarantee::exact);
  EXPECT_GT(report.contacts.size(), 0u);
  EXPECT_LT(report.counters["spheres_updated"], 1800u);  // of 9,000
  const auto oracle = make_detector("bvh", {.self = false});
  oracle->add_body(dense, at(0));
  oracle->add_body(dense, at(1.97));
  EXPECT_EQ(hash_of(report), hash_of(oracle->detect(kNow)));
}

TEST(SphereTreeMethod, RefusesMotionsThatAreNotFinite) {
  const MeshPtr mesh = make_torus();
  Points x = positions_of(*mesh);
  x[3].x() = std::nan("");
  const auto detector = make_detector("sphere-tree");
  detector->add_body(mesh);
  detector->set_motion(BodyId(0), Motion::at_rest(Frame::share(nullptr, x)));
  EXPECT_THROW(detector->detect(kNow), Error);
}

TEST(SphereTreeMethod, TakesOpenFlatAndSeveralMeshes) {
  const std::vector<MeshPtr> meshes{make_grid(), make_grid(), make_box()};
  const Report report = detect_still("sphere-tree", meshes);
  EXPECT_EQ(hash_of(report), hash_of(detect_still("brute-force", meshes)));
  for (const auto& [name, value] : {std::pair("builder", 1), std::pair("depth", 12), std::pair("depth", 0)}) {
    DetectorSettings settings;
    settings.method = {{name, std::int64_t{value}}};
    EXPECT_EQ(hash_of(detect_still("sphere-tree", meshes, settings)), hash_of(report)) << name << " " << value;
  }
}

}  // namespace
}  // namespace pliant::testing
