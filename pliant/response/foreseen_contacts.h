// Contacts that a step is going to have, told before it is taken. Internal to response/ and world/.
#pragma once

#include <span>
#include <vector>

#include "pliant/response/flat_step.h"

namespace pliant {

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
  // start of the step is not among them, nor are contacts of a body with itself.
  std::vector<Contact> contacts(std::span<const Contact> crossing) const;

 private:
  void swell(const StepBody& body, double margin);
  void add_particles(std::span<const Contact> crossing, std::vector<Contact>& contacts) const;
  void add_edges(const Contact& crossing, std::vector<Contact>& contacts) const;

  const Step& step_;
  double margin_;
  std::vector<Vec3> ends_;  // by slot: x_t1 as given
  FlatStep swollen_;
};

}  // namespace pliant
