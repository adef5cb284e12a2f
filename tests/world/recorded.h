// A small world, and a folder of its own for every test that records it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "pliant/bodies/cloth.h"
#include "pliant/bodies/kinematic.h"
#include "pliant/io/file.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/world/run_folder.h"
#include "tests/support/temporary_folder.h"

namespace pliant {

using testing::read_text;

// A small cloth that falls onto a ball.
inline World small_world() {
  World world({.method = "swept-bvh"});
  world.add(std::make_unique<FixedBody>(make_icosphere({.radius = 0.2, .frequency = 3})), {.name = "ball"});
  const MeshPtr sheet = make_grid({.width = 0.6, .depth = 0.6, .columns = 6, .rows = 6});
  const auto lifted = transformed(sheet->positions(), {.translation = Vec3(0, 0, 0.22)});
  world.add(std::make_unique<ClothBody>(with_positions(*sheet, lifted)), {.name = "cloth"});
  return world;
}

inline RunInfo small_info() {
  RunInfo info;
  info.scene = "small";
  info.scene_text = "title = \"small\"\n";
  info.frames = 8;
  info.method = "swept-bvh";
  info.bodies = {{.name = "ball", .kind = "fixed"}, {.name = "cloth", .kind = "cloth"}};
  return info;
}

class RecordingTest : public ::testing::Test {
 protected:
  std::string folder(const char* name = "run") const { return root_ / name; }

  testing::TemporaryFolder root_;
};

}  // namespace pliant
