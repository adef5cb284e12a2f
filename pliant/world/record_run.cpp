#include "pliant/world/record_run.h"

#include <cmath>
#include <optional>

#include "pliant/core/error.h"
#include "pliant/core/stopwatch.h"
#include "pliant/world/recording.h"

namespace pliant {
namespace {

struct Ending {
  RunOutcome outcome = RunOutcome::done;
  std::string message;
};

// Steps until the last frame, or what ends a run before it.
class RecordedSteps {
 public:
  RecordedSteps(World& world, Recording& recording, const RecordSettings& settings)
      : world_(world), recording_(recording), settings_(settings), since_checkpoint_(settings.budget) {}

  Ending run() {
    while (world_.frame() < frames()) {
      const double before = world_.frame();
      const FrameReport report = step();
      if (stopped() && report.outcome == StepOutcome::out_of_budget) {
        recording_.back_to_last_step(world_);  // so that the frame is done anew, and in one go, when the run is resumed
        return interrupted();
      }
      recording_.after(world_, report);
      if (const auto ending = ending_after(report, world_.frame() > before)) return *ending;
      if (stopped() && world_.frame() < frames()) return interrupted();
      if (settings_.progress) settings_.progress({first_frame_, world_.frame(), recording_.info().frames});
      save_now_and_then();
    }
    return {};
  }

 private:
  double frames() const { return recording_.info().frames; }
  bool stopped() const { return settings_.budget.cancelled() || settings_.budget.past_deadline(); }

  // What goes wrong within a step is no failure to record: all up to the last step is good, and is kept.
  FrameReport step() {
    try {
      return world_.step(step_budget(), &recording_);
    } catch (const Error& error) {
      recording_.back_to_last_step(world_);
      FrameReport failed;
      failed.outcome = StepOutcome::diverged;
      failed.message =
          "frame " + std::to_string(static_cast<long long>(std::floor(world_.frame())) + 1) + ": " + error.what();
      return failed;
    }
  }

  Budget step_budget() const {
    const auto& seconds = recording_.info().budget_seconds;
    return seconds ? settings_.budget & Budget::within_seconds(*seconds) : settings_.budget;
  }

  static Ending interrupted() { return {RunOutcome::interrupted, "interrupted"}; }

  std::optional<Ending> ending_after(const FrameReport& report, bool moved_on) {
    if (report.outcome == StepOutcome::diverged) return Ending{RunOutcome::diverged, report.message};
    if (report.outcome == StepOutcome::pinched) return Ending{RunOutcome::pinched, report.message};
    if (report.outcome == StepOutcome::done || moved_on) {
      without_progress_ = 0;
      return std::nullopt;
    }
    constexpr int kPatience = 9;  // the world tries shorter and shorter parts of the step, down to a 64th
    if (++without_progress_ < kPatience) return std::nullopt;
    return Ending{RunOutcome::out_of_budget,
                  report.message + ", again and again without any progress; give a step more time"};
  }

  void save_now_and_then() {
    if (since_checkpoint_.seconds() < settings_.checkpoint_seconds) return;
    recording_.checkpoint(world_, RunOutcome::running);
    since_checkpoint_.lap();
  }

  World& world_;
  Recording& recording_;
  const RecordSettings& settings_;
  Stopwatch since_checkpoint_;
  double first_frame_ = world_.frame();
  int without_progress_ = 0;
};

bool is_complete(const RunInfo& info) {
  return info.outcome == RunOutcome::done && info.checkpoint.frame >= info.frames;
}

// Until the end or a failure; either way the folder then holds a recording that can be checked and resumed.
void simulate(World& world, Recording& recording, const RecordSettings& settings) {
  try {
    const Ending ending = RecordedSteps(world, recording, settings).run();
    recording.checkpoint(world, ending.outcome, ending.message);
  } catch (const Error& error) {
    recording.back_to_checkpoint(error.what());
  }
}

RunEnding finish(World& world, Recording& recording, const RecordSettings& settings) {
  RunEnding ending{.was_complete = is_complete(recording.info())};
  const Stopwatch watch(settings.budget);
  const double first_frame = world.frame();
  if (!ending.was_complete) simulate(world, recording, settings);
  ending.info = recording.info();
  ending.seconds = watch.seconds();
  ending.frames = ending.info.checkpoint.frame - first_frame;
  try {
    export_frames(ending.info, recording.folder(), settings.dense, settings.exports);
  } catch (const Error& error) {
    ending.export_failure = error.what();
  }
  return ending;
}

}  // namespace

RunEnding record_run(World& world, RunInfo info, RecordingFolder folder, const RecordSettings& settings) {
  const auto recording = Recording::begin(std::move(folder), std::move(info), world);
  return finish(world, *recording, settings);
}

RunEnding record_run(World& world, RunInfo info, const std::string& folder, const RecordSettings& settings) {
  return record_run(world, std::move(info), RecordingFolder::for_new(folder), settings);
}

void require_more_frames(const RunInfo& info, const std::string& folder) {
  if (info.frames >= info.checkpoint.frame) return;
  const std::string recorded = std::to_string(static_cast<long long>(std::floor(info.checkpoint.frame)));
  throw Error(ErrorPlace{.file = folder},
              recorded + " frames are recorded already, more than the " + std::to_string(info.frames) + " asked for",
              "ask for more, or record anew, into another folder");
}

RunEnding resume_run(World& world, RunInfo info, RecordingFolder folder, const RecordSettings& settings) {
  require_more_frames(info, folder.path());
  const auto recording = Recording::resume(std::move(folder), std::move(info), world);
  return finish(world, *recording, settings);
}

}  // namespace pliant
