// The paper's way to pairs of regions: particles walk until they are relaxed, and those that have come close to each
// other nominate their regions.
#pragma once

#include <span>
#include <vector>

#include "pliant/core/function_ref.h"
#include "pliant/detect/particles/attraction.h"
#include "pliant/detect/particles/body_regions.h"
#include "pliant/detect/particles/free_particles.h"
#include "pliant/detect/particles/region_search.h"

namespace pliant {

// The bodies of a query to the walk, in their regions.
std::vector<WalkingBody> walking_bodies(const StillQuery& query, std::span<BodyRegions* const> regions);

// The paper's: no more sweeps than the longest route between two particles of a body, if nothing else is asked for.
WalkLimits walk_limits(std::span<BodyRegions* const> regions, const ParticleSettings& settings);

class Nomination {
 public:
  // `free`: the predecessor's particles instead, by body; empty: none. All must outlive it.
  Nomination(const StillQuery& query, std::span<BodyRegions* const> regions, std::span<FreeBody* const> free,
             const ParticleSettings& settings);

  // Which bodies see each other, of those that are wanted (never a body itself).
  void look_around(FunctionRef<bool(std::uint32_t, std::uint32_t)> wanted);
  WalkResult walk(BudgetMeter& meter);
  // All pairs of particles that are nearer to each other than the collision distance.
  void nominate();
  // More chances for the others whose boxes overlap (restarts.h); returns for how many pairs.
  std::uint64_t restart_others(BudgetMeter& meter);

  // What was nominated, nearest first.
  std::vector<RegionPair> pairs() const;

 private:
  double collision(BodyPair bodies) const;
  double reach(BodyPair bodies) const;
  void nominate(const SeeingPair& pair);

  std::span<BodyRegions* const> regions_;
  const ParticleSettings& settings_;
  std::vector<EdgeLengths> edges_;
  std::vector<double> widest_;  // by body: its largest region, from the centre
  std::vector<WalkingBody> walking_;
  std::vector<double> repulsion_;  // how far it reaches, by body; empty: there is none
  std::vector<SeeingPair> seeing_;
  std::vector<RegionPair> pairs_;  // ascending
};

}  // namespace pliant
