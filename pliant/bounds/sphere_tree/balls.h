// Spheres of a tree, and the smallest one around some points.
#pragma once

#include <span>

#include "pliant/core/rigid.h"
#include "pliant/core/sphere.h"

namespace pliant {

// A sphere that is not there.
inline Sphere absent_sphere() { return {Vec3::Zero(), -1}; }
inline bool is_there(const Sphere& sphere) { return sphere.radius >= 0; }

inline bool holds(const Sphere& sphere, const Vec3& p) { return fixed_length(p - sphere.centre) <= sphere.radius; }

// Whether distances between points with coordinates up to this can be taken: their squares neither overflow nor vanish
// beside the rounding of the coordinates. What is beyond gets the sphere that holds everything.
inline bool has_distances(double largest) { return largest == 0 || (largest > 1e-130 && largest < 1e150); }

// Whether they have a point in common, one that they only touch in included. Never false for spheres of which that is
// so in exact arithmetic: the sum of the radii is rounded up by more than the distance can be off.
inline bool overlap(const Sphere& a, const Sphere& b) {
  constexpr double kRounding = 1e-15;  // of a few operations, as a fraction
  constexpr double kTiny = 1e-300;     // squares below underflow
  const double reach = (a.radius + b.radius) * (1 + kRounding);
  const Vec3 d = b.centre - a.centre;
  return fixed_dot(d, d) <= reach * reach + kTiny;
}

// No smaller sphere holds all points, up to some 1e-12 of its radius. It holds them all, by its own radius: the largest
// distance from its centre, rounded up. At least one point.
Sphere enclosing_ball(std::span<const Vec3> points);

// With this centre; likewise.
Sphere ball_around(const Vec3& centre, std::span<const Vec3> points);

}  // namespace pliant
