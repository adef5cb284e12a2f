// A sphere tree of a mesh that was turned, scaled and put elsewhere.
#pragma once

#include "pliant/bounds/sphere_tree/sphere_tree.h"
#include "pliant/core/function_ref.h"

namespace pliant {

// The tree of `moved`, whose vertices are those of the tree's mesh, each put by `place`: the same pieces in the same
// nodes, spheres as large as `scale` and rounding ask for. Null if the surface would be cut another way, which rounding
// can do to edges as long as the cut length.
SphereTreePtr moved_tree(const SphereTree& tree, const TriangleMesh& moved, double scale,
                         FunctionRef<Vec3(const Vec3&)> place);

}  // namespace pliant
