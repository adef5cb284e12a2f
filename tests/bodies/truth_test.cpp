// Short forms of what pliant-bench-bodies-truth measures: rest and motion against closed forms.
#include <gtest/gtest.h>

#include "tests/bodies/truth_cases.h"

namespace pliant {
namespace {

constexpr FemIntegrator kSolvers[] = {FemIntegrator::vertex_descent, FemIntegrator::conjugate_gradients};

TEST(Truth, AnElasticaUnderASmallLoadDropsLikeABeam) {
  EXPECT_NEAR(heavy_elastica(2, 1e-3), 1e-3 * 16 / 8, 1e-8);
  EXPECT_LT(heavy_elastica(1, 10), 0.75);  // that beam would drop by 1.25
}

TEST(Truth, AClampedStripHangsWhereForcesBalanceAndLikeAnElastica) {
  const StripDrop drop = clamped_strip({});
  EXPECT_NEAR(drop.stepped, drop.balanced, 0.03 * drop.balanced);
  EXPECT_NEAR(drop.balanced, drop.elastica, 0.03 * drop.elastica);
}

TEST(Truth, ACurtainSwingsLikeAHangingChain) { EXPECT_NEAR(swinging_curtain(1.0 / 480).error(), 0, 0.03); }

TEST(Truth, APluckedSheetSoundsAsHighAsItsTensionSays) { EXPECT_NEAR(plucked_sheet({}).error(), 0, 0.03); }

// One cycle of a sub-step hands tension on from vertex to vertex: finer and tauter sheets get shorter ones.
TEST(Truth, AFineOrVeryTautSheetSoundsAsHighAsItsTensionSays) {
  EXPECT_NEAR(plucked_sheet({.columns = 80}).error(), 0, 0.03);
  EXPECT_NEAR(plucked_sheet({.strain = 0.05}).error(), 0, 0.03);
}

TEST(Truth, ASolidSwingsLikeACompoundPendulum) {
  EXPECT_NEAR(solid_pendulum(FemIntegrator::conjugate_gradients, 8).error(), 0, 0.03);
}

TEST(Truth, AHeavyBarIsAsLongAsHookeSays) {
  for (const FemIntegrator solver : kSolvers) EXPECT_NEAR(heavy_bar(solver, 10).error(), 0, 0.03);
}

TEST(Truth, ABlockUnderLoadIsStretchedAsItsEnergySays) {
  for (const double load : {1e4, 3e4}) {  // Pa, of a material of 5e4 Pa; under pressure a free block would turn over
    for (const FemIntegrator solver : kSolvers) {
      const BlockStrains strains = loaded_block(solver, load, 2);
      EXPECT_NEAR(strains.along.error(), 0, 0.03);
      EXPECT_NEAR(strains.across.error(), 0, 0.03);
    }
  }
}

}  // namespace
}  // namespace pliant
