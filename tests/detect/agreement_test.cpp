// Every still method gives the same contacts, bit for bit, as the oracle, for any number of threads.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/detect/reports.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

void expect_agreement(const std::vector<MeshPtr>& meshes, DetectorSettings settings) {
  settings.threads = {1};
  const Report oracle = detect_still("brute-force", meshes, settings);
  RC_ASSERT(oracle.complete);
  RC_ASSERT(oracle.guarantee == Guarantee::exact);
  RC_ASSERT(oracle.bound == 0);
  RC_ASSERT(std::is_sorted(oracle.contacts.begin(), oracle.contacts.end(), earlier));
  for (const MethodInfo* method : methods()) {
    if (!method->still) continue;
    for (const int threads : {1, 2}) {
      settings.threads = {threads};
      const Report report = detect_still(method->name, meshes, settings);
      RC_ASSERT(face_pairs(report) == face_pairs(oracle));
      RC_ASSERT(hash_of(report) == hash_of(oracle));
    }
  }
}

std::vector<MeshPtr> grid_soups(Dice& dice) {
  std::vector<MeshPtr> meshes;
  const std::uint32_t bodies = 1 + dice.below(3);
  for (std::uint32_t b = 0; b < bodies; ++b)
    meshes.push_back(grid_soup(dice, 3 + dice.below(30), 1 + dice.below(40), 1 + dice.below(4)));
  return meshes;
}

RC_GTEST_PROP(Agreement, SoupsOnSmallGrids, (std::uint64_t seed)) {
  Dice dice(seed);
  DetectorSettings settings;
  settings.weld = dice.below(2) == 0;
  settings.self = dice.below(4) != 0;
  expect_agreement(grid_soups(dice), settings);
}

RC_GTEST_PROP(Agreement, SoupsAtExtremeScales, (std::uint64_t seed)) {
  Dice dice(seed);
  const double scale = std::pow(10.0, dice.uniform(-320, 307));
  expect_agreement({grid_soup(dice, 12, 10, 3, scale), grid_soup(dice, 12, 10, 3, -scale)}, {});
}

RC_GTEST_PROP(Agreement, LooseTriangles, (std::uint64_t seed)) {
  Dice dice(seed);
  const double size = dice.uniform(0.01, 2);
  expect_agreement({loose_soup(dice, 60, 1, size), loose_soup(dice, 1 + dice.below(60), 1, size)}, {});
}

RC_GTEST_PROP(Agreement, CrumpledSheets, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr sheet = crumpled_sheet(dice, 3 + dice.below(8), dice.uniform(0, 0.2));
  expect_agreement({sheet, crumpled_sheet(dice, 5, 0.05)}, {});
}

RC_GTEST_PROP(Agreement, SheetsWithTornSeamsGiveThePairsOfTheWeldedSheet, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr sheet = crumpled_sheet(dice, 6, dice.uniform(0, 0.2));
  const Report whole = detect_still("bvh", {sheet});
  const Report torn = detect_still("bvh", {unshared(*sheet)});
  RC_ASSERT(face_pairs(whole) == face_pairs(torn));
  DetectorSettings no_weld;
  no_weld.weld = false;
  expect_agreement({unshared(*sheet)}, no_weld);
}

TEST(Agreement, LargeSoupIsTheSameForAnyNumberOfThreads) {
  Dice dice(11);
  const std::vector<MeshPtr> meshes{loose_soup(dice, 20000, 10, 0.4), crumpled_sheet(dice, 80, 0.004)};
  for (const std::string_view method : {"bvh", "spatial-hash"}) {
    DetectorSettings settings;
    settings.threads = {1};
    const Report serial = detect_still(method, meshes, settings);
    EXPECT_GT(serial.contacts.size(), 100u);
    for (int repeat = 0; repeat < 3; ++repeat) {
      settings.threads = {2 + repeat};
      EXPECT_EQ(hash_of(detect_still(method, meshes, settings)), hash_of(serial)) << method;
    }
  }
  EXPECT_EQ(hash_of(detect_still("bvh", meshes)), hash_of(detect_still("spatial-hash", meshes)));
}

RC_GTEST_PROP(Agreement, RefittedTreesAnswerLikeFreshOnes, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr sheet = crumpled_sheet(dice, 8, 0.02);
  std::vector<Frame> frames;
  for (int k = 0; k < 5; ++k)
    frames.push_back(Frame::own([&] {
      std::vector<Vec3> moved(sheet->positions().begin(), sheet->positions().end());
      for (Vec3& p : moved) p = p * (1 + 20 * k) + dice.point(-0.05, 0.05) * k;
      return moved;
    }()));
  const auto kept = make_detector("bvh");
  kept->add_body(sheet, Motion::keyframes(frames));
  for (const double t : {0.0, 1.0, 0.5, 2.5, 4.0, 9.0}) {
    const auto fresh = make_detector("brute-force");
    fresh->add_body(sheet, Motion::keyframes(frames));
    RC_ASSERT(hash_of(kept->detect(Interval::instant(t))) == hash_of(fresh->detect(Interval::instant(t))));
  }
}

}  // namespace
}  // namespace pliant::testing
