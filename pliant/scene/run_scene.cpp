#include "pliant/scene/run_scene.h"

#include <algorithm>
#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/world/pair_rule.h"
#include "pliant/world/step_search.h"

namespace pliant {
namespace {

RunInfo describe_run(const SceneDescription& scene, const BuiltScene& built, const RunSceneSettings& settings) {
  RunInfo info;
  info.scene = scene.name;
  info.scene_file = scene.file;
  info.scene_folder = scene.folder.empty() ? "" : std::filesystem::absolute(scene.folder).string();
  info.scene_text = scene.text;
  info.meshes = settings.build.meshes;
  info.frames = scene.frames;
  info.method = scene.world.method;
  info.mode = scene.world.mode == Mode::paper ? "paper" : "safe";
  info.response = settings.response;
  info.budget_seconds = scene.budget_seconds;
  info.search_seconds = scene.world.search_seconds;
  info.records_contacts = settings.records_contacts;
  info.replayed = scene.replay.has_value();
  info.cameras = scene.cameras;
  for (std::size_t b = 0; b < built.kinds.size(); ++b) {
    RunBody body{.name = built.world.name(BodyId(b)), .kind = built.kinds[b]};
    if (!scene.replay) body.self_collision = scene.bodies[b].self_collision;
    if (const MeshPtr& dense = built.dense[b]) body.dense = RunDense{dense->vertex_count(), dense->face_count()};
    info.bodies.push_back(std::move(body));
  }
  for (const PairDescription& pair : scene.pairs)
    if (pair.ignore) info.ignored.emplace_back(pair.a, pair.b);
  return info;
}

std::vector<const MethodInfo*> methods_in_use(const SceneDescription& scene) {
  std::vector<const MethodInfo*> methods;
  const auto add = [&](const std::string& name) {
    const MethodInfo* method = &method_info(name);
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.push_back(method);
  };
  if (scene.world.method == "auto")
    for (const char* name : kAutoMethods) add(name);
  else add(scene.world.method);
  for (const PairDescription& pair : scene.pairs)
    if (!pair.method.empty()) add(pair.method);
  return methods;
}

void apply_method_settings(const std::vector<std::string>& texts, SceneDescription& scene) {
  if (texts.empty()) return;
  try {
    for (const auto& [name, chosen] : parse_settings(texts, methods_in_use(scene)))
      scene.world.method_settings[name].set_all(chosen);
  } catch (const Error& error) {
    if (scene.world.method != "auto") throw;
    throw Error("auto tries swept-bvh and kinetic: " + error.problem(), error.remedy());
  }
}

// A method that does not fit another kind of response is left to the world.
void apply_response(const std::string& name, SceneDescription& scene) {
  if (name.empty()) return;
  const auto kinds = response_kinds();
  const auto found = std::find(kinds.begin(), kinds.end(), name);
  if (found == kinds.end()) throw Error("no response is named '" + name + "'", "choose proof, penalty or pull-back");
  scene.world.response.kind = static_cast<ResponseKind>(found - kinds.begin());
  if (scene.world.method == "auto") return;
  const MethodInfo& method = method_info(scene.world.method);
  if (scene.world.response.kind == ResponseKind::proof ? !method.moving : !method.still) scene.world.method = "auto";
}

void apply_mode(const std::string& name, SceneDescription& scene) {
  if (name.empty()) return;
  if (name != "safe" && name != "paper") throw Error("no mode is named '" + name + "'", "choose safe or paper");
  scene.world.mode = name == "paper" ? Mode::paper : Mode::safe;
  if (scene.world.mode == Mode::paper && scene.world.response.kind == ResponseKind::proof)
    throw Error("methods as published prove nothing", "choose the response penalty or pull-back");
}

// A replay is made as long as it is asked for.
void apply_to_replay(const RunSceneSettings& settings, SceneDescription& scene) {
  if (!scene.replay && !settings.triangles) return;
  SceneSettings replay = scene.replay ? scene.replay->settings : SceneSettings{};
  if (settings.triangles) replay.triangles = *settings.triangles;
  replay.frames = static_cast<std::size_t>(scene.frames) + 1;
  set_replay(scene, replay);
}

BuiltScene build(const SceneDescription& scene, const RunSceneSettings& settings) {
  BuiltScene built = build_world(scene, settings.build);
  if (!settings.note) return built;
  for (const std::string& note : built.notes) settings.note(note);
  return built;
}

RecordSettings with_dense(const RecordSettings& settings, const BuiltScene& built) {
  RecordSettings with = settings;
  with.dense = built.dense;
  return with;
}

// Where bodies are at whole frames.
class WholeFrames {
 public:
  explicit WholeFrames(const World& world) : frames_(world.body_count()) { add(world); }
  void add(const World& world) {
    for (std::size_t b = 0; b < frames_.size(); ++b) {
      const std::span<const Vec3> x = world.body(BodyId(b)).positions();
      frames_[b].push_back(Frame::own({x.begin(), x.end()}));
    }
  }
  // What stood still is at rest.
  Motion motion(std::size_t body) {
    std::vector<Frame>& frames = frames_[body];
    const auto is_first = [&](const Frame& frame) {
      return std::equal(frame.positions().begin(), frame.positions().end(), frames[0].positions().begin());
    };
    if (std::all_of(frames.begin(), frames.end(), is_first)) return Motion::at_rest(frames[0]);
    return Motion::keyframes(std::move(frames));
  }

