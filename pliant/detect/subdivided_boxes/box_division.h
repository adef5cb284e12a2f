// A body's box halved again and again, and which faces are in which part.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/detect/still/region_table.h"
#include "pliant/detect/subdivided_boxes/box_settings.h"

namespace pliant {

// How often each axis is halved after so many levels: level l halves axis l mod 3 (2^n boxes), or all three axes (8^n),
// so that three levels of the one are one of the other. The paper says 2^n regions and does not say which.
std::array<int, 3> halvings(int levels, bool octree);

// Every face is in exactly one box, by its centre at rest (a centre on the cut is in the upper half), boxes without
// faces are left out. Flat axes are not cut. With levels = -1 boxes are halved until they have most_faces, by turns of
// the axes that are not flat. Boxes come in the order of a Morton curve.
RegionLists divide(const TriangleMesh& mesh, const SubdivisionSettings& settings);

}  // namespace pliant
