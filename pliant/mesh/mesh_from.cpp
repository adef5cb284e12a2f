#include "pliant/mesh/mesh_from.h"

#include <limits>
#include <string>

#include "pliant/core/error.h"

namespace pliant {
namespace {

void require_threes(std::size_t size, const char* element, const char* what) {
  if (size % 3 == 0) return;
  throw Error(ErrorPlace{.element = element + std::string(" ") + std::to_string(size / 3)},
              "the array of " + std::to_string(size) + " numbers ends within it", what);
}

template <class Index>
std::vector<Triangle> triangles_from(std::span<const Index> indices, std::size_t vertices) {
  require_threes(indices.size(), "triangle", "give three vertex indices per triangle");
  std::vector<Triangle> triangles(indices.size() / 3);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    // A negative number is large beyond all vertices.
    const auto index = static_cast<std::uint64_t>(indices[i]);
    if (index >= vertices)
      throw Error(ErrorPlace{.element = "triangle " + std::to_string(i / 3)},
                  "vertex index " + std::to_string(indices[i]) + " is out of range",
                  "the mesh has " + std::to_string(vertices) + " vertices, counted from 0");
    triangles[i / 3][i % 3] = VertexId(static_cast<std::uint32_t>(index));
  }
  return triangles;
}

template <class Index>
MeshPtr make(std::span<const double> positions, std::span<const Index> indices) {
  std::vector<Vec3> points = positions_from(positions);
  std::vector<Triangle> triangles = triangles_from(indices, points.size());
  return std::make_shared<const TriangleMesh>(std::move(points), std::move(triangles));
}

}  // namespace

std::vector<Vec3> positions_from(std::span<const double> positions) {
  require_threes(positions.size(), "vertex", "give x, y and z of each vertex");
  std::vector<Vec3> points(positions.size() / 3);
  for (std::size_t v = 0; v < points.size(); ++v) {
    points[v] = Vec3(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
    if (!points[v].allFinite())
      throw Error(ErrorPlace{.element = "vertex " + std::to_string(v)}, "a coordinate is not a finite number",
                  "repair or remove the vertex");
  }
  return points;
}

MeshPtr mesh_from(std::span<const double> positions, std::span<const std::uint32_t> triangles) {
  return make(positions, triangles);
}

namespace detail {

MeshPtr mesh_from_wide(std::span<const double> positions, std::span<const std::int64_t> triangles) {
  return make(positions, triangles);
}

void refuse_columns(const char* matrix, std::int64_t columns) {
  throw Error(std::string("the matrix ") + matrix + " has " + std::to_string(columns) + " columns",
              "give it three: one row per vertex of V, one row per triangle of F");
}

}  // namespace detail

}  // namespace pliant
