#include "pliant/detect/kinetic/stream_scenes.h"

#include <algorithm>

namespace pliant::kinetic {

const StreamScene& StreamScenes::add(StreamScene scene) {
  scene.number = ++made_;
  scenes_.push_back(std::make_unique<StreamScene>(std::move(scene)));
  return *scenes_.back();
}

void StreamScenes::drop_unused(std::vector<const StreamScene*> needed, std::span<const BodyId> bodies) {
  for (const BodyId id : bodies) {
    const auto is_new = [id](const std::unique_ptr<StreamScene>& scene) {
      for (std::size_t i = 0; i < scene->changed.size(); ++i)
        if (scene->swept.bodies[i].id == id) return scene->changed[i] != 0;
      return false;
    };
    const auto last = std::find_if(scenes_.rbegin(), scenes_.rend(), is_new);
    if (last != scenes_.rend()) needed.push_back(last->get());
  }
  std::sort(needed.begin(), needed.end());
  const auto unused = [&](const std::unique_ptr<StreamScene>& scene) {
    return scene != scenes_.back() && !std::binary_search(needed.begin(), needed.end(), scene.get());
  };
  scenes_.erase(std::remove_if(scenes_.begin(), scenes_.end() - 1, unused), scenes_.end() - 1);
}

}  // namespace pliant::kinetic
