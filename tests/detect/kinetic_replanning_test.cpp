// Contacts as they come, answered at once: the stream with changed motions against brute force in tiny steps.
#include <gtest/gtest.h>

#include "pliant/detect/feature_vertices.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/topology.h"
#include "tests/detect/kinetic_streams.h"

namespace pliant::testing {
namespace {

struct Bounce {
  std::uint32_t a;
  std::uint32_t b;
  double time;
};

// Rigid bodies in straight flight, and bodies that move as they are told: answers contacts by changing velocities.
class Billiards : public ContactSink {
 public:
  explicit Billiards(double end) : end_(end) {}

  void add_ball(const MeshPtr& mesh, const Vec3& at, const Vec3& velocity) {
    balls_.push_back({mesh, at, velocity, 0});
    movers_.push_back({mesh, flight(balls_.back(), 0)});
    ball_of_body_.push_back(static_cast<int>(balls_.size()) - 1);
  }
  void add_mover(const Mover& mover) {
    movers_.push_back(mover);
    ball_of_body_.push_back(-1);
  }

  // The whole time in one stream, cut where the caller likes.
  void play_stream(std::string_view method, int cuts) {
    start(method);
    for (int i = 0; i < cuts; ++i) {
      const Report report = detector_->detect({end_ * i / cuts, end_ * (i + 1) / cuts}, {}, this);
      conservative = conservative || report.guarantee == Guarantee::conservative;
    }
  }
  // Step after step, starting afresh behind every bounce.
  void play_tiny_steps(int steps) {
    start("brute-force");
    stop_at_bounce_ = true;
    for (int i = 0; i < steps; ++i) {
      const double t1 = end_ * (i + 1) / steps;
      for (double now = end_ * i / steps; now < t1;) {
        bounced_at_ = t1;
        const Report report = detector_->detect({now, t1}, {}, this);
        now = report.stopped_by == StopReason::sink ? bounced_at_ : t1;
      }
    }
  }

  Flow contact(const Contact& c) override {
    if (c.kind() == ContactKind::region_region) {
      handed_over.push_back(c);
      return Flow::go_on;
    }
    ++contacts;
    if (!answer(c)) return Flow::go_on;
    bounces.push_back({std::min(c.a.body.value, c.b.body.value), std::max(c.a.body.value, c.b.body.value), c.time});
    bounced_at_ = c.time;
    return stop_at_bounce_ ? Flow::stop : Flow::go_on;
  }

  double restitution = 1;
  std::vector<Bounce> bounces;
  std::vector<Contact> handed_over;
  std::size_t contacts = 0;
  bool conservative = false;

 private:
  struct Ball {
    MeshPtr mesh;
    Vec3 at;  // at time `since`
    Vec3 velocity;
    double since;

    Vec3 position(double t) const { return at + velocity * (t - since); }
  };

  Motion flight(const Ball& ball, double t) const {
    std::vector<Vec3> x = positions_of(*ball.mesh), y = x;
    for (Vec3& p : x) p += ball.position(t);
    for (Vec3& p : y) p += ball.position(end_);
    return Motion::linear(Frame::own(std::move(x)), Frame::own(std::move(y)), {t, end_});
  }

  void start(std::string_view method) {
    DetectorSettings settings;
    settings.self = false;
    detector_ = detector_of(method, movers_, settings);
  }

  Ball* ball(BodyId body) {
    const int which = ball_of_body_[body.index()];
    return which < 0 ? nullptr : &balls_[static_cast<std::size_t>(which)];
  }

  // Velocity of the point of a contact on one of its bodies.
  Vec3 velocity(const Feature& f, const Weights& weights, double t) {
    if (const Ball* b = ball(f.body)) return b->velocity;
    const Mover& mover = movers_[f.body.index()];
    const MotionSegment s = mover.motion.segment_at(t);
    if (s.t1 <= s.t0) return Vec3::Zero();
    const FeatureVertices corners = vertices_of(f, *mover.mesh);
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const std::size_t v = corners.vertex[i].index();
      sum += weights[i] * (s.x_t1.positions()[v] - s.x_t0.positions()[v]) / (s.t1 - s.t0);
    }
    return sum;
  }

