// Spheres around boxes, and how far boxes and spheres are from each other.
#pragma once

#include "pliant/bounds/aabb.h"
#include "pliant/core/sphere.h"

namespace pliant {

// Around a box, rounded outward; radius 0 around an empty one.
Sphere sphere_around(const Aabb& box);

// The largest distance between a point of one and a point of the other, rounded up. 0 if one is empty.
double farthest_distance(const Aabb& a, const Aabb& b);
double farthest_distance(const Sphere& a, const Sphere& b);

// Distance of a point from a box, not more; 0 inside.
double distance_to(const Vec3& point, const Aabb& box);

}  // namespace pliant
