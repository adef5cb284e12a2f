// Subdivided boxes: exact in safe mode whatever is chosen; what paper mode misses, and why.
#include "pliant/detect/subdivided_boxes/subdivided_boxes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "pliant/bounds/overlap.h"
#include "pliant/detect/subdivided_boxes/box_division.h"
#include "pliant/mesh/shapes.h"
#include "tests/detect/reports.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

const Interval kNow = Interval::instant(0);

Report detect_boxes(const std::vector<MeshPtr>& meshes, const SubdivisionSettings& boxes,
                    const DetectorSettings& settings = {}) {
  SubdividedBoxDetector detector(settings, boxes);
  for (const MeshPtr& mesh : meshes) detector.add_body(mesh);
  return detector.detect(kNow);
}

MeshPtr carried(const MeshPtr& mesh, const Vec3& way, double scale = 1) {
  std::vector<Vec3> x;
  for (const Vec3& p : mesh->positions()) x.push_back(scale * p + way);
  return std::make_shared<const TriangleMesh>(
      std::move(x), std::vector<Triangle>(mesh->triangles().begin(), mesh->triangles().end()));
}

MeshPtr mesh_of(std::vector<Vec3> x, std::vector<Triangle> triangles) {
  return std::make_shared<const TriangleMesh>(std::move(x), std::move(triangles));
}

MeshPtr one_face(const Vec3& a, const Vec3& b, const Vec3& c) {
  return mesh_of({a, b, c}, {{VertexId(0), VertexId(1), VertexId(2)}});
}

SubdivisionSettings any_settings(Dice& dice) {
  SubdivisionSettings s;
  s.levels = static_cast<int>(dice.below(9)) - 1;
  s.octree = dice.below(2) == 0;
  if (s.octree) s.levels = std::min(s.levels, 4);
  s.most_faces = 1 + dice.below(40);
  const std::array<double, 6> sizes{0, 0.01, 0.5, 1, 3, 1e6};
  s.cell_size = sizes[dice.below(6)];
  const std::array<std::size_t, 5> buckets{0, 1, 2, 100, 1024};
  s.buckets = buckets[dice.below(5)];
  s.most_cells = 8 + dice.below(600);
  const std::array<std::uint64_t, 4> factors{0, 1, 2, 73856093};  // primes or not
  s.prime_x = factors[dice.below(4)];
  s.prime_y = factors[dice.below(4)];
  s.prime_z = dice.below(2) == 0 ? 83492791 : 7;
  return s;
}

// ---- safe mode ----

RC_GTEST_PROP(SubdividedBoxes, GiveThePairsOfTheOracleWhateverIsChosen, (std::uint64_t seed)) {
  Dice dice(seed);
  // Integer coordinates lie exactly on cell faces and on cuts; negative ones must be floored.
  const MeshPtr soup = grid_soup(dice, 20, 30, 4), sheet = crumpled_sheet(dice, 8, 0.1);
  const std::vector<MeshPtr> meshes{soup, carried(soup, Vec3(-2, -3, -1)), carried(sheet, Vec3(-1, -2, 1), 5)};
  DetectorSettings settings;
  settings.self = dice.below(3) != 0;
  settings.weld = dice.below(2) == 0;
  const std::uint64_t truth = hash_of(detect_still("brute-force", meshes, settings));
  for (int i = 0; i < 3; ++i) {
    settings.threads = {1 + static_cast<int>(dice.below(2))};
    RC_ASSERT(hash_of(detect_boxes(meshes, any_settings(dice), settings)) == truth);
  }
}

RC_GTEST_PROP(SubdividedBoxes, AreExactAtHugeAndTinyCoordinates, (std::uint64_t seed)) {
  Dice dice(seed);
  const double scale = std::pow(10.0, dice.uniform(-320, 307));
  const std::vector<MeshPtr> meshes{grid_soup(dice, 12, 10, 3, scale), grid_soup(dice, 12, 10, 3, -scale),
                                    grid_soup(dice, 12, 10, 3)};
  const std::uint64_t truth = hash_of(detect_still("brute-force", meshes));
  for (int i = 0; i < 4; ++i) RC_ASSERT(hash_of(detect_boxes(meshes, any_settings(dice))) == truth);
}

