// How far a step may be taken before anything meets: what simulators ask once or many times per frame.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pliant/detect/detector.h"

namespace pliant {

struct SafeStepSettings {
  bool self = true;  // also within every body
  bool weld = true;  // vertices with bit-equal rest positions are one vertex
  // Features must stay further apart than this (length unit of the positions). Finite, not negative.
  double min_separation = 0;
  // List the pairs of triangles that intersect at the start (an exact still check, which costs about as much again).
  bool list_intersecting = true;
  Threads threads;
};

struct SafeStep {
  // The largest fraction of the step, 0 to 1, that was proved free: no two features that are apart at the start touch
  // at any time in [0, fraction], its end included, and none that are further apart than min_separation at the start
  // come as near; at most the solver's time tolerance (1e-10) is given away. 1: all of it. This holds for x_t0 +
  // fraction (x_t1 - x_t0) in real arithmetic; whoever rounds those positions, and needs the rounded ones free, should
  // keep a min_separation of some units in the last place.
  double fraction = 1;
  // What ends it: the first contact, with time in [0, 1]. Empty if the whole step is free, or if the budget ran out.
  std::optional<Contact> first;
  // Feature pairs (vertex-face, edge-edge) that touch at the start already, or are within min_separation then and do
  // not touch later. They do not count for the fraction: it would silently be zero. Whoever does not want them to go
  // further must look at them. What is near at the start and then touches ends the step like anything else.
  std::vector<Contact> initial;
  // Pairs of triangles that intersect at the start (SafeStepSettings::list_intersecting).
  std::vector<Contact> intersecting;
  // False: the budget ran out. The lists are then not complete (`intersecting` names unresolved regions as `possible`),
  // and the fraction is 0 unless it was known already.
  bool complete = true;
};

// For steps taken again and again: keeps its trees, and the memory that positions are copied into. Not safe for use
// from several threads at once. Throws Error for settings out of range and for a body that is not there.
class SafeStepper {
 public:
  explicit SafeStepper(const SafeStepSettings& settings = {});
  ~SafeStepper();
  SafeStepper(SafeStepper&&) noexcept;
  SafeStepper& operator=(SafeStepper&&) noexcept;

  // A body at rest until its step is set.
  BodyId add_body(MeshPtr mesh);
  // Positions of all vertices at both ends; copied as by Detector::set_step. Throws Error, and changes nothing, if
  // sizes differ or a coordinate is not finite.
  void set_step(BodyId body, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);
  void set_filter(std::shared_ptr<const ContactFilter> filter);

  SafeStep find(const Budget& budget = {});

 private:
  struct Detectors;
  std::unique_ptr<Detectors> detectors_;
};

// One step of one mesh.
SafeStep safe_step(const MeshPtr& mesh, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                   const SafeStepSettings& settings = {});

}  // namespace pliant
