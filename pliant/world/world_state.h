// Everything that changes in a world, as plain numbers.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pliant/bodies/body.h"

namespace pliant {

struct WorldState {
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // of bodies, the smaller first

  std::uint64_t frame = 0;  // whole frames done
  double fraction = 0;      // of the next one
  std::vector<BodyState> bodies;
  std::vector<double> calm_seconds;  // by body; for sleeping
  std::vector<double> crept;         // m, by body; likewise
  bool knows_overlaps = false;       // whether it was looked for them
  std::vector<Pair> overlapping;     // never yet apart
  std::vector<Pair> pushed;          // each other, in the frame that is not done yet
  std::vector<Pair> touching;        // pushed each other in the last frame in which one of them was awake

  friend bool operator==(const WorldState&, const WorldState&) = default;
};

// The same for the same bits, on every platform.
std::uint64_t hash_of(const WorldState& state);

struct StateReadOptions {
  bool checksum = true;  // refuse bytes that changed since they were written
};

// As bytes: versioned, checked. parse_state throws Error, naming `name`, for anything that is not such a state.
std::string format_state(const WorldState& state);
WorldState parse_state(const std::string& bytes, const std::string& name, const StateReadOptions& options = {});

}  // namespace pliant
