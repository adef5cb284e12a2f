// Every moving method gives the same contacts at the same times, bit for bit, as the oracle, for any number of threads.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/core/cpu.h"
#include "tests/detect/motions.h"

namespace pliant::testing {
namespace {

// Kinetic methods do not cut a segment where the interval ends: times then differ within the solver's tolerance, which
// kinetic_test.cpp looks at.
bool cuts_alike(const MethodInfo& method, const std::vector<Mover>& movers, const Interval& interval) {
  const auto has_keyframe = [&](const Mover& m) {
    return m.motion.domain().t1 <= interval.t1 || std::floor(interval.t1) == interval.t1;
  };
  return !method.name.starts_with("kinetic") || std::all_of(movers.begin(), movers.end(), has_keyframe);
}

void expect_agreement(const std::vector<Mover>& movers, const Interval& interval, DetectorSettings settings = {}) {
  settings.threads = {1};
  const Report oracle = detect_moving("brute-force", movers, interval, settings);
  RC_ASSERT(oracle.complete);
  RC_ASSERT(oracle.guarantee == (settings.min_separation > 0 ? Guarantee::conservative : Guarantee::exact));
  RC_ASSERT(std::is_sorted(oracle.contacts.begin(), oracle.contacts.end(), earlier));
  for (const MethodInfo* method : methods()) {
    if (!method->moving || !cuts_alike(*method, movers, interval)) continue;
    for (const int threads : {1, 2}) {
      settings.threads = {threads};
      const Report report = detect_moving(method->name, movers, interval, settings);
      RC_ASSERT(report.contacts.size() == oracle.contacts.size());
      RC_ASSERT(hash_of(report) == hash_of(oracle));
    }
    settings.earliest = true;
    const Report first = detect_moving(method->name, movers, interval, settings);
    settings.earliest = false;
    RC_ASSERT(first.contacts.size() == (oracle.contacts.empty() ? 0u : 1u));
    if (first.contacts.empty()) continue;
    RC_ASSERT(first.contacts[0].time == oracle.contacts[0].time);
    RC_ASSERT(first.contacts[0].a == oracle.contacts[0].a);
    RC_ASSERT(first.contacts[0].b == oracle.contacts[0].b);
  }
}

RC_GTEST_PROP(MovingAgreement, CrumplingSheetsAndALooseOne, (std::uint64_t seed)) {
  Dice dice(seed);
  const double noise = dice.uniform(0, 0.1);
  expect_agreement({thrown(dice, crumpled_sheet(dice, 3 + dice.below(8), 0.02), 1 + dice.below(3), noise, Vec3::Zero()),
                    thrown(dice, crumpled_sheet(dice, 4, 0.02), 2, noise, dice.point(-0.3, 0.3))},
                   {0, 2});
}

RC_GTEST_PROP(MovingAgreement, SoupsFlyingThroughEachOther, (std::uint64_t seed)) {
  Dice dice(seed);
  const double size = dice.uniform(0.01, 0.8);
  std::vector<Mover> movers;
  for (std::uint32_t b = 0; b < 1 + dice.below(3); ++b)
    movers.push_back(
        thrown(dice, loose_soup(dice, 1 + dice.below(40), 1, size), 1 + dice.below(4), 0.3, dice.point(-1, 1)));
  expect_agreement(movers, {dice.uniform(0, 1), dice.uniform(1, 4)});
}

RC_GTEST_PROP(MovingAgreement, GridSoupsFullOfTies, (std::uint64_t seed)) {
  Dice dice(seed);
  std::vector<Mover> movers;
  const std::uint32_t side = 1 + dice.below(4);
  for (std::uint32_t b = 0; b < 1 + dice.below(2); ++b)
    movers.push_back(
        hopping(dice, grid_soup(dice, 3 + dice.below(12), 1 + dice.below(12), side), 1 + dice.below(3), side));
  DetectorSettings settings;
  settings.weld = dice.below(2) == 0;
  settings.self = dice.below(4) != 0;
  expect_agreement(movers, {0, 2}, settings);
}

// The same mover with other coordinates: change(x) of each.
template <class Change>
Mover changed(const Mover& mover, const Change& change) {
  const auto all = [&](std::span<const Vec3> x) {
    std::vector<Vec3> result(x.begin(), x.end());
    for (Vec3& p : result)
      for (int k = 0; k < 3; ++k) p[k] = change(p[k]);
    return result;
  };
  std::vector<Frame> frames;
  for (std::size_t k = 0; k < mover.motion.frame_count(); ++k)
    frames.push_back(Frame::own(all(mover.motion.frame(k).positions())));
  const auto triangles = mover.mesh->triangles();
  const MeshPtr mesh = std::make_shared<const TriangleMesh>(all(mover.mesh->positions()),
                                                            std::vector<Triangle>(triangles.begin(), triangles.end()));
  return {mesh, Motion::keyframes(std::move(frames))};
}

// Where boxes are infinite in part, or have no width although features are far apart.
RC_GTEST_PROP(MovingAgreement, CoordinatesAtTheEndsOfTheRangeOfFloat, (std::uint64_t seed)) {
  Dice dice(seed);
  const Mover mover = hopping(dice, grid_soup(dice, 8, 6, 3), 3, 3);
  const double scale = dice.below(2) == 0 ? 0x1p126 : 0x1p-149;
  expect_agreement({changed(mover, [&](double x) { return x * scale; })}, {0, 2});
}

// Where double arithmetic has no digits left: a part of a tolerance, and a product, may be nothing.
RC_GTEST_PROP(MovingAgreement, GridsOfDenormalNumbers, (std::uint64_t seed)) {
  Dice dice(seed);
  const Mover mover = hopping(dice, grid_soup(dice, 4 + dice.below(6), 2 + dice.below(4), 3), 2, 3);
  const double scale = std::ldexp(1.0, -1074 + static_cast<int>(dice.below(2) == 0 ? dice.below(4) : dice.below(120)));
  DetectorSettings settings;
  settings.weld = dice.below(2) == 0;
  expect_agreement({changed(mover, [&](double x) { return x * scale; })}, {0, 1}, settings);
}

// What made `kinetic-events` open and close a pair for ever.
TEST(MovingAgreement, TenTrianglesOnTheSmallestGrid) {
  DetectorSettings settings;
  settings.weld = false;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    Dice dice(seed);
    const Mover mover = hopping(dice, grid_soup(dice, 20, 10, 3), 2, 3);
    expect_agreement({changed(mover, [](double x) { return x * 0x1p-1074; })}, {0, 1}, settings);
  }
}

// The largest numbers, whose differences overflow, and the smallest side by side.
TEST(MovingAgreement, DenormalsBesideTheLargestNumbers) {
  constexpr std::array kValues{0.0, 0x1p-1074, -0x1p-1074, 0x1.8p1023, -0x1.8p1023};
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Dice dice(seed);
    const Mover mover = hopping(dice, grid_soup(dice, 6, 3, 4), 2, 4);
    expect_agreement({changed(mover, [&](double x) { return kValues[static_cast<std::size_t>(x)]; })}, {0, 1});
  }
}

