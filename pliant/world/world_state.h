// Everything that changes in a world, as plain numbers.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pliant/bodies/body.h"

namespace pliant {

struct WorldState {
  std::uint64_t frame = 0;  // whole frames done
  double fraction = 0;      // of the next one
  std::vector<BodyState> bodies;
  std::vector<double> calm_seconds;                                  // by body; for sleeping
  std::vector<std::pair<std::uint32_t, std::uint32_t>> overlapping;  // pairs that were never yet apart

  friend bool operator==(const WorldState&, const WorldState&) = default;
};

// The same for the same bits, on every platform.
std::uint64_t hash_of(const WorldState& state);

// As bytes: versioned, checked. parse_state throws Error, naming `name`, for anything that is not such a state.
std::string format_state(const WorldState& state);
WorldState parse_state(const std::string& bytes, const std::string& name);

}  // namespace pliant