RC_GTEST_PROP(SubdividedBoxes, AreExactWhereCellNumbersEnd, (std::uint64_t seed)) {
  Dice dice(seed);
  // Cell numbers around 2^31, and beyond: 2^31 + {0 .. 4} in cells of length 1.
  const Vec3 far(2147483648.0, -2147483648.0, dice.below(2) == 0 ? 0 : 1e12);
  const MeshPtr soup = carried(grid_soup(dice, 16, 24, 4), far);
  const std::vector<MeshPtr> meshes{soup, carried(soup, Vec3(-1, 2, 0))};
  SubdivisionSettings boxes = any_settings(dice);
  boxes.cell_size = 1;
  RC_ASSERT(hash_of(detect_boxes(meshes, boxes)) == hash_of(detect_still("brute-force", meshes)));
}

RC_GTEST_PROP(SubdividedBoxes, TheOrderOfBodiesDoesNotMatter, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr a = grid_soup(dice, 20, 30, 4), b = carried(grid_soup(dice, 15, 20, 3), Vec3(-1, 0, 0.5));
  std::set<FacePair> forwards, backwards;
  for (const auto& [ba, fa, bb, fb] : face_pairs(detect_boxes({a, b}, any_settings(dice))))
    forwards.emplace(ba, fa, bb, fb);
  for (const auto& [ba, fa, bb, fb] : face_pairs(detect_boxes({b, a}, any_settings(dice)))) {
    if (ba == bb) backwards.emplace(1 - ba, fa, 1 - bb, fb);
    else backwards.emplace(0, fb, 1, fa);
  }
  RC_ASSERT(forwards == backwards);
}

RC_GTEST_PROP(SubdividedBoxes, ShiftsByWholeCellsChangeNothing, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr soup = grid_soup(dice, 20, 30, 4), other = carried(grid_soup(dice, 20, 30, 4), Vec3(0.5, 0.25, -0.5));
  SubdivisionSettings boxes = any_settings(dice);
  boxes.cell_size = 0.5;
  const Vec3 shift = 0.5 * Vec3(static_cast<double>(dice.below(2000)) - 1000, 7, -64);
  const auto here = face_pairs(detect_boxes({soup, other}, boxes));
  RC_ASSERT(face_pairs(detect_boxes({carried(soup, shift), carried(other, shift)}, boxes)) == here);
}

TEST(SubdividedBoxes, NestedAndEmptyScenes) {
  const MeshPtr ball = make_icosphere({.frequency = 8});
  const std::vector<MeshPtr> nested{ball, carried(ball, Vec3::Zero(), 0.5), carried(ball, Vec3(0.5, 0, 0), 0.7)};
  EXPECT_EQ(hash_of(detect_boxes(nested, {})), hash_of(detect_still("brute-force", nested)));
  EXPECT_EQ(detect_boxes({}, {}).contacts.size(), 0u);
  const MeshPtr nothing = mesh_of({Vec3::Zero()}, {});
  EXPECT_TRUE(detect_boxes({nothing, ball}, {}).complete);
}

TEST(SubdividedBoxes, FollowABodyThatDeforms) {
  Dice dice(3);
  const MeshPtr sheet = crumpled_sheet(dice, 20, 0.01), ball = make_icosphere({.frequency = 8});
  const auto boxes = make_detector("subdivided-boxes"), oracle = make_detector("brute-force");
  for (Detector* d : {boxes.get(), oracle.get()}) d->add_body(sheet), d->add_body(ball);
  for (int frame = 0; frame < 6; ++frame) {
    std::vector<Vec3> x = positions_of(*sheet);
    for (Vec3& p : x) p = Vec3(3 * p.x(), p.y() + 0.3 * frame * p.x() * p.x(), std::sin(p.x() * frame));
    for (Detector* d : {boxes.get(), oracle.get()}) d->set_positions(BodyId(0), x);
    const Report report = boxes->detect(kNow);
    EXPECT_EQ(hash_of(report), hash_of(oracle->detect(kNow))) << frame;
    EXPECT_EQ(hash_of(boxes->detect(kNow)), hash_of(report));  // the same frame again
  }
}

