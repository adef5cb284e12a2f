// What holds for every kind of body.
#include "pliant/bodies/body.h"

#include <gtest/gtest.h>

#include <functional>

#include "pliant/bodies/cloth.h"
#include "pliant/bodies/fem.h"
#include "pliant/bodies/kinematic.h"
#include "pliant/bodies/pressure.h"
#include "pliant/core/error.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

MeshPtr sheet() { return make_grid({.columns = 5, .rows = 5}); }

Motion sliding(const MeshPtr& mesh) {
  std::vector<Vec3> end(mesh->positions().begin(), mesh->positions().end());
  for (Vec3& p : end) p += Vec3(24, 0, 0);
  return Motion::keyframes({Frame::of_mesh(mesh), Frame::own(std::move(end))}, {0, 24});
}

struct Kind {
  const char* name;
  std::function<std::unique_ptr<BodyModel>()> make;
};

std::unique_ptr<BodyModel> fem(FemIntegrator integrator) {
  const auto mesh = make_tet_box({.size = {0.4, 0.2, 0.2}, .cells = {4, 3, 3}});
  return std::make_unique<FemBody>(mesh, FemSettings{.material = ElasticMaterial{.young = 2e4}.with_damping(1e-3),
                                                     .integrator = integrator,
                                                     .pinned = {VertexId(0), VertexId(5), VertexId(10)}});
}
std::unique_ptr<BodyModel> balloon(PressureIntegrator integrator) {
  return std::make_unique<PressureBody>(make_icosphere({.radius = 0.1}), PressureSettings{.integrator = integrator});
}

class EveryBody : public testing::TestWithParam<Kind> {};

INSTANTIATE_TEST_SUITE_P(
    Bodies, EveryBody,
    testing::Values(Kind{"fem_explicit", [] { return fem(FemIntegrator::runge_kutta4); }},
                    Kind{"fem_implicit", [] { return fem(FemIntegrator::backward_euler); }},
                    Kind{"fem_descent", [] { return fem(FemIntegrator::vertex_descent); }},
                    Kind{"fem_gradients", [] { return fem(FemIntegrator::conjugate_gradients); }},
                    Kind{"pressure_euler", [] { return balloon(PressureIntegrator::symplectic_euler); }},
                    Kind{"pressure_verlet", [] { return balloon(PressureIntegrator::velocity_verlet); }},
                    Kind{"pressure_rk4", [] { return balloon(PressureIntegrator::runge_kutta4); }},
                    Kind{"cloth",
                         [] {
                           return std::make_unique<ClothBody>(
                               sheet(), ClothBodySettings{.pinned = {VertexId(0)}, .wind = {1, 2, 3}});
                         }},
                    Kind{"keyframed", [] { return std::make_unique<KeyframedBody>(sheet(), sliding(sheet())); }},
                    Kind{"fixed", [] { return std::make_unique<FixedBody>(sheet()); }}),
    [](const auto& kind) { return kind.param.name; });

TEST_P(EveryBody, PredictingChangesNothingAndGivesTheSameAgain) {
  const auto body = GetParam().make();
  ASSERT_TRUE(run(*body, 0.01, 3).ok());
  const BodyState before = body->snapshot();
  const Prediction first = body->predict(0.01);
  const std::vector<Vec3> x(first.positions.begin(), first.positions.end());
  body->predict(0.004);
  EXPECT_TRUE(same_bits(body->predict(0.01).positions, x));
  EXPECT_TRUE(same_bits(body->snapshot().positions, before.positions));
  EXPECT_TRUE(same_bits(body->snapshot().velocities, before.velocities));
  EXPECT_EQ(body->seconds(), before.seconds);
}

TEST_P(EveryBody, ContinuesFromASnapshotBitForBit) {
  const auto body = GetParam().make(), other = GetParam().make();
  std::vector<Vec3> push(body->positions().size(), Vec3(0.01, 0, 0.02));
  ASSERT_TRUE(run(*body, 0.01, 4).ok());
  body->apply_forces(push);
  other->restore(body->snapshot());
  ASSERT_TRUE(run(*body, 0.01, 5).ok());
  ASSERT_TRUE(run(*other, 0.01, 5).ok());
  EXPECT_TRUE(same_bits(body->snapshot().positions, other->snapshot().positions));
  EXPECT_TRUE(same_bits(body->snapshot().velocities, other->snapshot().velocities));
  EXPECT_EQ(body->seconds(), other->seconds());
}

TEST_P(EveryBody, CommitsWhatItIsGiven) {
  const auto body = GetParam().make();
  const Prediction p = body->predict(0.01);
  std::vector<Vec3> x(p.positions.begin(), p.positions.end()), v(p.velocities.begin(), p.velocities.end());
  x[1] += Vec3(0.001, 0, 0);
  v[2] = Vec3(1, 2, 3);
  body->commit(x, v, 0.5);
  EXPECT_TRUE(same_bits(body->positions(), x));
  EXPECT_TRUE(same_bits(body->velocities(), v));
  EXPECT_DOUBLE_EQ(body->seconds(), 0.005);
  body->commit(x, v);  // no prediction waits: only a correction
  EXPECT_DOUBLE_EQ(body->seconds(), 0.005);
}

