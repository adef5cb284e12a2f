// Misuse at the public doors is refused in words, by every method, and changes nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "pliant/detect/safe_step.h"
#include "tests/detect/every_method.h"
#include "tests/detect/motions.h"
#include "tests/support/errors.h"

namespace pliant::testing {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class EveryDoor : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    Dice dice(3);
    mesh_ = crumpled_sheet(dice, 4, 0.1);
    detector_ = make_detector(GetParam());
    for (int i = 0; i < 3; ++i) detector_->add_body(mesh_, motion());
    detector_->remove_body(BodyId(1));
  }
  Motion motion() const {
    std::vector<Vec3> end = positions_of(*mesh_);
    for (Vec3& p : end) p.z() += 0.01;
    return Motion::linear(Frame::of_mesh(mesh_), Frame::own(std::move(end)));
  }
  Interval question() const { return detector_->info().moving ? Interval{0, 1} : Interval::instant(0); }

  MeshPtr mesh_;
  std::unique_ptr<Detector> detector_;
};

INSTANTIATE_TEST_SUITE_P(Methods, EveryDoor, ::testing::ValuesIn(all_methods()),
                         [](const auto& method) { return test_name(method.param); });

TEST_P(EveryDoor, RefusesBodiesThatAreNotThere) {
  const std::uint64_t before = hash_of(detector_->detect(question()));
  const std::vector<Vec3> x = positions_of(*mesh_);
  const std::vector<std::pair<BodyId, std::string>> wrong{{BodyId(1), "body 1: it was removed"},
                                                          {BodyId(3), "body 3: the detector has no such body"},
                                                          {BodyId(), "no body"}};
  for (const auto& [id, words] : wrong) {
    const std::vector<std::function<void()>> misuses{
        [&, id = id] { detector_->set_motion(id, motion()); },
        [&, id = id] { detector_->set_positions(id, x); },
        [&, id = id] { detector_->set_step(id, x, x); },
        [&, id = id] { detector_->advance(id, x); },
        [&, id = id] { detector_->remove_body(id); },
        [&, id = id] { detector_->replace_mesh(id, mesh_, motion()); },
        [&, id = id] { detector_->region(id, 0); },
        [&, id = id] { detector_->body(id); },
    };
    for (std::size_t i = 0; i < misuses.size(); ++i) EXPECT_TRUE(says(refusal(misuses[i]), words)) << i << words;
  }
  EXPECT_EQ(hash_of(detector_->detect(question())), before);
}

TEST_P(EveryDoor, RefusesNoMeshNoMotionAndTheMotionOfAnother) {
  EXPECT_TRUE(says(refusal([&] { detector_->add_body(nullptr); }), "needs a mesh"));
  EXPECT_TRUE(says(refusal([&] { detector_->add_body(nullptr, motion()); }), "needs a mesh"));
  EXPECT_TRUE(says(refusal([&] { detector_->replace_mesh(BodyId(0), nullptr, motion()); }), "needs a mesh"));
  Motion gone = motion();
  const Motion taken = std::move(gone);
  EXPECT_TRUE(says(refusal([&] { detector_->set_motion(BodyId(0), gone); }), "moved from"));  // NOLINT: the point
  EXPECT_TRUE(says(refusal([&] { detector_->add_body(mesh_, gone); }), "moved from"));        // NOLINT: the point
  const Motion other = Motion::at_rest(Frame::own({Vec3::Zero()}));
  EXPECT_TRUE(says(refusal([&] { detector_->set_motion(BodyId(0), other); }), "has 1 vertices, the mesh has 25"));
  EXPECT_TRUE(says(refusal([&] { detector_->replace_mesh(BodyId(0), mesh_, other); }), "has 1 vertices"));
  EXPECT_EQ(detector_->body_ids().size(), 2u);
}

TEST_P(EveryDoor, RefusesRegionsThatThereAreNot) {
  detector_->detect(question());
  // Of particles, boxes and spheres it is one of the body's regions; in box trees it is a node that is not used.
  if (GetParam() != "particles" && GetParam() != "subdivided-boxes" && GetParam() != "sphere-tree") {
    EXPECT_TRUE(says(refusal([&] { detector_->region(BodyId(0), 1); }), "no region 1"));
  }
  EXPECT_TRUE(says(refusal([&] { detector_->region(BodyId(0), 1000); }), "no region 1000"));
  const BodyId fresh = detector_->add_body(mesh_);
  EXPECT_TRUE(says(refusal([&] { detector_->region(fresh, 1000); }), "no region 1000"));
}

TEST_P(EveryDoor, RefusesSeparationsThatAreNone) {
  for (const double wrong : {kNaN, kInf, -kInf, -1e-300}) {
    DetectorSettings settings;
    settings.min_separation = wrong;
    EXPECT_TRUE(says(refusal([&] { make_detector(GetParam(), settings); }), "min_separation")) << wrong;
  }
}

TEST(SafeStepDoors, RefuseSeparationsThatAreNoneAndBodiesThatAreNotThere) {
  for (const double wrong : {kNaN, kInf, -1.0}) {
    SafeStepSettings settings;
    settings.min_separation = wrong;
    EXPECT_TRUE(says(refusal([&] { SafeStepper stepper(settings); }), "min_separation")) << wrong;
  }
  SafeStepper stepper;
  EXPECT_TRUE(says(refusal([&] { stepper.set_step(BodyId(0), {}, {}); }), "body 0"));
  EXPECT_TRUE(says(refusal([&] { stepper.add_body(nullptr); }), "needs a mesh"));
  Dice dice(4);
  const MeshPtr mesh = crumpled_sheet(dice, 2, 0.1);
  const BodyId body = stepper.add_body(mesh);
  EXPECT_NO_THROW(stepper.set_step(body, mesh->positions(), mesh->positions()));
  EXPECT_TRUE(says(refusal([&] { stepper.set_step(body, mesh->positions(), {}); }), "vertices"));
}

