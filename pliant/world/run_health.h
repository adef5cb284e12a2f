// What is wrong with a simulation although nothing passed through anything: elements inside out, cloth pulled longer
// than its threads allow, energy from nothing, steps that were too long for what happened in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pliant/world/world.h"

namespace pliant {

// The worst of one body so far.
struct BodyHealth {
  std::uint64_t inverted = 0;  // elements, at the last frame
  std::uint64_t most_inverted = 0;
  double most_inverted_frame = 0;
  double stretch = 0;  // the 99th percentile, at its worst
  double stretch_frame = 0;
  double stretch_limit = 0;
  double energy = 0;  // J, its own when that of all was least
};

// Two bodies, or one twice.
using BodiesInvolved = std::optional<std::pair<BodyId, BodyId>>;

// Watches a world frame by frame. Plain numbers, so that a run that is resumed goes on with them.
struct RunHealth {
  std::vector<BodyHealth> bodies;  // by BodyId

  // Energy of all bodies that give way, J, at the ends of frames. Counted anew whenever something outside works on
  // them: an obstacle that moves, wind.
  bool knows_energy = false;
  double least_energy = 0;
  double energy_gained = 0;  // J, at its worst: above the least before it
  double energy_frame = 0;
  BodyId energy_body;       // that gained most until then
  double most_kinetic = 0;  // J: what gains are measured by. Of a drop it is the energy of the drop

  std::uint64_t zones = 0;
  double zones_frame = 0;  // the first with any
  BodiesInvolved zones_bodies;
  std::uint64_t halvings = 0;
  double halvings_frame = 0;
  BodiesInvolved halvings_bodies;

  void frame_done(const World& world, const FrameReport& report);

 private:
  void watch_energy(const World& world);
};

struct BodyEnergy {
  double kinetic = 0, elastic = 0, gravitational = 0;  // J
  double total() const { return kinetic + elastic + gravitational; }
};
BodyEnergy energy_of(const BodyModel& body);

struct RunWarning {
  std::string body;  // its name; empty: of the whole run
  double frame = 0;
  std::string what;
  std::string remedy;
};
// Worst first within each kind; empty: nothing to say. `names` by BodyId.
std::vector<RunWarning> warnings_of(const RunHealth& health, const std::vector<std::string>& names);

}  // namespace pliant
