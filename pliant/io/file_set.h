// Which files a mesh or motion consists of, and which ones are written for it.
#pragma once

#include <string>
#include <vector>

namespace pliant {

// Every file that is read for the mesh or motion that a path names, as open_motion and read_mesh_file understand it:
// the path itself; both files of a TetGen mesh; the buffers (and images) of a glTF file; the frames of a sequence or
// .pvd, with their own files. What is missing or damaged is left out: that is told when it is read. Never empty.
std::vector<std::string> files_read_for(const std::string& path);

// Every file that is written where a mesh or motion is written to this path: the path itself; both files of a TetGen
// mesh; the .bin of a .gltf; the frames beside a .pvd, as number patterns (io/sequence.h).
std::vector<std::string> files_written_for(const std::string& path);

}  // namespace pliant