TEST(SubdividedBoxes, LongBoxesMeetWhatLiesBetweenTheirCorners) {
  // Cell 1; the corners of the long one are in cells 0 and 4, all of the short one's in cell 2.
  const MeshPtr longer = one_face({0.1, 0.1, 0.1}, {4.9, 0.1, 0.2}, {4.9, 0.2, 0.1});
  const MeshPtr between = one_face({2.5, 0.05, 0.05}, {2.5, 0.25, 0.2}, {2.5, 0.1, 0.3});
  SubdivisionSettings boxes;
  boxes.levels = 0;
  boxes.cell_size = 1;
  boxes.buckets = 1009;
  EXPECT_EQ(detect_boxes({longer, between}, boxes).contacts.size(), 1u);
  EXPECT_EQ(detect_boxes({longer, between}, boxes, {.mode = Mode::paper}).contacts.size(), 0u);
  boxes.corners_only = false;
  boxes.one_way = false;
  EXPECT_EQ(detect_boxes({longer, between}, boxes, {.mode = Mode::paper}).contacts.size(), 1u);
}

TEST(SubdividedBoxes, LargeBoxesGoIntoLargerCells) {
  Dice dice(9);
  const MeshPtr small = loose_soup(dice, 2000, 10, 0.2);
  const MeshPtr huge =
      mesh_of({{-1e9, -1e9, 0.1}, {1e9, -1e9, 0.1}, {0, 1e9, 0.3}, {0, -1e9, -1e9}, {0, 1e9, -1e9}, {0.5, 0, 1e9}},
              {{VertexId(0), VertexId(1), VertexId(2)}, {VertexId(3), VertexId(4), VertexId(5)}});
  SubdivisionSettings boxes;
  boxes.cell_size = 1;
  const Report report = detect_boxes({small, huge}, boxes);
  EXPECT_GE(report.counters["coarse_boxes"], 1u);
  EXPECT_EQ(hash_of(report), hash_of(detect_still("brute-force", {small, huge})));
}

TEST(SubdividedBoxes, StopAfterTheSameOperationsOnAnyNumberOfThreads) {
  const MeshPtr ball = make_icosphere({.frequency = 8});
  const std::vector<MeshPtr> meshes{ball, carried(ball, Vec3(0.4, 0.2, 0.1))};
  const auto truth = face_pairs(detect_still("brute-force", meshes));
  for (const std::uint64_t operations : {0u, 10u, 300u, 5000u, 20000u, 10000000u}) {
    DetectorSettings settings;
    settings.threads = {1};
    const Report one = detect_still("subdivided-boxes", meshes, settings, Budget::operations(operations));
    settings.threads = {2};
    const Report two = detect_still("subdivided-boxes", meshes, settings, Budget::operations(operations));
    EXPECT_EQ(hash_of(one), hash_of(two)) << operations;
    const auto found = face_pairs(one);
    EXPECT_TRUE(std::includes(truth.begin(), truth.end(), found.begin(), found.end()));
    EXPECT_EQ(one.complete, found == truth) << operations;
    if (!one.complete) EXPECT_EQ(one.guarantee, Guarantee::conservative);
  }
}

// ---- the table ----

RC_GTEST_PROP(BoxTable, EveryPairIsFoundOnce, (std::uint64_t seed)) {
  Dice dice(seed);
  std::vector<AabbNode> boxes;
  const std::uint32_t count = dice.below(60);
  for (std::uint32_t i = 0; i < count; ++i) {
    AabbNode box;
    for (std::size_t k = 0; k < 3; ++k) {  // also on the faces of cells, and without extent
      box.lo[k] = static_cast<float>(dice.below(9)) - 4;
      box.hi[k] = box.lo[k] + static_cast<float>(dice.below(4)) * (dice.below(10) == 0 ? 1000.0F : 0.5F);
    }
    box.first = dice.below(2) == 0 ? 4 * i / count : dice.below(4);  // its body; runs of one, and not
    boxes.push_back(box);
  }
  std::vector<std::uint8_t> apart;
  for (int body = 0; body < 4; ++body) apart.push_back(static_cast<std::uint8_t>(dice.below(2)));
  std::set<std::pair<std::uint32_t, std::uint32_t>> there, found;
  const auto wanted = [&](std::uint32_t a, std::uint32_t b) {
    return (a + b) % 7 != 0 && (boxes[a].first != boxes[b].first || apart[boxes[a].first] == 0);
  };
  for (std::uint32_t a = 0; a < count; ++a)
    for (std::uint32_t b = a + 1; b < count; ++b)
      if (boxes_overlap(boxes[a], boxes[b]) && wanted(a, b)) there.emplace(a, b);
  BoxTable table;
  for (int again = 0; again < 2; ++again) {  // stamps, not zeros, clear it
    found.clear();
    BudgetState state{Budget{}};
    BudgetMeter meter(state);
    const BoxTable::Found result = table.find_pairs(boxes, any_settings(dice), meter, wanted, apart);
    RC_ASSERT(result.finished);
    for (const BoxTable::Pair pair : result.pairs) {
      RC_ASSERT(pair.a < pair.b);
      RC_ASSERT(found.emplace(pair.a, pair.b).second);
    }
    RC_ASSERT(found == there);
  }
}

