#include "pliant/mesh/triangle_mesh.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "pliant/core/error.h"
#include "pliant/mesh/topology.h"
#include "tests/mesh/random_soup.h"

namespace pliant {
namespace {

using testing::grid_positions;
using testing::random_soup;

const std::vector<Triangle> kOneTriangle = {{VertexId(0), VertexId(1), VertexId(2)}};

RC_GTEST_PROP(TriangleMesh, WeldsEachVertexToTheFirstAtItsPlace, ()) {
  std::vector<Vec3> positions = grid_positions(*rc::gen::inRange<std::size_t>(0, 40));
  for (Vec3& p : positions)  // signs of zero are mixed on purpose
    for (int axis = 0; axis < 3; ++axis)
      if (p[axis] == 0 && *rc::gen::arbitrary<bool>()) p[axis] = -0.0;
  const TriangleMesh mesh(positions, {});
  std::vector<VertexId> copies;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const auto first = std::find(positions.begin(), positions.end(), positions[v]) - positions.begin();
    RC_ASSERT(mesh.welded(VertexId(v)) == VertexId(static_cast<std::size_t>(first)));
    if (static_cast<std::size_t>(first) != v) copies.emplace_back(v);
  }
  RC_ASSERT(std::vector<VertexId>(mesh.weld_copies().begin(), mesh.weld_copies().end()) == copies);
}

TEST(TriangleMesh, WeldsPlusAndMinusZero) {
  const TriangleMesh mesh({{0.0, -0.0, 1}, {-0.0, 0.0, 1}, {0, 0, std::nextafter(1.0, 2.0)}}, kOneTriangle);
  EXPECT_EQ(mesh.welded(VertexId(1)), VertexId(0));
  EXPECT_EQ(mesh.welded(VertexId(2)), VertexId(2));
  EXPECT_EQ(mesh.weld_copies().size(), 1u);
}

TEST(TriangleMesh, KeepsTheOrderOfVerticesAndFaces) {
  const std::vector<Vec3> positions = {{3, 0, 0}, {1, 0, 0}, {2, 5, 0}, {1, 0, 0}};
  const std::vector<Triangle> triangles = {{VertexId(3), VertexId(2), VertexId(0)},
                                           {VertexId(0), VertexId(1), VertexId(2)}};
  const TriangleMesh mesh(positions, triangles);
  for (std::size_t v = 0; v < positions.size(); ++v) EXPECT_EQ(mesh.position(VertexId(v)), positions[v]);
  for (std::size_t f = 0; f < triangles.size(); ++f) EXPECT_EQ(mesh.triangle(FaceId(f)), triangles[f]);
  EXPECT_EQ(mesh.polygon_in_file(FaceId(1)), 1u);
}

TEST(TriangleMesh, NamesThePolygonATriangleWasCutFrom) {
  const TriangleMesh mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, kOneTriangle,
                          {.name = "quad.obj", .polygon_of_face = {7}});
  EXPECT_EQ(mesh.polygon_in_file(FaceId(0)), 7u);
}

TEST(TriangleMesh, AcceptsTrianglesThatRepeatAVertexAndNoTrianglesAtAll) {
  const TriangleMesh mesh({{0, 0, 0}}, {{VertexId(0), VertexId(0), VertexId(0)}});
  EXPECT_EQ(mesh.topology().edges().size(), 1u);
  EXPECT_EQ(TriangleMesh({}, {}).topology().component_count(), 0u);
}

TEST(TriangleMesh, RefusesAnIndexOutOfRangeNamingFileAndFace) {
  try {
    const TriangleMesh mesh({{0, 0, 0}, {1, 0, 0}}, kOneTriangle, {.name = "a.obj"});
    FAIL() << "index 2 of 2 vertices was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, "a.obj");
    EXPECT_EQ(error.place().element, "face 0");
  }
}

TEST(TriangleMesh, RefusesTheInvalidVertexId) {
  EXPECT_THROW(TriangleMesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{VertexId(0), VertexId(1), VertexId()}}), Error);
}

TEST(TriangleMesh, RefusesCoordinatesThatAreNotFiniteNamingTheVertex) {
  for (const double bad :
       {std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
      positions[1][axis] = bad;
      try {
        const TriangleMesh mesh(positions, kOneTriangle);
        FAIL() << bad << " was accepted";
      } catch (const Error& error) {
        EXPECT_EQ(error.place().element, "vertex 1");
      }
    }
  }
}

TEST(TriangleMesh, RefusesAnOriginThatDoesNotFitItsFaces) {
  const std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_THROW(TriangleMesh(positions, kOneTriangle, {.polygon_of_face = {1, 2}}), Error);
  EXPECT_THROW(TriangleMesh(positions, kOneTriangle, {.parts = {{"sleeve", 0, 2}}}), Error);
  EXPECT_THROW(TriangleMesh(positions, kOneTriangle, {.parts = {{"sleeve", 0, 1}, {"collar", 0, 1}}}), Error);
}

TEST(TriangleMesh, WeldsAndTopologyMayBeAskedForByManyThreadsAtOnce) {
  const TriangleMesh mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, kOneTriangle);
  std::vector<const MeshTopology*> seen(4);
  std::vector<std::size_t> copies(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < seen.size(); ++i)
    threads.emplace_back([&, i] {
      seen[i] = &mesh.topology();
      copies[i] = mesh.weld_copies().size();
    });
  for (std::thread& t : threads) t.join();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i], seen[0]);
    EXPECT_EQ(copies[i], 0u);
  }
}

}  // namespace
}  // namespace pliant
