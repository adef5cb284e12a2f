// The library's answer to "does this collide, where, and when first?".
#include "pliant/check/check.h"

#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/scene/scene.h"
#include "tests/check/known_bodies.h"

namespace pliant::testing {
namespace {

TEST(CheckAnimation, FindsWhatHappensBetweenFrames) {
  const auto bodies = plate_and_dart({0, -4, -8});
  Kept kept;
  const CheckReport report = check_animation(bodies, {}, {}, &kept);
  EXPECT_EQ(report.verdict, Verdict::collides);
  EXPECT_EQ(report.method, "kinetic");
  EXPECT_EQ(report.guarantee, Guarantee::exact);
  EXPECT_TRUE(report.continuous);
  EXPECT_EQ(report.frames, 3u);
  ASSERT_TRUE(report.first_time());
  EXPECT_NEAR(*report.first_time(), 0.25, 1e-9);
  ASSERT_EQ(report.pairs.size(), 1u);
  EXPECT_EQ(report.pairs[0].frames_affected, 1u);
  EXPECT_EQ(report.pairs[0].ranges, (std::vector<FrameRange>{{0, 0}}));
  EXPECT_FALSE(report.pairs[0].initial);
  EXPECT_EQ(report.pairs[0].contacts, report.contacts);
  EXPECT_EQ(report.per_frame, (std::vector<FrameTally>{{0, report.contacts}}));
  EXPECT_EQ(kept.contacts.size(), report.contacts);
  EXPECT_EQ(report.listed, report.contacts);
  for (const CheckedContact& contact : kept.contacts) EXPECT_LE(contact.contact.time, 0.375);
  // At the frames themselves there is nothing to see.
  EXPECT_EQ(check_animation(bodies, {.at_frames = true}).verdict, Verdict::clean);
  EXPECT_EQ(check_animation(bodies, {.method = "bvh"}).verdict, Verdict::clean);
}

TEST(CheckAnimation, TellsHowLongAndHowFarBodiesCross) {
  const CheckReport report = check_animation(plate_and_dart({0, -0.5, -1.25, -1.25, -3, -3, 0, 0, 0, -3}));
  const PairTally& pair = report.pairs.at(0);
  // Met on the way to frame 2 (from 1 on), pierced at 2 and 3, left behind on the way to 4; met again from 5 on, and on
  // the way to the last frame.
  EXPECT_EQ(pair.frames_affected, 5u);
  EXPECT_EQ(pair.ranges, (std::vector<FrameRange>{{1, 3}, {5, 5}, {8, 8}}));
  EXPECT_NEAR(*pair.first_time, 1 + 0.5 / 0.75, 1e-9);
  // Half-way up the dart its width is half of 0.5.
  EXPECT_NEAR(pair.longest_curve, 0.25, 1e-9);
  EXPECT_EQ(pair.longest_curve_time, 2);
}

TEST(CheckAnimation, TheTalliesPerFrameAddUp) {
  const CheckReport report = check_animation(plate_and_dart({0, -0.5, -1.25, -1.25, -3, -3, 0, 0, 0, -3}));
  std::uint64_t sum = 0;
  for (const FrameTally& frame : report.per_frame) sum += frame.contacts;
  EXPECT_EQ(sum, report.contacts);
  EXPECT_GT(report.per_frame.size(), 1u);
}

TEST(CheckAnimation, ShowsFramesAsTheClockCountsThem) {
  CheckSettings settings;
  settings.clock = FrameClock(1001, 2);
  const CheckReport report = check_animation(plate_and_dart({0, -0.5, -1.25, -1.25}), settings);
  EXPECT_NEAR(*report.first_time(), 1001 + 2 * (1 + 0.5 / 0.75), 1e-9);
  EXPECT_EQ(report.pairs.at(0).ranges, (std::vector<FrameRange>{{1003, 1007}}));
  EXPECT_EQ(report.pairs.at(0).longest_curve_time, 1005);
  EXPECT_EQ(report.per_frame.front().frame, 1003);
}

TEST(CheckAnimation, TheFirstNewCollisionIsFoundBehindWhatIsAllowed) {
  // One dart sticks in the plate all the time, the other one meets it on the way from frame 1 to frame 2.
  const auto bodies = plate_and_two_darts({-1.25, -1.3, -1.2}, {0, 0, -1.25});
  for (const bool earliest : {false, true})
    for (const bool at_frames : {false, true}) {
      CheckSettings settings;
      settings.allow_initial = true;
      settings.at_frames = at_frames;
      settings.detector.earliest = earliest;
      const CheckReport report = check_animation(bodies, settings);
      EXPECT_EQ(report.verdict, Verdict::collides);
      ASSERT_TRUE(report.first && report.first_new);
      EXPECT_EQ(report.first->checked.contact.time, 0);
      EXPECT_TRUE(report.first->checked.excused);
      const CheckedContact& found = report.first_new->checked;
      EXPECT_NEAR(found.contact.time, at_frames ? 2 : 1.8, 1e-9);
      EXPECT_GT(found.contact.point.x(), 0);
      EXPECT_EQ(report.first_time(), found.contact.time);
      EXPECT_EQ(report.pairs.at(0).first_time, found.contact.time);
      EXPECT_GT(report.excused, 0u);
      EXPECT_LT(report.excused, report.contacts);
      // What one asks about stands first.
      ASSERT_FALSE(report.first_few.empty());
      EXPECT_FALSE(report.first_few.front().checked.excused);
      if (earliest) {
        EXPECT_EQ(report.counting(), 1u);
      }
    }
}

TEST(CheckAnimation, WhatOnlyWasThereAtTheStartIsCleanIfAllowed) {
  const auto stuck = plate_and_dart({-1.25, -1.3, -1.2});
  const CheckReport allowed = check_animation(stuck, {.allow_initial = true});
  EXPECT_EQ(allowed.verdict, Verdict::clean);
  EXPECT_EQ(allowed.excused, allowed.contacts);
  EXPECT_FALSE(allowed.first_time());
  EXPECT_FALSE(allowed.first_new);
  EXPECT_TRUE(allowed.pairs.at(0).initial);
  const CheckReport strict = check_animation(stuck);
  EXPECT_EQ(strict.verdict, Verdict::collides);
  EXPECT_EQ(strict.excused, 0u);
  EXPECT_EQ(strict.from_start, strict.contacts);
  EXPECT_EQ(strict.first_time(), 0);
}

TEST(CheckAnimation, TellsWhatMeetsAtEachFrame) {
  const auto bodies = plate_and_dart({0, -0.5, -1.25, -1.25, -3, -3});
  for (const bool at_frames : {false, true}) {
    Kept kept;
    check_animation(bodies, {.at_frames = at_frames}, {}, &kept);
    ASSERT_EQ(kept.frames.size(), 6u);
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_EQ(kept.frames[k].first, k);
      EXPECT_EQ(kept.frames[k].second > 0, k == 2 || k == 3) << k;
    }
  }
}

TEST(CheckAnimation, ASpentBudgetIsNeverClean) {
  const auto stuck = plate_and_dart({-1.25, -1.3, -1.2});
  const CheckReport report =
      check_animation(stuck, {.allow_initial = true}, Budget::within(std::chrono::nanoseconds(0)));
  EXPECT_EQ(report.verdict, Verdict::not_known);
  EXPECT_FALSE(report.complete);
  EXPECT_GT(report.possible, 0u);
}

TEST(CheckAnimation, AMethodThatCanMissIsNotBelievedWhenItFindsNothing) {
  CheckReport report;
  report.complete = true;
  report.guarantee = Guarantee::conservative;
  EXPECT_EQ(judge(report), Verdict::clean);
  for (const Guarantee weak : {Guarantee::statistical, Guarantee::none}) {
    report.guarantee = weak;
    EXPECT_EQ(judge(report), Verdict::not_known);
    report.contacts = 1;
    EXPECT_EQ(judge(report), Verdict::collides);
    report.contacts = 0;
  }
  report.guarantee = Guarantee::exact;
  report.possible = 1;
  EXPECT_EQ(judge(report), Verdict::not_known);
  // Also beside contacts that are excused.
  report.contacts = report.excused = 5;
  EXPECT_EQ(judge(report), Verdict::not_known);
}

// The dart near the plate, then its first corner at one height and the others at another.
std::vector<CheckBody> near_then(double first, double others) {
  std::vector<CheckBody> bodies = plate_and_dart({0});
  const auto at = [](double z0, double z1) {
    return Frame::own({{-0.25, 0.1, z0}, {0.25, 0.1, z1}, {0, 0.3, z1 + 0.5}});
  };
  bodies[1].motion = Motion::keyframes({at(5e-5, 5e-5), at(first, others), at(first, others)});
  return bodies;
}

TEST(CheckAnimation, NearnessAtTheStartExcusesNearnessButNoTouch) {
  CheckSettings settings;
  settings.detector.min_separation = 1e-4;
  settings.allow_initial = true;
  EXPECT_EQ(check_animation(near_then(6e-5, 7e-5), settings).verdict, Verdict::clean);
  for (const double others : {-0.05, 5e-5}) {  // all of it goes through, or one corner while another stays near
    const CheckReport report = check_animation(near_then(-0.05, others), settings);
    EXPECT_EQ(report.verdict, Verdict::collides);
    ASSERT_TRUE(report.first_new);
    EXPECT_EQ(report.first_new->checked.contact.relation, Relation::touching);
    EXPECT_EQ(report.pairs.at(0).near_at_start, others > 0);
    EXPECT_FALSE(report.pairs.at(0).initial);
  }
  settings.allow_initial = false;
  EXPECT_EQ(check_animation(near_then(6e-5, 7e-5), settings).verdict, Verdict::collides);
}

TEST(CheckMeshes, MeasuresHowDeepClosedBodiesAreIfAskedTo) {
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 5});
  const MeshPtr other = with_positions(*ball, transformed(ball->positions(), {.translation = Vec3(1.5, 0, 0)}));
  const std::vector<CheckBody> bodies{still_body("a", ball), still_body("b", other), still_body("plate", plate())};
  CheckSettings settings;
  EXPECT_FALSE(check_meshes(bodies, settings).pairs.at(0).penetration);
  settings.penetration = true;
  for (const bool moving : {false, true}) {
    const CheckReport report = moving ? check_animation(bodies, settings) : check_meshes(bodies, settings);
    ASSERT_EQ(report.pairs.size(), 3u);
    ASSERT_TRUE(report.pairs[0].penetration);
    EXPECT_NEAR(*report.pairs[0].penetration, 0.5, 0.05);
    EXPECT_FALSE(report.pairs[1].penetration);  // the plate is open
  }
}

