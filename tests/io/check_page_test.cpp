// Reports of checks as pages: the same numbers as the JSON report, and the places behind them.
#include "pliant/io/check_page.h"

#include <set>

#include "tests/check/known_bodies.h"
#include "tests/support/page_reader.h"
#include "tests/support/temporary_folder.h"

namespace pliant::testing {
namespace {

struct Checked {
  CheckReport report;
  CheckDocument json;  // with every contact
  std::unique_ptr<PageReader> page;
};

// Hands contacts to both.
class Both : public CheckSink {
 public:
  Both(CheckJson& json, CheckPage& page) : json_(json), page_(page) {}
  void begin(const CheckReport& asked, std::span<const CheckBody> bodies) override {
    json_.begin(asked, bodies);
    page_.begin(asked, bodies);
  }
  Flow contact(const CheckedContact& contact, const Detector& detector) override {
    json_.contact(contact, detector);
    return page_.contact(contact, detector);
  }
  void at_frame(std::size_t frame, std::span<const Contact> meeting, const Detector& detector) override {
    page_.at_frame(frame, meeting, detector);
    for (const Contact& contact : meeting) deepest = std::max(deepest, contact.depth);
  }
  double deepest = 0;

 private:
  CheckJson& json_;
  CheckPage& page_;
};

Checked checked(const std::vector<CheckBody>& bodies, const CheckSettings& settings, double* deepest = nullptr) {
  const TemporaryFolder folder;
  std::string text;
  CheckJson json([&](std::string_view chunk) { text += chunk; });
  CheckPage page({.title = "plate and darts", .clock = settings.clock});
  Both both(json, page);
  Checked result;
  result.report = check_animation(bodies, settings, {}, &both);
  json.finish(result.report);
  result.json = read_check_json(text, "a.json");
  page.write(folder.path("out.html"), PageTemplate(folder.write("view.html", kEmptyPage)), result.report);
  result.page = std::make_unique<PageReader>(folder.path("out.html"));
  if (deepest) *deepest = both.deepest;
  return result;
}

std::vector<CheckBody> darts() { return plate_and_two_darts({-1.25, -1.3, -1.2, -1.2}, {0, 0, -1.25, -1.25}); }

TEST(CheckPage, HasTheNumbersOfTheReport) {
  const Checked run = checked(darts(), {.clock = FrameClock(1001, 1)});
  const nlohmann::json& document = run.page->document;
  EXPECT_EQ(document["verdict"], "collides");
  EXPECT_EQ(document["contact_count"], run.report.contacts);
  EXPECT_EQ(document["first_new"]["time"], run.report.first_new->checked.contact.time);
  ASSERT_EQ(document["pairs"].size(), run.report.pairs.size());
  ASSERT_EQ(run.page->header["pairs"].size(), run.report.pairs.size());
  EXPECT_EQ(run.page->header["times"].front(), 1001);
  for (std::size_t p = 0; p < run.report.pairs.size(); ++p) {
    EXPECT_EQ(document["pairs"][p]["contacts"], run.report.pairs[p].contacts);
    EXPECT_EQ(run.page->header["pairs"][p]["first"]["time"], *run.report.pairs[p].first_time);
  }
}

TEST(CheckPage, DrawsTheContactsThatTheReportLists) {
  const Checked run = checked(darts(), {});
  const std::vector<float> drawn = run.page->array<float>("contacts");
  ASSERT_EQ(drawn.size(), 10 * run.json.contacts.size());
  for (std::size_t i = 0; i < run.json.contacts.size(); ++i) {
    const Contact& contact = run.json.contacts[i].checked.contact;
    EXPECT_EQ(drawn[10 * i], static_cast<float>(contact.time));
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_EQ(drawn[10 * i + 1 + axis], static_cast<float>(contact.point[static_cast<int>(axis)]));
  }
}

TEST(CheckPage, FacesOfAPairAreThoseOfItsContacts) {
  const std::vector<CheckBody> bodies = darts();
  const Checked run = checked(bodies, {});
  for (std::size_t p = 0; p < run.report.pairs.size(); ++p) {
    const PairTally& pair = run.report.pairs[p];
    std::set<std::uint32_t> named;
    for (const NamedContact& contact : run.json.contacts)
      if (contact.a.body + contact.b.body == pair.a + pair.b &&
          contact.checked.contact.kind() == ContactKind::triangle_triangle)
        for (const FeatureName& feature : {contact.a, contact.b})
          if (feature.body == pair.a) named.insert(feature.index[0]);
    const auto counts = run.page->array<std::uint32_t>("pair" + std::to_string(p) + "a");
    ASSERT_FALSE(counts.empty());
    std::set<std::uint32_t> painted;
    for (std::size_t i = 0; i < counts.size(); i += 2) {
      painted.insert(counts[i]);
      EXPECT_GT(counts[i + 1], 0u);
      EXPECT_LT(counts[i], bodies[pair.a].mesh->face_count());
    }
    for (const std::uint32_t face : named) EXPECT_TRUE(painted.count(face)) << face;
  }
}

TEST(CheckPage, TheDeepestPlaceIsThatOfAllFrames) {
  double deepest = 0;
  const Checked run = checked(darts(), {}, &deepest);
  double shown = 0;
  for (const auto& pair : run.page->header["pairs"])
    if (!pair["worst"].is_null()) shown = std::max(shown, pair["worst"]["depth"].get<double>());
  EXPECT_GT(shown, 0);
  EXPECT_EQ(shown, deepest);
}

TEST(CheckPage, WhatIsExcusedIsNotPainted) {
  const auto bodies = plate_and_two_darts({-1.25, -1.25, -1.25, -1.25}, {0, 0, 0, 0});
  const Checked run = checked(bodies, {.allow_initial = true});
  EXPECT_EQ(run.page->document["verdict"], "clean");
  EXPECT_TRUE(run.page->array<float>("contacts").empty());
  for (const auto& pair : run.page->header["pairs"]) EXPECT_TRUE(pair["first"].is_null());
}

}  // namespace
}  // namespace pliant::testing