  // False if the bodies do not approach each other.
  bool answer(const Contact& c) {
    const bool balls_only = ball(c.a.body) && ball(c.b.body);
    // Cloths and plates only push up and down, so that a ball stays between them.
    const Vec3 normal = balls_only ? c.normal : Vec3(0, 0, c.normal.z() > 0 ? 1 : c.normal.z() < 0 ? -1 : 0);
    const Vec3 relative = velocity(c.a, c.wa, c.time) - velocity(c.b, c.wb, c.time);
    const double approach = -relative.dot(normal);
    if (!(approach > 0)) return false;
    const double fraction = balls_only ? 0.5 : 1;  // equal masses, or one that nothing moves
    push(c.a.body, fraction * (1 + restitution) * approach * normal, c.time);
    push(c.b.body, -fraction * (1 + restitution) * approach * normal, c.time);
    return true;
  }

  void push(BodyId body, const Vec3& change, double t) {
    Ball* b = ball(body);
    if (!b) return;
    b->at = b->position(t);
    b->since = t;
    b->velocity += change;
    detector_->set_motion(body, flight(*b, t));
  }

  double end_;
  std::vector<Ball> balls_;
  std::vector<Mover> movers_;
  std::vector<int> ball_of_body_;
  std::unique_ptr<Detector> detector_;
  bool stop_at_bounce_ = false;
  double bounced_at_ = 0;
};

MeshPtr small_ball(double radius, int frequency) { return make_icosphere({.radius = radius, .frequency = frequency}); }

void expect_same_bounces(const Billiards& stream, const Billiards& reference, double tolerance) {
  ASSERT_EQ(stream.bounces.size(), reference.bounces.size());
  for (std::size_t i = 0; i < stream.bounces.size(); ++i) {
    EXPECT_EQ(stream.bounces[i].a, reference.bounces[i].a) << i;
    EXPECT_EQ(stream.bounces[i].b, reference.bounces[i].b) << i;
    EXPECT_NEAR(stream.bounces[i].time, reference.bounces[i].time, tolerance) << i;
  }
}

// ---- a chain that hands an impulse on ----

Billiards chain() {
  Billiards game(4);
  const MeshPtr mesh = small_ball(0.5, 2);
  const double places[] = {0, 1.4, 2.9, 4.1, 5.75, 7};
  for (std::size_t i = 0; i < 6; ++i)
    game.add_ball(mesh, Vec3(places[i], 0.01 * static_cast<double>(i % 2), 0), Vec3(i == 0 ? 2 : 0, 0, 0));
  return game;
}

TEST(KineticReplanning, AChainHandsAnImpulseOnInTheOrderOfTinySteps) {
  Billiards reference = chain();
  reference.play_tiny_steps(64);
  ASSERT_GE(reference.bounces.size(), 5u);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(reference.bounces[i].a, i);
  for (const std::string_view method : kKineticMethods) {
    for (const int cuts : {1, 7}) {
      SCOPED_TRACE(method);
      Billiards stream = chain();
      stream.play_stream(method, cuts);
      expect_same_bounces(stream, reference, 1e-7);
    }
  }
}

// ---- a ball between two cloths ----

Mover waving_cloth(double height, double phase, int frames) {
  const MeshPtr grid = make_grid({.width = 5, .depth = 5, .columns = 10, .rows = 10});
  std::vector<Frame> all;
  for (int k = 0; k < frames; ++k) {
    std::vector<Vec3> x = positions_of(*grid);
    for (Vec3& p : x)
      p.z() = height + 0.2 * std::sin(0.9 * k + phase) + 0.04 * std::sin(1.3 * p.x() + 0.7 * p.y() + 0.5 * k);
    all.push_back(Frame::own(std::move(x)));
  }
  return {grid, Motion::keyframes(std::move(all))};
}

Billiards ball_between_cloths() {
  Billiards game(10);
  game.add_ball(small_ball(0.3, 2), Vec3(0.05, -0.08, 0.1), Vec3(0.02, 0.01, 3));
  game.add_mover(waving_cloth(1, 0, 11));
  game.add_mover(waving_cloth(-1, 1, 11));
  return game;
}

TEST(KineticReplanning, ABallBouncesBetweenMovingClothsInTheOrderOfTinySteps) {
  Billiards reference = ball_between_cloths();
  reference.play_tiny_steps(100);
  ASSERT_GE(reference.bounces.size(), 6u);
  for (const std::string_view method : kKineticMethods) {
    for (const int cuts : {1, 13}) {
      SCOPED_TRACE(method);
      Billiards stream = ball_between_cloths();
      stream.play_stream(method, cuts);
      expect_same_bounces(stream, reference, 1e-5);
      EXPECT_TRUE(stream.handed_over.empty());
    }
  }
}

// ---- no end of bounces ----

Mover closing_plate(double from, double to) {
  const MeshPtr grid = make_grid({.width = 2, .depth = 2, .columns = 2, .rows = 2});
  std::vector<Vec3> x = positions_of(*grid), y = x;
  for (Vec3& p : x) p.z() = from;
  for (Vec3& p : y) p.z() = to;
  return {grid, Motion::linear(Frame::own(std::move(x)), Frame::own(std::move(y)))};
}

// Between plates that close on it a ball would bounce for ever before they squeeze it.
TEST(KineticReplanning, EndlessBouncesAreHandedOverAsRestingContact) {
  for (const std::string_view method : kKineticMethods) {
    SCOPED_TRACE(method);
    Billiards game(1);
    game.restitution = 0.5;
    game.add_ball(small_ball(0.1, 1), Vec3(0.1, 0.07, 0), Vec3(0, 0, 1));
    game.add_mover(closing_plate(1, 0.05));
    game.add_mover(closing_plate(-1, -0.05));
    game.play_stream(method, 1);
    EXPECT_GT(game.bounces.size(), 100u);
    EXPECT_LT(game.bounces.size(), 5000u);
    ASSERT_FALSE(game.handed_over.empty());
    EXPECT_LE(game.handed_over.size(), 2u);
    for (const Contact& c : game.handed_over) EXPECT_EQ(c.relation, Relation::touching);
    EXPECT_TRUE(game.conservative);
  }
}

// Sets a filter when it has seen enough.
class Censor : public ContactSink {
 public:
  Censor(Detector& detector, std::size_t enough) : detector_(detector), enough_(enough) {}
  Flow contact(const Contact& c) override {
    seen.push_back(c);
    if (seen.size() == enough_) detector_.set_filter(std::make_shared<Nothing>());
    return Flow::go_on;
  }
  std::vector<Contact> seen;

