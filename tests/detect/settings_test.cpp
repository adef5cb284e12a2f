// What methods let one choose: the tables, their checks, and that answers do not depend on any of it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "pliant/detect/setting_table.h"
#include "pliant/detect/settings_by_name.h"
#include "tests/detect/motions.h"
#include "tests/support/errors.h"

namespace pliant::testing {
namespace {

// A method that there is not, with a setting of every type.
struct ToySettings {
  bool eager = true;
  int depth = 3;
  std::uint32_t width = 4;
  double slack = 0.5;
};
constexpr SettingInfo kToySettings[]{
    setting<&ToySettings::eager>({.name = "eager", .effect = "hurries"}),
    setting<&ToySettings::depth>({.name = "depth", .effect = "goes down", .least = -5, .most = 5}),
    setting<&ToySettings::width>({.name = "width", .unit = "boxes", .effect = "goes wide", .least = 1, .most = 64}),
    setting<&ToySettings::slack>({.name = "slack",
                                  .unit = "length",
                                  .effect = "lets go",
                                  .least = 0,
                                  .most = std::numeric_limits<double>::max()}),
};
const MethodInfo kToy{.name = "toy", .settings = kToySettings};

TEST(MethodSettings, TakeTypeAndDefaultFromTheStruct) {
  EXPECT_EQ(kToySettings[0].type, SettingType::flag);
  EXPECT_EQ(kToySettings[1].type, SettingType::whole);
  EXPECT_EQ(kToySettings[3].type, SettingType::real);
  EXPECT_EQ(to_string(kToySettings[0].standard), "true");
  EXPECT_EQ(to_string(kToySettings[2].standard), "4");
  EXPECT_EQ(to_string(kToySettings[3].standard), "0.5");
  EXPECT_EQ(range_of(kToySettings[0]), "true or false");
  EXPECT_EQ(range_of(kToySettings[1]), "-5 to 5");
  EXPECT_EQ(range_of(kToySettings[3]), "at least 0");
}

TEST(MethodSettings, ArePutWhereTheyBelong) {
  const MethodSettings chosen{{"slack", std::int64_t{2}}, {"eager", false}, {"depth", std::int64_t{-5}}};
  const auto toy = read_settings<ToySettings>(kToy, chosen);
  EXPECT_EQ(toy.slack, 2);  // a whole number will do
  EXPECT_FALSE(toy.eager);
  EXPECT_EQ(toy.depth, -5);
  EXPECT_EQ(toy.width, 4u);
}

TEST(MethodSettings, KeepTheLastValue) {
  MethodSettings chosen{{"depth", std::int64_t{1}}};
  chosen.set("depth", std::int64_t{2});
  chosen.set_all({{"depth", std::int64_t{4}}, {"width", std::int64_t{7}}});
  EXPECT_EQ(chosen.entries().size(), 2u);
  EXPECT_EQ(read_settings<ToySettings>(kToy, chosen).depth, 4);
}

TEST(MethodSettings, AreRefusedWithARemedy) {
  const auto with = [](std::string_view name, SettingValue value) {
    return refusal([&] { check_settings(kToy, {{std::string(name), value}}); });
  };
  EXPECT_TRUE(says(with("widht", std::int64_t{1}), "method 'toy' has no setting 'widht' (did you mean 'width'?)"));
  EXPECT_TRUE(
      says(with("width", std::int64_t{65}), "'width' is 65, which is out of range (give 1 to 64; by default 4)"));
  EXPECT_TRUE(says(with("width", std::int64_t{-1}), "out of range"));
  EXPECT_TRUE(says(with("width", 2.5), "'width' is 2.5, a number where a whole number is wanted"));
  EXPECT_TRUE(says(with("eager", std::int64_t{1}), "where a flag is wanted"));
  EXPECT_TRUE(says(with("slack", true), "where a number is wanted"));
  EXPECT_TRUE(says(with("slack", std::numeric_limits<double>::quiet_NaN()), "out of range"));
  EXPECT_TRUE(says(with("slack", std::numeric_limits<double>::infinity()), "out of range"));
  EXPECT_TRUE(says(with("slack", -1e-300), "out of range"));
  EXPECT_TRUE(says(refusal([] { make_detector("brute-force", {.method = {{"width", 1.0}}}); }), "has no settings"));
}

TEST(MethodSettings, AreReadFromText) {
  EXPECT_EQ(parse_setting(kToySettings[0], "false"), SettingValue(false));
  EXPECT_EQ(parse_setting(kToySettings[1], "-4"), SettingValue(std::int64_t{-4}));
  EXPECT_EQ(parse_setting(kToySettings[3], "1e-3"), SettingValue(1e-3));
  EXPECT_EQ(parse_setting(kToySettings[3], "default"), SettingValue(0.5));
  for (const char* wrong : {"", "1.5", "1 ", "one", "1e3", "99999999999999999999"})
    EXPECT_TRUE(says(refusal([&] { parse_setting(kToySettings[1], wrong); }), "'depth' is")) << wrong;
  for (const char* wrong : {"", "1,5", "x", "nan", "inf", "-1"})
    EXPECT_TRUE(says(refusal([&] { parse_setting(kToySettings[3], wrong); }), "'slack' is")) << wrong;
  EXPECT_TRUE(says(refusal([&] { parse_setting(kToySettings[0], "yes"); }), "not a flag"));
}

TEST(MethodSettings, AreReadForEveryMethodThatHasThem) {
  const MethodInfo* const both[]{&method_info("swept-bvh"), &method_info("kinetic")};
  const std::vector<std::string> texts{"leaf_size=4", "renewal=2", "leaf_size=5"};
  const MethodSettingsByName chosen = parse_settings(texts, both);
  EXPECT_EQ(chosen.at("swept-bvh"), (MethodSettings{{"leaf_size", std::int64_t{5}}}));
  EXPECT_EQ(chosen.at("kinetic"), (MethodSettings{{"leaf_size", std::int64_t{5}}, {"renewal", std::int64_t{2}}}));
  const auto told_of = [&](std::string text, std::span<const MethodInfo* const> some) {
    return refusal([&] { parse_settings(std::vector{std::move(text)}, some); });
  };
  EXPECT_TRUE(says(told_of("renewals=2", both), "none of the methods swept-bvh, kinetic has a setting 'renewals'"));
  EXPECT_TRUE(says(told_of("renewals=2", both), "did you mean 'renewal'?"));
  EXPECT_TRUE(says(told_of("renewal=2", std::span(both).first(1)), "method 'swept-bvh' has no setting 'renewal'"));
  for (const char* wrong : {"leaf_size", "=4", ""})
    EXPECT_TRUE(says(told_of(wrong, both), "write NAME=VALUE")) << wrong;
  EXPECT_TRUE(says(told_of("leaf_size=17", both), "'leaf_size' is 17, which is out of range (give 1 to 16"));
}

// ---- those of the library's own methods ----

TEST(Methods, DescribeTheirSettingsInFull) {
  for (const MethodInfo* method : methods()) {
    std::set<std::string_view> names;
    for (const SettingInfo& one : method->settings) {
      EXPECT_TRUE(names.insert(one.name).second) << one.name;
      EXPECT_EQ(one.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string_view::npos);
      EXPECT_FALSE(one.effect.empty()) << one.name;
      EXPECT_NO_THROW(check_settings(*method, {{std::string(one.name), one.standard}})) << one.name;
      EXPECT_EQ(parse_setting(one, to_string(one.standard)), one.standard) << one.name;
    }
  }
}

TEST(Methods, AreFoundByName) {
  EXPECT_EQ(method_info("kinetic").name, "kinetic");
  EXPECT_TRUE(says(refusal([] { method_info("kinetik"); }), "did you mean 'kinetic'?"));
}

TEST(Methods, RefuseAPaperModeThatTheyDoNotHave) {
  for (const MethodInfo* method : methods()) {
    const auto make = [&] { make_detector(method->name, {.mode = Mode::paper}); };
    if (method->has_paper_mode) EXPECT_NO_THROW(make());
    else EXPECT_TRUE(says(refusal(make), "has no paper mode")) << method->name;
  }
  EXPECT_TRUE(says(refusal([] { make_detector("kinetic", {.mode = Mode::paper}); }), "kinetic-events"));
}

// Anywhere in the range: at its ends, near them, in between.
SettingValue any_value(Dice& dice, const SettingInfo& setting) {
  if (setting.type == SettingType::flag) return dice.below(2) == 0;
  const std::uint32_t where = dice.below(4);
  const double least = setting.least, span = std::min(setting.most - least, 1e300);
  double x = where == 0   ? least
             : where == 1 ? setting.most
             : where == 2 ? least + std::min(span, dice.uniform(0, 8))
                          : least + span * std::pow(10, -dice.uniform(0, 20));
  x = std::clamp(x, least, setting.most);
  if (setting.type == SettingType::real) return x;
  return static_cast<std::int64_t>(std::clamp(std::floor(x), std::ceil(least), setting.most));
}

DetectorSettings any_settings(Dice& dice, const MethodInfo& method) {
  DetectorSettings settings;
  for (const SettingInfo& one : method.settings)
    // Spheres without the triangles below them are another answer, and are asked for as that.
    if (one.name != "exact" && dice.below(3) > 0) settings.method.set(one.name, any_value(dice, one));
  return settings;
}

std::string told(const DetectorSettings& settings) {
  std::string text;
  for (const auto& [name, value] : settings.method.entries()) text += name + "=" + to_string(value) + " ";
  return text;
}

RC_GTEST_PROP(MethodSettings, ChangeNoStillAnswer, (std::uint64_t seed)) {
  Dice dice(seed);
  const MeshPtr sheet = crumpled_sheet(dice, 6, 0.1), soup = grid_soup(dice, 12, 20, 3, 0.4);
  for (const MethodInfo* method : methods()) {
    if (!method->still || method->settings.empty()) continue;
    const DetectorSettings settings = any_settings(dice, *method);
    const auto detector = make_detector(method->name, settings), oracle = make_detector("brute-force");
    for (Detector* d : {detector.get(), oracle.get()}) d->add_body(sheet), d->add_body(soup);
    std::vector<Vec3> x = positions_of(*sheet);
    // Trees are refitted and built anew; the hash table, which may be large, remembers nothing.
    const int frames = method->name == "spatial-hash" ? 1 : 4;
    for (int frame = 0; frame < frames; ++frame) {
      for (Vec3& p : x) p = 1.5 * p + dice.point(-0.05, 0.05);
      for (Detector* d : {detector.get(), oracle.get()}) d->set_positions(BodyId(0), x);
      const bool same =
          hash_of(detector->detect(Interval::instant(0))) == hash_of(oracle->detect(Interval::instant(0)));
      if (!same) RC_FAIL(std::string(method->name) + " with " + told(settings));
    }
  }
}

RC_GTEST_PROP(MethodSettings, ChangeNoMovingAnswer, (std::uint64_t seed)) {
  Dice dice(seed);
  std::vector<Mover> movers;
  movers.push_back(thrown(dice, crumpled_sheet(dice, 5, 0.05), 4, 0.1, dice.point(-0.2, 0.2)));
  movers.push_back(thrown(dice, loose_soup(dice, 20, 0.7, 0.3), 4, 0.3, Vec3::Zero()));
  const Report expected = detect_moving("brute-force", movers, {0, 3});
  for (const MethodInfo* method : methods()) {
    if (!method->moving || method->settings.empty()) continue;
    DetectorSettings settings = any_settings(dice, *method);
    const Report report = detect_moving(method->name, movers, {0, 3}, settings);
    if (hash_of(report) != hash_of(expected)) RC_FAIL(std::string(method->name) + " with " + told(settings));
    settings.earliest = true;
    const Report first = detect_moving(method->name, movers, {0, 3}, settings);
    const bool same = first.contacts.size() == std::min<std::size_t>(1, expected.contacts.size()) &&
                      (first.contacts.empty() || (first.contacts[0].time == expected.contacts[0].time &&
                                                  first.contacts[0].a == expected.contacts[0].a &&
                                                  first.contacts[0].b == expected.contacts[0].b));
    if (!same) RC_FAIL("the first of " + std::string(method->name) + " with " + told(settings));
  }
}

}  // namespace
}  // namespace pliant::testing
