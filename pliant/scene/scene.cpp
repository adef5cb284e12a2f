#include "pliant/scene/scene.h"

#include <algorithm>
#include <array>

#include "pliant/core/error.h"
#include "pliant/core/suggest.h"
#include "pliant/mesh/deform.h"
#include "pliant/scene/builtin.h"
#include "pliant/scene/function_frames.h"

namespace pliant {
namespace {

struct BuiltIn {
  SceneInfo info;
  MovingScene (*make)(const SceneSettings&);
};

constexpr std::array kBuiltIn = {
    BuiltIn{{"tablecloth", "a cloth falls on a round table and sways in a draught", 2, 2'000, 250'000},
            make_tablecloth},
    BuiltIn{{"swirl", "a cloth on a turning ball swirls into folds", 2, 4'000, 250'000}, make_swirl},
    BuiltIn{{"avatar", "a figure in a loose shirt starts to walk", 2, 10'000, 250'000}, make_avatar},
    BuiltIn{{"teapot-sphere", "a teapot and a ball, both soft, pass through each other", 2, 1'000, 1'000'000},
            make_teapot_sphere},
    BuiltIn{{"n-bodies", "soft bodies drift and wobble through each other", 12, 2'000, 1'000'000}, make_n_bodies},
};

constexpr auto kInfos = [] {
  std::array<SceneInfo, kBuiltIn.size()> infos;
  for (std::size_t i = 0; i < infos.size(); ++i) infos[i] = kBuiltIn[i].info;
  return infos;
}();

}  // namespace

std::size_t MovingScene::triangle_count() const {
  std::size_t count = 0;
  for (const MovingBody& body : bodies) count += body.mesh->face_count();
  return count;
}

std::size_t MovingScene::frame_count() const {
  std::size_t count = 0;
  for (const MovingBody& body : bodies) count = std::max(count, body.motion.frame_count());
  return count;
}

std::span<const SceneInfo> procedural_scenes() { return kInfos; }

MovingScene make_scene(std::string_view name, const SceneSettings& settings) {
  if (settings.frames == 0) throw Error("the scene has no frames", "ask for 1 or more");
  constexpr std::size_t kLeast = 500, kMost = 20'000'000;
  if (settings.triangles < kLeast || settings.triangles > kMost)
    throw Error("a scene of " + std::to_string(settings.triangles) + " triangles",
                "ask for " + std::to_string(kLeast) + " to " + std::to_string(kMost));
  for (const BuiltIn& scene : kBuiltIn)
    if (scene.info.name == name) return scene.make(settings);
  std::vector<std::string_view> names;
  names.reserve(kInfos.size());
  for (const SceneInfo& info : kInfos) names.push_back(info.name);
  throw Error("there is no scene '" + std::string(name) + "'", suggestion(name, names));
}

MovingScene with_stored_frames(const MovingScene& scene) {
  MovingScene stored = scene;
  for (MovingBody& body : stored.bodies) {
    std::vector<Frame> frames;
    for (std::size_t k = 0; k < body.motion.frame_count(); ++k) frames.push_back(body.motion.frame(k));
    body.motion = Motion::keyframes(std::move(frames));
  }
  return stored;
}

MovingBody moving_body(std::string name, const TriangleMesh& shape, std::size_t frames,
                       FunctionFrames::Positions positions) {
  MeshPtr mesh = with_positions(shape, positions(0));
  return {std::move(name), std::move(mesh),
          Motion::from_source(std::make_shared<FunctionFrames>(shape.vertex_count(), frames, std::move(positions)))};
}

}  // namespace pliant
