// Particles as witnesses of safe mode: they walk only where boxes have not proved their regions apart.
#pragma once

#include <span>
#include <vector>

#include "pliant/detect/particles/particle_walk.h"
#include "pliant/detect/particles/region_search.h"

namespace pliant {

// The force on a particle by those of other bodies' regions whose boxes overlap its own: everything else is proved to
// be apart from it.
class WitnessForce {
 public:
  WitnessForce(std::span<const WalkingBody> bodies, std::span<const RegionPair> pairs);

  double operator()(std::uint32_t body, std::uint32_t particle, const Vec3& p) const;
  bool idle(std::uint32_t body, std::uint32_t particle) const {
    const std::size_t i = first_[body] + particle;
    return offsets_[i] == offsets_[i + 1];
  }

 private:
  struct Other {
    std::uint32_t body;
    std::uint32_t particle;
  };
  std::span<const WalkingBody> bodies_;
  std::vector<std::size_t> first_;    // particle of each body, in offsets_
  std::vector<std::size_t> offsets_;  // others of each particle, in others_
  std::vector<Other> others_;
};

}  // namespace pliant
