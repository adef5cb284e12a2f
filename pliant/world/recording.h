// Writes a world's motion into a run folder while it is simulated.
//
// Every committed linear piece becomes one row of NAME.npy of every body, so that a check of the recording judges the
// simulation itself. Memory does not grow with the length of the run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pliant/core/error.h"
#include "pliant/io/append_file.h"
#include "pliant/world/recording_folder.h"
#include "pliant/world/run_folder.h"

namespace pliant {

// run.json is the truth: it is replaced in one step at every checkpoint, and says how much of each file counts. Between
// two checkpoints files only grow, so that a run that is killed, or fills its disk, can go on from the last one.
//
// Functions throw Error for what cannot be written; callbacks from within a step keep it for after(), since the world
// must not be left halfway. The folder is held, by its lock, as long as this lives.
class Recording : public WorldObserver {
 public:
  // Begins: writes meshes, the first row and a checkpoint. The folder holds no recording (RecordingFolder::for_new).
  // `info` needs scene, method, frames, names and kinds of bodies; the rest is filled in.
  static std::unique_ptr<Recording> begin(RecordingFolder folder, RunInfo info, const World& world);
  // Goes on: cuts the files to the last checkpoint and puts the world in its state. Throws Error if the world has other
  // bodies than the recording.
  static std::unique_ptr<Recording> resume(RecordingFolder folder, RunInfo info, World& world);

  void piece(const World& world, double frame) override;
  void contact(const World& world, const WorldContact& contact) override;

  // After a call of step() whose result counts: its line of statistics. Throws what callbacks could not write.
  void after(const World& world, const FrameReport& report);
  // Drops what was recorded since the last after(), and takes the world back there: a step that was broken off.
  void back_to_last_step(World& world);

  // All that was recorded up to the last after() counts from now on.
  void checkpoint(const World& world, RunOutcome outcome, const std::string& message = {});
  // After a failure to write: files as of the last checkpoint; run.json says why, if it can.
  void back_to_checkpoint(const std::string& message) noexcept;

  const RunInfo& info() const { return info_; }
  const std::string& folder() const { return folder_.path(); }

 private:
  Recording(RecordingFolder folder, RunInfo info, const World& world, AppendFile::Open how);
  std::string path(const std::string& file) const { return file_in(folder_.path(), file); }
  void add_row(const World& world, double frame);
  void cut(std::uint64_t rows, std::uint64_t contact_bytes, std::uint64_t statistics_bytes);
  void write_meshes(const World& world) const;
  void require_same_bodies(const World& world) const;

  // Where the last after() left the files.
  struct Mark {
    WorldState state;
    std::uint64_t rows = 0;
    std::uint64_t contact_bytes = 0;
    std::uint64_t statistics_bytes = 0;
    std::uint64_t contacts = 0;
  };
  void mark(const World& world);

  RecordingFolder folder_;
  RunInfo info_;
  RunInfo saved_;  // as run.json has it
  std::vector<NpyRows> motions_;
  NpyRows times_;
  AppendFile contacts_;
  AppendFile statistics_;
  Mark mark_;
  std::optional<Error> failure_;
};

}  // namespace pliant
