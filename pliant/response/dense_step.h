// A step as those see it who look at dense surfaces: bodies that have one are that. Internal to response/ and world/.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "pliant/response/flat_step.h"

namespace pliant {

// How a point moves with the vertices of its body, to first order: by sum turn_k dx_k. The turns sum to the identity,
// and forces that are handed on by their transposes keep momentum and angular momentum.
struct Carrier {
  std::array<std::uint32_t, 3> slot{};  // rows of the step of the bodies themselves
  std::array<Eigen::Matrix3d, 3> turn;
  std::size_t count = 0;
};

// A contact of dense surfaces as the bodies feel it: two points, each on three vertices of its body at most.
struct CarriedContact {
  Contact contact;
  std::array<std::uint32_t, 6> slot{};
  std::array<double, 6> weight{};  // of a positive, sum 1; of b negative
  std::size_t count = 0;
  Vec3 offset = Vec3::Zero();  // of a against b, beyond what the vertices say; it turns little within a step
};

// Whether some body of the step is looked at by a dense surface.
bool has_dense(const Step& step);

// Rows of bodies without a dense surface are as they were. A dense vertex has the velocity of the place that it hangs
// on, and the mass that is felt there; where links have collapsed it is at that place.
class DenseStep {
 public:
  // x_t0, x_t1 and v_t1 as they are in `flat`, which outlives it and keeps its x_t0.
  DenseStep(const Step& step, const FlatStep& flat);
  DenseStep(const DenseStep&) = delete;
  DenseStep& operator=(const DenseStep&) = delete;

  const Step& step() const { return step_; }
  const FlatStep& flat() const { return *flat_; }
  Carrier carrier(std::uint32_t dense_slot) const;  // at x_t1

  // Of a vertex on a face, or two edges, of this step. A point of a dense face or edge hangs on what the corner next to
  // it hangs on, on the nearest place between these three vertices. Points and direction are those at the time of the
  // contact, as surfaces allow them (touch_direction.h). Nothing: they touch elsewhere first. Separation in m.
  std::optional<CarriedContact> carried(const Contact& contact, double separation) const;

 private:
  void add(const StepBody& body, const FlatStep& flat);
  std::span<const Vec3> flat_of(BodyId body) const;  // x_t1 of the body itself
  void add_side(CarriedContact& carried, const Feature& feature, const Weights& weights, double sign) const;

  Step step_;
  const FlatStep& bodies_;                   // themselves
  std::vector<Vec3> bodies_t1_;              // x_t1 of them, as it was
  std::vector<std::vector<double>> masses_;  // by body, of dense ones
  std::unique_ptr<FlatStep> flat_;
};

// Of contacts between the same bodies that hang mostly on one vertex, where a dense surface has dozens of them: the one
// that will be nearest at x_t1, in the mean direction of all. Single directions follow every bump of the surfaces, and
// bodies that are held in all of them at once lock into each other.
std::vector<CarriedContact> gathered(std::span<const CarriedContact> contacts, const FlatStep& flat);

}  // namespace pliant
