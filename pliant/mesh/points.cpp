#include "pliant/mesh/points.h"

#include <algorithm>

namespace pliant {

MeshPtr make_points(std::vector<Vec3> positions, MeshOrigin origin) {
  std::vector<Triangle> faces;
  faces.reserve(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) faces.push_back({VertexId(v), VertexId(v), VertexId(v)});
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(faces), std::move(origin));
}

bool is_points(const TriangleMesh& mesh) {
  const auto is_point = [](const Triangle& t) { return t[0] == t[1] && t[1] == t[2]; };
  return std::all_of(mesh.triangles().begin(), mesh.triangles().end(), is_point);
}

}  // namespace pliant
