// Cells by VTK's numbers, for both its formats. Internal to io/.
#pragma once

#include <cstdint>
#include <span>

#include "pliant/io/cells.h"

namespace pliant {

constexpr int kVtkTriangle = 5;
constexpr int kVtkStrip = 6;
constexpr int kVtkPolygon = 7;
constexpr int kVtkTet = 10;

// Adds a cell, or reports its kind as left out; curved triangles and tetrahedra are used by their corners. The points
// are zero-based and in range. Returns false if there are too few of them for the type.
bool add_vtk_cell(Cells& cells, int type, std::span<const std::uint32_t> points);

}  // namespace pliant
