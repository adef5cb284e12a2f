#include "pliant/bodies/cloth.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/core/error.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

const Vec3 kWeightless = Vec3::Zero();

RC_GTEST_PROP(ClothBody, RestAndRigidMotionStayUnstretched, (std::uint64_t seed)) {
  Random random(seed);
  const MeshPtr mesh = make_icosphere({.radius = 0.3, .frequency = 2});  // curved at rest
  ClothBody body(mesh, {.gravity = kWeightless, .air_density = 0});
  const std::vector<Vec3> x = transformed(mesh->positions(), random_rigid(random, 1));
  const std::vector<Vec3> drift(x.size(), random_vector(random, 1));
  body.commit(x, drift);
  RC_ASSERT(run(body, 1.0 / 60, 6).ok());
  for (std::size_t i = 0; i < x.size(); ++i) RC_ASSERT((body.positions()[i] - x[i] - 0.1 * drift[i]).norm() < 1e-6);
}

RC_GTEST_PROP(ClothBody, KeepsMomentumWithoutAirAndGravity, (std::uint64_t seed)) {
  Random random(seed);
  const MeshPtr mesh = make_grid({.columns = 6, .rows = 5});
  ClothBody body(mesh, {.gravity = kWeightless, .air_density = 0});
  const std::vector<Vec3> impulses = random_vectors(random, mesh->vertex_count(), 0.001);
  body.apply_impulses(impulses);
  RC_ASSERT(run(body, 1.0 / 60, 5).ok());
  Vec3 momentum = Vec3::Zero();
  for (std::size_t i = 0; i < impulses.size(); ++i) momentum += body.masses()[i] * body.velocities()[i];
  RC_ASSERT((momentum - sum_of(impulses)).norm() < 1e-12);
}

TEST(ClothBody, HangsFromTwoPinsForSixHundredFramesWithoutGrowing) {
  const int cells = 12;
  for (const double stretch : {300.0, 1e5}) {
    const MeshPtr mesh = make_grid({.columns = cells, .rows = cells});
    ClothBody body(mesh, {.material = {.stretch = stretch},
                          .pinned = {VertexId(cells * (cells + 1)), VertexId(cells * (cells + 2))},
                          .wind = {0, 2, 0}});
    for (int frame = 0; frame < 600; ++frame) {
      ASSERT_TRUE(run(body, 1.0 / 60, 1).ok());
      for (const Vec3& p : body.positions()) {
        ASSERT_LT(std::abs(p.x()), 0.8);
        ASSERT_GT(p.z(), -1.8);
        ASSERT_LT(p.z(), 0.8);
      }
      for (const Vec3& v : body.velocities()) ASSERT_LT(v.norm(), 20);
    }
    EXPECT_EQ(body.positions()[cells * (cells + 1)], mesh->positions()[cells * (cells + 1)]);
    EXPECT_LT(largest(body.velocities()), 1);  // it has come to hang
  }
}

TEST(ClothBody, WindCarriesASheetUpToItsOwnSpeedAndNoFurther) {
  const MeshPtr mesh = make_grid({.columns = 4, .rows = 4});
  ClothBody body(mesh, {.material = {.density = 0.01}, .gravity = kWeightless, .wind = {0, 0, 30}});
  double before = 0;
  for (int frame = 0; frame < 60; ++frame) {
    ASSERT_TRUE(run(body, 1.0 / 60, 1).ok());
    double speed = 0;
    for (const Vec3& v : body.velocities()) speed += v.z() / static_cast<double>(mesh->vertex_count());
    ASSERT_LT(speed, 30.1);
    before = speed;
  }
  EXPECT_GT(before, 20);
}

TEST(ClothBody, LiftIsPerpendicularToTheWind) {
  const MeshPtr flat = make_grid({.columns = 2, .rows = 2});
  const RigidTransform tilt = rigid(Vec3::UnitY(), 0.5);
  const MeshPtr mesh = with_positions(*flat, transformed(flat->positions(), tilt));
  ClothBody drag(mesh, {.gravity = kWeightless, .wind = {5, 0, 0}, .drag = 1, .lift = 0});
  ClothBody lift(mesh, {.gravity = kWeightless, .wind = {5, 0, 0}, .drag = 0, .lift = 1});
  const Vec3 by_drag = sum_of(drag.predict(1e-3).velocities), by_lift = sum_of(lift.predict(1e-3).velocities);
  EXPECT_GT(by_drag.x(), 0);
  EXPECT_LT(std::abs(by_drag.z()), 1e-3 * by_drag.x());
  EXPECT_GT(std::abs(by_lift.z()), 1e-3);
  EXPECT_LT(std::abs(by_lift.x()), 1e-2 * std::abs(by_lift.z()));
}

TEST(ClothBody, TakesMeshesThatAreNoManifold) {
  // Three faces at one edge, and a face of no area.
  const auto mesh = std::make_shared<const TriangleMesh>(
      std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}, {0.5, 0, 1}},
      std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)},
                            {VertexId(1), VertexId(0), VertexId(3)},
                            {VertexId(0), VertexId(1), VertexId(4)},
                            {VertexId(0), VertexId(0), VertexId(1)}});
  ClothBody body(mesh, {.pinned = {VertexId(0)}});
  EXPECT_TRUE(run(body, 1.0 / 60, 60).ok());
}

TEST(ClothBody, RefusesBadNumbers) {
  const MeshPtr mesh = make_grid();
  for (const ClothMaterial& bad : {ClothMaterial{.density = 0}, ClothMaterial{.stretch = 0}, ClothMaterial{.shear = -1},
                                   ClothMaterial{.bending = std::nan("")}, ClothMaterial{.damping = -1}})
    EXPECT_THROW(ClothBody(mesh, {.material = bad}), Error);
  EXPECT_THROW(ClothBody(mesh, {.along = Vec3::Zero()}), Error);
  EXPECT_THROW(ClothBody(mesh, {.pinned = {VertexId(100'000)}}), Error);
  EXPECT_THROW(ClothBody(mesh, {.substep = 0}), Error);
  EXPECT_THROW(ClothBody(mesh, {.wind = {std::nan(""), 0, 0}}), Error);
}

}  // namespace
}  // namespace pliant
