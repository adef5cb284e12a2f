// A vertex of a body that touches others which give way as well, while all of them are solved together.
#pragma once

#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Of one step. The body says where the vertex stands and how it gives way; whoever solves the contacts between bodies
// pushes it: adds a force that stays until the end of the step, and moves it by what that does at once.
struct JointVertex {
  VertexId vertex;                                          // of the surface, of finite mass
  Vec3 force = Vec3::Zero();                                // N, of all contacts with bodies that give way
  Vec3 moved = Vec3::Zero();                                // m, from the start of the step
  Eigen::Matrix3d compliance = Eigen::Matrix3d::Zero();     // m/N, while its neighbours stay where they are
  Eigen::Matrix3d free_ways = Eigen::Matrix3d::Identity();  // projector: where contacts let it go by itself

  void push(const Vec3& change) {
    force += change;
    moved += compliance * change;
  }
};

}  // namespace pliant
