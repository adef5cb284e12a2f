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

namespace pliant {
namespace {

void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

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
  std::string folder_ = ::testing::TempDir() + "pliant-motion-scene";
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

}  // namespace
}  // namespace pliant