 private:
  class Nothing : public ContactFilter {
   public:
    bool bodies(BodyId, BodyId) const override { return false; }
  };
  Detector& detector_;
  std::size_t enough_;
};

TEST(KineticReplanning, AFilterThatASinkSetsHoldsFromThatInstant) {
  const Mover plate = closing_plate(1, -1);
  const MeshPtr floor = make_grid({.width = 3, .depth = 3, .columns = 3, .rows = 3});
  for (const std::string_view method : kKineticMethods) {
    const auto detector = detector_of(method, {plate, {floor, Motion::at_rest(floor)}});
    ASSERT_GT(detector->detect({0, 1}).contacts.size(), 3u) << method;
    Censor sink(*detector, 3);
    EXPECT_TRUE(detector->detect({0, 1}, {}, &sink).complete) << method;
    EXPECT_EQ(sink.seen.size(), 3u) << method;
  }
}

// A sink that changes motions without separating anything is not asked for ever.
TEST(KineticReplanning, AnAnswerThatDoesNotSeparateIsNotAskedForAgain) {
  class Stubborn : public ContactSink {
   public:
    explicit Stubborn(Detector& detector, Motion motion) : detector_(detector), motion_(std::move(motion)) {}
    Flow contact(const Contact&) override {
      ++count;
      std::vector<Vec3> x(motion_.positions_at(1).positions().begin(), motion_.positions_at(1).positions().end());
      x[0].x() += 1e-3 * count;  // not the same as before
      motion_ = Motion::linear(motion_.frame(0), Frame::own(std::move(x)));
      detector_.set_motion(BodyId(0), motion_);
      return Flow::go_on;
    }
    int count = 0;

   private:
    Detector& detector_;
    Motion motion_;
  };
  const Mover falling = closing_plate(1, -1);
  const MeshPtr floor = make_grid({.width = 3, .depth = 3, .columns = 3, .rows = 3});
  for (const std::string_view method : kKineticMethods) {
    const auto detector = detector_of(method, {falling, {floor, Motion::at_rest(floor)}});
    Stubborn sink(*detector, falling.motion);
    detector->detect({0, 1}, {}, &sink);
    EXPECT_GT(sink.count, 0) << method;
    EXPECT_LT(sink.count, 2000) << method;
  }
}

}  // namespace
}  // namespace pliant::testing
