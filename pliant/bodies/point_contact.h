// One point against one half-space with Coulomb friction, exactly: what contacts do inside a solver that moves one
// vertex, or the vertices of one face, at a time.
#pragma once

#include "pliant/core/vec3.h"

namespace pliant {

// What a point may do in a step; all displacements from its start, m.
struct PointLimit {
  Vec3 normal = Vec3::Zero();  // of length 1
  double gap = 0;              // normal . displacement is at least this
  Vec3 drift = Vec3::Zero();   // displacement of the other side where it touches
  double friction = 0;
};

// The force, N, that a point feels which goes to `free` without one and to free + compliance * force with one
// (compliance: symmetric, positive definite, m/N). Either it is zero and the point keeps its distance; or the point
// ends on the limit, and moves with the other side under a force within the cone of friction, or slides under one on
// the cone that points against the sliding.
// Of a point that slides the direction is found in `rounds` at most; fewer leave it askew.
Vec3 contact_force(const Eigen::Matrix3d& compliance, const Vec3& free, const PointLimit& limit, int rounds = 24);

}  // namespace pliant