// ---- division ----

RC_GTEST_PROP(BoxDivision, EveryFaceIsInExactlyOneBox, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr mesh =
      dice.below(2) == 0 ? grid_soup(dice, 20, 60, 4) : crumpled_sheet(dice, 9, 0);  // the sheet is flat
  const SubdivisionSettings settings = any_settings(dice);
  const RegionLists lists = divide(*mesh, settings);
  std::vector<int> owners(mesh->face_count(), 0);
  for (const std::uint32_t face : lists.faces) ++owners[face];
  RC_ASSERT(std::all_of(owners.begin(), owners.end(), [](int count) { return count == 1; }));
  for (std::size_t r = 0; r < lists.count(); ++r) RC_ASSERT(lists.first[r] < lists.first[r + 1]);
  RC_ASSERT(lists.first.back() == mesh->face_count());
}

TEST(BoxDivision, ThreeLevelsOfHalvesAreOneOfEighths) {
  const MeshPtr mesh = make_icosphere({.frequency = 8});
  const TriangleMesh& ball = *mesh;
  SubdivisionSettings binary, octree;
  binary.levels = 3;
  octree.levels = 1;
  octree.octree = true;
  EXPECT_EQ(divide(ball, binary).count(), 8u);
  EXPECT_EQ(divide(ball, binary).faces, divide(ball, octree).faces);
  EXPECT_EQ(divide(ball, binary).first, divide(ball, octree).first);
  EXPECT_EQ(halvings(3, false), halvings(1, true));
  EXPECT_EQ(halvings(4, false), (std::array<int, 3>{2, 1, 1}));
  binary.levels = 0;
  EXPECT_EQ(divide(ball, binary).count(), 1u);
}

TEST(BoxDivision, AimsAtSomeFortyFacesABox) {
  const RegionLists lists = divide(*make_icosphere({.frequency = 32}), {});
  const double mean = static_cast<double>(lists.faces.size()) / static_cast<double>(lists.count());
  EXPECT_GT(mean, 15);
  EXPECT_LE(mean, 48);
}

// ---- paper mode ----

RC_GTEST_PROP(BoxesAsPrinted, FindNothingThatIsNotThere, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr soup = grid_soup(dice, 20, 30, 4);
  const std::vector<MeshPtr> meshes{soup, carried(crumpled_sheet(dice, 8, 0.1), Vec3(0, 0, 1), 4)};
  const auto truth = face_pairs(detect_still("brute-force", meshes));
  SubdivisionSettings boxes = any_settings(dice);
  boxes.third_needs_hit = dice.below(2) == 0;
  const Report report = detect_boxes(meshes, boxes, {.mode = Mode::paper});
  const auto found = face_pairs(report);
  RC_ASSERT(std::includes(truth.begin(), truth.end(), found.begin(), found.end()));
  RC_ASSERT(report.contacts.size() == found.size());  // each pair once
  RC_ASSERT(report.guarantee == Guarantee::statistical);
}

