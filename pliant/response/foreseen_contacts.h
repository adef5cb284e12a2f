// Contacts that a step is going to have, told before it is taken. Internal to response/ and world/.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "pliant/response/pierced_particles.h"

namespace pliant {

// Where bodies go, by slot, as if nothing held them; within the margin, m, they touch.
struct StraightWays {
  const std::vector<Vec3>& x_t0;
  const std::vector<Vec3>& x_t1;
  double margin = 0;
};
// Of a vertex on a face, whose normal says on which side it belongs: when it comes near, or how deep it is at the
// start.
Contact timed(Contact contact, const Step& step, const FlatStep& flat, const StraightWays& ways);

// What is answered only where it is found, at the end of a step, was free until then: a stiff body springs into the
// other and is put back at no cost, which is energy from nothing. So bodies are put where they would be at the end if
// nothing held them, closed ones larger by a margin all around, and what is pierced there (pierced_particles.h) is what
// touches, or is about to: contacts that act within the step.
class Foresight {
 public:
  // x_t1 of the step is where bodies would be. It outlives this. Margin in m.
  Foresight(const Step& step, double margin);

  // Bodies at x_t1 as they are looked at.
  const FlatStep& swollen() const { return swollen_; }

  // Of triangle-triangle contacts of the swollen bodies: vertices on faces, with the time in [0, 1] at which they come
  // near, and edges on edges where triangles cross with no corner behind the other. What is behind a surface at the
  // start of the step has a depth. None of a body with itself.
  std::vector<Contact> contacts(std::span<const Contact> crossing) const;

 private:
  void swell(const StepBody& body, double margin);
  void add_particle(std::uint32_t slot, const PiercedSurface& found, std::vector<Contact>& contacts) const;
  using Ends = std::pair<VertexId, VertexId>;
  struct Edges {
    BodyId body;
    std::vector<Ends> edges;
  };
  std::vector<Ends> edges_of(BodyId body, FaceId face) const;
  void add_edge(const PiercedByEdge& edge, std::vector<Contact>& contacts) const;
  void add_nearest_edges(const Contact& crossing, std::vector<Contact>& contacts) const;
  // Of all edges of the two, those that are nearest to each other at the start, if they touch.
  void add_nearest(const Edges& a, const Edges& b, std::vector<Contact>& contacts) const;

  const Step& step_;
  double margin_;
  std::vector<Vec3> ends_;  // by slot: x_t1 as given
  FlatStep swollen_;
};

}  // namespace pliant
