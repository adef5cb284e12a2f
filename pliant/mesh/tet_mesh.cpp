#include "pliant/mesh/tet_mesh.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "pliant/core/error.h"
#include "pliant/geometry/predicates.h"

namespace pliant {
namespace {

bool repeats_index(Tet t) {
  std::sort(t.begin(), t.end());
  return std::adjacent_find(t.begin(), t.end()) != t.end();
}

void require_valid(std::span<const Vec3> positions, std::span<const Tet> tets, const std::string& name) {
  if (positions.size() >= VertexId::kNone || tets.size() >= VertexId::kNone / 12)
    throw Error(ErrorPlace{.file = name}, "the mesh has more vertices or tetrahedra than 32-bit indices can name",
                "split it into several meshes");
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (!positions[v].allFinite())
      throw Error(ErrorPlace{.file = name, .element = "vertex " + std::to_string(v)},
                  "a coordinate is not a finite number", "repair or remove the vertex");
  }
  for (std::size_t t = 0; t < tets.size(); ++t) {
    const ErrorPlace place{.file = name, .element = "tetrahedron " + std::to_string(t)};
    for (const VertexId v : tets[t]) {
      if (v.index() >= positions.size())
        throw Error(place, "vertex index " + std::to_string(v.value) + " is out of range",
                    "the mesh has " + std::to_string(positions.size()) + " vertices");
    }
    if (repeats_index(tets[t])) throw Error(place, "a vertex occurs twice", "remove the tetrahedron");
  }
}

// Sorted corners, and 4 * tet + face.
using TetFace = std::pair<Triangle, std::uint32_t>;

Triangle corners(const Tet& tet, std::size_t face) {
  const auto& c = kTetFaces[face];
  return {tet[c[0]], tet[c[1]], tet[c[2]]};
}

// The slots of the faces that occur once, ascending.
std::vector<std::uint32_t> boundary_slots(std::span<const Tet> tets) {
  std::vector<TetFace> faces;
  faces.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    for (std::size_t i = 0; i < 4; ++i) {
      Triangle sorted = corners(tets[t], i);
      std::sort(sorted.begin(), sorted.end());
      faces.emplace_back(sorted, static_cast<std::uint32_t>(4 * t + i));
    }
  }
  std::sort(faces.begin(), faces.end());
  std::vector<std::uint32_t> slots;
  for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
    while (end < faces.size() && faces[end].first == faces[begin].first) ++end;
    if (end - begin == 1) slots.push_back(faces[begin].second);
  }
  std::sort(slots.begin(), slots.end());
  return slots;
}

}  // namespace

TetMesh::TetMesh(std::vector<Vec3> positions, std::vector<Tet> tets, const std::string& name)
    : positions_(std::move(positions)), tets_(std::move(tets)) {
  require_valid(positions_, tets_, name);
  orient();
  extract_surface(name);
}

void TetMesh::orient() {
  for (Tet& t : tets_) {
    // Positive where the last corner is above the first three, which turn counter-clockwise seen from there.
    const int sign = -orient3d(positions_[t[0].index()], positions_[t[1].index()], positions_[t[2].index()],
                               positions_[t[3].index()]);
    if (sign < 0) std::swap(t[2], t[3]);
    flipped_count_ += sign < 0 ? 1 : 0;
    flat_count_ += sign == 0 ? 1 : 0;
  }
}

void TetMesh::extract_surface(const std::string& name) {
  std::vector<Triangle> triangles;
  for (const std::uint32_t slot : boundary_slots(tets_)) triangles.push_back(corners(tets_[slot / 4], slot % 4));
  std::vector<VertexId> surface_vertex(positions_.size());
  for (const Triangle& t : triangles)
    for (const VertexId v : t) surface_vertex[v.index()] = VertexId(0);
  std::vector<Vec3> surface_positions;
  for (std::size_t v = 0; v < positions_.size(); ++v) {
    if (!surface_vertex[v].valid()) continue;
    surface_vertex[v] = VertexId(surface_positions.size());
    surface_positions.push_back(positions_[v]);
    surface_vertices_.emplace_back(v);
  }
  for (Triangle& t : triangles)
    for (VertexId& v : t) v = surface_vertex[v.index()];
  surface_ = std::make_shared<const TriangleMesh>(std::move(surface_positions), std::move(triangles),
                                                  MeshOrigin{.name = name});
}

double TetMesh::six_volumes(TetId id) const {
  const Tet& t = tet(id);
  const Vec3& a = positions_[t[0].index()];
  const Vec3 u = positions_[t[1].index()] - a, v = positions_[t[2].index()] - a, w = positions_[t[3].index()] - a;
  return u.cross(v).dot(w);
}

double TetMesh::volume() const {
  double sum = 0;
  for (std::size_t t = 0; t < tets_.size(); ++t) sum += six_volumes(TetId(t));
  return sum / 6;
}

}  // namespace pliant
