// Points of dense surfaces are pulled back by the vertices that they hang on.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "pliant/detect/registry.h"
#include "pliant/mesh/shapes.h"
#include "pliant/motion/embedding.h"
#include "pliant/response/dense_step.h"
#include "pliant/response/pair_response.h"
#include "pliant/response/sure_behind.h"
#include "tests/response/step_builder.h"
#include "tests/support/soups.h"

namespace pliant {
namespace {

using testing::Dice;

struct DenseScene : StepBuilder {
  std::vector<std::unique_ptr<DenseSurface>> dense;

  void add_ground() {
    add(at(make_box({.size = {4, 4, 1}, .cells = {5, 5, 1}}), {0.03, 0.01, -0.5}), kInfinite).has_outside = true;
  }
  // A coarse ball, and a finer and larger one that hangs on it.
  void add_ball(const Vec3& place, double mass, Surface surface = {0, 0}) {
    const MeshPtr fine = at(make_icosphere({.radius = 0.11, .frequency = 9}), place);
    const MeshPtr coarse = at(make_icosphere({.radius = 0.1, .frequency = 3}), place);
    dense.push_back(std::make_unique<DenseSurface>(
        DenseSurface{fine, std::make_shared<const RigidLinks>(fine->positions(), coarse->positions())}));
    StepBody& body = add(coarse, mass, surface);
    body.dense = dense.back().get();
    body.has_outside = true;
  }

  std::vector<Contact> contacts() const {
    const FlatStep flat(step);
    const DenseStep seen(step, flat);
    DetectorSettings settings;
    settings.self = false;
    const auto detector = make_detector("bvh", settings);
    for (const StepBody& body : seen.step().bodies)
      detector->add_body(body.mesh, Motion::at_rest(Frame::own(body.x_t1)));
    return detector->detect(Interval::instant(0)).contacts;
  }
  std::vector<Impact> answer(std::span<const Contact> contacts, const PullBackSettings& own = {}) {
    ResponseSettings settings;
    settings.kind = ResponseKind::pull_back;
    settings.pull_back = own;
    FlatStep flat(step);
    const DenseStep seen(step, flat);
    std::vector<Impact> impacts;
    make_response(settings)->move_dense_ends(seen, flat, contacts, impacts);
    flat.write_to(step);
    return impacts;
  }
  std::vector<Vec3> seen(std::size_t body) const {
    const FlatStep flat(step);
    return DenseStep(step, flat).step().bodies[body].x_t1;
  }
};

// Something rolled and bent.
void bend(StepBody& body, Dice& dice, double by) {
  const Vec3 axis = dice.point(-1, 1).normalized();
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(dice.uniform(0, 3), axis).toRotationMatrix();
  Vec3 centre = Vec3::Zero();
  for (const Vec3& x : body.x_t1) centre += x;
  centre /= static_cast<double>(body.x_t1.size());
  for (Vec3& x : body.x_t1) x = centre + turn * (x - centre) + dice.point(-by, by);
}

double lowest_of(const std::vector<Vec3>& points) {
  double low = points[0].z();
  for (const Vec3& p : points) low = std::min(low, p.z());
  return low;
}

Vec3 momentum_of(const Step& step) {
  Vec3 sum = Vec3::Zero();
  for (const StepBody& body : step.bodies) sum += momentum(body);
  return sum;
}
Vec3 angular_momentum_of(const Step& step, const std::vector<std::vector<Vec3>>& at) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t b = 0; b < step.bodies.size(); ++b)
    for (std::size_t i = 0; i < at[b].size(); ++i)
      sum += step.bodies[b].masses[i] * at[b][i].cross(step.bodies[b].v_t1[i]);
  return sum;
}

RC_GTEST_PROP(DensePull, CarriersSayHowPointsMove, (std::uint64_t seed)) {
  Dice dice(seed);
  DenseScene scene;
  scene.add_ball(Vec3::Zero(), 1);
  bend(scene.step.bodies[0], dice, 0.01);
  FlatStep flat(scene.step);
  const DenseStep before(scene.step, flat);
  const auto particle = dice.below(static_cast<std::uint32_t>(before.flat().size()));
  const Carrier carrier = before.carrier(particle);
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (std::size_t k = 0; k < carrier.count; ++k) sum += carrier.turn[k];
  RC_ASSERT((sum - Eigen::Matrix3d::Identity()).norm() < 1e-9);
  Vec3 expected = Vec3::Zero(), torque = Vec3::Zero();
  const Vec3 force = dice.point(-1, 1);
  constexpr double kSmall = 1e-7;
  for (std::size_t k = 0; k < carrier.count; ++k) {
    torque += flat.x_t1[carrier.slot[k]].cross(carrier.turn[k].transpose() * force);
    const Vec3 way = kSmall * dice.point(-1, 1);
    expected += carrier.turn[k] * way;
    flat.x_t1[carrier.slot[k]] += way;
  }
  const DenseStep after(scene.step, flat);
  const Vec3& p = before.flat().x_t1[particle];
  RC_ASSERT((after.flat().x_t1[particle] - p - expected).norm() < 1e-3 * kSmall);
  RC_ASSERT((torque - p.cross(force)).norm() < 1e-9);  // as if the force acted on the point itself
}

