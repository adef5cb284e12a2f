// Parts and connected components of meshes.
#include "pliant/mesh/split.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

MeshPtr mesh_of(std::vector<Vec3> positions, const std::vector<std::array<std::uint32_t, 3>>& faces,
                MeshOrigin origin = {}) {
  std::vector<Triangle> triangles;
  for (const auto& f : faces) triangles.push_back({VertexId(f[0]), VertexId(f[1]), VertexId(f[2])});
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles), std::move(origin));
}

// Two squares of two triangles whose faces take turns, the second with its vertices in the reverse order.
MeshPtr interleaved(MeshOrigin origin = {}) {
  return mesh_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 1, 5}, {1, 1, 5}, {1, 0, 5}, {0, 0, 5}},
                 {{0, 1, 2}, {7, 6, 5}, {0, 2, 3}, {7, 5, 4}}, std::move(origin));
}

TEST(Split, ComponentsKeepTheIndicesOfTheFile) {
  const MeshPtr mesh = interleaved();
  const auto parts = split_components(*mesh);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].name, "component 1");
  EXPECT_EQ(parts[1].vertices, (std::vector{VertexId(4), VertexId(5), VertexId(6), VertexId(7)}));
  EXPECT_EQ(parts[1].mesh->triangle_in_file(FaceId(0)), 1u);
  EXPECT_EQ(parts[1].mesh->triangle_in_file(FaceId(1)), 3u);
  EXPECT_EQ(parts[1].mesh->vertex_in_file(VertexId(0)), 4u);
  for (std::size_t v = 0; v < 4; ++v) EXPECT_EQ(parts[1].mesh->positions()[v], mesh->position(parts[1].vertices[v]));
}

TEST(Split, TheTwoSidesOfASeamAreOneComponent) {
  const MeshPtr seam =
      mesh_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {3, 4, 5}});
  EXPECT_EQ(split_components(*seam).size(), 1u);
}

TEST(Split, PartsOfAPartStillCountAsTheFileDoes) {
  MeshOrigin origin;
  origin.parts = {{"first", 0, 1}, {"others", 1, 2}};
  const auto parts = split_parts(*interleaved(origin));
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[2].name, "rest");
  const auto components = split_components(*parts[1].mesh);
  ASSERT_EQ(components.size(), 2u);
  EXPECT_EQ(components[0].mesh->triangle_in_file(FaceId(0)), 1u);
  EXPECT_EQ(components[1].mesh->triangle_in_file(FaceId(0)), 2u);
  EXPECT_EQ(components[1].mesh->vertex_in_file(VertexId(1)), 2u);
}

}  // namespace
}  // namespace pliant
