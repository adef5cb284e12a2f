// What `pliant run` shows and exports when it is over.
#pragma once

#include <string>

#include "pliant/world/run_folder.h"

namespace pliant::app {

struct RunTiming {
  double frames = 0;   // of this call, without those of a run that was resumed
  double seconds = 0;  // on the clock
};

void print_run(const RunInfo& info, const std::string& folder, const RunTiming& timing);

// The whole frames of every body as NAME.pc2 or NAME.glb beside the recording. Throws Error.
void export_frames(const RunInfo& info, const std::string& folder, const char* extension);

}  // namespace pliant::app
