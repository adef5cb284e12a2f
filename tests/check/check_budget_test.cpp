// A budget holds for what comes after the search as well, and reports say what it left out.
#include <atomic>
#include <cmath>
#include <set>

#include "pliant/check/check.h"
#include "pliant/check/first_overlaps.h"
#include "pliant/detect/still/intersection_curves.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/check/known_bodies.h"

namespace pliant::testing {
namespace {

// Every face is a copy of every other: n (n - 1) / 2 contacts.
MeshPtr stack_of_copies(std::uint32_t faces) {
  return mesh_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                 std::vector<std::array<std::uint32_t, 3>>(faces, std::array<std::uint32_t, 3>{0, 1, 2}));
}

// Cancels after some contacts.
struct Cancelling : CheckSink {
  std::uint64_t left;
  std::atomic<bool> stop{false};
  std::uint64_t seen = 0;

  explicit Cancelling(std::uint64_t after) : left(after) {}
  Flow contact(const CheckedContact&, const Detector&) override {
    if (++seen == left) stop = true;
    return Flow::go_on;
  }
};

bool has_note(const CheckReport& report, const std::string& words) {
  for (const std::string& note : report.notes)
    if (note.find(words) != std::string::npos) return true;
  return false;
}

TEST(CheckBudget, ListsNoMoreContactsOnceItIsSpentAndSaysSo) {
  Cancelling sink(2000);
  const std::vector bodies{still_body("stack", stack_of_copies(120))};
  const CheckReport report = check_meshes(bodies, {}, Budget::cancelled_by(sink.stop), &sink);
  EXPECT_EQ(report.verdict, Verdict::collides);
  EXPECT_EQ(report.listed, sink.seen);
  EXPECT_LT(sink.seen, 2000u + 300);
  EXPECT_GE(report.contacts, sink.seen);
  EXPECT_TRUE(has_note(report, std::to_string(sink.seen) + " of ")) << sink.seen;
}

TEST(CheckBudget, TheFirstThousandContactsAreListedInAnyCase) {
  Cancelling sink(10);
  const std::vector bodies{still_body("stack", stack_of_copies(30))};  // 435 contacts
  const CheckReport report = check_meshes(bodies, {}, Budget::cancelled_by(sink.stop), &sink);
  EXPECT_EQ(report.listed, report.contacts + report.possible);
  EXPECT_EQ(sink.seen, report.listed);
}

TEST(CheckBudget, WhatIsNotSortedOutIsNotCalledNewNorAllowed) {
  const MeshPtr mesh = stack_of_copies(80);
  std::vector<Frame> frames(3, Frame::of_mesh(mesh));
  const std::vector<CheckBody> bodies{{"stack", mesh, Motion::keyframes(frames)}};
  for (const bool at_frames : {false, true}) {
    Cancelling sink(5);
    CheckSettings settings;
    settings.allow_initial = true;
    settings.at_frames = at_frames;
    const CheckReport report = check_animation(bodies, settings, Budget::cancelled_by(sink.stop), &sink);
    EXPECT_EQ(report.verdict, Verdict::not_known);
    EXPECT_FALSE(report.complete);
    EXPECT_FALSE(report.first_new);
    EXPECT_EQ(report.stopped_by, StopReason::cancelled);
    EXPECT_GT(report.possible, 0u);
  }
}

TEST(CheckBudget, BeginsNothingThatItHasNoTimeFor) {
  const std::atomic<bool> stop{true};
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 5});
  const MeshPtr far = with_positions(*ball, transformed(ball->positions(), {.translation = Vec3(5, 0, 0)}));
  const std::vector<CheckBody> bodies{still_body("a", ball), still_body("b", ball), still_body("far", far)};
  const CheckReport report = check_meshes(bodies, {}, Budget::cancelled_by(stop));
  EXPECT_EQ(report.verdict, Verdict::not_known);
  EXPECT_EQ(report.possible, 4u);  // three bodies with themselves, two with each other
  EXPECT_TRUE(has_note(report, "defects of some bodies were not looked for"));
  for (const auto& [name, count] : report.counters) EXPECT_NE(name, "box_tests") << count;
}

TEST(CheckBudget, LeavesDepthsUnmeasuredAndSaysSo) {
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 5});
  const MeshPtr other = with_positions(*ball, transformed(ball->positions(), {.translation = Vec3(1.5, 0, 0)}));
  const std::vector<CheckBody> bodies{still_body("a", ball), still_body("b", other)};
  CheckSettings settings;
  settings.penetration = true;
  Cancelling sink(1);
  const CheckReport report = check_meshes(bodies, settings, Budget::cancelled_by(sink.stop), &sink);
  EXPECT_FALSE(report.pairs.at(0).penetration);
  EXPECT_TRUE(has_note(report, "not all depths were measured"));
  EXPECT_FALSE(has_note(check_meshes(bodies, settings), "not all depths"));
}

TEST(CheckBudget, EndsTheMeasuringOfCurvesAndTheFollowingOfOverlaps) {
  const std::atomic<bool> stop{true};
  const Budget spent = Budget::cancelled_by(stop);
  const MeshPtr mesh = stack_of_copies(3);
  Contact contact;
  contact.a = face_feature(BodyId(0), FaceId(0));
  contact.b = face_feature(BodyId(0), FaceId(1));
  const PosedMesh posed{mesh.get(), mesh->positions()};
  EXPECT_TRUE(intersection_curves(std::vector{contact}, posed, posed));
  EXPECT_FALSE(intersection_curves(std::vector{contact}, posed, posed, spent));
  FirstOverlaps overlaps({mesh});
  overlaps.begin(std::vector{contact});
  EXPECT_TRUE(overlaps.advance(std::vector{contact}, {}, {.keep = true}).known);
  EXPECT_FALSE(overlaps.advance(std::vector{contact}, {}, {.budget = spent}).known);
  EXPECT_FALSE(overlaps.advance(std::vector{contact}, {}).known);  // it has lost the thread
}

TEST(SearchBudget, CutsEverySearchShortAndGoesOn) {
  const auto bodies = plate_and_dart({0, -0.5, -1.25, -1.25, -3, -3});
  CheckSettings settings{.method = "anytime"};
  settings.search_seconds = 0;  // nothing can be looked at
  Kept kept;
  const CheckReport report = check_animation(bodies, settings, {}, &kept);
  EXPECT_EQ(report.verdict, Verdict::not_known);
  EXPECT_EQ(report.guarantee, Guarantee::conservative);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.stopped_by, StopReason::deadline);
  EXPECT_EQ(report.contacts, 0u);
  std::set<double> frames;
  for (const CheckedContact& contact : kept.contacts) {
    EXPECT_EQ(contact.contact.relation, Relation::possible);
    frames.insert(contact.contact.time);
  }
  EXPECT_EQ(frames.size(), 6u);
  EXPECT_TRUE(std::isfinite(report.bound));
  EXPECT_GT(report.scene_size, 0);
}

TEST(SearchBudget, ChangesNothingWhereItSuffices) {
  const auto bodies = plate_and_dart({0, -0.5, -1.25, -1.25, -3, -3});
  CheckSettings settings{.method = "anytime"};
  const CheckReport all = check_animation(bodies, settings);
  settings.search_seconds = 60;
  const CheckReport report = check_animation(bodies, settings);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.contacts, all.contacts);
  EXPECT_EQ(report.verdict, all.verdict);
  EXPECT_EQ(check_meshes(bodies, settings).verdict, Verdict::clean);
}

}  // namespace
}  // namespace pliant::testing
