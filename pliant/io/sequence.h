// Motions kept as one mesh file per frame.
#pragma once

#include <string>
#include <vector>

#include "pliant/io/mesh_file.h"
#include "pliant/io/sequence_files.h"
#include "pliant/motion/motion.h"

namespace pliant {

// Whether a path names several files: its file name holds a number pattern (%d, %04d, ####, $F4), a * or ?, or it is a
// folder. A file that is there under that very name is no sequence.
bool names_sequence(const std::string& path);

// The files that a path names, in order:
//   walk.%04d.obj   by their numbers; walk.####.obj and walk.$F4.obj are the same;
//   walk.*.obj      by name, numbers within names compared as numbers;
//   walk/           the mesh files of the folder, in the same order; they must all have the same extension.
// Numbers must go up in equal steps, whichever way the files are named. Throws Error for a missing one, naming it, and
// if there is no file.
std::vector<std::string> list_sequence(const std::string& path);

// Frames are counted from 0, whatever the numbers of their files. Where they differ, a note about it, for people:
// "frame 0 is walk.1001.obj, frame 1 is walk.1002.obj"; else, and for a path that is no sequence, nothing. Throws as
// list_sequence does.
std::string frame_numbering(const std::string& path);

// The path of one frame of a number pattern.
std::string sequence_path(const std::string& pattern, std::uint64_t number);

// Whether a file, by its name and folder, is a frame of a number pattern, of whatever number.
bool is_frame_of(const std::string& pattern, const std::string& file);

// Reads a frame when it is asked for. Throws Error for a gap among the chosen frames; all are counted. The vertices and
// faces of every frame must be those of `reference`, or of the first frame if that is null; frame() throws Error,
// naming file and frame, for the first that differs. Polygons are compared as polygons: the way they are cut depends on
// the positions.
std::shared_ptr<FrameSource> open_sequence(const std::string& path, MeshPtr reference, const FrameChoice& choice = {});

// The same for the files that a .pvd names, in the order of their times.
std::vector<std::string> list_pvd(const std::string& path);
std::shared_ptr<FrameSource> open_pvd(const std::string& path, MeshPtr reference);

}  // namespace pliant
