// Contacts that a step is going to have are told before it is taken.
#include <gtest/gtest.h>

#include "pliant/detect/registry.h"
#include "pliant/mesh/shapes.h"
#include "pliant/response/foreseen_contacts.h"
#include "tests/response/step_builder.h"

namespace pliant {
namespace {

constexpr double kMargin = 0.004;

struct FallingBall : StepBuilder {
  // Its lowest vertex is `height` over the ground, and it goes down by `way`.
  FallingBall(double height, double way) {
    add(at(make_box({.size = {4, 4, 1}, .cells = {5, 5, 1}}), {0.03, 0.01, -0.5}), kInfinite).has_outside = true;
    const MeshPtr ball = make_icosphere({.radius = 0.1, .frequency = 4});
    double low = 0;
    for (const Vec3& x : ball->positions()) low = std::min(low, x.z());
    add(at(ball, {0, 0, height - low}), 1).has_outside = true;
    move(step.bodies[1], {0, 0, -way / step.seconds});
  }
  std::vector<Contact> foreseen() const {
    const Foresight foresight(step, kMargin);
    const auto detector = make_detector("subdivided-boxes");
    for (const StepBody& body : step.bodies) {
      const auto x = foresight.swollen().part(foresight.swollen().x_t1, body.id);
      detector->add_body(body.mesh, Motion::at_rest(Frame::own({x.begin(), x.end()})));
    }
    return foresight.contacts(detector->detect(Interval::instant(0)).contacts);
  }
  double start_of(const Contact& contact) const { return step.bodies[1].x_t0.positions()[contact.a.id].z(); }
};

TEST(Foresight, WhatStaysAwayHasNoContacts) {
  EXPECT_TRUE(FallingBall(0.05, 0.01).foreseen().empty());
  EXPECT_TRUE(FallingBall(0.01, -0.02).foreseen().empty());  // on its way up
}

TEST(Foresight, VerticesThatComeToTheGroundAreToldWithTheirTimes) {
  const double way = 0.03;
  const FallingBall scene(0.02, way);
  std::size_t particles = 0, expected = 0;
  for (const Vec3& x : scene.step.bodies[1].x_t1) expected += x.z() < 0 ? 1 : 0;
  for (const Contact& contact : scene.foreseen()) {
    EXPECT_NE(contact.a.body, contact.b.body);
    if (contact.kind() != ContactKind::vertex_face || contact.a.body != BodyId(1)) continue;
    ++particles;
    EXPECT_NEAR(contact.normal.z(), 1, 1e-9);
    EXPECT_EQ(contact.depth, 0);
    EXPECT_NEAR(contact.time, std::min(1.0, (scene.start_of(contact) - kMargin) / way), 1e-9);
  }
  EXPECT_GT(expected, 0u);
  EXPECT_GE(particles, expected);
}

TEST(Foresight, WhatTouchesNowActsFromTheStartAndWhatIsBehindHasADepth) {
  bool touches = false, is_behind = false;
  for (const Contact& contact : FallingBall(0.001, 0).foreseen()) {
    EXPECT_EQ(contact.time, 0);
    EXPECT_EQ(contact.depth, 0);
    touches = true;
  }
  const FallingBall deep(-0.002, 0);
  for (const Contact& contact : deep.foreseen()) {
    if (contact.kind() != ContactKind::vertex_face || contact.a.body != BodyId(1)) continue;
    EXPECT_NEAR(contact.depth, std::max(0.0, -deep.start_of(contact)), 1e-12);
    is_behind = is_behind || contact.depth > 0.0019;
  }
  EXPECT_TRUE(touches);
  EXPECT_TRUE(is_behind);
}

}  // namespace
}  // namespace pliant
