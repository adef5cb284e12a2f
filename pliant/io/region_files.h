// Meshes painted by regions, for viewers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "pliant/io/mesh_file.h"

namespace pliant {

// Red, green and blue, bright; neighbouring numbers are unlike each other.
std::array<std::uint8_t, 3> region_colour(std::uint32_t region);

// PLY: faces and vertices coloured, and the number of its region with every face (`region`). VTP, VTU: cell data
// `region`. A vertex has the colour of one of its faces. Throws Error for other formats.
std::string format_regions(const TriangleMesh& mesh, std::span<const std::uint32_t> region_of_face, MeshFormat format);

}  // namespace pliant
