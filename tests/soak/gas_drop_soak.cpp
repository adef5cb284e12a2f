// Every preset of gas bodies, flat and tilted, from 3 cm, 60 cm and 2 m: volume, rebound, energy.
#include <cstdio>

#include "tests/world/gas_drop.h"

int main() {
  using namespace pliant;
  bool fine = true;
  for (const NamedPressureMaterial& named : pressure_materials())
    for (const double height : {0.03, 0.6, 2.0})
      for (const bool tilted : {false, true}) {
        const GasDropOutcome o = run_gas_drop(
            {.material = named.material, .height = height, .tilted = tilted, .frequency = 8, .seconds = 15});
        const bool good = o.trouble.empty() && o.rebound < 1 && o.energy_gain < 0.01 && o.least_volume > 0.95 &&
                          o.largest_volume < 1.05;
        std::printf("%s %-10s %4.2f m %s: rebound %.3f, energy +%.4f %% (later +%.4f %%), volume %.4f to %.4f %s\n",
                    good ? "ok  " : "BAD ", std::string(named.name).c_str(), height, tilted ? "tilted" : "flat  ",
                    o.rebound, 100 * o.energy_gain, 100 * o.late_gain, o.least_volume, o.largest_volume,
                    o.trouble.c_str());
        fine = fine && good;
      }
  return fine ? 0 : 1;
}