TEST(CheckAnimation, ASinkMayEndIt) {
  struct One : CheckSink {
    Flow contact(const CheckedContact&, const Detector&) override { return ++seen == 1 ? Flow::stop : Flow::go_on; }
    int seen = 0;
  } one;
  const CheckReport report = check_animation(plate_and_dart({0, -4, -8}), {}, {}, &one);
  EXPECT_EQ(one.seen, 1);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.stopped_by, StopReason::sink);
}

TEST(CheckAnimation, RefusesBodiesThatDoNotGoTogether) {
  auto bodies = plate_and_dart({0, 1, 2});
  bodies.push_back(dart({0, 1}));
  EXPECT_THROW(check_animation(bodies), Error);
  bodies.pop_back();
  bodies[0].mesh = nullptr;
  EXPECT_THROW(check_animation(bodies), Error);
  CheckSettings separation;
  separation.detector.min_separation = 0.1;
  EXPECT_THROW(check_animation(plate_and_dart({0}), separation), Error);
  EXPECT_THROW(check_meshes(plate_and_dart({0}), separation), Error);
  EXPECT_THROW(check_meshes(plate_and_dart({0}), {.method = "swept-bvh"}), Error);
}

std::vector<CheckBody> scene_bodies(const MovingScene& scene) {
  std::vector<CheckBody> bodies;
  for (const MovingBody& body : scene.bodies) bodies.push_back({body.name, body.mesh, body.motion});
  return bodies;
}

