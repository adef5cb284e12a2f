// Shapes and questions that the tests of asset/ share.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "pliant/core/error.h"
#include "pliant/core/random.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/triangle_mesh.h"
#include "tests/support/errors.h"

namespace pliant::testing {

// Degrees: the worst over all ways to cut and move a lattice tet (Stencils.AnglesAreBounded).
inline constexpr double kLeastAngle = 9.26, kLargestAngle = 161.7;

inline MeshPtr make_mesh(std::vector<Vec3> positions, const std::vector<std::array<int, 3>>& faces) {
  std::vector<Triangle> triangles;
  for (const auto& f : faces) triangles.push_back({VertexId(f[0]), VertexId(f[1]), VertexId(f[2])});
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles));
}

// Several meshes as one.
inline MeshPtr joined(const std::vector<MeshPtr>& meshes, const std::vector<Vec3>& moves = {}) {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    const std::size_t first = positions.size();
    for (const Vec3& p : meshes[m]->positions()) positions.emplace_back(moves.empty() ? p : p + moves[m]);
    for (Triangle t : meshes[m]->triangles()) {
      for (VertexId& v : t) v = VertexId(v.index() + first);
      triangles.push_back(t);
    }
  }
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles));
}

// The faces f with keep(f).
template <class Keep>
MeshPtr faces_where(const TriangleMesh& mesh, Keep&& keep) {
  std::vector<Triangle> triangles;
  for (std::size_t f = 0; f < mesh.face_count(); ++f)
    if (keep(f)) triangles.push_back(mesh.triangles()[f]);
  return std::make_shared<const TriangleMesh>(std::vector<Vec3>(mesh.positions().begin(), mesh.positions().end()),
                                              std::move(triangles));
}

inline bool is_closed_manifold(const TriangleMesh& mesh) {
  const DefectReport defects = find_defects(mesh);
  return defects.closed() && defects.manifold();
}

// A cube of eight vertices.
inline MeshPtr make_cube() { return make_box({.cells = Eigen::Vector3i::Ones()}); }

template <class Call>
std::string error_text(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

}  // namespace pliant::testing
