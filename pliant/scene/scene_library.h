// The scenes that come with the library (scenes/*.toml), by name.
#pragma once

#include <span>
#include <string_view>

#include "pliant/scene/scene_file.h"

namespace pliant {

struct LibraryScene {
  std::string_view name;  // of the file, without extension
  std::string_view text;
};
std::span<const LibraryScene> library_scenes();  // by name

// Throws Error for an unknown name, suggesting the nearest.
SceneDescription library_scene(std::string_view name);

// A file if there is one of this name (or it ends in .toml), else a scene of the library.
SceneDescription find_scene(const std::string& path_or_name);

}  // namespace pliant
