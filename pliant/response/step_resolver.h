// Contacts answered by impulses and corrections, such that no step ends with an intersection that it did not begin
// with.
//
// Passes come first: everything that meets on the way becomes a constraint on the end positions, with the normal and
// the weights of the time of impact; all constraints of the step so far are solved together (projected Gauss-Seidel in
// the metric of the masses, with Coulomb friction), and the step is searched again.
//
// Zones are for what passes do not settle: the vertices of contacts that remain are united, and each zone moves as one
// rigid body with its momentum, or with the obstacle that it touches (after R. Bridson, R. Fedkiw and J. Anderson,
// "Robust treatment of collisions, contact and friction for cloth animation", SIGGRAPH 2002). Under an affine motion
// nothing within a zone can meet, so zones grow until the step is free or one of them holds two obstacles that do not
// move as one.
//
// What is returned as free was proved so by continuous detection on exactly these positions.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "pliant/core/budget.h"
#include "pliant/response/impact.h"
#include "pliant/response/step.h"

namespace pliant {

struct Resolution {
  bool free = false;     // the step was proved free
  bool complete = true;  // false: the budget ran out (then not free)
  std::vector<Impact> impacts;
  int searches = 0;                                // detections
  std::size_t zones = 0;                           // rigid ones at the end; 0: none were needed
  std::optional<std::pair<BodyId, BodyId>> zoned;  // two bodies (or one twice) that they were needed for
  double detect_seconds = 0;
  // If complete and not free: two bodies (or one twice) that could not be kept apart.
  std::optional<std::pair<BodyId, BodyId>> stuck;
};

// Deterministic: the same for any number of threads of the finder. Keeps only scratch memory between steps.
class StepResolver {
 public:
  explicit StepResolver(const ResolverSettings& settings);

  // Changes x_t1 and v_t1 of `step`. If the result is not free, they are of no use.
  Resolution resolve(Step& step, StepFinder& finder, const Budget& budget = {}) const;
  // The same where it is known what meets on the step as it is (nothing: it is free).
  Resolution resolve(Step& step, std::vector<Contact> meeting, StepFinder& finder, const Budget& budget = {}) const;

 private:
  ResolverSettings settings_;
};

}  // namespace pliant
