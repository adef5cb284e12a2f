// Simulate and record: a world stepped to its last frame, or to whatever ends it before, in a folder that is a valid
// recording at every moment.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pliant/core/budget.h"
#include "pliant/world/export_frames.h"
#include "pliant/world/recording_folder.h"
#include "pliant/world/run_folder.h"

namespace pliant {

// Told after every call of step(), from the thread that records.
struct RunProgress {
  double first_frame = 0;  // where this call began
  double frame = 0;        // where it is
  int frames = 0;          // where it ends
};

struct RecordSettings {
  // Of the whole call. When it is cancelled or past its deadline, the run ends as `interrupted`, at a frame from which
  // it can go on bit for bit. (RunInfo::budget_seconds is for each step, and part of the result.)
  Budget budget;
  std::function<void(const RunProgress&)> progress;
  double checkpoint_seconds = 5;  // between two moments from which a run that is killed can go on
  Exports exports;
  std::vector<MeshPtr> dense;  // by body: a fine surface that follows it, null where there is none; may be empty
};

struct RunEnding {
  RunInfo info;                // as run.json has it: outcome, message, how far
  double frames = 0;           // of this call, without those of a run that was resumed
  double seconds = 0;          // of this call
  bool was_complete = false;   // a resumed recording had all its frames already: nothing of it was written again
  std::string export_failure;  // empty: all that was asked for is there

  bool done() const { return info.outcome == RunOutcome::done; }
  // Whether resuming makes sense; bodies that diverged or were pinched would again.
  bool can_be_resumed() const { return info.outcome != RunOutcome::diverged && info.outcome != RunOutcome::pinched; }
};

// Steps the world until it is at info.frames. `info` needs scene, method, frames, and name and kind of every body; the
// rest is filled in. Throws Error, having recorded nothing, for a folder that it may not record into; what goes wrong
// later is an outcome, and the folder then holds a recording that can be checked and, mostly, resumed.
RunEnding record_run(World& world, RunInfo info, RecordingFolder folder, const RecordSettings& settings = {});
// Makes the folder, which must hold nothing.
RunEnding record_run(World& world, RunInfo info, const std::string& folder, const RecordSettings& settings = {});

// Throws Error if `info`, of a recording in the folder, asks for fewer frames than are recorded.
void require_more_frames(const RunInfo& info, const std::string& folder);

// Goes on with a recording, as if it had never stopped, in a world of the same bodies. `info` is what read_run() gives
// while the folder is held, with frames, method or budget_seconds changed at will. Throws Error for another world, and
// for fewer frames than are recorded.
RunEnding resume_run(World& world, RunInfo info, RecordingFolder folder, const RecordSettings& settings = {});

}  // namespace pliant
