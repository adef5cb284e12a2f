// Small generated files, named and laid out as those of PLIANT_TEST_DATA, so that a machine without that folder runs
// the same tests over the same formats.
#pragma once

#include <filesystem>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"
#include "tests/support/temporary_folder.h"

namespace pliant::testing {

// Meshes, volumes and a sequence, with a LICENSES.md that lists their counts. Made at the first call; removed when the
// program ends.
//   meshes/grid.obj                 a sheet
//   meshes/soup.ply                 a box whose corners are vertices of their own
//   meshes/fin.obj                  a ball with a face too many on one edge
//   meshes/bowtie.ply               two tetrahedra that share a vertex
//   meshes/blemished.ply            a box, one face of it twice, a face without area, unused vertices
//   meshes/teapot.obj               open, and intersecting itself
//   meshes/two_cubes_{intersecting,close,far}.obj
//   tets/{box,cell}.mesh
//   sequences/wave/{base.ply,anim.pc2}
const std::filesystem::path& stand_in_meshes();

// That folder, and PLIANT_TEST_DATA where it is there.
std::vector<std::filesystem::path> mesh_data_folders();
bool has_real_data();

// A point cache of floats.
void write_pc2(const std::filesystem::path& file, const std::vector<std::vector<Vec3>>& frames);

// Positions that floats hold.
std::vector<Vec3> as_floats(std::span<const Vec3> positions);

}  // namespace pliant::testing
