// A still method that is stopped misses nothing: what it did not look at comes back as `possible` regions.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/detect/reports.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

bool holds(const Region& region, std::uint32_t face) {
  return std::find(region.faces.begin(), region.faces.end(), FaceId(face)) != region.faces.end();
}

bool covered(const Detector& detector, const Report& report, const FacePair& pair) {
  const auto [body_a, face_a, body_b, face_b] = pair;
  for (const Contact& c : report.contacts) {
    if (c.relation != Relation::possible || c.a.body.value != body_a || c.b.body.value != body_b) continue;
    const Region a = detector.region(c.a.body, c.a.id);
    const Region b = detector.region(c.b.body, c.b.id);
    if ((holds(a, face_a) && holds(b, face_b)) || (body_a == body_b && holds(a, face_b) && holds(b, face_a)))
      return true;
  }
  return false;
}

RC_GTEST_PROP(Interruption, NothingIsMissedAtAnyOperationBudget, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::vector<MeshPtr> meshes{grid_soup(dice, 25, 40, 3), crumpled_sheet(dice, 5, 0.3)};
  const auto truth = face_pairs(detect_still("brute-force", meshes));
  for (const MethodInfo* method : methods()) {
    if (!method->still) continue;
    const auto detector = make_detector(method->name);
    for (const MeshPtr& mesh : meshes) detector->add_body(mesh);
    const std::uint64_t operations = dice.below(3000);
    const Report report = detector->detect(Interval::instant(0), Budget::operations(operations));
    const auto found = face_pairs(report);
    for (const FacePair& pair : truth) RC_ASSERT(found.count(pair) || covered(*detector, report, pair));
    for (const FacePair& pair : found) RC_ASSERT(truth.count(pair));
    RC_ASSERT(report.complete == (report.stopped_by == StopReason::none));
    RC_ASSERT(report.guarantee == (report.complete ? Guarantee::exact : Guarantee::conservative));
    // The same again, on another number of threads.
    DetectorSettings two;
    two.threads = {2};
    RC_ASSERT(hash_of(detect_still(method->name, meshes, two, Budget::operations(operations))) == hash_of(report));
  }
}

TEST(Interruption, RegionsLieInTheirSpheresAndWithinTheBound) {
  Dice dice(5);
  const MeshPtr sheet = crumpled_sheet(dice, 12, 0.05);
  const auto detector = make_detector("bvh");
  const BodyId body = detector->add_body(sheet);
  const Report report = detector->detect(Interval::instant(0), Budget::operations(200));
  ASSERT_FALSE(report.complete);
  ASSERT_FALSE(report.contacts.empty());
  for (const Contact& c : report.contacts) {
    if (c.relation != Relation::possible) continue;
    EXPECT_EQ(c.kind(), ContactKind::region_region);
    const Region a = detector->region(body, c.a.id);
    const Region b = detector->region(body, c.b.id);
    for (const FaceId fa : a.faces) {
      for (const VertexId va : sheet->triangle(fa)) {
        EXPECT_LE((sheet->position(va) - a.centre).norm(), a.radius);
        for (const FaceId fb : b.faces)
          for (const VertexId vb : sheet->triangle(fb))
            EXPECT_LE((sheet->position(va) - sheet->position(vb)).norm(), report.bound);
      }
    }
  }
}

TEST(Interruption, CancelledRunsReturnConservatively) {
  Dice dice(5);
  const std::atomic<bool> cancel{true};
  for (const MethodInfo* method : methods()) {
    if (!method->still) continue;
    const Report report =
        detect_still(method->name, {crumpled_sheet(dice, 12, 0.05)}, {}, Budget::cancelled_by(cancel));
    EXPECT_FALSE(report.complete);
    EXPECT_EQ(report.stopped_by, StopReason::cancelled);
    EXPECT_EQ(report.guarantee, Guarantee::conservative);
    EXPECT_FALSE(report.contacts.empty());
  }
}

TEST(Interruption, MemoryCapStopsARunWithManyHits) {
  Dice dice(5);
  const MeshPtr soup = loose_soup(dice, 3000, 1, 0.5);
  for (const MethodInfo* method : methods()) {
    if (!method->still) continue;
    const Report report = detect_still(method->name, {soup}, {}, Budget::memory(10'000));
    EXPECT_FALSE(report.complete) << method->name;
    EXPECT_EQ(report.stopped_by, StopReason::memory) << method->name;
    EXPECT_EQ(report.guarantee, Guarantee::conservative);
  }
}

}  // namespace
}  // namespace pliant::testing
