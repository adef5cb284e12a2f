// Pins that follow the surface of an obstacle: a waistband on a walking figure. Internal to world/.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "pliant/detect/filters.h"
#include "pliant/mesh/triangle_mesh.h"
#include "pliant/response/step.h"

namespace pliant {

// Pins of `body` that go where the surface of `leader` goes.
struct Following {
  BodyId body;
  BodyId leader;
  std::vector<VertexId> pins;  // ascending
};

// Wants no contact of the leader with what lies around the pins: within two edges of one of them, where the body is
// tied to the leader's surface and often touches it. `mesh` is the body's.
FilterPtr all_but_the_seam(const Following& following, const TriangleMesh& mesh);

// Where each pin is, seen from the nearest face of the leader: on the point of it with these weights, and beside that
// in a frame that turns with the face.
class FollowingPins {
 public:
  // At positions where body and leader are when the pins are tied.
  FollowingPins(Following following, std::span<const Vec3> body, const MeshPtr& leader_mesh,
                std::span<const Vec3> leader);

  const Following& following() const { return following_; }
  // Where they go when the leader is there, in the order of the pins.
  std::vector<Vec3> positions(std::span<const Vec3> leader) const;

 private:
  struct Tie {
    std::array<VertexId, 3> corners;
    std::array<double, 3> weights;
    Vec3 beside;  // in the frame of the face
  };
  Following following_;
  std::vector<Tie> ties_;  // by pin
};

}  // namespace pliant
