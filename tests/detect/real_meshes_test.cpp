// Generated and real meshes, alone and placed in overlap: every still method agrees.
#include <gtest/gtest.h>

#include <filesystem>

#include "pliant/bounds/aabb.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/deform.h"
#include "tests/detect/reports.h"
#include "tests/support/stand_in_data.h"

namespace pliant::testing {
namespace {

std::vector<std::string> mesh_files() {
  std::vector<std::string> files;
  for (const char* name : {"grid.obj", "soup.ply", "fin.obj", "bowtie.ply", "blemished.ply", "teapot.obj",
                           "two_cubes_intersecting.obj", "two_cubes_close.obj"})
    files.push_back((stand_in_meshes() / "meshes" / name).string());
  for (const char* name : {"meshes/teapot_1k.obj", "meshes/two_cubes_intersecting.obj", "meshes/two_cubes_close.obj",
                           "meshes/erleben_crack.obj", "research-only/beetle_2k.obj"}) {
    const std::filesystem::path path = std::filesystem::path(PLIANT_TEST_DATA) / name;
    if (std::filesystem::exists(path)) files.push_back(path.string());
  }
  return files;
}

TEST(MeshFiles, AndTheirCopiesInOverlapGiveTheSameContactsByEveryMethod) {
  for (const std::string& path : mesh_files()) {
    SCOPED_TRACE(path);
    const MeshPtr mesh = read_mesh(path);
    const double size = Aabb::of_points(mesh->positions()).diagonal();
    const MeshPtr copy =
        with_positions(*mesh, transformed(mesh->positions(), rigid({1, 2, 3}, 0.4, Vec3::Constant(0.05 * size))));
    const Report oracle = detect_still("brute-force", {mesh, copy});
    EXPECT_GT(oracle.contacts.size(), 0u);
    for (const char* method : {"bvh", "spatial-hash"})
      EXPECT_EQ(hash_of(detect_still(method, {mesh, copy})), hash_of(oracle)) << method;
  }
}

// Counted by hand, and by others.
TEST(MeshFiles, IntersectingCubesIntersectAndCloseOnesDoNot) {
  for (const std::filesystem::path& data : mesh_data_folders()) {
    SCOPED_TRACE(data);
    const auto contacts = [&](const char* name) {
      return detect_still("bvh", {read_mesh((data / "meshes" / name).string())}).contacts.size();
    };
    // A pillar through two sides: its eight triangles meet one of each.
    EXPECT_EQ(contacts("two_cubes_intersecting.obj"), data == stand_in_meshes() ? 16u : 96u);
    EXPECT_EQ(contacts("two_cubes_close.obj"), 0u);
    EXPECT_EQ(contacts("two_cubes_far.obj"), 0u);
  }
}

}  // namespace
}  // namespace pliant::testing