// Gives what it is told to.
class OddFrames : public FrameSource {
 public:
  OddFrames(const TriangleMesh& mesh, std::vector<Vec3> odd) : rest_(positions_of(mesh)), odd_(std::move(odd)) {}
  std::size_t vertex_count() const override { return rest_.size(); }
  std::size_t frame_count() const override { return 3; }
  Frame frame(std::size_t index) override { return Frame::own(index == 1 ? odd_ : rest_); }

 private:
  std::vector<Vec3> rest_, odd_;
};

TEST_P(EveryDoor, RefusesOddFramesOfASourceAndGoesOnWithGoodOnes) {
  const bool moving = detector_->info().moving;
  const std::uint64_t before = hash_of(detector_->detect(question()));
  const Interval when = moving ? Interval{0.5, 1.5} : Interval::instant(1);
  std::vector<Vec3> nan = positions_of(*mesh_), more = nan;
  nan[7].x() = kNaN;
  more.push_back(Vec3::Zero());
  for (const auto& [odd, words] : {std::pair(nan, "frame 1, vertex 7: a coordinate is not a finite number"),
                                   std::pair(more, "frame 1: has 26 vertices where the motion has 25"),
                                   std::pair(std::vector<Vec3>{}, "frame 1: has 0 vertices where the motion has 25")}) {
    detector_->set_motion(BodyId(0), Motion::from_source(std::make_shared<OddFrames>(*mesh_, odd)));
    EXPECT_TRUE(says(refusal([&] { detector_->detect(when); }), words)) << words;
    EXPECT_TRUE(says(refusal([&] { detector_->collides(when); }), words)) << words;
    detector_->set_motion(BodyId(0), motion());
    EXPECT_EQ(hash_of(detector_->detect(question())), before) << words;
  }
}

TEST_P(EveryDoor, RefusesSharedPositionsThatAreNotFiniteWhenTheyAreRead) {
  std::vector<Vec3> x = positions_of(*mesh_);
  x[5].z() = -kInf;
  detector_->set_motion(BodyId(0), Motion::at_rest(Frame::share(nullptr, x)));  // nothing is read here
  EXPECT_TRUE(says(refusal([&] { detector_->detect(question()); }), "frame 0, vertex 5"));
  x[5].z() = 0;
  detector_->set_motion(BodyId(0), Motion::at_rest(Frame::share(nullptr, x)));
  EXPECT_NO_THROW(detector_->detect(question()));
}

// Does something at the first contact.
class Meddler : public ContactSink {
 public:
  explicit Meddler(std::function<void()> meddle) : meddle_(std::move(meddle)) {}
  Flow contact(const Contact&) override {
    if (seen++ == 0) meddle_();
    return Flow::go_on;
  }
  std::size_t seen = 0;

 private:
  std::function<void()> meddle_;
};

TEST_P(EveryDoor, RefusesFromInsideASinkWhatNeedsTheDetectionToBeOver) {
  const Report expected = detector_->detect(question());
  ASSERT_GT(expected.contacts.size(), 3u);
  const std::vector<std::function<void()>> misuses{
      [&] { detector_->detect(question()); },
      [&] { detector_->collides(question()); },
      [&] { detector_->reset(0); },
      [&] { detector_->add_body(mesh_); },
      [&] { detector_->remove_body(BodyId(0)); },
      [&] { detector_->replace_mesh(BodyId(0), mesh_, motion()); },
  };
  for (std::size_t i = 0; i < misuses.size(); ++i) {
    std::string words;
    Meddler meddler([&] { words = refusal(misuses[i]); });
    const Report report = detector_->detect(question(), {}, &meddler);
    EXPECT_TRUE(says(words, "from inside a sink")) << i << words;
    EXPECT_EQ(meddler.seen, expected.contacts.size()) << i;
    EXPECT_TRUE(report.complete);
  }
  EXPECT_EQ(hash_of(detector_->detect(question())), hash_of(expected));
}

TEST_P(EveryDoor, IsOpenAgainAfterASinkThatThrows) {
  const std::uint64_t expected = hash_of(detector_->detect(question()));
  Meddler meddler([] { throw Error("the sink has had enough", "none"); });
  EXPECT_THROW(detector_->detect(question(), {}, &meddler), Error);
  EXPECT_EQ(hash_of(detector_->detect(question())), expected);
}

// Methods that look at a whole detection go on with what they began with.
TEST_P(EveryDoor, TakesNewPositionsFromASinkForTheNextDetection) {
  if (GetParam() == "kinetic" || GetParam() == "kinetic-events") GTEST_SKIP() << "heeds them at once";
  const Interval when = detector_->info().moving ? Interval{0, 3} : Interval::instant(0);
  const auto three_steps = [&] {
    std::vector<Frame> frames;
    for (int k = 0; k < 4; ++k) {
      std::vector<Vec3> x = positions_of(*mesh_);
      for (Vec3& p : x) p.z() += 0.02 * k;
      frames.push_back(Frame::own(std::move(x)));
    }
    return Motion::keyframes(std::move(frames));
  };
  detector_->set_motion(BodyId(0), three_steps());
  const Report expected = detector_->detect(when);
  std::vector<Vec3> away = positions_of(*mesh_);
  for (Vec3& p : away) p.x() += 100;
  Meddler meddler([&] { detector_->set_positions(BodyId(0), away); });
  detector_->detect(when, {}, &meddler);
  EXPECT_EQ(meddler.seen, expected.contacts.size());
  EXPECT_LT(detector_->detect(when).contacts.size(), expected.contacts.size());
}

}  // namespace
}  // namespace pliant::testing
