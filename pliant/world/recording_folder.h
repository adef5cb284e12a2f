// The folder of a recording, held by one process at a time, so that two runs never write into each other's files.
#pragma once

#include <string>

namespace pliant {

// Throws Error unless a new recording could be made at `path`: nothing is there, an empty folder, or, if `replace`, a
// recording. Changes nothing: for refusing early, before long work. Whoever records asks again, by RecordingFolder.
void require_room(const std::string& path, bool replace);

// Holds the lock of a folder (its file run.lock) while it lives. The kernel takes the lock back when a process ends, in
// whatever way. Others may read the folder at any time. Can be moved, not copied.
class RecordingFolder {
 public:
  // For a new recording: the folder is made if need be; a recording that is there is removed if `replace`, and so is
  // what a run that was killed left behind. Throws Error, having removed nothing, for what require_room refuses, for a
  // folder that another run holds, and for one that cannot be written into.
  static RecordingFolder for_new(const std::string& path, bool replace = false);
  // To go on with the recording in it; what a run that was killed left behind is removed. Throws Error if there is
  // none, or another run holds it.
  static RecordingFolder of_recording(const std::string& path);

  ~RecordingFolder();
  RecordingFolder(RecordingFolder&& other) noexcept;
  RecordingFolder& operator=(RecordingFolder&&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit RecordingFolder(const std::string& path);  // takes the lock

  std::string path_;
  int lock_ = -1;  // a descriptor
};

}  // namespace pliant
