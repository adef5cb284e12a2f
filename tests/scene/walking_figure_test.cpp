// The walking figure, its skirt, and what a scene makes of them.
#include "pliant/scene/walking_figure.h"

#include <gtest/gtest.h>

#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/defects.h"
#include "pliant/scene/figure.h"
#include "pliant/scene/scene_builder.h"
#include "tests/support/errors.h"

namespace pliant {
namespace {

using testing::says;

constexpr const char* kFigure = R"(
[world]
fps = 30
[[body]]
name = "figure"
kind = "keyframed"
shape = { type = "figure", cell = "3 cm" }
scale = 0.5
position = [1, 0, 0]
motion = { walk_cycles_per_second = 1, standing = "0.1 s" }
)";

TEST(WalkingFigure, IsClosedAndStandsOnTheGround) {
  const MeshPtr figure = make_figure({.cell = 0.03});
  EXPECT_TRUE(find_defects(*figure, {.places = 0}).closed());
  Eigen::AlignedBox3d box;
  for (const Vec3& p : figure->positions()) box.extend(p);
  EXPECT_NEAR(box.min().z(), 0, 0.03);
  EXPECT_NEAR(box.max().z(), 1.75, 0.03);
  EXPECT_THROW(make_figure({.cell = 0.1}), Error);
}

TEST(WalkingFigure, StandsThenWalksWhereItIsPlaced) {
  BuiltScene built = build_world(parse_scene(kFigure, "my.toml"));
  const BodyModel& figure = built.world.body(BodyId(0));
  const std::vector<Vec3> start(figure.positions().begin(), figure.positions().end());
  for (int frame = 0; frame < 3; ++frame) ASSERT_TRUE(built.world.step().ok());
  for (std::size_t v = 0; v < start.size(); ++v) EXPECT_LT((figure.positions()[v] - start[v]).norm(), 1e-12);
  for (int frame = 0; frame < 30; ++frame) ASSERT_TRUE(built.world.step().ok());
  double way = 0;
  for (std::size_t v = 0; v < start.size(); ++v)
    way += (figure.positions()[v].x() - start[v].x()) / static_cast<double>(start.size());
  EXPECT_NEAR(way, 0.5 * 1.25 * 0.75, 0.1);  // at half its size; three quarters of a cycle at full strength
}

TEST(WalkingFigure, OnlyAFigureWalks) {
  const std::string text =
      "[[body]]\nname = 'b'\nkind = 'keyframed'\nshape = { type = 'box' }\n"
      "motion = { walk_cycles_per_second = 1 }\n";
  try {
    build_world(parse_scene(text, "my.toml"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(says(error.what(), "my.toml:5, key 'motion'")) << error.what();
    EXPECT_TRUE(says(error.what(), "is for a figure")) << error.what();
  }
}

TEST(Skirt, FitsTheFigureWithoutTouchingIt) {
  const SkirtSettings settings{.ease = 0.012, .segments = 60, .rings = 12};
  const MeshPtr skirt = make_skirt(settings);
  EXPECT_EQ(skirt->vertex_count(), 60u * 13);
  EXPECT_EQ(skirt->face_count(), 2u * 60 * 12);
  const DefectReport report = find_defects(*skirt, {.places = 0});
  EXPECT_TRUE(report.manifold());
  EXPECT_EQ(report.flipped_edges.count, 0u);
  EXPECT_EQ(report.boundary_edges.count, 120u);
  for (std::size_t v = 0; v < 60; ++v) {
    EXPECT_EQ(skirt->positions()[v].z(), kSkirtWaist);
    EXPECT_NEAR(figure::skin_distance(skirt->positions()[v]), settings.ease, 1e-9);
  }
  const auto detector = make_detector("bvh");
  detector->add_body(make_figure());
  detector->add_body(skirt);
  EXPECT_TRUE(detector->detect(Interval::instant(0)).contacts.empty());
  for (const double flare : {9.0, 81.0}) EXPECT_THROW(make_skirt({.flare = flare}), Error);
}

TEST(Pins, HoldTheBorderOfASheet) {
  const std::string cloth = "[[body]]\nname = 'mat'\nkind = 'cloth'\npins = [{ border = true }]\nshape = ";
  const BuiltScene built = build_world(parse_scene(cloth + "{ type = 'disc', rings = 4 }\n", "my.toml"));
  std::size_t pinned = 0;
  for (const double mass : built.world.body(BodyId(0)).masses()) pinned += std::isinf(mass) ? 1 : 0;
  EXPECT_EQ(pinned, 24u);
  EXPECT_THROW(build_world(parse_scene(cloth + "{ type = 'icosphere' }\n", "my.toml")), Error);
}

}  // namespace
}  // namespace pliant
