#include <gtest/gtest.h>

#include <cmath>

#include "pliant/mesh/shapes.h"
#include "pliant/scene/cloth_surface.h"
#include "pliant/scene/draped_cloth.h"
#include "pliant/scene/figure.h"

namespace pliant {
namespace {

class Floor : public ClothObstacle {
 public:
  Nearest nearest(const Vec3& p) const override { return {p.z(), Vec3::UnitZ()}; }
  Vec3 velocity(const Vec3&, double) const override { return Vec3::Zero(); }
};

TEST(DrapedCloth, FallsNoFasterThanItsDragAllows) {
  DrapedCloth sim({.cells = 10, .height = 2, .drag = 5}, nullptr);
  double before = 2;
  for (int frame = 0; frame < 40; ++frame) {
    sim.advance_frame();
    const double now = sim.positions()[60].z();
    EXPECT_LE(before - now, 9.81 / 5 / 30 + 1e-9);
    before = now;
  }
  EXPECT_NEAR(sim.seconds(), 40.0 / 30, 1e-9);
  EXPECT_LT(before, 0);
}

TEST(DrapedCloth, RestsOnAFloorAndKeepsItsSize) {
  const Floor floor;
  DrapedCloth sim({.size = 1, .cells = 20, .height = 0.1, .offset = 0.003}, &floor);
  for (int frame = 0; frame < 60; ++frame) sim.advance_frame();
  for (const Vec3& p : sim.positions()) EXPECT_NEAR(p.z(), 0.003, 1e-3);
  EXPECT_NEAR((sim.positions()[0] - sim.positions()[20]).norm(), 1, 0.02);
}

// Everything with x < 0.2 and z < 0.
class Ledge : public ClothObstacle {
 public:
  Nearest nearest(const Vec3& p) const override {
    const double out = p.x() - 0.2;
    if (out > 0 && p.z() > 0) {
      const double distance = std::hypot(out, p.z());
      return {distance, Vec3(out / distance, 0, p.z() / distance)};
    }
    return out > p.z() ? Nearest{out, Vec3::UnitX()} : Nearest{p.z(), Vec3::UnitZ()};
  }
  Vec3 velocity(const Vec3&, double) const override { return Vec3::Zero(); }
};

TEST(DrapedCloth, HangsOverAnEdgeWithoutMuchStretch) {
  const Ledge ledge;
  DrapedCloth sim({.size = 1, .cells = 24, .height = 0.05, .friction = 5}, &ledge);
  for (int frame = 0; frame < 90; ++frame) sim.advance_frame();
  const Vec3* row = &sim.positions()[12 * 25];
  double length = 0;
  for (int i = 0; i < 24; ++i) length += (row[i + 1] - row[i]).norm();
  EXPECT_NEAR(row[0].z(), 0.002, 1e-3);
  EXPECT_NEAR(row[24].z(), -0.3, 0.1);
  EXPECT_NEAR(length, 1, 0.02);
  EXPECT_LT(sim.stretch(), 0.02);
}

// A round table top with a rounded rim.
class RoundTable : public ClothObstacle {
 public:
  Nearest nearest(const Vec3& p) const override {
    const double radius = std::hypot(p.x(), p.y()), out = radius - 0.58, up = p.z() - 0.73;
    if (out <= 0) return {std::abs(up) - 0.02, Vec3(0, 0, up < 0 ? -1 : 1)};
    const double distance = std::hypot(out, up);
    return {distance - 0.02, Vec3(p.x() / radius * out / distance, p.y() / radius * out / distance, up / distance)};
  }
  Vec3 velocity(const Vec3&, double) const override { return Vec3::Zero(); }
};

// Folds that touch are parted. Pushed off at once, they blew the sheet up: after 40 frames it was a ball of half a
// metre.
TEST(DrapedCloth, OfManyFoldsHangsQuietly) {
  const RoundTable table;
  DrapedCloth sim({.size = 1.7, .cells = 64, .height = 1}, &table);
  for (int frame = 0; frame < 40; ++frame) sim.advance_frame();
  Vec3 lo = sim.positions()[0], hi = lo;
  for (const Vec3& p : sim.positions()) {
    lo = lo.cwiseMin(p);
    hi = hi.cwiseMax(p);
  }
  EXPECT_GT((hi - lo).head<2>().minCoeff(), 1.2);
  EXPECT_LT(hi.z(), 0.77);
  EXPECT_LT(sim.stretch(), 0.01);
}

TEST(ClothSurface, OfAFlatSheetIsFlatAndEndsWhereTheParticlesEnd) {
  const MeshPtr particles = make_grid({.width = 2, .depth = 2, .columns = 8, .rows = 8});
  const MeshPtr wanted = make_grid({.width = 2, .depth = 2, .columns = 13, .rows = 13});
  const ClothSurface surface(8, 13, 2, {.amplitude = 0});
  const std::vector<Vec3> got = surface.positions(particles->positions(), 0.3);
  ASSERT_EQ(got.size(), wanted->vertex_count());
  for (std::size_t v = 0; v < got.size(); ++v) EXPECT_NEAR((got[v] - wanted->positions()[v]).norm(), 0, 1e-12);
}

TEST(ClothSurface, RipplesUpToTheirAmplitudeAlongTheNormal) {
  const MeshPtr particles = make_grid({.width = 2, .depth = 2, .columns = 8, .rows = 8});
  const ClothSurface surface(8, 40, 2, {.amplitude = 0.01, .wavelength = 0.2});
  double most = 0;
  for (const Vec3& p : surface.positions(particles->positions(), 1.5)) most = std::max(most, std::abs(p.z()));
  EXPECT_LE(most, 0.01);
  EXPECT_GT(most, 0.003);
}

TEST(Figure, StandsStillAtTheStartAndWalksForwardLater) {
  const std::vector<Vec3> standing = {{0, 0, 1.6}, {0, 0.12, 0.1}, {0, -0.4, 1.2}};
  std::vector<BoneWeights> weights;
  for (const Vec3& p : standing) weights.push_back(figure::bone_weights(p));
  EXPECT_EQ(figure::skinned(standing, weights, figure::walking(0)), standing);
  const std::vector<Vec3> later = figure::skinned(standing, weights, figure::walking(2));
  for (std::size_t i = 0; i < standing.size(); ++i) EXPECT_GT(later[i].x(), 1);
}

TEST(Figure, WeightsSumToOneAndAreLocal) {
  for (const Vec3& p : {Vec3(0, 0.12, 0.3), Vec3(0, 0, 1.7), Vec3(0, -0.5, 1.1), Vec3(0.1, 0.05, 1.1)}) {
    float sum = 0;
    for (const float w : figure::bone_weights(p)) sum += w;
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  EXPECT_EQ(figure::bone_weights({0, 0.12, 0.3})[static_cast<std::size_t>(Bone::shin_right)], 0);
  EXPECT_EQ(figure::bone_weights({0, 0, 1.7})[static_cast<std::size_t>(Bone::head)], 1);
}

}  // namespace
}  // namespace pliant
