// The scenes that come with the library (scenes/*.toml), by name: one list for the command, measurements, tests and
// pages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/scene/scene_file.h"

namespace pliant {

struct LibraryScene {
  std::string_view name;  // of the file, without extension
  std::string_view text;
};
std::span<const LibraryScene> library_scenes();  // by name

// What can be said of one without building it.
struct SceneSummary {
  std::string name;
  std::string title;
  bool simulated = true;  // false: bodies follow a motion that is made, whatever they meet
  std::size_t bodies = 0;
  int frames = 0;
  // Of all bodies together, from least to most, if that can be chosen (SceneSettings::triangles).
  std::optional<std::pair<std::size_t, std::size_t>> triangles;
};
std::vector<SceneSummary> scene_summaries();

// Throws Error for an unknown name, suggesting the nearest.
SceneDescription library_scene(std::string_view name);

// A file if there is one of this name (or it ends in .toml), else a scene of the library.
SceneDescription find_scene(const std::string& path_or_name);

}  // namespace pliant
