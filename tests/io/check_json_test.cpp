// The report of a check, written and read back.
#include "pliant/io/check_json.h"

#include <nlohmann/json.hpp>

#include "pliant/core/error.h"
#include "tests/check/known_bodies.h"

namespace pliant::testing {
namespace {

struct Written {
  CheckReport report;
  std::string text;
  nlohmann::json json() const { return nlohmann::json::parse(text); }
};

template <class Check>
Written written(Check&& check, std::uint64_t limit = std::numeric_limits<std::uint64_t>::max()) {
  Written result;
  CheckJson json([&](std::string_view text) { result.text += text; }, limit);
  result.report = check(&json);
  json.finish(result.report, {{"read", 0.25}, {"check", 1.5}});
  return result;
}

Written stuck_and_new(bool allow, const Budget& budget = {}) {
  return written([&](CheckSink* sink) {
    const auto bodies = plate_and_two_darts({-1.25, -1.3, -1.2, -1.2}, {0, 0, -1.25, -1.25});
    return check_animation(bodies, {.allow_initial = allow}, budget, sink);
  });
}

std::string again(const std::string& text) {
  std::string result;
  write_check_json([&](std::string_view chunk) { result += chunk; }, read_check_json(text, "a.json"));
  return result;
}

TEST(CheckJson, SaysWhatIsExcusedAndWhatIsNew) {
  const Written run = stuck_and_new(true);
  const auto json = run.json();
  EXPECT_EQ(json["schema"], "pliant.check/2");
  EXPECT_EQ(json["verdict"], "collides");
  EXPECT_EQ(json["collides"], true);
  ASSERT_EQ(json["contacts"].size(), run.report.contacts);
  std::size_t excused = 0;
  double first_new = 100;
  for (const auto& contact : json["contacts"]) {
    if (contact.value("excused", false)) ++excused;
    else first_new = std::min(first_new, contact["time"].get<double>());
  }
  EXPECT_GT(excused, 0u);
  EXPECT_EQ(json["excused_count"], excused);
  EXPECT_EQ(json["first_new"]["time"], first_new);
  EXPECT_EQ(json["first_time"], first_new);
  EXPECT_EQ(json["first"]["time"], 0);
  EXPECT_EQ(json["pairs"][0]["excused"], excused);
  EXPECT_EQ(json["pairs"][0]["first_time"], first_new);
  EXPECT_EQ(json["pairs"][0]["ranges"], nlohmann::json::parse("[[0,3]]"));
  std::uint64_t sum = 0;
  for (const auto& frame : json["per_frame"]) sum += frame[1].get<std::uint64_t>();
  EXPECT_EQ(json["contact_count"], sum);
}

TEST(CheckJson, CollidesIsTheVerdict) {
  const auto stuck = [](bool allow) {
    return written([&](CheckSink* sink) {
      return check_animation(plate_and_dart({-1.25, -1.3}), {.allow_initial = allow}, {}, sink);
    });
  };
  EXPECT_EQ(stuck(false).json()["collides"], true);
  const auto allowed = stuck(true).json();
  EXPECT_EQ(allowed["collides"], false);
  EXPECT_EQ(allowed["verdict"], "clean");
  EXPECT_TRUE(allowed["first_time"].is_null());
  EXPECT_TRUE(allowed["first_new"].is_null());
  EXPECT_GT(allowed["contact_count"], 0);
}

TEST(CheckJson, ReadsBackAsItWasWritten) {
  const Budget none = Budget::within(std::chrono::nanoseconds(0));
  for (const Written& run :
       {stuck_and_new(true), stuck_and_new(false), stuck_and_new(true, none),
        written([](CheckSink* sink) { return check_meshes(plate_and_dart({-1.25}), {}, {}, sink); })})
    EXPECT_EQ(again(run.text), run.text);
}

TEST(CheckJson, ReadsPartsFacesAndEdges) {
  MeshOrigin origin;
  origin.polygon_of_face = {0, 0, 1};
  origin.parts = {{"floor \"1\"", 0, 2}, {"blade", 2, 1}};
  const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.2, 0.3, 1}, {0.2, 0.3, 2}, {0.2, 0.8, 2}};
  const MeshPtr mesh = mesh_of(x, {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}}, origin);
  std::vector<Vec3> below(x);
  for (std::size_t v = 4; v < 7; ++v) below[v].z() -= 5;
  std::vector<CheckBody> bodies;
  bodies.push_back({"both", mesh, Motion::linear(Frame::of_mesh(mesh), Frame::own(below))});
  const Written run = written([&](CheckSink* sink) { return check_animation(bodies, {}, {}, sink); });
  const auto json = run.json();
  ASSERT_FALSE(json["contacts"].empty());
  for (const auto& contact : json["contacts"])
    for (const char* side : {"a", "b"}) {
      const auto& feature = contact[side];
      const bool blade = feature["part"] == "blade";
      const int first = feature.contains("triangle") ? 2 : 4;  // of the blade
      for (const char* kind : {"vertex", "triangle", "edge"})
        if (feature.contains(kind)) {
          const bool is_edge = std::string(kind) == "edge";
          const auto index = (is_edge ? feature[kind][1] : feature[kind]).get<int>();
          EXPECT_EQ((is_edge ? feature["local"][1] : feature["local"]).get<int>(), blade ? index - first : index);
        }
    }
  EXPECT_EQ(again(run.text), run.text);
}

TEST(CheckJson, LimitShortensTheListButNotTheCount) {
  const Written few = written(
      [](CheckSink* sink) {
        return check_animation(plate_and_dart({0, -4, -8}), {}, {}, sink);
      },
      2);
  EXPECT_EQ(few.json()["contacts"].size(), 2u);
  EXPECT_EQ(few.json()["listed_count"], 2);
  EXPECT_GT(few.report.contacts, 2u);
  EXPECT_EQ(few.json()["contact_count"], few.report.contacts);
}

TEST(CheckJson, RefusesWhatIsNoReport) {
  const std::string good = stuck_and_new(true).text;
  std::string old(good);
  old.replace(old.find("check/2"), 7, "check/1");
  std::string odd(good);
  odd.replace(odd.find("\"collides\","), 11, "\"perhaps\",");
  for (const std::string& bad : {std::string(), std::string("[]"), std::string("{}"), good.substr(0, 500), old, odd})
    try {
      read_check_json(bad, "part.json");
      FAIL() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.place().file, "part.json");
    }
}

}  // namespace
}  // namespace pliant::testing
