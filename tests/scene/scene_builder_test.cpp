// From descriptions to worlds: where bodies are put, and what is refused before the first step.
#include "pliant/scene/scene_builder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "pliant/core/error.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/mesh/shapes.h"
#include "tests/support/errors.h"

namespace pliant {
namespace {

using testing::expect_says;

// A grid that is lifted by 1 m in each of four frames, as a mesh and a motion file.
class SceneWithMotionFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    write_mesh(folder_ + "/grid.ply", *grid_);
    MotionWriteOptions options;
    options.mesh = grid_;
    MotionWriter writer(motion_, grid_->vertex_count(), options);
    for (int k = 0; k < 4; ++k) {
      std::vector<Vec3> frame(grid_->positions().begin(), grid_->positions().end());
      for (Vec3& p : frame) p.z() += k;
      writer.add(frame);
    }
    writer.finish();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  SceneDescription scene(const std::string& more, int frames = 4) const {
    return parse_scene("[world]\nfps = 24\nframes = " + std::to_string(frames) +
                           "\n[[body]]\nname = 'lift'\nkind = 'keyframed'\nmesh = 'grid.ply'\nmotion = 'lift.npy'\n" +
                           more,
                       folder_ + "/lift.toml");
  }
  // Puts a NaN in place of the first coordinate of a frame: the last 24 n (4 - frame) bytes begin with it.
  void spoil(int frame) const {
    const std::streamoff from_end = static_cast<std::streamoff>(24 * grid_->vertex_count()) * (4 - frame);
    std::fstream file(motion_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-from_end, std::ios::end);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    file.write(reinterpret_cast<const char*>(&nan), sizeof nan);
  }

  MeshPtr grid_ = make_grid({.width = 2, .depth = 1, .columns = 2, .rows = 1});
  // Of its own: tests run beside each other.
  std::string folder_ =
      ::testing::TempDir() + "pliant-" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string motion_ = folder_ + "/lift.npy";
};

TEST_F(SceneWithMotionFile, MovesItFromWhereTheBodyIsPlaced) {
  BuiltScene built = build_world(
      scene("fit = '4 m'\nscale = 0.5\nrotation = { axis = [1, 0, 0], degrees = 90 }\nposition = [10, 20, 30]\n"));
  const BodyModel& body = built.world.body(BodyId(0));
  for (std::size_t v = 0; v < body.positions().size(); ++v) {
    const Vec3 placed = body.mesh()->positions()[v];
    EXPECT_LT((body.positions()[v] - placed).norm(), 1e-12);
    // Up in the file is -y in the scene; fit and scale cancel.
    EXPECT_LT((placed - Vec3(10 + grid_->positions()[v].x(), 20, 30 + grid_->positions()[v].y())).norm(), 1e-12);
  }
  ASSERT_TRUE(built.world.step().ok());
  for (std::size_t v = 0; v < body.positions().size(); ++v)
    EXPECT_LT((body.positions()[v] - body.mesh()->positions()[v] - Vec3(0, -1, 0)).norm(), 1e-12);
}

TEST_F(SceneWithMotionFile, IsReadThroughBeforeTheFirstStep) {
  EXPECT_NO_THROW(build_world(scene("")));
  spoil(3);
  try {
    build_world(scene(""));
    FAIL() << "accepted";
  } catch (const Error& error) {
    expect_says(error.what(), "lift.npy");
    expect_says(error.what(), "frame 3");
  }
  EXPECT_NO_THROW(build_world(scene("", 1)));  // never comes that far
}

std::string refusal(const std::string& text) {
  try {
    build_world(parse_scene(text, "my.toml"));
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SceneBuilder, NamesLineAndKeyOfWhatItRefuses) {
  const std::string sheet = "[[body]]\nname = 'a'\nkind = 'cloth'\nshape = { type = 'grid', columns = 2, rows = 2 }\n";
  const std::string ground = "[[body]]\nname = 'g'\nkind = 'fixed'\nshape = { type = 'box' }\nposition = [9, 9, 9]\n";
  EXPECT_EQ(refusal("[world]\nmethod = 'swpt-bvh'\n" + sheet),
            "my.toml:2, key 'method' of the world: there is no method 'swpt-bvh' (did you mean 'swept-bvh'?)");
  expect_says(refusal("[[body]]\nname = 'a'\nkind = 'cloth'\nmesh = 'nope.obj'\n"),
              "my.toml:4, key 'mesh' of body 'a': nope.obj: no such file");
  expect_says(refusal("[[body]]\nname = 'a'\nkind = 'pressure'\n\nshape = { type = 'grid' }\n"),
              "my.toml:5, key 'shape' of body 'a': ");
  expect_says(refusal(sheet + "pins = [\n  { vertices = [0] },\n  { vertices = [99] },\n]\n"),
              "my.toml:7, key 'pins' of body 'a': there is no vertex 99 (they are numbered 0 to 8)");
  expect_says(refusal(sheet + "pins = [{ min = [5, 5, 5], max = [6, 6, 6] }]\n"),
              "my.toml:5, key 'pins' of body 'a': a pin holds no vertex");
  expect_says(refusal(ground + "pins = [{ vertices = [0] }]\n"), "my.toml:6, key 'pins' of body 'g': an obstacle");
  expect_says(refusal("[[body]]\nname = 'k'\nkind = 'keyframed'\nshape = { type = 'box' }\nmotion = 'no.pc2'\n"),
              "my.toml:5, key 'motion' of body 'k': no.pc2: no such file");
  expect_says(refusal(ground + "velocity = [1, 0, 0]\n"), "my.toml:6, key 'velocity' of body 'g': ");
  expect_says(refusal(sheet + ground + "[[pair]]\na = 'a'\nb = 'g'\nmethod = 'bvh'\n"),
              "my.toml:13, key 'method' of a pair: ");
  expect_says(refusal(sheet + ground +
                      "[[body]]\nname = 'h'\nkind = 'cloth'\nshape = { type = 'grid' }\nposition = [9, 9, 9]\n"),
              "my.toml:14: at the start 'g' and 'h' overlap");
}

TEST(SceneBuilder, NamesTheCauseAndOneRemedy) {
  const std::string sheet = "[[body]]\nname = 'a'\nkind = 'cloth'\nshape = { type = 'grid' }\n";
  expect_says(refusal(sheet + "position = [1e18, 0, 0]\n"),
              "my.toml:5, key 'position' of body 'a': puts the body so far away that its shape is lost to rounding");
  expect_says(refusal("[[body]]\nname = 'a'\nkind = 'pressure'\nshape = { type = 'icosphere' }\n"
                      "material = { overpressure = '-200 kPa' }\n"),
              "my.toml:5, key 'overpressure' of the material of body 'a': leaves no gas inside");
  const std::string stiff = refusal(
      "[[body]]\nname = 'a'\nkind = 'fem'\nshape = { type = 'tet_box' }\n"
      "material = { young = '1e9 GPa' }\nintegrator = 'runge_kutta4'\n");
  expect_says(stiff, "my.toml:5, key 'material' of body 'a': the first step cannot be taken: ");
  EXPECT_EQ(stiff.find('('), stiff.rfind('('));
  EXPECT_EQ(stiff.find("raise"), stiff.rfind("raise"));
}

}  // namespace
}  // namespace pliant