bool same(const NamedContact& x, const NamedContact& y) {
  return x.a == y.a && x.b == y.b && x.checked.contact.time == y.checked.contact.time &&
         x.checked.contact.point == y.checked.contact.point;
}

TEST(CheckAnimation, IsTheSameForAnyNumberOfThreadsAndEveryMethod) {
  const std::vector<CheckBody> bodies = scene_bodies(make_scene("teapot-sphere", {.triangles = 1500, .frames = 12}));
  CheckSettings settings;
  settings.keep = 1000000;
  settings.detector.threads = {1};
  const CheckReport one = check_animation(bodies, settings);
  EXPECT_EQ(one.verdict, Verdict::collides);
  EXPECT_GT(one.contacts, 100u);
  const auto expect_same = [&](const CheckReport& other) {
    EXPECT_EQ(other.contacts, one.contacts);
    EXPECT_EQ(other.continued, one.continued);
    EXPECT_EQ(other.per_frame, one.per_frame);
    ASSERT_EQ(other.pairs.size(), one.pairs.size());
    for (std::size_t i = 0; i < one.pairs.size(); ++i) {
      EXPECT_EQ(other.pairs[i].ranges, one.pairs[i].ranges);
      EXPECT_EQ(other.pairs[i].longest_curve, one.pairs[i].longest_curve);
    }
    ASSERT_EQ(other.first_few.size(), one.first_few.size());
    for (std::size_t i = 0; i < one.first_few.size(); ++i) EXPECT_TRUE(same(other.first_few[i], one.first_few[i])) << i;
  };
  settings.detector.threads = {2};
  for (const MethodInfo* method : methods()) {
    if (!method->moving) continue;
    settings.method = method->name;
    expect_same(check_animation(bodies, settings));
  }
}

