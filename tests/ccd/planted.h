// Queries made around an answer that is known exactly: contacts planted at a known time and place, misses with a known
// gap.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "pliant/ccd/ccd.h"

namespace pliant {

// Small and fast; the same numbers everywhere.
class PlantRandom {
 public:
  explicit PlantRandom(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}

  std::uint64_t bits();
  int below(int n) { return static_cast<int>((bits() >> 33) % static_cast<unsigned>(n)); }
  int between(int lo, int hi) { return lo + below(hi - lo + 1); }
  bool one_in(int n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

enum class PlantFamily : std::uint8_t {
  crossing,        // one passage through the plane, inside or outside of the feature
  boundary,        // the same, exactly on an edge or vertex or a little beside it
  first_or_last,   // at t = 0 or 1, or a little before or after
  coplanar,        // all motion in one plane
  parallel_edges,  // sliding along one line (edge-edge), or a face's edge line (vertex-face)
  no_area,         // faces without area, parallel edges
  no_length,       // edges without length, faces that are points
  rigid,           // everything moves alike
  still,           // nothing moves
  apart,           // a known separating direction
};
inline constexpr int kPlantFamilies = 10;
std::string_view name(PlantFamily family);

struct Planted {
  CcdQuery query;
  bool collides = false;
  double time = 0;           // of the first contact, exact
  bool place_known = false;  // u, v are the only coordinates of contact then
  double u = 0, v = 0;
};

// Coordinates are exact; every few queries are stretched by powers of two along the axes or moved far away.
Planted plant(CcdKind kind, PlantFamily family, PlantRandom& random);

}  // namespace pliant