TEST(MovingAgreement, CoordinatesOfMixedExponents) {
  Dice dice(5);
  for (const std::uint32_t spread : {40u, 600u, 2000u}) {
    const auto any = [&](double) {
      const double mantissa = dice.uniform(-2, 2);
      return std::ldexp(mantissa, static_cast<int>(dice.below(spread)) - static_cast<int>(spread / 2));
    };
    expect_agreement({changed(hopping(dice, loose_soup(dice, 2, 1, 1), 2, 4), any)}, {0, 1});
  }
}

RC_GTEST_PROP(MovingAgreement, SeamsThatStayClosedAndSeamsThatOpen, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr sheet = crumpled_sheet(dice, 2, 0.02);
  const Mover whole = thrown(dice, unshared(*sheet), 2, 0.03, Vec3::Zero());
  expect_agreement({whole, thrown(dice, unshared(*sheet), 3, 0.001, Vec3(0, 0, 0.01), true)}, {0, 2});
}

RC_GTEST_PROP(MovingAgreement, MinimumSeparation, (std::uint64_t seed)) {
  Dice dice(seed);
  DetectorSettings settings;
  settings.min_separation = dice.uniform(0.001, 0.05);
  expect_agreement({thrown(dice, loose_soup(dice, 20, 1, 0.2), 2, 0.3, Vec3::Zero()),
                    thrown(dice, crumpled_sheet(dice, 3, 0.02), 2, 0.1, dice.point(-0.5, 0.5))},
                   {0, 1}, settings);
}

TEST(MovingAgreement, TheSameWithAndWithoutAvx2) {
  Dice dice(11);
  const std::vector<Mover> movers{thrown(dice, crumpled_sheet(dice, 24, 0.02), 3, 0.05, Vec3::Zero()),
                                  thrown(dice, crumpled_sheet(dice, 16, 0.02), 3, 0.05, Vec3(0.01, 0, 0.02))};
  const Report with = detect_moving("swept-bvh", movers, {0, 2});
  set_avx2_allowed(false);
  const Report without = detect_moving("swept-bvh", movers, {0, 2});
  set_avx2_allowed(true);
  EXPECT_GT(with.contacts.size(), 100u);
  EXPECT_EQ(with.counters["pair_tests"], without.counters["pair_tests"]);
  EXPECT_EQ(hash_of(with), hash_of(without));
}

RC_GTEST_PROP(MovingAgreement, TreesThatWereKeptAnswerLikeFreshOnes, (std::uint64_t seed)) {
  Dice dice(seed);
  const Mover sheet = thrown(dice, crumpled_sheet(dice, 6, 0.02), 6, 0.03, Vec3::Zero());
  for (const std::string_view method : {"swept-bvh", "swept-classical"}) {
    const auto kept = make_detector(method);
    kept->add_body(sheet.mesh, sheet.motion);
    for (const double t : {0.0, 3.0, 1.5, 2.0, 7.0}) {
      const Interval interval{t, t + 1};
      RC_ASSERT(hash_of(kept->detect(interval)) == hash_of(detect_moving("brute-force", {sheet}, interval)));
    }
  }
}

}  // namespace
}  // namespace pliant::testing
