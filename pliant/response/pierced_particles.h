// Which particles lie behind which surface, told from the edges that pierce its faces. Internal to response/.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "pliant/response/flat_step.h"

namespace pliant {

// A point of a face that an edge of a particle pierces, as it is at the end of the step.
struct PiercedSurface {
  BodyId body;
  FaceId face;
  std::array<std::uint32_t, 3> slot{};  // of the face's corners (FlatStep)
  Weights weights{};                    // of the point among them
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  // unit; to the side where the particle belongs
};

// Whether their planes have a line in common that is worth going to. Faces of one sheet that bends a little have not:
// their line is far from the particle, and going there drags the sheet along itself.
inline bool makes_corner(const PiercedSurface& a, const PiercedSurface& b) {
  constexpr double kLeastSine = 0.05, kLeastSineOfOneBody = 0.5;
  return a.normal.cross(b.normal).norm() > (a.body == b.body ? kLeastSineOfOneBody : kLeastSine);
}

struct PiercedParticle {
  std::uint32_t slot = 0;
  BodyId behind;                         // the first body whose surface it is behind
  PiercedSurface first;                  // the nearest
  std::optional<PiercedSurface> second;  // the nearest that makes a corner with the first
};

// An edge that goes into a closed surface and out again, neither end inside: it stands in between. None of the corners
// there is behind the edge's own body.
struct PiercedByEdge {
  std::uint32_t from = 0, to = 0;   // slots of its ends
  double at = 0;                    // part of the way from the one to the other, halfway between the piercings
  PiercedSurface surface, way_out;  // where it goes in, and out
};

struct PiercedParticles {
  std::vector<PiercedParticle> particles;  // by slot, each once
  // Pairs of triangles that cross although no corner of them is behind the other, with the way that parts them. A sheet
  // goes the way of the closed body's normal: the shortest one is often along the sheet, and would stretch it.
  std::vector<Contact> others;
  std::vector<PiercedByEdge> edges;
  std::vector<bool> is_closed;  // by body, of those whose surfaces were pierced by others
};

// From triangle-triangle contacts, all of them, at x_t1.
//
// Of a closed, outward surface, an edge that goes in more often than out has its end inside, and the other way round;
// through an edge or a vertex of the surface it goes once. Edges that do not pierce it have both ends on one side, so
// that what is inside spreads along them (as in B. Heidelberger et al., "Consistent penetration depth estimation", VMV
// 2004) to particles that no pierced edge belongs to; each is given the nearest of the surfaces that its neighbours
// were given. An edge that passes under a ridge of the other body, in and out again, has no end inside. Of an open
// surface, and of one body with itself, the end that has changed sides since x_t0 is behind, and only that.
PiercedParticles find_pierced(const Step& step, const FlatStep& flat, std::span<const Contact> contacts);

}  // namespace pliant
