// glTF 2.0 as a mesh and as a motion. Internal to io/: the doors are io/mesh_file.h and io/motion_file.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pliant/io/gltf.h"
#include "pliant/io/mesh_file.h"
#include "pliant/motion/motion.h"

namespace pliant {

// The file that a buffer or image of the file at `path` names. Throws Error for paths that lead out of its folder.
std::string path_beside(const std::string& path, const std::string& uri);
// Reads such files; refuses paths that lead out of the folder.
GltfResolver resolver_beside(const std::string& path);
// Refuses all: for files in memory.
GltfResolver no_resolver(const std::string& name);

// The scene at rest.
MeshFile parse_gltf(std::string_view bytes, const std::string& name, const GltfResolver& resolve);

// One animation, baked: frame k is at its first key + k / frames_per_second, up to its last key. Vertices as in
// parse_gltf. Throws Error if there is no such animation.
std::shared_ptr<FrameSource> open_gltf_motion(std::string_view bytes, const std::string& name,
                                              const GltfResolver& resolve, std::size_t animation,
                                              double frames_per_second);

}  // namespace pliant
