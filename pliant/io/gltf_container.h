// What stands around the JSON of a glTF file, and what must hold of its nodes. Internal to io/.
#pragma once

#include <string>
#include <string_view>

#include "pliant/io/gltf.h"

namespace pliant {

inline constexpr const char* kGltfDamaged = "the file is damaged, or its exporter is: export it again";

struct GltfContainer {
  std::string_view json;
  std::string_view binary;  // of a .glb, if it has any
};

// A .glb is a header of 12 bytes, a chunk of JSON and perhaps one of data; anything else is taken for JSON. Throws
// Error for a .glb of another version, or one that ends early.
GltfContainer open_gltf_container(std::string_view bytes, const std::string& name);

// Fills Gltf::order. Throws Error unless every node has one parent at most and hangs on one that has none, so that no
// walk can run in circles, and the scene names nodes without parents, once each.
void order_nodes(Gltf& gltf);

}  // namespace pliant
