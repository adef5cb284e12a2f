// Particles behind a surface are pulled back to it. Internal to response/.
#pragma once

#include "pliant/response/pair_response.h"

namespace pliant {

// After J. Mesit and R. K. Guha, "Line-triangle test for collision detection and response in soft bodies". Case 1: a
// particle behind one surface goes back to it, and loses the velocity into it. Case 2: behind two that make a corner,
// to their common line, and loses what goes against the mean of their normals. Where this differs:
// - Particle and face share the way by their masses (an obstacle gives nothing), so that momentum is kept; all are
//   found from one state and moved at once, a vertex lending each of its contacts an equal part of its mass: the order
//   does not matter.
// - A particle goes along the normal of the pierced face, not to the intersection point of its edge, which lies up to
//   an edge beside it and draws flat contacts together (`literal_position` does that).
// - Particles that no pierced edge belongs to are found too (pierced_particles.h), and edges that cross edges are
//   parted by the shortest translation of their triangles.
// - What is written of velocities ("calculated from the normal vector") is taken as: none into the surface, friction
//   after Coulomb, restitution of the skins. `literal_velocity` gives the particle its speed along the normal instead.
// - Points of dense surfaces are pulled by the vertices that they hang on (carried_pulls.h).
// Bodies that move as one are shifted without turning.
class PullBack : public Response {
 public:
  explicit PullBack(const PullBackSettings& settings) : settings_(settings) {}
  bool moves_ends() const override { return true; }
  bool follows_paths() const override { return settings_.paths; }
  bool looks_inside() const override { return settings_.inside; }
  bool once_per_step() const override { return settings_.once_per_step; }
  bool foresees() const override { return settings_.foresee; }
  int passes() const override { return settings_.passes; }
  void move_ends(const Step& step, FlatStep& flat, std::span<const Contact> contacts,
                 std::vector<Impact>& impacts) const override;
  void move_paths(const Step& step, FlatStep& flat, std::span<const Contact> contacts,
                  std::vector<Impact>& impacts) const override;
  void move_dense_ends(const DenseStep& dense, FlatStep& flat, std::span<const Contact> contacts,
                       std::vector<Impact>& impacts) const override;
  void move_dense_paths(const DenseStep& dense, FlatStep& flat, std::span<const Contact> contacts,
                        std::vector<Impact>& impacts) const override;

 private:
  PullBackSettings settings_;
};

}  // namespace pliant
