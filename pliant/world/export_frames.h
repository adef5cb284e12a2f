// A recording's whole frames as files that other programs open.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"
#include "pliant/world/run_folder.h"

namespace pliant {

// Which files of whole frames stand beside a recording.
struct Exports {
  bool pc2 = false;
  bool gltf = false;
};

// The whole frames of every body as NAME.pc2 and NAME.glb, and those of the fine surfaces that follow bodies (`dense`,
// by body, null where there is none; may be empty) as NAME.dense.npy, .pc2 and .glb with NAME.dense.ply. With glTF, all
// bodies (as fine as they are) in one: run.glb. Throws Error.
void export_frames(const RunInfo& info, const std::string& folder, const std::vector<MeshPtr>& dense,
                   const Exports& wanted);

}  // namespace pliant
