// Springs and dampers between points of bodies, with Coulomb friction. Internal to response/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/response/flat_step.h"
#include "pliant/response/pair_response.h"

namespace pliant {

// Made of what intersects at one instant; from then on the depth of each changes by how far its ends have moved along
// its normal since.
//
// A vertex lends each of its springs an equal part of its mass: then many springs at one vertex are together as stiff
// as one would be, and the shortest stable step does not depend on how finely bodies overlap. Both sides of a spring
// get the same force. Averaged (C. Mendoza and C. O'Sullivan): a vertex lends all of its mass to each, and has the
// mean of the forces that it receives, so that the two sides of a spring may get different ones.
class PenaltySprings {
 public:
  PenaltySprings(const PenaltySettings& settings, bool averaged) : settings_(settings), averaged_(averaged) {}

  // Between the bodies of a contact: moves a along `normal`, by `depth`.
  void begin(const Contact& contact, const Vec3& normal, double depth);
  // Of the spring that was begun last: vertices of a have positive weights, of b negative ones, each side's sum 1.
  void add_end(std::uint32_t row, double weight);
  // When all are there, at the instant that they are of.
  void finish(const Step& step, const FlatStep& flat);

  std::size_t size() const { return springs_.size(); }
  // At the start of a short step: to `forces` (N, by row).
  void add_forces(const FlatStep& flat, std::span<Vec3> forces);
  // Of springs that did something since they were made.
  void add_impacts(std::vector<Impact>& impacts) const;

 private:
  struct Spring {
    Contact contact;
    Vec3 normal = Vec3::Zero();
    double depth = 0;  // as it was found
    std::size_t first_end = 0;
    double mass = 0;              // kg, of its ends against each other; 0: none of them can move
    double friction = 0;          // of both surfaces
    Vec3 apart = Vec3::Zero();    // its ends' places, by weight, as it was found
    Vec3 impulse = Vec3::Zero();  // N s, so far
  };
  struct End {
    std::uint32_t row = 0;
    double weight = 0;
  };
  std::span<const End> ends(std::size_t spring) const;
  Vec3 weighted(std::size_t spring, const std::vector<Vec3>& row) const;
  Vec3 force_of(std::size_t spring, const FlatStep& flat) const;

  PenaltySettings settings_;
  bool averaged_;
  std::vector<Spring> springs_;
  std::vector<End> ends_;
  std::vector<std::size_t> end_of_row_;  // the last one of each
  std::vector<std::uint32_t> count_;     // of springs, by row
  std::vector<Vec3> received_;           // by row, to be averaged
};

}  // namespace pliant
