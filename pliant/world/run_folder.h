// The folder that a simulation is recorded into, and its run.json: what was simulated, how far, and how it ended.
// docs/scenes.md has the format (pliant.run/1).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pliant/world/camera.h"
#include "pliant/world/run_health.h"
#include "pliant/world/world.h"

namespace pliant {

struct RunDense {
  std::size_t vertices = 0;
  std::size_t triangles = 0;
};

struct RunBody {
  std::string name;  // its files are NAME.ply and NAME.npy
  std::string kind;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  bool self_collision = true;
  // Nothing moves it, and the others are kept away from it; obstacles are not kept apart from each other, nor from
  // themselves. Not said of bodies that are replayed.
  bool obstacle = false;
  std::optional<RunDense> dense;  // a fine surface that follows it: NAME.dense.ply and NAME.dense.npy, a row per frame
};

enum class RunOutcome { running, done, interrupted, diverged, pinched, out_of_budget, write_failed };
const char* to_string(RunOutcome outcome);

// Of pairs that are answered without a proof, at the ends of frames: the deepest that one was in the other.
struct RunPenetration {
  double deepest = 0;  // m
  double frame = 0;
  std::string a, b;  // the bodies; empty: none ever was
  double last = 0;   // m, at the last frame
};

struct RunTotals {
  std::uint64_t pieces = 0;
  std::uint64_t contacts = 0;
  std::uint64_t searches = 0;
  std::uint64_t zones = 0;
  std::uint64_t halvings = 0;
  std::uint64_t late = 0;  // calls of step() that a budget ended
  StageSeconds seconds;
  double record_seconds = 0;
};

// How much of each file counts, and the state of the world then. Whatever lies beyond in the files does not count.
struct RunCheckpoint {
  double frame = 0;
  std::uint64_t rows = 0;  // of every .npy: pieces + 1; 0: nothing is recorded yet
  std::uint64_t contact_bytes = 0;
  std::uint64_t statistics_bytes = 0;
  std::string state_file;
  std::uint64_t hash = 0;  // of the state
};

struct RunInfo {
  std::string scene;         // its name
  std::string scene_file;    // as it was given
  std::string scene_folder;  // where its files are; absolute
  std::string scene_text;
  std::map<std::string, std::string> meshes;  // files of named meshes; absolute
  int frames = 0;                             // asked for
  double frame_seconds = 0;
  std::string method;         // asked for
  std::string mode = "safe";  // of the methods
  std::string response;       // asked for in place of the scene's; empty: the scene's
  std::string method_in_use;
  double separation = 0;                 // m
  std::optional<double> search_seconds;  // for each search for contacts; likewise
  std::optional<double> budget_seconds;  // for a call of step(); with one, runs differ
  bool records_contacts = true;
  bool replayed = false;  // all bodies follow given motions, whatever they meet: nothing was simulated
  std::vector<RunBody> bodies;
  std::vector<std::pair<std::string, std::string>> ignored;  // pairs of bodies
  std::vector<Camera> cameras;                               // of the scene
  // Pairs that are answered without a proof, and how: they may overlap.
  struct UnprovedPair {
    std::string a, b, response;
  };
  std::vector<UnprovedPair> unproved;
  RunPenetration penetration;
  // Pins that follow an obstacle: what lies within two edges of them is left out of its contacts with that.
  struct FollowingBody {
    std::string body, leader;
    std::vector<std::uint32_t> pins;
  };
  std::vector<FollowingBody> following;
  RunTotals totals;
  RunHealth health;
  RunCheckpoint checkpoint;
  RunOutcome outcome = RunOutcome::running;
  std::string message;  // why it ended, unless it is done

  double fps() const { return 1 / frame_seconds; }
  std::vector<RunWarning> warnings() const;  // what is wrong although nothing passed through anything
};

// What is known of pairs that are not proved, for people; empty if all are.
std::string penetration_in_words(const RunInfo& info);

bool is_run_folder(const std::string& folder);

// Throws Error for a folder without run.json, one that is damaged or of another version, and one whose run was ended
// before it had recorded anything.
RunInfo read_run(const std::string& folder);
// The same, but of a run that has recorded nothing yet, too.
RunInfo read_unfinished_run(const std::string& folder);
std::string format_run(const RunInfo& info);

// In `folder`: NAME.ply and the like.
std::string file_in(const std::string& folder, const std::string& file);

// Every file that a recording and its exports may have in its folder.
std::vector<std::string> files_of(const RunInfo& info);

}  // namespace pliant
