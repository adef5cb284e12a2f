// A second look at particles of dense surfaces that are told to lie behind others. Internal to response/.
#pragma once

#include <map>
#include <optional>

#include "pliant/detect/inside.h"
#include "pliant/response/pierced_particles.h"

namespace pliant {

// Dense surfaces fold a little where what carries them bends. A fold has a pocket that lies the wrong side out, and an
// edge that ends in one says that its other end is inside, which spreads over all that is outside
// (pierced_particles.h). So nothing counts that is in front of the face next to it; and what is deeper than it can have
// come in since it was last looked at is asked for exactly.
class SureBehind {
 public:
  // Both outlive it.
  SureBehind(const Step& step, const FlatStep& flat) : step_(step), flat_(flat) {}

  // Of a particle and the point of a closed surface that it would go to, with a length that counts for nothing.
  bool operator()(std::uint32_t slot, const PiercedSurface& surface, double little);

 private:
  Vec3 outward_at(const PiercedSurface& surface) const;

  const Step& step_;
  const FlatStep& flat_;
  std::map<BodyId, std::optional<ClosedSurface>> surfaces_;  // those that were asked
};

}  // namespace pliant
