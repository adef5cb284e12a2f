#include "pliant/io/gltf_body.h"

#include <algorithm>

#include "pliant/core/error.h"
#include "pliant/io/polygon_builder.h"

namespace pliant {
namespace {

constexpr int kTriangles = 4, kStrip = 5, kFan = 6;

std::vector<Eigen::Matrix4d> joint_matrices(const Gltf& gltf, std::size_t skin, const GltfPose& pose) {
  const GltfSkin& description = gltf.skins[skin];
  const std::vector<double> inverse_binds =
      description.inverse_binds ? read_accessor(gltf, *description.inverse_binds) : std::vector<double>();
  std::vector<Eigen::Matrix4d> result;
  for (std::size_t i = 0; i < description.joints.size(); ++i) {
    const Eigen::Matrix4d& global = pose.globals[description.joints[i]];
    result.push_back(
        inverse_binds.empty() ? global : product(global, Eigen::Map<const Eigen::Matrix4d>(&inverse_binds[16 * i])));
  }
  return result;
}

}  // namespace

GltfBody::GltfBody(Gltf gltf) : gltf_(std::move(gltf)) {
  std::vector<bool> is_used(gltf_.meshes.size());
  for (const GltfNode& node : gltf_.nodes) {
    if (node.mesh) is_used[*node.mesh] = true;
  }
  for (std::size_t i = 0; i < gltf_.meshes.size(); ++i) meshes_.push_back(is_used[i] ? load_mesh(i) : LoadedMesh());
  place_instances();
}

// A few bytes of JSON can name a large array again and again. Real files stay far below this bound.
void GltfBody::claim_vertices(std::size_t count) {
  constexpr std::size_t kAlways = 4'000'000, kPerByte = 16;
  claimed_ += count;
  if (claimed_ > kAlways + kPerByte * gltf_.total_bytes())
    throw Error(ErrorPlace{.file = gltf_.name},
                "the meshes of all nodes add up to far more vertices than the file holds", "export fewer instances");
}

GltfBody::LoadedMesh GltfBody::load_mesh(std::size_t index) {
  LoadedMesh mesh;
  for (std::size_t p = 0; p < gltf_.meshes[index].primitives.size(); ++p) {
    const GltfPrimitive& primitive = gltf_.meshes[index].primitives[p];
    const std::string element = "mesh " + std::to_string(index) + ", primitive " + std::to_string(p);
    if (primitive.mode < kTriangles || primitive.mode > kFan) {
      has_other_primitives_ = true;
      continue;
    }
    const auto same = [&](const Block& block) { return block.accessor == primitive.positions; };
    auto block = std::find_if(mesh.blocks.begin(), mesh.blocks.end(), same);
    if (block == mesh.blocks.end()) {
      mesh.blocks.push_back(load_block(primitive, element));
      block = mesh.blocks.end() - 1;
      mesh.vertex_count += block->base.size();
    }
    mesh.faces.push_back({static_cast<std::size_t>(block - mesh.blocks.begin()),
                          load_triangles(primitive, block->base.size(), element)});
  }
  return mesh;
}

GltfBody::Block GltfBody::load_block(const GltfPrimitive& primitive, const std::string& element) {
  Block block{.accessor = primitive.positions};
  block.base = read_points(primitive.positions, element);
  for (const std::optional<std::size_t>& target : primitive.target_positions)
    block.targets.push_back(target ? read_points(*target, element) : std::vector<Vec3>());
  claim_vertices(block.base.size() * primitive.joints.size());
  load_skinning(primitive, block);
  return block;
}

std::vector<Vec3> GltfBody::read_points(std::size_t accessor, const std::string& element) {
  claim_vertices(gltf_.accessors[accessor].count);
  const std::vector<double> numbers = read_accessor(gltf_, accessor);
  std::vector<Vec3> points;
  points.reserve(numbers.size() / 3);
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
    points.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
    if (!points.back().allFinite())
      throw Error(ErrorPlace{.file = gltf_.name, .element = element + ", vertex " + std::to_string(i / 3)},
                  "a coordinate is not a finite number", "repair or remove the vertex");
  }
  return points;
}

void GltfBody::load_skinning(const GltfPrimitive& primitive, Block& block) const {
  block.sets = primitive.joints.size();
  block.joints.resize(block.base.size() * block.sets);
  block.weights.resize(block.joints.size());
  for (std::size_t set = 0; set < block.sets; ++set) {
    const std::vector<double> joints = read_accessor(gltf_, primitive.joints[set]),
                              weights = read_accessor(gltf_, primitive.weights[set]);
    for (std::size_t v = 0; v < block.base.size(); ++v) {
      for (std::size_t k = 0; k < 4; ++k) {
        block.joints[v * block.sets + set][k] = static_cast<std::uint32_t>(std::clamp(joints[4 * v + k], 0.0, 65535.0));
        block.weights[v * block.sets + set][k] = weights[4 * v + k];
      }
    }
  }
}

