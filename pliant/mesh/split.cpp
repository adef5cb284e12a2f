#include "pliant/mesh/split.h"

#include <algorithm>

#include "pliant/core/disjoint_sets.h"

namespace pliant {
namespace {

// Takes meshes of some of the faces out of a whole.
class Extractor {
 public:
  explicit Extractor(const TriangleMesh& whole) : whole_(whole), new_index_(whole.vertex_count(), 0) {}

  NamedMesh extract(const std::string& name, const std::vector<FaceId>& faces) {
    NamedMesh part;
    part.name = name;
    for (const FaceId f : faces)
      for (const VertexId v : whole_.triangle(f)) part.vertices.push_back(v);
    std::sort(part.vertices.begin(), part.vertices.end());
    part.vertices.erase(std::unique(part.vertices.begin(), part.vertices.end()), part.vertices.end());
    std::vector<Vec3> positions;
    MeshOrigin origin;
    for (const VertexId v : part.vertices) {
      new_index_[v.index()] = static_cast<std::uint32_t>(positions.size());
      positions.push_back(whole_.position(v));
      origin.vertex_in_file.push_back(whole_.vertex_in_file(v));
    }
    std::vector<Triangle> triangles;
    for (const FaceId f : faces) {
      const Triangle& t = whole_.triangle(f);
      triangles.push_back(
          {VertexId(new_index_[t[0].index()]), VertexId(new_index_[t[1].index()]), VertexId(new_index_[t[2].index()])});
      origin.triangle_in_file.push_back(whole_.triangle_in_file(f));
      if (!whole_.origin().polygon_of_face.empty()) origin.polygon_of_face.push_back(whole_.polygon_in_file(f));
    }
    origin.name = whole_.origin().name + "/" + name;
    origin.parts = {{name, 0, static_cast<std::uint32_t>(triangles.size())}};
    part.mesh = std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles), std::move(origin));
    return part;
  }

 private:
  const TriangleMesh& whole_;
  std::vector<std::uint32_t> new_index_;  // of the vertices of the part at work
};

}  // namespace

std::vector<NamedMesh> split_parts(const TriangleMesh& mesh) {
  Extractor extractor(mesh);
  std::vector<bool> taken(mesh.face_count(), false);
  std::vector<NamedMesh> meshes;
  for (const MeshPart& part : mesh.origin().parts) {
    std::vector<FaceId> faces;
    for (std::uint32_t f = part.first_face; f < part.first_face + part.face_count; ++f) {
      faces.emplace_back(f);
      taken[f] = true;
    }
    if (!faces.empty()) meshes.push_back(extractor.extract(part.name, faces));
  }
  std::vector<FaceId> rest;
  for (std::size_t f = 0; f < taken.size(); ++f)
    if (!taken[f]) rest.emplace_back(f);
  if (!rest.empty()) meshes.push_back(extractor.extract("rest", rest));
  return meshes;
}

std::vector<NamedMesh> split_components(const TriangleMesh& mesh) {
  DisjointSets joined(mesh.vertex_count());
  for (const Triangle& t : mesh.triangles()) {
    joined.unite(mesh.welded(t[0]).value, mesh.welded(t[1]).value);
    joined.unite(mesh.welded(t[0]).value, mesh.welded(t[2]).value);
  }
  std::vector<std::vector<FaceId>> components;
  std::vector<std::uint32_t> number(mesh.vertex_count(), VertexId::kNone);  // by root
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    std::uint32_t& component = number[joined.root(mesh.welded(mesh.triangle(FaceId(f))[0]).value)];
    if (component == VertexId::kNone) {
      component = static_cast<std::uint32_t>(components.size());
      components.emplace_back();
    }
    components[component].emplace_back(f);
  }
  Extractor extractor(mesh);
  std::vector<NamedMesh> meshes;
  for (std::size_t c = 0; c < components.size(); ++c)
    meshes.push_back(extractor.extract("component " + std::to_string(c), components[c]));
  return meshes;
}

}  // namespace pliant
