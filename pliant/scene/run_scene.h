// Scenes simulated and recorded into a folder, or into memory.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pliant/scene/scene_builder.h"
#include "pliant/world/record_run.h"

namespace pliant {

struct RunSceneSettings {
  // In place of what the scene (or the recording that is resumed) says.
  std::optional<int> frames;
  std::string method;    // empty: the scene's
  std::string mode;      // safe, or paper: methods as published, where no proof is asked for; empty: the scene's
  std::string response;  // of all pairs that have none of their own: proof, penalty, pull-back; empty: the scene's
  // Settings of the methods in use (of both that "auto" tries), NAME=VALUE; in addition to the scene's. A recording
  // does not keep them: what is found does not depend on them.
  std::vector<std::string> method_settings;
  std::optional<double> budget_seconds;  // for each step
  std::optional<double> search_seconds;  // for each search for contacts
  std::optional<std::size_t> triangles;  // of scenes whose size can be chosen (SceneSummary); not when resuming

  BuildOptions build;
  bool records_contacts = true;  // as contacts.csv
  bool replace = false;          // a recording that is in the way
  RecordSettings record;         // `dense` is filled in
  // Told, before the first step, what building the scene has to say: stand-ins, what will not look as it is meant.
  std::function<void(const std::string&)> note;
};

// Changes a scene as these settings say: its frames, method, mode, response and budgets. Throws Error for those that do
// not go together. run_scene() does it by itself.
void apply(const RunSceneSettings& settings, SceneDescription& scene);

// Builds, simulates and records. Throws Error, with the folder as it was, for a scene that cannot be built and a folder
// that cannot be recorded into; what goes wrong later is an outcome (world/record_run.h).
RunEnding run_scene(SceneDescription scene, const std::string& folder, const RunSceneSettings& settings = {});

// Goes on with the recording in a folder, bit for bit as if it had never stopped. Meshes that the first run was given
// by name are those of the recording. Throws Error for a folder without one, or held by another run.
RunEnding resume_scene(const std::string& folder, const RunSceneSettings& settings = {});

struct MovingSceneSettings {
  std::size_t frames = 60;               // of the motion, the first included; 2 or more
  std::optional<std::size_t> triangles;  // of scenes whose size can be chosen; the others stay as they are
  std::uint64_t seed = 1;                // of scenes that are made
  BuildOptions build;
  Budget budget;  // throws Error when it is spent
};

// A scene as meshes with motions, all whole frames in memory: to be looked at by any detector. What is to be simulated
// is simulated first. Throws Error for what cannot be built or simulated so far.
MovingScene moving_scene(const SceneDescription& scene, const MovingSceneSettings& settings = {});

}  // namespace pliant