TEST(DensePull, PutsTheSkinBackOntoTheGround) {
  for (const double depth : {0.0005, 0.005, 0.03}) {
    DenseScene scene;
    scene.add_ground();
    scene.add_ball({0, 0, 0.11 - depth}, 1);
    for (Vec3& v : scene.step.bodies[1].v_t1) v = {1, 0, -2};
    ASSERT_LT(lowest_of(scene.seen(1)), -0.4 * depth);
    for (int pass = 0; pass < 3; ++pass) scene.answer(scene.contacts());
    EXPECT_GT(lowest_of(scene.seen(1)), -1e-3 * depth) << depth;
    EXPECT_LT(lowest_of(scene.seen(1)), 0.02 * depth + 1e-4) << depth;  // no farther than it has to
    // What touches has stopped, and nothing slows what slides.
    const FlatStep flat(scene.step);
    const DenseStep after(scene.step, flat);
    for (std::uint32_t slot = after.flat().first[1]; slot < after.flat().first[2]; ++slot) {
      if (after.flat().x_t1[slot].z() > 1e-6) continue;
      const Carrier carrier = after.carrier(slot);
      Vec3 v = Vec3::Zero();
      for (std::size_t k = 0; k < carrier.count; ++k) v += carrier.turn[k] * flat.v_t1[carrier.slot[k]];
      EXPECT_GT(v.z(), -0.05);
    }
    EXPECT_NEAR(momentum(scene.step.bodies[1]).x(), 92, 0.5);  // 92 vertices; slopes push a little aside
  }
}

RC_GTEST_PROP(DensePull, KeepsMomentumAndPartsWhatOverlaps, (std::uint64_t seed)) {
  Dice dice(seed);
  DenseScene scene;
  const Vec3 way = dice.point(-1, 1).normalized();
  scene.add_ball(Vec3::Zero(), 1);
  scene.add_ball(dice.uniform(0.19, 0.215) * way, 3);
  for (StepBody& body : scene.step.bodies) bend(body, dice, 0.002);
  for (StepBody& body : scene.step.bodies)
    for (Vec3& v : body.v_t1) v = dice.point(-1, 1);
  const std::vector<Contact> contacts = scene.contacts();
  RC_PRE(!contacts.empty());
  const std::vector<std::vector<Vec3>> at{scene.step.bodies[0].x_t1, scene.step.bodies[1].x_t1};
  const Vec3 before = momentum_of(scene.step), spin = angular_momentum_of(scene.step, at);
  scene.answer(contacts);
  RC_ASSERT((momentum_of(scene.step) - before).norm() < 1e-9);
  Vec3 moved = Vec3::Zero();  // nor does what lies still begin to move: positions keep the common centre
  double apart = 0;
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t i = 0; i < at[b].size(); ++i) {
      const Vec3 by = scene.step.bodies[b].x_t1[i] - at[b][i];
      moved += scene.step.bodies[b].masses[i] * by;
      apart += (b == 1 ? 1 : -1) * by.dot(way);
    }
  RC_ASSERT(moved.norm() < 1e-9);
  RC_ASSERT(apart > 0);
  // Impulses act where they are found on both sides, which are a depth apart.
  RC_ASSERT((angular_momentum_of(scene.step, at) - spin).norm() < 0.05 * (1 + spin.norm()));
}

TEST(DensePull, WhatIsApartIsLeftAlone) {
  DenseScene scene;
  scene.add_ball(Vec3::Zero(), 1);
  scene.add_ball({0.2201, 0, 0}, 1);
  const std::vector<Vec3> before = scene.step.bodies[0].x_t1;
  EXPECT_TRUE(scene.contacts().empty());
  EXPECT_TRUE(scene.answer({}).empty());
  EXPECT_EQ(scene.step.bodies[0].x_t1, before);
}

TEST(DensePull, WhatPartsIsNotHeldBack) {
  DenseScene scene;
  scene.add_ball(Vec3::Zero(), 1);
  scene.add_ball({0.215, 0, 0}, 1);
  for (Vec3& v : scene.step.bodies[0].v_t1) v = {-1, 0, 0};
  for (Vec3& v : scene.step.bodies[1].v_t1) v = {1, 0, 0};
  ASSERT_FALSE(scene.contacts().empty());
  for (const Impact& impact : scene.answer(scene.contacts())) EXPECT_LT(impact.impulse.norm(), 1e-12);
  for (const Vec3& v : scene.step.bodies[1].v_t1) EXPECT_NEAR(v.x(), 1, 1e-12);
}