std::vector<std::array<std::uint32_t, 3>> GltfBody::load_triangles(const GltfPrimitive& primitive, std::size_t vertices,
                                                                   const std::string& element) {
  std::vector<std::uint32_t> indices;
  if (primitive.indices) {
    claim_vertices(gltf_.accessors[*primitive.indices].count / 3);
    for (const double index : read_accessor(gltf_, *primitive.indices)) {
      if (index >= static_cast<double>(vertices))
        throw Error(ErrorPlace{.file = gltf_.name, .element = element},
                    "vertex index " + std::to_string(static_cast<std::uint64_t>(index)) + " is out of range",
                    "the primitive has " + std::to_string(vertices) + " vertices");
      indices.push_back(static_cast<std::uint32_t>(index));
    }
  } else {
    for (std::size_t i = 0; i < vertices; ++i) indices.push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<std::array<std::uint32_t, 3>> triangles;
  const std::size_t stride = primitive.mode == kTriangles ? 3 : 1;
  for (std::size_t i = 0; i + 2 < indices.size(); i += stride) {
    if (primitive.mode == kFan) triangles.push_back({indices[0], indices[i + 1], indices[i + 2]});
    else if (primitive.mode == kStrip && i % 2 == 1) triangles.push_back({indices[i + 1], indices[i], indices[i + 2]});
    else triangles.push_back({indices[i], indices[i + 1], indices[i + 2]});
  }
  return triangles;
}

// Of the nodes below the scene's roots.
void GltfBody::place_instances() {
  std::vector<bool> is_in_scene(gltf_.nodes.size());
  for (const std::size_t root : gltf_.roots) is_in_scene[root] = true;
  for (const std::size_t node : gltf_.order) {
    if (!is_in_scene[node]) continue;
    for (const std::size_t child : gltf_.nodes[node].children) is_in_scene[child] = true;
    if (!gltf_.nodes[node].mesh) continue;
    const LoadedMesh& mesh = meshes_[*gltf_.nodes[node].mesh];
    if (gltf_.nodes[node].skin) require_joints(mesh, node);
    instances_.push_back({node, vertex_count_});
    claim_vertices(mesh.vertex_count);
    for (const Faces& faces : mesh.faces) claim_vertices(faces.triangles.size());
    vertex_count_ += mesh.vertex_count;
  }
}

void GltfBody::require_joints(const LoadedMesh& mesh, std::size_t node) const {
  const std::size_t count = gltf_.skins[*gltf_.nodes[node].skin].joints.size();
  for (const Block& block : mesh.blocks) {
    for (std::size_t i = 0; i < block.joints.size(); ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        if (block.weights[i][k] != 0 && block.joints[i][k] >= count)
          throw Error(ErrorPlace{.file = gltf_.name, .element = "node " + std::to_string(node)},
                      "joint " + std::to_string(block.joints[i][k]) + " is out of range",
                      "its skin has " + std::to_string(count) + " joints");
      }
    }
  }
}

std::vector<Vec3> GltfBody::positions(const GltfPose& pose) const {
  std::vector<Vec3> result;
  result.reserve(vertex_count_);
  for (const Instance& instance : instances_) append_positions(instance, pose, result);
  return result;
}

// glTF 2.0, 3.7: targets first, then the skin, which takes the place of the node's own transform.
void GltfBody::append_positions(const Instance& instance, const GltfPose& pose, std::vector<Vec3>& positions) const {
  const GltfNode& node = gltf_.nodes[instance.node];
  const std::vector<double>& own_weights = pose.weights[instance.node];
  const std::vector<double>& weights = own_weights.empty() ? gltf_.meshes[*node.mesh].weights : own_weights;
  const std::vector<Eigen::Matrix4d> joints =
      node.skin ? joint_matrices(gltf_, *node.skin, pose) : std::vector<Eigen::Matrix4d>();
  for (const Block& block : meshes_[*node.mesh].blocks) {
    const bool is_skinned = block.sets > 0 && !joints.empty();
    for (std::size_t v = 0; v < block.base.size(); ++v) {
      Vec3 p = block.base[v];
      for (std::size_t t = 0; t < block.targets.size() && t < weights.size(); ++t) {
        if (weights[t] != 0 && !block.targets[t].empty()) p += weights[t] * block.targets[t][v];
      }
      if (!is_skinned) {
        positions.push_back(transformed_point(pose.globals[instance.node], p));
        continue;
      }
      Vec3 sum = Vec3::Zero();
      double total = 0;
      for (std::size_t set = v * block.sets; set < (v + 1) * block.sets; ++set) {
        for (std::size_t k = 0; k < 4; ++k) {
          const double weight = block.weights[set][k];
          if (weight == 0) continue;
          sum += weight * transformed_point(joints[block.joints[set][k]], p);
          total += weight;
        }
      }
      positions.push_back(total > 0 ? Vec3(sum / total) : p);
    }
  }
}

MeshFile GltfBody::mesh() const {
  PolygonBuilder builder;
  builder.dropped = gltf_.dropped;
  if (has_other_primitives_) builder.dropped.emplace_back("points and lines");
  builder.warnings = gltf_.warnings;
  builder.positions = positions(rest_pose(gltf_));
  for (const Instance& instance : instances_) {
    const GltfNode& node = gltf_.nodes[instance.node];
    const std::string& name = node.name.empty() ? gltf_.meshes[*node.mesh].name : node.name;
    builder.begin_part(name.empty() ? "node " + std::to_string(instance.node) : name);
    const LoadedMesh& mesh = meshes_[*node.mesh];
    std::vector<std::size_t> first(mesh.blocks.size(), instance.first_vertex);
    for (std::size_t b = 1; b < mesh.blocks.size(); ++b) first[b] = first[b - 1] + mesh.blocks[b - 1].base.size();
    for (const Faces& faces : mesh.faces) {
      for (const auto& [a, b, c] : faces.triangles)
        builder.add_triangle(
            {VertexId(first[faces.block] + a), VertexId(first[faces.block] + b), VertexId(first[faces.block] + c)});
    }
  }
  MeshFile file = builder.build(gltf_.name);
  file.animated = !gltf_.animations.empty();
  return file;
}

}  // namespace pliant
