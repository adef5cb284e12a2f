// Real meshes, alone and placed in overlap: every still method agrees.
#include <gtest/gtest.h>

#include <filesystem>

#include "pliant/bounds/aabb.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/deform.h"
#include "tests/detect/reports.h"

namespace pliant::testing {
namespace {

class RealMesh : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Files, RealMesh,
                         ::testing::Values("meshes/teapot_1k.obj", "meshes/two_cubes_intersecting.obj",
                                           "meshes/two_cubes_close.obj", "meshes/erleben_crack.obj",
                                           "research-only/beetle_2k.obj"));

TEST_P(RealMesh, AndACopyInOverlapGiveTheSameContactsByEveryMethod) {
  const std::string path = std::string(PLIANT_TEST_DATA) + "/" + GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no real meshes here";
  const MeshPtr mesh = read_mesh(path);
  const double size = Aabb::of_points(mesh->positions()).diagonal();
  const MeshPtr copy =
      with_positions(*mesh, transformed(mesh->positions(), rigid({1, 2, 3}, 0.4, Vec3::Constant(0.05 * size))));
  const Report oracle = detect_still("brute-force", {mesh, copy});
  EXPECT_GT(oracle.contacts.size(), 0u);
  for (const char* method : {"bvh", "spatial-hash"})
    EXPECT_EQ(hash_of(detect_still(method, {mesh, copy})), hash_of(oracle)) << method;
}

TEST(RealCubes, IntersectingCubesIntersectAndCloseOnesDoNot) {
  const std::string folder = std::string(PLIANT_TEST_DATA) + "/meshes/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no real meshes here";
  EXPECT_EQ(detect_still("bvh", {read_mesh(folder + "two_cubes_intersecting.obj")}).contacts.size(), 96u);
  EXPECT_TRUE(detect_still("bvh", {read_mesh(folder + "two_cubes_close.obj")}).contacts.empty());
  EXPECT_TRUE(detect_still("bvh", {read_mesh(folder + "two_cubes_far.obj")}).contacts.empty());
}

}  // namespace
}  // namespace pliant::testing
