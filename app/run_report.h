// What `pliant run` shows and exports when it is over.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"
#include "pliant/world/run_folder.h"

namespace pliant::app {

struct RunTiming {
  double frames = 0;   // of this call, without those of a run that was resumed
  double seconds = 0;  // on the clock
};

void print_run(const RunInfo& info, const std::string& folder, const RunTiming& timing);

// Which files of whole frames stand beside a recording.
struct Exports {
  bool pc2 = false;
  bool gltf = false;
};

// The whole frames of every body as NAME.pc2 and NAME.glb, and those of the fine surfaces that follow bodies (`dense`,
// by body, null where there is none) as NAME.dense.npy, .pc2 and .glb with NAME.dense.ply. With glTF, all bodies (as
// fine as they are) in one: run.glb. Throws Error.
void export_frames(const RunInfo& info, const std::string& folder, const std::vector<MeshPtr>& dense,
                   const Exports& wanted);

}  // namespace pliant::app
