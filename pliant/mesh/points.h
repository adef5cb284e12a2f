// Points without faces as something that can collide: drops, markers, particles.
#pragma once

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Every vertex is a face of its own, with three equal corners: face i is point i. So every method takes points as it
// takes any other degenerate triangle: a point meets a face where it lies on it. What two points, or a point and an
// edge, have in common is found too, which only equal coordinates bring about. Points at equal positions are welded, as
// vertices are.
MeshPtr make_points(std::vector<Vec3> positions, MeshOrigin origin = {});

// Every face has three equal corners.
bool is_points(const TriangleMesh& mesh);

}  // namespace pliant
