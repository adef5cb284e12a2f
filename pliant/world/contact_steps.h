// Where bodies go in a step: those that are near nothing on their own, the others together with their contacts, in
// short steps at the pace of what bends fastest.
//
// Contacts that are answered only at the end of a step let a stiff body spring back, free of them, within it, and push
// it in again at no cost: energy from nothing. Here the contacts that a step is going to have act on every short step
// of it (after M. Macklin et al., "Small steps in physics simulation", SCA 2019: one search, many small steps). Bodies
// that are linked by contacts form an island, which has short steps of its own length; obstacles link nothing.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/core/budget.h"
#include "pliant/core/threads.h"
#include "pliant/response/dense_step.h"
#include "pliant/response/step_resolver.h"

namespace pliant {

class UnprovedPairs;

// One body of a step, by BodyId.
struct SteppedBody {
  BodyModel* model = nullptr;
  // false: obstacles, on their straight way to x_t1, and sleepers, which stay unless pushed.
  bool is_predicted = true;
};

struct ContactStepSettings {
  ResolverSettings response;
  double contact_seconds = 0;         // s, the longest short step; bodies may want shorter ones
  UnprovedPairs* unproved = nullptr;  // pairs that are answered without a proof, at every short step; may be null
  Threads threads;
};

// One step, until it is proved free or given up. Bodies that took short steps are committed to their ends; those that
// went alone have a prediction that waits for its commit.
class ContactSteps {
 public:
  // x_t0 of the step is where bodies are; x_t1 where obstacles go and others would. All outlive it.
  ContactSteps(Step& step, std::span<const SteppedBody> bodies, const ContactStepSettings& settings);
  ~ContactSteps();

  // What comes near or meets on the step as it is. The bodies of new contacts, and their islands, have to go again.
  // False: all of it was known.
  bool add(std::span<const Contact> contacts);
  // The same of dense surfaces that hang on bodies.
  bool add(std::span<const CarriedContact> contacts);

  // Moves whoever has to go, and writes x_t1 and v_t1 of the step. The deadline and the cancel flag of the budget are
  // looked at before each prediction. A short step that a body cannot take (StepStatus) is tried again shorter.
  void move(const Budget& budget);
  bool complete() const;  // false: the budget ran out on the way
  // By body: of its short steps together; the trouble that was left.
  std::span<const StepStatus> status() const;

  std::vector<Impact> impacts() const;
  // Contacts of pairs without a proof that were found only at the end of the step although they would have been deep:
  // what add() is to be given, so that they act within it.
  const std::vector<Contact>& unforeseen() const;
  const std::vector<CarriedContact>& unforeseen_carried() const;
  // Puts all bodies back to where they were.
  void restore();

 private:
  class Row;
  std::unique_ptr<Row> row_;
};

}  // namespace pliant