 private:
  std::vector<std::vector<Frame>> frames_;  // by body
};

MovingScene simulated(const SceneDescription& scene, const MovingSceneSettings& settings) {
  BuiltScene built = build_world(scene, settings.build);
  WholeFrames frames(built.world);
  for (std::size_t k = 1; k < settings.frames; ++k) {
    const FrameReport report = built.world.step(settings.budget);
    if (!report.ok()) throw Error("the scene '" + scene.name + "': " + report.message);
    frames.add(built.world);
    settings.budget.report_progress(static_cast<double>(k) / static_cast<double>(settings.frames - 1));
  }
  MovingScene moving{scene.name, {}};
  for (std::size_t b = 0; b < built.world.body_count(); ++b)
    moving.bodies.push_back({built.world.name(BodyId(b)), built.world.body(BodyId(b)).mesh(), frames.motion(b)});
  return moving;
}

}  // namespace

void apply(const RunSceneSettings& settings, SceneDescription& scene) {
  if (settings.frames) scene.frames = *settings.frames;
  apply_response(settings.response, scene);
  apply_mode(settings.mode, scene);
  if (!settings.method.empty()) {
    require_fits({settings.method, scene.world.response});  // here, lest the scene is blamed
    scene.world.method = settings.method;
  }
  apply_method_settings(settings.method_settings, scene);
  if (settings.budget_seconds) scene.budget_seconds = settings.budget_seconds;
  if (settings.search_seconds) scene.world.search_seconds = settings.search_seconds;
}

RunEnding run_scene(SceneDescription scene, const std::string& folder, const RunSceneSettings& settings) {
  apply(settings, scene);
  apply_to_replay(settings, scene);
  require_room(folder, settings.replace);  // before long work
  BuiltScene built = build(scene, settings);
  RunInfo info = describe_run(scene, built, settings);
  return record_run(built.world, std::move(info), RecordingFolder::for_new(folder, settings.replace),
                    with_dense(settings.record, built));
}

RunEnding resume_scene(const std::string& folder, const RunSceneSettings& settings) {
  RecordingFolder held = RecordingFolder::of_recording(folder);
  RunInfo info = read_run(folder);
  if (settings.triangles) throw Error("a recording that is resumed keeps its size", "record anew for another");
  SceneDescription scene = parse_scene(info.scene_text, info.scene_file);
  scene.folder = info.scene_folder;
  scene.frames = info.frames;
  apply_response(info.response, scene);
  apply_mode(info.mode, scene);
  scene.world.method = info.method;
  scene.budget_seconds = info.budget_seconds;
  scene.world.search_seconds = info.search_seconds;
  apply(settings, scene);
  info.frames = scene.frames;
  info.method = scene.world.method;
  info.budget_seconds = scene.budget_seconds;
  info.search_seconds = scene.world.search_seconds;
  require_more_frames(info, folder);  // before long work
  RunSceneSettings with_meshes = settings;
  with_meshes.build.meshes = info.meshes;
  BuiltScene built = build(scene, with_meshes);
  return resume_run(built.world, std::move(info), std::move(held), with_dense(settings.record, built));
}

MovingScene moving_scene(const SceneDescription& scene, const MovingSceneSettings& settings) {
  if (settings.frames < 2)
    throw Error("a motion of " + std::to_string(settings.frames) + " frames", "ask for 2 or more");
  if (!scene.replay) return simulated(scene, settings);
  SceneSettings replay = scene.replay->settings;
  replay.frames = settings.frames;
  replay.seed = settings.seed;
  if (settings.triangles) replay.triangles = *settings.triangles;
  return with_stored_frames(make_scene(scene.replay->motion, replay));
}

}  // namespace pliant
