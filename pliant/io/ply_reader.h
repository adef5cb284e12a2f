// PLY from a source that need not be in memory. Internal to io/: the door is io/mesh_file.h.
#pragma once

#include "pliant/io/byte_source.h"
#include "pliant/io/mesh_file.h"

namespace pliant {

// Binary files are read piece by piece: the memory is that of the mesh. Text is read as a whole.
MeshFile read_ply(ByteSource& source, Faces faces);

}  // namespace pliant
