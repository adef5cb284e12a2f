// Every solid preset, flat and tilted, dropped from 3 cm, 60 cm and 2 m: no inverted element at the end, gravity
// equilibrium, no energy from nothing. Prints one line per drop; fails if one is worse than promised.
//
//   pliant-soak-drop [PRESET [SECONDS]]
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/world/dropped.h"

namespace pliant {
namespace {

constexpr double kMostGained = 1e-3;  // of the drop energy
constexpr double kMostOff = 0.02;     // of the size

bool report(const char* preset, const char* how, double height, const DropOutcome& o) {
  const bool good = o.ok && o.inverted == 0 && o.gained <= kMostGained && o.off_equilibrium <= kMostOff;
  std::printf(
      "%-9s %-6s %4.0f cm: %s  inverted %zu (most %zu)  off %.2f %%  gained %.4f %% (frame %d)  %s after %.1f s  "
      "fastest %.4f m/s\n",
      preset, how, 100 * height, good ? "good" : "BAD ", o.inverted, o.most_inverted, 100 * o.off_equilibrium,
      100 * o.gained, o.gained_at, o.asleep ? "asleep" : "awake", o.seconds, o.speed);
  std::fflush(stdout);
  return good;
}

int run_all(const std::string& only, double seconds) {
  int bad = 0;
  for (const NamedElasticMaterial& named : elastic_materials()) {
    const std::string name(named.name);
    if (!only.empty() && only != name) continue;
    for (const bool tilted : {false, true})
      for (const double height : {0.03, 0.6, 2.0}) {
        const DropOutcome outcome =
            drop({.material = named.material, .tilt = tilted ? 0.45 : 0, .height = height, .seconds = seconds});
        bad += report(name.c_str(), tilted ? "tilted" : "flat", height, outcome) ? 0 : 1;
      }
  }
  std::printf("%d bad\n", bad);
  return bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) { return pliant::run_all(argc > 1 ? argv[1] : "", argc > 2 ? std::atof(argv[2]) : 15); }
