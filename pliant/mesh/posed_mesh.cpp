#include "pliant/mesh/posed_mesh.h"

#include "pliant/core/error.h"

namespace pliant {
namespace {

const TriangleMesh* required(const TriangleMesh* mesh) {
  if (!mesh) throw Error("there is no mesh", "pass one that is not null");
  return mesh;
}

std::span<const Vec3> fitting(const TriangleMesh& mesh, std::span<const Vec3> positions) {
  if (positions.size() != mesh.vertex_count())
    throw Error(ErrorPlace{.file = mesh.origin().name},
                std::to_string(positions.size()) + " positions were given for " + std::to_string(mesh.vertex_count()) +
                    " vertices",
                "give one for each vertex of the mesh");
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (!positions[v].allFinite())
      throw Error(ErrorPlace{.file = mesh.origin().name, .element = "vertex " + std::to_string(v)},
                  "a coordinate is not a finite number", "give positions that are");
  }
  return positions;
}

}  // namespace

PosedMesh::PosedMesh(const TriangleMesh* posed, std::span<const Vec3> at)
    : mesh(required(posed)), positions(fitting(*posed, at)) {}
PosedMesh::PosedMesh(const MeshPtr& at_rest) : PosedMesh(*required(at_rest.get())) {}

MovingMesh::MovingMesh(const MeshPtr& moved, std::span<const Vec3> start, std::span<const Vec3> end)
    : mesh(required(moved.get())), x_t0(fitting(*moved, start)), x_t1(fitting(*moved, end)) {}

}  // namespace pliant
