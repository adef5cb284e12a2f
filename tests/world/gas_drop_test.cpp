// Gas bodies that fall: what they may not do. (All presets, heights and poses: tests/soak/gas_drop_soak.cpp.)
#include <gtest/gtest.h>

#include "tests/world/gas_drop.h"

namespace pliant {
namespace {

TEST(GasDrop, NeverReboundsAboveTheDropNorGainsEnergy) {
  for (const NamedPressureMaterial& named : pressure_materials()) {
    const GasDrop drop{.material = named.material, .height = 0.3, .tilted = true, .frequency = 5, .seconds = 1};
    const GasDropOutcome outcome = run_gas_drop(drop);
    EXPECT_EQ(outcome.trouble, "") << named.name;
    EXPECT_LT(outcome.rebound, 1) << named.name;
    EXPECT_GT(outcome.rebound, 0.1) << named.name;
    EXPECT_LT(outcome.energy_gain, 0.01) << named.name;
    EXPECT_GT(outcome.least_volume, 0.9) << named.name;
    EXPECT_LT(outcome.largest_volume, 1.05) << named.name;
  }
}

}  // namespace
}  // namespace pliant
