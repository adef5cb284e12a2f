#include "pliant/mesh/split.h"

namespace pliant {
namespace {

// A mesh of some of the faces. `place` is scratch for all vertices of the whole, kNone between calls.
MeshPtr extract(const TriangleMesh& mesh, const std::vector<FaceId>& faces, const std::string& name,
                std::vector<std::uint32_t>& place) {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  MeshOrigin origin;
  origin.name = name;
  for (const FaceId f : faces) {
    Triangle t;
    for (std::size_t i = 0; i < 3; ++i) {
      const VertexId v = mesh.triangle(f)[i];
      if (place[v.index()] == VertexId::kNone) {
        place[v.index()] = static_cast<std::uint32_t>(positions.size());
        positions.push_back(mesh.position(v));
        origin.vertex_in_file.push_back(mesh.vertex_in_file(v));
      }
      t[i] = VertexId(place[v.index()]);
    }
    triangles.push_back(t);
    origin.triangle_in_file.push_back(mesh.triangle_in_file(f));
    if (!mesh.origin().polygon_of_face.empty()) origin.polygon_of_face.push_back(mesh.polygon_in_file(f));
  }
  for (const FaceId f : faces)
    for (const VertexId v : mesh.triangle(f)) place[v.index()] = VertexId::kNone;
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles), std::move(origin));
}

}  // namespace

std::vector<NamedMesh> split_parts(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> place(mesh.vertex_count(), VertexId::kNone);
  std::vector<bool> taken(mesh.face_count(), false);
  std::vector<NamedMesh> meshes;
  const auto add = [&](const std::string& name, const std::vector<FaceId>& faces) {
    if (!faces.empty()) meshes.push_back({name, extract(mesh, faces, mesh.origin().name + "/" + name, place)});
  };
  for (const MeshPart& part : mesh.origin().parts) {
    std::vector<FaceId> faces;
    for (std::uint32_t f = part.first_face; f < part.first_face + part.face_count; ++f) {
      faces.emplace_back(f);
      taken[f] = true;
    }
    add(part.name, faces);
  }
  std::vector<FaceId> rest;
  for (std::size_t f = 0; f < taken.size(); ++f)
    if (!taken[f]) rest.emplace_back(f);
  add("rest", rest);
  return meshes;
}

}  // namespace pliant
