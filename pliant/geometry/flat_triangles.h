// Triangles that lie in one plane, or have no area: the cases that orientations in space can not tell apart.
#pragma once

#include "pliant/geometry/triangle_triangle.h"

namespace pliant {

// triangle_triangle_relation for pairs that are coplanar or of which at least one has no area.
Relation flat_triangles_relation(const Triangle3& a, const Triangle3& b, const SharedVertices& shared);

}  // namespace pliant
