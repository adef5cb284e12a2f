// Bodies that collide by a dense surface which hangs on them; methods as published; what recordings tell of both.
#include <gtest/gtest.h>

#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/motion/embedding.h"
#include "pliant/world/penetration_left.h"
#include "pliant/world/record_run.h"
#include "pliant/world/recorded_run.h"
#include "tests/world/recorded.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

DenseSurface ball_around(const BodyModel& body, const Vec3& where, double radius) {
  const MeshPtr mesh = placed(make_icosphere({.radius = radius, .frequency = 5}), where);
  return {mesh, std::make_shared<const RigidLinks>(mesh->positions(), body.positions())};
}

double lowest_dense(const World& world, BodyId body) {
  LinkFollower follower(*world.dense(body).links);
  double low = std::numeric_limits<double>::infinity();
  for (const Vec3& p : follower.follow(world.body(body).positions())) low = std::min(low, p.z());
  return low;
}

// A soft ball whose dense surface is two centimetres larger than itself, over the ground.
struct DenseBall {
  explicit DenseBall(const std::string& method, Mode mode = Mode::safe, const PenaltySettings& penalty = {})
      : world({.method = method,
               .mode = mode,
               .response = {.kind = ResponseKind::penalty, .proof = {}, .penalty = penalty}}) {
    world.add(ground(), {"ground", {0.5, 0}, true});
    auto model = soft_ball({0, 0, 0.15});
    const DenseSurface dense = ball_around(*model, {0, 0, 0.15}, 0.12);
    ball = world.add(std::move(model), {"ball", {0.5, 0}, true, dense});
  }
  World world;
  BodyId ball;
};

TEST(DenseSurface, RestsOnTheGroundInPlaceOfTheBody) {
  for (const char* method : {"sphere-tree", "anytime", "bvh"}) {
    DenseBall scene(method);
    for (int k = 0; k < 45; ++k) {
      ASSERT_TRUE(scene.world.step().ok());
      EXPECT_GT(lowest_dense(scene.world, scene.ball), -0.01) << method;
      EXPECT_GT(lowest(scene.world.body(scene.ball)), 0.005) << method << ": the body itself touches";
    }
    EXPECT_LT(lowest_dense(scene.world, scene.ball), 0.02) << method;  // it bounces, less high than it fell
    EXPECT_LT(deepest_penetration(scene.world).depth, 0.01) << method;
  }
}

// Two balls with larger skins over the ground, the second one beside the middle of the first.
struct PulledBalls {
  explicit PulledBalls(const std::string& method, Threads threads = {}, const PullBackSettings& own = {})
      : world({.method = method,
               .response = {.kind = ResponseKind::pull_back, .proof = {}, .penalty = {}, .pull_back = own},
               .threads = threads}) {
    world.add(ground(), {"ground", {0.5, 0}, true});
    for (const Vec3& where : {Vec3(0, 0, 0.15), Vec3(0.05, 0.02, 0.42)}) {
      auto model = soft_ball(where);
      const DenseSurface dense = ball_around(*model, where, 0.12);
      balls.push_back(world.add(std::move(model), {"", {0.5, 0}, true, dense}));
    }
  }
  World world;
  std::vector<BodyId> balls;
};

TEST(DenseSurface, IsPulledBackByTheVerticesThatItHangsOn) {
  for (const char* method : {"subdivided-boxes", "bvh", "sphere-tree", "anytime"}) {
    PulledBalls scene(method);
    double deepest = 0, low = 1;
    for (int k = 0; k < 60; ++k) {
      ASSERT_TRUE(scene.world.step().ok()) << method;
      deepest = std::max(deepest, deepest_penetration(scene.world).depth);
      for (const BodyId ball : scene.balls) {
        low = std::min(low, lowest_dense(scene.world, ball));
        EXPECT_GT(lowest(scene.world.body(ball)), 0.005) << method << ": the body itself touches";
      }
    }
    EXPECT_GT(low, -5e-4) << method;
    EXPECT_LT(low, 2e-3) << method << ": it never came down";
    EXPECT_LT(deepest, 1e-3) << method;
  }
}

TEST(DenseSurface, PulledBackGainsNoEnergy) {
  PulledBalls scene("bvh");
  const auto energy = [&] {
    double sum = 0;
    for (const BodyId ball : scene.balls) {
      const BodyModel& body = scene.world.body(ball);
      sum += body.kinetic_energy() + body.potential_energy() + body.gravitational_energy();
    }
    return sum;
  };
  const double start = energy();
  for (int k = 0; k < 90; ++k) {
    ASSERT_TRUE(scene.world.step().ok());
    EXPECT_LT(energy(), start + 1e-3) << k;
  }
}

