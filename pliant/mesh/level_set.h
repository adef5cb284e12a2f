// A triangle mesh of where a function is zero.
#pragma once

#include <Eigen/Geometry>

#include "pliant/core/function_ref.h"
#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct LevelSetSettings {
  Eigen::AlignedBox3d box;  // holds the surface with a cell to spare
  double cell = 0.1;        // length; about 3 area / cell^2 faces come out
};

// Surface nets (Gibson, "Constrained elastic surface nets", MICCAI 1998) whose vertices are then moved onto the zero
// surface. `distance` is negative inside and must not change faster than by 1 per unit of length: whole blocks of cells
// far from the surface are skipped on its word. Throws Error if the box would have more than 2^28 cells.
//
// Faces look outward. Where the surface is smooth and its parts are several cells apart the mesh is closed and
// manifold; what is thinner than a cell may be lost or joined.
MeshPtr make_level_set(const LevelSetSettings& settings, FunctionRef<double(const Vec3&)> distance);

// The unit direction in which a distance grows fastest, by central differences over `delta`.
Vec3 distance_gradient(FunctionRef<double(const Vec3&)> distance, const Vec3& p, double delta);

}  // namespace pliant
