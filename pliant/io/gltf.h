// A glTF 2.0 file in memory: what its JSON says, checked, without the JSON. Internal to io/.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/core/vec3.h"

namespace pliant {

// All indices in these structs are in range, and every accessor lies within its buffer: gltf_load.cpp has seen to it.

struct GltfSparse {
  std::size_t count = 0;
  std::size_t index_view = 0, index_offset = 0;
  int index_type = 0;
  std::size_t value_view = 0, value_offset = 0;
};

struct GltfAccessor {
  std::optional<std::size_t> view;  // none: zeros
  std::size_t offset = 0;
  int component_type = 0;  // 5120 to 5126
  std::size_t components = 1;
  std::size_t count = 0;
  bool is_normalized = false;
  std::optional<GltfSparse> sparse;
};

struct GltfView {
  std::size_t buffer = 0, offset = 0, size = 0, stride = 0;  // stride 0: tightly packed
};

struct GltfPrimitive {
  int mode = 4;
  std::size_t positions = 0;  // accessors
  std::optional<std::size_t> indices;
  std::vector<std::optional<std::size_t>> target_positions;  // of each morph target
  std::vector<std::size_t> joints, weights;                  // JOINTS_0, JOINTS_1, ...
};

struct GltfMesh {
  std::string name;
  std::vector<GltfPrimitive> primitives;
  std::vector<double> weights;
};

struct GltfNode {
  std::string name;
  std::optional<std::size_t> mesh, skin;
  std::vector<std::size_t> children;
  std::vector<double> weights;
  std::optional<Eigen::Matrix4d> matrix;  // instead of the three below
  Vec3 translation = Vec3::Zero();
  Eigen::Vector4d rotation{0, 0, 0, 1};  // x, y, z, w
  Vec3 scale = Vec3::Ones();
};

struct GltfSkin {
  std::vector<std::size_t> joints;  // nodes
  std::optional<std::size_t> inverse_binds;
};

enum class GltfPath { translation, rotation, scale, weights };
enum class GltfInterpolation { step, linear, cubic };

struct GltfChannel {
  std::size_t node = 0;
  GltfPath path = GltfPath::translation;
  GltfInterpolation interpolation = GltfInterpolation::linear;
  std::size_t times = 0, values = 0;  // accessors
};

struct GltfAnimation {
  std::string name;
  std::vector<GltfChannel> channels;
};

struct Gltf {
  std::string name;  // of the file
  std::vector<std::string> buffers;
  std::vector<GltfView> views;
  std::vector<GltfAccessor> accessors;
  std::vector<GltfMesh> meshes;
  std::vector<GltfNode> nodes;
  std::vector<GltfSkin> skins;
  std::vector<GltfAnimation> animations;
  std::vector<std::size_t> roots;    // of the scene
  std::vector<std::size_t> order;    // all nodes, parents before children
  std::vector<std::string> dropped;  // kinds of data that are not kept
  std::vector<std::string> warnings;

  std::size_t total_bytes() const;  // of all buffers
};

// Reads a file that a buffer names by a relative path. Throws Error.
using GltfResolver = std::function<std::string(const std::string& uri)>;

// Text (.gltf) or binary (.glb). Throws Error, naming file and element, for whatever is missing, out of range, cyclic,
// or asks for an extension that changes the geometry (compression).
Gltf load_gltf(std::string_view bytes, const std::string& name, const GltfResolver& resolve);

// The files that buffers and images name, as they are written; none for what is no glTF. Throws Error for a damaged
// container.
std::vector<std::string> gltf_uris(std::string_view bytes, const std::string& name);

// The numbers of an accessor, as many as count x components; normalized integers as fractions.
std::vector<double> read_accessor(const Gltf& gltf, std::size_t accessor);

}  // namespace pliant
