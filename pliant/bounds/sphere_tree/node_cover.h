// One node of a medial tree divided: spheres of the medial axis, reduced to as many as there may be children.
// Internal to bounds/sphere_tree/.
#pragma once

#include "pliant/bounds/sphere_tree/medial_spheres.h"
#include "pliant/bounds/sphere_tree/tree_plan.h"

namespace pliant {

// `list`: those of the medial spheres that touch the node's part of the surface. Safe for different nodes at once.
void divide_by_cover(TreePlan& plan, std::uint32_t node, const SurfaceDepth& surface, const MedialSpheres& medial,
                     std::span<const std::uint32_t> list);

}  // namespace pliant