TEST(CheckAnimation, SizesAreThoseOfTheLargestIntervalNotTheirSum) {
  const auto size_of = [](const std::vector<double>& heights, const std::string& name) {
    CheckSettings settings;
    settings.detector.threads = {1};
    for (const auto& [counter, count] : check_animation(plate_and_dart(heights), settings).counters)
      if (counter == name) return count;
    return std::uint64_t{0};
  };
  const std::vector<double> two{0, 0.01};
  std::vector<double> many;
  for (int k = 0; k < 60; ++k) many.push_back(0.01 * (k % 2));
  for (const char* name : {"bytes", "list_size"}) {
    EXPECT_GT(size_of(two, name), 0u) << name;
    EXPECT_LT(size_of(many, name), 4 * size_of(two, name)) << name;
  }
}

TEST(CheckAnimation, TellsItsProgressOnce) {
  std::vector<double> told;
  const Budget budget = Budget().with_progress([&](double fraction) { told.push_back(fraction); });
  check_animation(plate_and_dart({0, 1, 2, 3, 4}), {}, budget);
  ASSERT_EQ(told.size(), 4u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), 1);
}

TEST(CheckMeshes, CountsEveryIntersectionOfTheMeshes) {
  const MeshPtr torus = make_torus({.radius = 1, .tube_radius = 0.4, .segments = 30, .sides = 16});
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 6});
  const std::vector<CheckBody> bodies{still_body("torus", torus), still_body("ball", ball)};
  const auto detector = make_detector("brute-force");
  for (const CheckBody& body : bodies) detector->add_body(body.mesh);
  const Report expected = detector->detect(Interval::instant(0));
  Kept kept;
  const CheckReport report = check_meshes(bodies, {.keep = 3}, {}, &kept);
  EXPECT_EQ(report.verdict, Verdict::collides);
  EXPECT_EQ(report.method, "bvh");
  ASSERT_EQ(report.contacts, expected.contacts.size());
  ASSERT_EQ(kept.contacts.size(), expected.contacts.size());
  for (std::size_t i = 0; i < kept.contacts.size(); ++i) {
    EXPECT_EQ(kept.contacts[i].contact.a, expected.contacts[i].a);
    EXPECT_EQ(kept.contacts[i].contact.b, expected.contacts[i].b);
  }
  EXPECT_EQ(report.first_few.size(), 3u);
  EXPECT_EQ(report.pairs.at(0).frames_affected, 1u);
  EXPECT_EQ(report.bodies.at(1).triangles, ball->face_count());
}

TEST(CheckMeshes, NamesPartsWithIndicesOfTheirOwn) {
  MeshOrigin origin;
  origin.parts = {{"floor", 0, 2}, {"blade", 2, 1}};
  const MeshPtr mesh =
      mesh_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.2, 0.3, -1}, {0.2, 0.3, 1}, {0.2, 0.8, 1}},
              {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}}, origin);
  const CheckReport report = check_meshes(std::vector{still_body("both", mesh)});
  ASSERT_TRUE(report.first);
  EXPECT_EQ(report.first->a.part, "floor");
  EXPECT_EQ(report.first->a.local[0], 1u);
  EXPECT_EQ(report.first->b.part, "blade");
  EXPECT_EQ(report.first->b.index[0], 2u);
  EXPECT_EQ(report.first->b.local[0], 0u);
}

}  // namespace
}  // namespace pliant::testing
