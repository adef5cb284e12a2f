// The forces of the paper: what draws particles, how far it reaches, and how near is near enough.
#pragma once

#include <span>
#include <vector>

#include "pliant/detect/body_pairs.h"
#include "pliant/detect/particles/particle_settings.h"
#include "pliant/detect/particles/particle_walk.h"
#include "pliant/mesh/posed_mesh.h"

namespace pliant {

// Edges of a body now.
struct EdgeLengths {
  double sum = 0;
  std::size_t count = 0;
  double longest = 0;
};
EdgeLengths edge_lengths(const PosedMesh& mesh);

// How near particles must come: the mean length of the edges of both bodies, or, to be sound about vertices,
// (l + m) / sqrt(3) for longest edges l and m: every point of a triangle is within l / sqrt(3) of one of its corners,
// so triangles that meet have corners as near as that.
double collision_distance(const EdgeLengths& a, const EdgeLengths& b, const ParticleSettings& settings);

// Two bodies whose particles see each other.
struct SeeingPair {
  BodyPair bodies;
  double reach = 0;               // length; beyond it there is no force
  double collision_distance = 0;  // length
};

// The force on particles of each body by those of all bodies that it sees.
class Attraction {
 public:
  // With `repulsion` the particles of a body push each other away, as the predecessor's do; by body within which
  // reach, else empty.
  Attraction(std::span<WalkingBody> bodies, std::span<const SeeingPair> pairs, std::span<const double> repulsion);

  double operator()(std::uint32_t body, std::uint32_t particle, const Vec3& p) const;
  bool idle(std::uint32_t body, std::uint32_t) const { return seen_[body].empty(); }

 private:
  struct Seen {
    std::uint32_t body;
    double reach_sq;
    double least_sq;
  };
  std::span<WalkingBody> bodies_;
  std::vector<std::vector<Seen>> seen_;  // by body
  std::span<const double> repulsion_;
};

}  // namespace pliant