RC_GTEST_PROP(BoxesAsPrinted, MissNothingOnceEverySimplificationIsOff, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<MeshPtr> meshes{grid_soup(dice, 20, 30, 4), carried(grid_soup(dice, 20, 30, 3), Vec3(-1, 0.5, 0))};
  SubdivisionSettings boxes;
  boxes.levels = static_cast<int>(dice.below(7));
  boxes.corners_only = boxes.vertices_only = boxes.one_way = false;
  const auto found = face_pairs(detect_boxes(meshes, boxes, {.mode = Mode::paper, .self = false}));
  RC_ASSERT(found == face_pairs(detect_still("brute-force", meshes, {.self = false})));
}

TEST(BoxesAsPrinted, AFaceIsLostInABoxWhereItHasNoVertex) {
  // A body of two large faces: its box is cut into eight, and the middle of the first face is in parts without a
  // vertex.
  const MeshPtr large = mesh_of({{-8, -8, 0.5}, {8, -8, 0.5}, {-8, 8, 0.5}, {8, 8, -8}},
                                {{VertexId(0), VertexId(1), VertexId(2)}, {VertexId(1), VertexId(3), VertexId(2)}});
  const MeshPtr needle = one_face({-0.3, -0.3, 0.2}, {-0.3, -0.2, 0.9}, {-0.2, -0.3, 0.9});
  SubdivisionSettings boxes;
  boxes.levels = 6;
  boxes.cell_size = 2;
  boxes.buckets = 100003;
  boxes.corners_only = boxes.one_way = false;
  EXPECT_EQ(detect_boxes({large, needle}, boxes).contacts.size(), 1u);
  EXPECT_EQ(detect_boxes({large, needle}, boxes, {.mode = Mode::paper}).contacts.size(), 0u);
  boxes.vertices_only = false;
  EXPECT_EQ(detect_boxes({large, needle}, boxes, {.mode = Mode::paper}).contacts.size(), 1u);
}

TEST(BoxesAsPrinted, EdgesOfTheFirstTriangleAloneMissSome) {
  const MeshPtr large = one_face({-9, -9, 0}, {9, -9, 0}, {0, 9, 0});
  const MeshPtr small = one_face({0, 0, -1}, {1, 0, -1}, {0, 0, 1});
  SubdivisionSettings boxes;
  boxes.levels = 0;
  boxes.buckets = 1;
  EXPECT_EQ(detect_boxes({large, small}, boxes, {.mode = Mode::paper}).contacts.size(), 0u);
  EXPECT_EQ(detect_boxes({small, large}, boxes, {.mode = Mode::paper}).contacts.size(), 1u);
  boxes.one_way = false;
  EXPECT_EQ(detect_boxes({large, small}, boxes, {.mode = Mode::paper}).contacts.size(), 1u);
}

// ---- candidates ----

TEST(StillCandidates, AreTheSameForEveryMethodThatComparesBoxesOfFaces) {
  const MeshPtr ball = make_icosphere({.frequency = 8});
  const std::vector<MeshPtr> meshes{ball, carried(ball, Vec3(0.9, 0.3, 0.1)), carried(ball, Vec3(5, 0, 0))};
  DetectorSettings settings;
  settings.self = false;
  settings.candidates_only = true;
  const std::uint64_t expected = detect_still("bvh", meshes, settings).counters["pair_tests"];
  EXPECT_GT(expected, 100u);
  for (const char* method : {"subdivided-boxes", "spatial-hash", "particles"}) {
    const Report report = detect_still(method, meshes, settings);
    EXPECT_EQ(report.counters["pair_tests"], expected) << method;
    EXPECT_TRUE(report.contacts.empty());
    EXPECT_EQ(report.guarantee, Guarantee::none);
  }
  settings.method.set("cull", true);
  EXPECT_EQ(detect_still("spatial-hash", meshes, settings).counters["pair_tests"], expected);
}

RC_GTEST_PROP(SpatialHash, CulledFacesGiveTheSamePairs, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<MeshPtr> meshes{grid_soup(dice, 20, 30, 4), carried(grid_soup(dice, 20, 30, 3), Vec3(3, 0.5, 0))};
  DetectorSettings settings;
  settings.self = dice.below(2) == 0;
  const std::uint64_t truth = hash_of(detect_still("brute-force", meshes, settings));
  settings.method.set("cull", true);
  RC_ASSERT(hash_of(detect_still("spatial-hash", meshes, settings)) == truth);
}

}  // namespace
}  // namespace pliant::testing
