// The short form of pliant-soak-drop.
#include <gtest/gtest.h>

#include "tests/world/dropped.h"

namespace pliant {
namespace {

TEST(Drop, ASolidBlockKeepsItsShapeAndGainsNoEnergy) {
  for (const NamedElasticMaterial& named : elastic_materials()) {
    const DropOutcome o = drop({.material = named.material, .tilt = 0.45, .height = 0.6, .seconds = 4, .cells = 3});
    EXPECT_TRUE(o.ok) << named.name;
    EXPECT_EQ(o.inverted, 0u) << named.name;
    EXPECT_LT(o.gained, 1e-3) << named.name << ", frame " << o.gained_at;
  }
}

TEST(Drop, JellyDroppedFlatStaysACube) {
  const DropOutcome o = drop({.material = elastic_material("jelly"), .height = 0.03, .seconds = 6, .cells = 3});
  EXPECT_EQ(o.inverted, 0u);
  EXPECT_LT(o.gained, 1e-3);
  EXPECT_LT(o.off_equilibrium, 0.02);
}

}  // namespace
}  // namespace pliant
