#include "pliant/mesh/triangle_mesh.h"

#include <bit>
#include <cassert>
#include <limits>
#include <numeric>

#include "pliant/core/bit_cast.h"
#include "pliant/core/error.h"
#include "pliant/mesh/rings.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

void require_fitting(const MeshOrigin& origin, std::size_t face_count) {
  if (!origin.polygon_of_face.empty() && origin.polygon_of_face.size() != face_count)
    throw Error(ErrorPlace{.file = origin.name},
                "the list of polygons names " + std::to_string(origin.polygon_of_face.size()) + " triangles",
                "the mesh has " + std::to_string(face_count));
  std::size_t end = 0;
  for (const MeshPart& part : origin.parts) {
    if (part.first_face < end || part.first_face > face_count || part.face_count > face_count - part.first_face)
      throw Error(ErrorPlace{.file = origin.name, .element = "part '" + part.name + "'"},
                  "its faces overlap the part before it or end after the last face", "list parts in ascending order");
    end = std::size_t{part.first_face} + part.face_count;
  }
}

void require_countable(std::size_t vertex_count, std::size_t face_count, const MeshOrigin& origin) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
  if (vertex_count > kMost || face_count > kMost / 3)
    throw Error(ErrorPlace{.file = origin.name}, "the mesh has more vertices or triangles than 32-bit indices can name",
                "split it into several meshes");
}

void require_valid(std::span<const Vec3> positions, std::span<const Triangle> triangles, const MeshOrigin& origin) {
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (!positions[v].allFinite())
      throw Error(ErrorPlace{.file = origin.name, .element = "vertex " + std::to_string(v)},
                  "a coordinate is not a finite number", "repair or remove the vertex");
  }
  for (std::size_t f = 0; f < triangles.size(); ++f) {
    for (const VertexId v : triangles[f]) {
      if (v.index() >= positions.size())
        throw Error(ErrorPlace{.file = origin.name, .element = "face " + std::to_string(f)},
                    "vertex index " + std::to_string(v.value) + " is out of range",
                    "the mesh has " + std::to_string(positions.size()) + " vertices");
    }
  }
}

std::uint64_t mix(std::uint64_t x) {  // splitmix64's finaliser
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::uint64_t hash_position(const Vec3& p) {
  std::uint64_t h = 0;
  for (int axis = 0; axis < 3; ++axis) h = mix(h ^ pliant::bit_cast<std::uint64_t>(p[axis] + 0.0));  // -0 + 0 = +0
  return h;
}

}  // namespace

TriangleMesh::TriangleMesh(std::vector<Vec3> positions, std::vector<Triangle> triangles, MeshOrigin origin)
    : positions_(std::move(positions)), triangles_(std::move(triangles)), origin_(std::move(origin)) {
  require_countable(positions_.size(), triangles_.size(), origin_);
  require_valid(positions_, triangles_, origin_);
  require_fitting(origin_, triangles_.size());
}

TriangleMesh::TriangleMesh(AlreadyChecked, std::vector<Vec3> positions, std::vector<Triangle> triangles,
                           MeshOrigin origin)
    : positions_(std::move(positions)), triangles_(std::move(triangles)), origin_(std::move(origin)) {
  require_countable(positions_.size(), triangles_.size(), origin_);
  assert((require_valid(positions_, triangles_, origin_), true));
  require_fitting(origin_, triangles_.size());
}

TriangleMesh::~TriangleMesh() = default;

std::uint32_t TriangleMesh::polygon_in_file(FaceId f) const {
  return origin_.polygon_of_face.empty() ? triangle_in_file(f) : origin_.polygon_of_face[f.index()];
}

std::uint32_t TriangleMesh::triangle_in_file(FaceId f) const {
  return origin_.triangle_in_file.empty() ? f.value : origin_.triangle_in_file[f.index()];
}

std::uint32_t TriangleMesh::vertex_in_file(VertexId v) const {
  return origin_.vertex_in_file.empty() ? v.value : origin_.vertex_in_file[v.index()];
}

// Open addressing over the positions themselves: the first vertex at a place represents all later ones.
const TriangleMesh::Welds& TriangleMesh::welds() const {
  std::call_once(welds_once_, [this] {
    const std::size_t slots = std::bit_ceil(2 * positions_.size() + 1);
    std::vector<std::uint32_t> table(slots, VertexId::kNone);
    welds_.representative.resize(positions_.size());
    for (std::size_t v = 0; v < positions_.size(); ++v) {
      std::size_t slot = hash_position(positions_[v]) & (slots - 1);
      while (table[slot] != VertexId::kNone && positions_[table[slot]] != positions_[v])
        slot = (slot + 1) & (slots - 1);
      if (table[slot] == VertexId::kNone) table[slot] = static_cast<std::uint32_t>(v);
      else welds_.copies.emplace_back(v);
      welds_.representative[v] = VertexId(table[slot]);
    }
  });
  return welds_;
}

const MeshTopology& TriangleMesh::topology() const {
  std::call_once(topology_once_,
                 [this] { topology_ = std::make_unique<const MeshTopology>(vertex_count(), triangles_); });
  return *topology_;
}

const VertexRings& TriangleMesh::rings() const {
  std::call_once(rings_once_, [this] { rings_ = std::make_unique<const VertexRings>(*this); });
  return *rings_;
}

}  // namespace pliant
