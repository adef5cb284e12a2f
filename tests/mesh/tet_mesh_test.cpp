#include "pliant/mesh/tet_mesh.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Geometry>

#include <cmath>

#include "pliant/core/error.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/deform.h"
#include "tests/mesh/test_data.h"
#include "tests/support/stand_in_data.h"

namespace pliant {
namespace {

struct TetInput {
  std::vector<Vec3> positions;
  std::vector<Tet> tets;
};

// A block of n x n x n cubes of edge 1, each cut into 6 tets around its diagonal (Kuhn), every second one inside out.
TetInput block(int n) {
  TetInput input;
  const auto vertex = [n](int x, int y, int z) { return VertexId((z * (n + 1) + y) * (n + 1) + x); };
  for (int z = 0; z <= n; ++z)
    for (int y = 0; y <= n; ++y)
      for (int x = 0; x <= n; ++x) input.positions.emplace_back(x, y, z);
  const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        for (const auto& order : orders) {
          int at[3] = {x, y, z};
          Tet tet{vertex(x, y, z)};
          for (std::size_t i = 0; i < 3; ++i) {
            ++at[order[i]];
            tet[i + 1] = vertex(at[0], at[1], at[2]);
          }
          input.tets.push_back(tet);
        }
  return input;
}

RC_GTEST_PROP(TetMesh, SurfaceOfABlockIsClosedAndOutwardForAnyCornerOrder, ()) {
  const int n = *rc::gen::inRange(1, 4);
  TetInput input = block(n);
  for (Tet& t : input.tets) {
    const auto swap = *rc::gen::inRange<std::size_t>(0, 4);
    std::swap(t[0], t[swap]);
  }
  const TetMesh mesh(input.positions, input.tets);
  const DefectReport report = find_defects(*mesh.surface());
  RC_ASSERT(report.closed());
  RC_ASSERT(report.manifold());
  RC_ASSERT(mesh.surface()->face_count() == static_cast<std::size_t>(12 * n * n));
  RC_ASSERT(enclosed_volume(*mesh.surface()) == n * n * n);
  RC_ASSERT(mesh.volume() == n * n * n);
  for (std::size_t t = 0; t < mesh.tet_count(); ++t) RC_ASSERT(mesh.tet_volume(TetId(t)) == 1.0 / 6);
}

TEST(TetMesh, CountsTheTetsItTurns) {
  const TetInput input = block(2);  // three of the six orders are odd permutations
  const TetMesh mesh(input.positions, input.tets);
  EXPECT_EQ(mesh.flipped_count(), mesh.tet_count() / 2);
  EXPECT_EQ(mesh.flat_count(), 0u);
  EXPECT_EQ(TetMesh(input.positions, {mesh.tets().begin(), mesh.tets().end()}).flipped_count(), 0u);
}

TEST(TetMesh, MapsSurfaceVerticesToItsOwn) {
  const TetInput input = block(2);
  const TetMesh mesh(input.positions, input.tets);
  ASSERT_EQ(mesh.surface_vertices().size(), 26u);  // all but the one in the middle
  for (std::size_t v = 0; v < 26; ++v)
    EXPECT_EQ(mesh.surface()->position(VertexId(v)), input.positions[mesh.surface_vertices()[v].index()]);
}

TEST(TetMesh, OrientationIsExactForNearlyFlatTets) {
  const double up = 0x1p-60, step = 0x1p-53;
  const std::vector<Vec3> positions = {{0.5, 0.5, 0}, {12, 12, 0}, {24, 24, up}, {0.5 + step, 0.5, 0}, {1, 1, 0}};
  const Tet thin{VertexId(0), VertexId(1), VertexId(3), VertexId(2)};
  const TetMesh mesh(positions, {thin, {VertexId(0), VertexId(1), VertexId(3), VertexId(4)}});
  EXPECT_EQ(mesh.flat_count(), 1u);
  EXPECT_EQ(mesh.flipped_count(), 1u);
}

TEST(TetMesh, RefusesBadInput) {
  const std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_THROW(TetMesh(positions, {{VertexId(0), VertexId(1), VertexId(2), VertexId(4)}}), Error);
  EXPECT_THROW(TetMesh(positions, {{VertexId(0), VertexId(1), VertexId(2), VertexId(1)}}), Error);
  EXPECT_THROW(TetMesh({{0, 0, std::nan("")}}, {}), Error);
}

TEST(TetMesh, OfNoTetsHasAnEmptySurface) {
  const TetMesh mesh({{1, 2, 3}}, {});
  EXPECT_EQ(mesh.surface()->face_count(), 0u);
  EXPECT_EQ(mesh.volume(), 0);
}

struct KnownTets {
  std::string path;
  std::size_t vertices, surface_faces, tets, interior_vertices;
};

TEST(TetMesh, SurfacesOfMeshFilesHaveTheKnownCounts) {
  const std::filesystem::path generated = testing::stand_in_meshes(), real = PLIANT_TEST_DATA;
  std::vector<KnownTets> all = {{generated / "tets/box.mesh", 36, 64, 60, 2},
                                {generated / "tets/cell.mesh", 8, 12, 5, 0}};
  if (testing::has_real_data())
    all.insert(all.end(), {{real / "tets/bunny_19k.mesh", 4670, 6266, 19379, 1535},
                           {real / "tets/cowhead_5k.mesh", 1328, 1986, 5029, 333},
                           {real / "tets/mat40x40_9k.mesh", 3200, 6396, 9126, 0}});
  for (const KnownTets& known : all) {
    testing::TetFile file = testing::read_test_tets(known.path);
    const TetMesh mesh(std::move(file.positions), std::move(file.tets), known.path);
    EXPECT_EQ(mesh.vertex_count(), known.vertices) << known.path;
    EXPECT_EQ(mesh.tet_count(), known.tets) << known.path;
    EXPECT_EQ(mesh.flipped_count(), 0u) << known.path;
    EXPECT_EQ(mesh.surface()->face_count(), known.surface_faces) << known.path;
    EXPECT_EQ(mesh.vertex_count() - mesh.surface()->vertex_count(), known.interior_vertices) << known.path;
    EXPECT_NEAR(enclosed_volume(*mesh.surface()) / mesh.volume(), 1, 1e-9) << known.path;
  }
}

}  // namespace
}  // namespace pliant
