// Short steps between two searches: bodies and their contacts go on together, at the pace of what bends fastest.
//
// Contacts that are answered only at the end of a step let a stiff body spring back, free of them, within it, and push
// it in again at no cost: energy from nothing. Here the contacts that a step is going to have act on every short step
// of it (after M. Macklin et al., "Small steps in physics simulation", SCA 2019: one search, many small steps).
#pragma once

#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/core/budget.h"
#include "pliant/response/step_resolver.h"

namespace pliant {

class UnprovedPairs;

// One body of a step, by BodyId.
struct SteppedBody {
  BodyModel* model = nullptr;
  // false: obstacles, on their straight way to x_t1, and sleepers, which stay unless pushed.
  bool is_predicted = true;
};

struct ContactSteps {
  std::vector<Impact> impacts;
  std::vector<StepStatus> status;  // by body: the worst of its short steps
  bool complete = true;            // false: the budget ran out on the way
  bool ok() const;                 // no body is in trouble
};

struct ContactStepSettings {
  ResolverSettings response;
  int count = 1;                      // of short steps
  UnprovedPairs* unproved = nullptr;  // pairs that are answered without a proof, at every short step; may be null
};

// Takes the step in short ones, and commits each to the models that are predicted; x_t1 and v_t1 of the step are where
// all end. `contacts` were found near each other on the step as given. The deadline and the cancel flag of the budget
// are looked at before each prediction. Whoever does not want the outcome restores the models.
ContactSteps take_contact_steps(Step& step, std::span<const SteppedBody> bodies, std::span<const Contact> contacts,
                                const ContactStepSettings& settings, const Budget& budget = {});

}  // namespace pliant
