#include "pliant/scene/scene_library.h"

#include <array>
#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/core/suggest.h"

namespace pliant {
namespace {

constexpr LibraryScene kScenes[] = {
#include "scene_texts.inc"
};

}  // namespace

std::span<const LibraryScene> library_scenes() { return kScenes; }

std::vector<SceneSummary> scene_summaries() {
  std::vector<SceneSummary> summaries;
  for (const LibraryScene& entry : kScenes) {
    const SceneDescription scene = library_scene(entry.name);
    SceneSummary summary{scene.name, scene.title, !scene.replay, scene.bodies.size(), scene.frames, {}};
    for (const SceneInfo& info : procedural_scenes()) {
      if (!scene.replay || scene.replay->motion != info.name) continue;
      summary.bodies = info.bodies;
      summary.triangles = {info.least_triangles, info.most_triangles};
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

SceneDescription library_scene(std::string_view name) {
  std::vector<std::string_view> names;
  for (const LibraryScene& scene : kScenes) {
    if (scene.name == name) return parse_scene(scene.text, std::string(name) + ".toml");
    names.push_back(scene.name);
  }
  throw Error("no scene is named '" + std::string(name) + "'",
              suggestion(name, names) + "; a scene of your own is a file: my.toml");
}

SceneDescription find_scene(const std::string& path_or_name) {
  const std::filesystem::path path(path_or_name);
  const bool is_file = path.extension() == ".toml" || std::filesystem::is_regular_file(path);
  return is_file ? read_scene(path_or_name) : library_scene(path_or_name);
}

}  // namespace pliant
