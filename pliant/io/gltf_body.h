// The geometry of a glTF scene as one body: every mesh of every node, skinned and morphed. Internal to io/.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pliant/io/gltf.h"
#include "pliant/io/gltf_pose.h"
#include "pliant/io/mesh_file.h"

namespace pliant {

class GltfBody {
 public:
  // Throws Error if indices are out of range, a coordinate is not finite, or instances of a mesh add up to far more
  // than the file holds.
  explicit GltfBody(Gltf gltf);

  const Gltf& gltf() const { return gltf_; }
  std::size_t vertex_count() const { return vertex_count_; }
  // The vertices in the order of nodes (parents before children), meshes and primitives. Primitives of a mesh that
  // share their positions share their vertices.
  std::vector<Vec3> positions(const GltfPose& pose) const;
  // The faces over the positions at rest; every node with a mesh is a part.
  MeshFile mesh() const;

 private:
  // The vertices of one primitive, or of several of a mesh.
  struct Block {
    std::size_t accessor = 0;  // of the positions
    std::vector<Vec3> base;
    std::vector<std::vector<Vec3>> targets;            // empty ones move nothing
    std::vector<std::array<std::uint32_t, 4>> joints;  // vertex by vertex, all sets of the first vertex first
    std::vector<std::array<double, 4>> weights;
    std::size_t sets = 0;
  };
  struct Faces {
    std::size_t block = 0;
    std::vector<std::array<std::uint32_t, 3>> triangles;
  };
  struct LoadedMesh {
    std::vector<Block> blocks;
    std::vector<Faces> faces;
    std::size_t vertex_count = 0;
  };
  struct Instance {
    std::size_t node = 0;
    std::size_t first_vertex = 0;
  };

  LoadedMesh load_mesh(std::size_t index);
  Block load_block(const GltfPrimitive& primitive, const std::string& element);
  void load_skinning(const GltfPrimitive& primitive, Block& block) const;
  std::vector<Vec3> read_points(std::size_t accessor, const std::string& element);
  std::vector<std::array<std::uint32_t, 3>> load_triangles(const GltfPrimitive& primitive, std::size_t vertices,
                                                           const std::string& element);
  void claim_vertices(std::size_t count);
  void place_instances();
  void require_joints(const LoadedMesh& mesh, std::size_t node) const;
  void append_positions(const Instance& instance, const GltfPose& pose, std::vector<Vec3>& positions) const;

  Gltf gltf_;
  std::vector<LoadedMesh> meshes_;
  std::vector<Instance> instances_;
  std::size_t vertex_count_ = 0;
  std::size_t claimed_ = 0;
  bool has_other_primitives_ = false;
};

}  // namespace pliant
