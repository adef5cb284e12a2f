// Springs and dampers between points of bodies, with Coulomb friction. Internal to response/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/response/flat_step.h"
#include "pliant/response/pair_response.h"

namespace pliant {

class PenaltySprings {
 public:
  PenaltySprings(const Step& step, const FlatStep& flat, const PenaltySettings& settings)
      : step_(step), flat_(flat), settings_(settings), end_of_row_(flat.size(), 0) {}

  // Between the bodies of a contact: moves a along `normal`, by `depth`.
  void begin(const Contact& contact, const Vec3& normal, double depth);
  // Of the spring that was begun last: vertices of a have positive weights, of b negative ones, each side's sum 1.
  void add_end(std::uint32_t row, double weight);

  std::size_t size() const { return springs_.size(); }
  // Adds to `forces` (N, by row) and, for springs that did something, to `impacts`.
  //
  // A vertex lends each of its springs an equal part of its mass: then many springs at one vertex are together as stiff
  // as one would be, and the shortest stable step does not depend on how finely bodies overlap. Both sides of a spring
  // get the same force. Averaged (C. Mendoza and C. O'Sullivan): a vertex lends all of its mass to each, and has the
  // mean of the forces that it receives, so that the two sides of a spring may get different ones.
  void add_forces(std::span<Vec3> forces, std::vector<Impact>& impacts, bool averaged) const;

 private:
  struct Spring {
    const Contact* contact = nullptr;
    Vec3 normal = Vec3::Zero();
    double depth = 0;
    std::size_t first_end = 0;
  };
  struct End {
    std::uint32_t row = 0;
    double weight = 0;
  };
  std::span<const End> ends(std::size_t spring) const;
  std::vector<std::uint32_t> springs_of_rows() const;
  Vec3 force_of(std::size_t spring, double mass) const;

  const Step& step_;
  const FlatStep& flat_;
  const PenaltySettings& settings_;
  std::vector<Spring> springs_;
  std::vector<End> ends_;
  std::vector<std::size_t> end_of_row_;  // the last one of each
};

}  // namespace pliant