TEST(DenseSurface, IsPulledBackTheSameWayOnAnyNumberOfThreads) {
  PulledBalls one("subdivided-boxes", {1}), two("subdivided-boxes", {2});
  for (int k = 0; k < 40; ++k) {
    ASSERT_TRUE(one.world.step().ok());
    ASSERT_TRUE(two.world.step().ok());
    for (const BodyId ball : one.balls)
      ASSERT_TRUE(std::ranges::equal(one.world.body(ball).positions(), two.world.body(ball).positions())) << k;
  }
}

// Half a metre a frame, once at the ground and once with a body that nobody searched the way of.
TEST(DenseSurface, DoesNotTunnelWhenItIsFast) {
  for (const bool paths : {true, false}) {
    PulledBalls scene("bvh", {}, {.paths = paths, .once_per_step = true});
    throw_body(scene.world.body(scene.balls[0]), {0, 0, -30});
    for (int k = 0; k < 4; ++k) ASSERT_TRUE(scene.world.step().ok());
    EXPECT_EQ(lowest_dense(scene.world, scene.balls[0]) > -0.01, paths);
  }
}

TEST(DenseSurface, OfAnotherBodyIsRefused) {
  World world({.response = {.kind = ResponseKind::penalty}});
  const auto other = soft_cube({0, 0, 1});
  EXPECT_THROW(world.add(soft_ball({0, 0, 0}), {"ball", {}, true, ball_around(*other, {0, 0, 1}, 0.1)}), Error);
  EXPECT_THROW(world.add(soft_ball({0, 0, 0}), {"ball", {}, true, {make_icosphere(), nullptr}}), Error);
}

TEST(DenseSurface, IsNotLookedAtByAProof) {
  World world;
  world.add(ground(), {"ground", {0.5, 0}, true});
  auto model = soft_ball({0, 0, 0.11});
  const DenseSurface dense = ball_around(*model, {0, 0, 0.11}, 0.12);  // reaches into the ground
  const BodyId ball = world.add(std::move(model), {"ball", {0.5, 0}, true, dense});
  for (int k = 0; k < 30; ++k) ASSERT_TRUE(world.step().ok());
  EXPECT_GT(lowest(world.body(ball)), 0);
  EXPECT_LT(lowest(world.body(ball)), 0.01);
}

TEST(PaperMode, RunsWithPenaltyAndNotWithAProof) {
  EXPECT_THROW(World({.mode = Mode::paper}), Error);
  DenseBall scene("sphere-tree", Mode::paper);
  for (int k = 0; k < 30; ++k) ASSERT_TRUE(scene.world.step().ok());
  EXPECT_GT(scene.world.body(scene.ball).positions()[0].z(), -0.1) << "fell through the ground";
  DenseBall without("bvh", Mode::paper);
  EXPECT_THROW(without.world.step(), Error);  // bvh has none
}

using DenseRecording = RecordingTest;

TEST_F(DenseRecording, TellsThePenetrationThatIsLeft) {
  DenseBall scene("sphere-tree", Mode::safe, {.seconds = 0.02, .damping = 0.5});
  RunInfo info;
  info.scene = "dense";
  info.frames = 40;
  info.method = "sphere-tree";
  const RunEnding ending = record_run(scene.world, info, folder());
  ASSERT_TRUE(ending.done()) << ending.info.message;
  const RunInfo read = read_run(folder());
  EXPECT_GT(read.penetration.deepest, 0);
  EXPECT_LT(read.penetration.deepest, 0.1);
  EXPECT_EQ(read.penetration.a, "ground");
  EXPECT_EQ(read.penetration.b, "ball");
  EXPECT_EQ(read.penetration.last, deepest_penetration(scene.world).depth);
  const std::string statistics(read_file(file_in(folder(), "statistics.csv")).view());
  EXPECT_NE(statistics.substr(0, statistics.find('\n')).find(",commit,penetration,"), std::string::npos);
  EXPECT_NE(read_recorded_run(folder()).left_out.find("nothing is proved of them; at worst"), std::string::npos);
}

TEST(UnprovedSearches, AreCountedWithTheirTime) {
  DenseBall scene("sphere-tree");
  std::uint64_t tests = 0;
  for (int k = 0; k < 40; ++k) {
    const FrameReport report = scene.world.step();
    EXPECT_GE(report.unproved_searches, 5u);
    EXPECT_GT(report.seconds.detect, 0);
    tests += report.unproved_counters["sphere_tests"];
  }
  EXPECT_GT(tests, 0u);  // it falls onto the ground
}

}  // namespace
}  // namespace pliant