TEST(DensePull, TheOrderOfContactsDoesNotMatter) {
  Dice dice(7);
  DenseScene first, second;
  for (DenseScene* scene : {&first, &second}) {
    scene->add_ground();
    scene->add_ball({0, 0, 0.1}, 1, {0.4, 0.2});
    scene->add_ball({0.2, 0.01, 0.105}, 2, {0.4, 0});
    for (Vec3& v : scene->step.bodies[1].v_t1) v = {0.5, 0, -1};
  }
  std::vector<Contact> contacts = first.contacts();
  ASSERT_GT(contacts.size(), 20u);
  first.answer(contacts);
  for (std::size_t i = contacts.size(); i > 1; --i)
    std::swap(contacts[i - 1], contacts[dice.below(static_cast<std::uint32_t>(i))]);
  second.answer(contacts);
  for (std::size_t b = 1; b < 3; ++b) {
    EXPECT_EQ(first.step.bodies[b].x_t1, second.step.bodies[b].x_t1);
    EXPECT_EQ(first.step.bodies[b].v_t1, second.step.bodies[b].v_t1);
  }
}

TEST(DensePull, AContactThatIsForeseenLeadsApartOnBothSides) {
  DenseScene scene;
  scene.add_ground();
  scene.add_ball({0, 0, 0.1105}, 1);
  const FlatStep flat(scene.step);
  const DenseStep seen(scene.step, flat);
  const std::vector<Vec3>& x = seen.step().bodies[1].x_t1;
  const auto low = static_cast<std::uint32_t>(
      std::min_element(x.begin(), x.end(), [](const Vec3& p, const Vec3& q) { return p.z() < q.z(); }) - x.begin());
  Contact contact;
  contact.a = {BodyId(1), FeatureKind::vertex, low};
  for (std::uint32_t f = 0; f < seen.step().bodies[0].mesh->face_count(); ++f) {
    contact.b = face_feature(BodyId(0), FaceId(f));
    const std::optional<CarriedContact> carried = seen.carried(contact, 0.01);
    if (!carried) continue;
    double sum = 0;
    Vec3 gap = carried->offset;
    for (std::size_t i = 0; i < carried->count; ++i) {
      sum += carried->weight[i];
      gap += carried->weight[i] * flat.x_t0[carried->slot[i]];
    }
    EXPECT_NEAR(sum, 0, 1e-12);
    EXPECT_GT(carried->contact.normal.dot(gap), 0);  // apart, and to be kept so
  }
}

// A thin plate: what is over it is not behind the side that faces down, however near that is.
TEST(DensePull, WhatIsInFrontOrOnTheOtherSideIsNotPulled) {
  DenseScene scene;
  scene.add(make_box({.size = {1, 1, 0.01}, .cells = {4, 4, 1}}), kInfinite).has_outside = true;
  scene.add_ball({0.02, 0.03, 0.2}, 1);
  const FlatStep flat(scene.step);
  const DenseStep seen(scene.step, flat);
  const auto surface_at = [&](double z) {
    PiercedSurface surface;
    surface.body = BodyId(0);
    const TriangleMesh& plate = *seen.step().bodies[0].mesh;
    for (std::uint32_t f = 0; f < plate.face_count(); ++f) {
      const Triangle& t = plate.triangle(FaceId(f));
      const auto is_there = [&](VertexId v) { return std::abs(plate.position(v).z() - z) < 1e-9; };
      if (std::all_of(t.begin(), t.end(), is_there)) surface.face = FaceId(f);
    }
    const Triangle& t = plate.triangle(surface.face);
    for (std::size_t i = 0; i < 3; ++i) {
      surface.slot[i] = seen.flat().slot(BodyId(0), t[i]);
      surface.weights[i] = 1.0 / 3;
      surface.point += plate.position(t[i]) / 3;
    }
    return surface;
  };
  const std::uint32_t particle = seen.flat().first[1];
  SureBehind is_sure(seen.step(), seen.flat());
  EXPECT_FALSE(is_sure(particle, surface_at(0.005), 0.001));   // in front of the upper side
  EXPECT_FALSE(is_sure(particle, surface_at(-0.005), 0.001));  // behind the lower one, and not inside
}

TEST(DensePull, LiteralRulesStayFinite) {
  DenseScene scene;
  scene.add_ground();
  scene.add_ball({0, 0, 0.1}, 1);
  for (Vec3& v : scene.step.bodies[1].v_t1) v = {3, 0, -4};
  EXPECT_FALSE(scene.answer(scene.contacts(), {.literal_position = true, .literal_velocity = true}).empty());
  EXPECT_GT(momentum(scene.step.bodies[1]).z(), -4 * 92 + 1);
  for (const Vec3& x : scene.step.bodies[1].x_t1) EXPECT_LT((x - Vec3(0, 0, 0.1)).norm(), 0.3);
}

}  // namespace
}  // namespace pliant