TEST_P(EveryBody, InfiniteMassesIgnoreForcesAndImpulses) {
  const auto body = GetParam().make();
  const std::vector<Vec3> push(body->positions().size(), Vec3(0.001, 0.002, 0.003));
  const Prediction before = body->predict(0.01);
  const std::vector<Vec3> x(before.positions.begin(), before.positions.end());
  body->apply_impulses(push);
  body->apply_forces(push);
  const Prediction after = body->predict(0.01);
  ASSERT_TRUE(after.status.ok());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isinf(body->masses()[i])) EXPECT_EQ(after.positions[i], x[i]);
    else EXPECT_NE(after.positions[i], x[i]);
  }
}

TEST_P(EveryBody, RefusesBadCalls) {
  const auto body = GetParam().make();
  for (const double step : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(body->predict(step), Error);
  std::vector<Vec3> bad(body->positions().begin(), body->positions().end());
  bad[0].x() = std::nan("");
  EXPECT_THROW(body->commit(bad, body->velocities()), Error);
  EXPECT_THROW(body->commit(body->positions(), bad), Error);
  EXPECT_THROW(body->apply_forces(bad), Error);
  EXPECT_THROW(body->apply_impulses(bad), Error);
  bad.pop_back();
  EXPECT_THROW(body->commit(bad, body->velocities()), Error);
  EXPECT_THROW(body->commit(body->positions(), body->velocities(), 1.5), Error);
  EXPECT_THROW(body->restore({}), Error);
}

TEST_P(EveryBody, NamesTheCauseWhenNumbersOverflow) {
  const auto body = GetParam().make();
  if (std::isinf(body->masses()[1])) GTEST_SKIP() << "nothing moves it";
  std::vector<Vec3> v(body->velocities().begin(), body->velocities().end());
  v[1] = Vec3(1e300, 0, 0);
  body->commit(body->positions(), v);
  const Prediction p = body->predict(0.01);
  EXPECT_FALSE(p.status.ok());
  EXPECT_FALSE(describe(p.status.trouble).empty());
  EXPECT_TRUE(same_bits(p.positions, body->positions()));
}

TEST(KeyframedBody, EndsEveryStepWhereItsMotionIs) {
  const MeshPtr mesh = sheet();
  KeyframedBody body(mesh, sliding(mesh), {.frames_per_second = 24, .first_frame = 6});
  EXPECT_NEAR(body.positions()[3].x(), mesh->positions()[3].x() + 6, 1e-12);
  ASSERT_TRUE(run(body, 0.125, 2).ok());
  EXPECT_NEAR(body.positions()[3].x(), mesh->positions()[3].x() + 12, 1e-12);
  EXPECT_NEAR(body.velocities()[3].x(), 24, 1e-9);
  ASSERT_TRUE(run(body, 1, 3).ok());  // after the last frame it stands
  EXPECT_NEAR(body.positions()[3].x(), mesh->positions()[3].x() + 24, 1e-12);
  EXPECT_EQ(largest(body.velocities()), 0);
}

// Frame 2 cannot be read.
class TornFrames : public FrameSource {
 public:
  explicit TornFrames(MeshPtr mesh) : mesh_(std::move(mesh)) {}
  std::size_t vertex_count() const override { return mesh_->vertex_count(); }
  std::size_t frame_count() const override { return 4; }
  Frame frame(std::size_t index) override {
    if (index == 2) throw Error("torn");
    return Frame::of_mesh(mesh_);
  }

 private:
  MeshPtr mesh_;
};

TEST(KeyframedBody, IsInTroubleWhereItsMotionCanNotBeRead) {
  KeyframedBody body(sheet(), Motion::from_source(std::make_shared<TornFrames>(sheet())), {.frames_per_second = 1});
  ASSERT_TRUE(run(body, 1, 1).ok());
  const BodyState before = body.snapshot();
  const Prediction next = body.predict(0.5);
  EXPECT_EQ(next.status.trouble, Trouble::motion_unreadable);
  EXPECT_NE(describe(next.status.trouble).find("cannot be read"), std::string_view::npos);
  EXPECT_TRUE(same_bits(next.positions, body.positions()));
  EXPECT_EQ(body.snapshot(), before);
}

TEST(KeyframedBody, RefusesAMotionOfAnotherMesh) {
  EXPECT_THROW(KeyframedBody(make_box(), sliding(sheet())), Error);
  EXPECT_THROW(KeyframedBody(sheet(), sliding(sheet()), {.frames_per_second = 0}), Error);
}

TEST(Materials, AreFoundByNameAndSuggested) {
  for (const auto& named : elastic_materials()) EXPECT_NO_THROW(require_valid(elastic_material(named.name)));
  for (const auto& named : cloth_materials()) EXPECT_NO_THROW(require_valid(cloth_material(named.name)));
  try {
    elastic_material("ruber");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.remedy().find("'rubber'"), std::string::npos);
  }
  EXPECT_THROW(cloth_material("steel"), Error);
}

}  // namespace
}  // namespace pliant
