// `pliant check` on animations: what happens between frames, what was there at the start, and refusals.
#include <cstring>

#include "pliant/detect/registry.h"
#include "pliant/io/append_file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/mesh/shapes.h"
#include "pliant/scene/scene.h"
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

constexpr const char* kPlate = "v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\nf 1 2 3 4\n";
constexpr const char* kDart = "v -0.25 0.1 1\nv 0.25 0.1 1\nv 0 0.3 1.5\nf 1 2 3\n";  // above the plate

// The dart, moved up by heights[k] in frame k.
std::string dart_motion(const TemporaryFolder& folder, const std::string& name, const std::vector<double>& heights) {
  MotionWriter writer(folder.path(name), 3, {});
  for (const double h : heights) {
    const std::vector<Vec3> x{{-0.25, 0.1, 1 + h}, {0.25, 0.1, 1 + h}, {0, 0.3, 1.5 + h}};
    writer.add(x);
  }
  writer.finish();
  return folder.path(name);
}

struct PlateAndDart {
  TemporaryFolder folder;
  std::string plate = folder.write("plate.obj", kPlate);
  std::string dart = folder.write("dart.obj", kDart);
  std::string moving(const std::vector<double>& heights) const {
    return plate + " " + dart + " --motion " + dart_motion(folder, "dart.npy", heights);
  }
};

TEST(CheckMotion, FindsWhatHappensBetweenFrames) {
  const PlateAndDart scene;
  const std::string through = scene.moving({0, -4, -8});
  const Outcome run = run_pliant("check --json - " + through);
  EXPECT_EQ(run.status, 1) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["method"], "kinetic");
  EXPECT_EQ(json["guarantee"], "exact");
  EXPECT_EQ(json["frames"], 3);
  EXPECT_NEAR(json["first_time"].get<double>(), 0.25, 1e-9);
  EXPECT_LE(json["first_time"].get<double>(), 0.25);
  EXPECT_EQ(json["pairs"][0]["frames_affected"], 1);
  EXPECT_EQ(json["pairs"][0]["initial"], false);
  EXPECT_EQ(json["pairs"][0]["contacts"], json["contact_count"]);
  for (const auto& contact : json["contacts"]) EXPECT_LE(contact["time"].get<double>(), 0.375);
  // At the frames themselves there is nothing to see.
  EXPECT_EQ(run_pliant("check --at-frames " + through).status, 0);
  EXPECT_EQ(run_pliant("check --method bvh " + through).status, 0);
}

TEST(CheckMotion, SaysWhatIntersectsFromTheStart) {
  const PlateAndDart scene;
  const std::string stuck = scene.moving({-1.25, -1.3, -1.2});
  const Outcome run = run_pliant("check --json - " + stuck);
  EXPECT_EQ(run.status, 1);
  const auto json = run.json();
  EXPECT_EQ(json["first_time"], 0);
  EXPECT_EQ(json["pairs"][0]["initial"], true);
  EXPECT_EQ(json["contacts"][0]["initial"], true);
  EXPECT_EQ(json["contacts"][0]["kind"], "triangle-triangle");
  EXPECT_EQ(json["pairs"][0]["frames_affected"], 3);
  EXPECT_EQ(run_pliant("check --allow-initial " + stuck).status, 0);
  EXPECT_EQ(run_pliant("check --allow-initial --at-frames " + stuck).status, 0);
  // Leaving is part of it; coming back is not.
  EXPECT_EQ(run_pliant("check --allow-initial " + scene.moving({-1.25, 1})).status, 0);
  const std::string back = scene.moving({-1.25, 1, 0, -1.25});
  EXPECT_EQ(run_pliant("check --allow-initial " + back).status, 1);
  const auto first = run_pliant("check --allow-initial --earliest --json - " + back).json();
  EXPECT_GT(first["contacts"].back()["time"].get<double>(), 2);
}

// Two darts of one mesh over one plate of the same mesh, the first at heights[k], the second at others[k].
std::string two_darts(const TemporaryFolder& folder, const std::vector<double>& heights,
                      const std::vector<double>& others) {
  folder.write("three.obj",
               "v -9 -2 0\nv 9 -2 0\nv 9 2 0\nv -9 2 0\nv 0 -2 0\nv 0 2 0\nf 1 5 6 4\nf 5 2 3 6\n"
               "v -5.25 0.1 1\nv -4.75 0.1 1\nv -5 0.3 1.5\nf 7 8 9\n"
               "v 4.75 0.1 1\nv 5.25 0.1 1\nv 5 0.3 1.5\nf 10 11 12\n");
  const MeshPtr mesh = read_mesh(folder.path("three.obj"));
  MotionWriter writer(folder.path("three.npy"), mesh->vertex_count(), {});
  for (std::size_t k = 0; k < heights.size(); ++k) {
    std::vector<Vec3> x(mesh->positions().begin(), mesh->positions().end());
    for (std::size_t v = 6; v < 9; ++v) x[v].z() += heights[k];
    for (std::size_t v = 9; v < 12; ++v) x[v].z() += others[k];
    writer.add(x);
  }
  writer.finish();
  return folder.path("three.obj") + " --motion " + folder.path("three.npy");
}

TEST(CheckMotion, AnOldIntersectionDoesNotExcuseANewOne) {
  const TemporaryFolder folder;
  const std::string old_alone = two_darts(folder, {-1.25, -1.3, -1.2}, {0, 0, 0});
  EXPECT_EQ(run_pliant("check --allow-initial " + old_alone).status, 0);
  const std::string both = two_darts(folder, {-1.25, -1.3, -1.2}, {0, 0, -1.25});
  for (const char* options : {"", "--earliest ", "--at-frames ", "--method swept-bvh "}) {
    const Outcome found = run_pliant("check --allow-initial --json - " + std::string(options) + both);
    EXPECT_EQ(found.status, 1) << options << found.err;
    const auto pair = found.json()["pairs"][0];
    EXPECT_TRUE(pair["initial"]);
    EXPECT_GT(pair["from_start"], 0);
    EXPECT_LT(pair["from_start"], pair["contacts"]);
  }
  const Outcome words = run_pliant("check " + both);
  EXPECT_NE(words.out.find("\ncollides: "), std::string::npos) << words.out;
  EXPECT_NE(words.out.find(" of them new"), std::string::npos) << words.out;
}

TEST(CheckMotion, TheTableCountsAsTheJsonDoes) {
  const PlateAndDart scene;
  // Comes down, and its point rests on the plate for three frames.
  const std::string rests = scene.moving({0, -0.5, -1, -1, -1, -1});
  const Outcome found = run_pliant("check --json - " + rests);
  EXPECT_EQ(found.status, 1);
  const auto json = found.json();
  const auto pair = json["pairs"][0];
  EXPECT_FALSE(pair["initial"]);
  EXPECT_GT(pair["continued"], 0);
  EXPECT_EQ(json["contacts"].size(), json["contact_count"]);
  for (const auto& contact : json["contacts"]) EXPECT_FALSE(contact["initial"]) << contact;
  const Outcome words = run_pliant("check " + rests);
  EXPECT_EQ(words.out.find("the start"), std::string::npos) << words.out;
  EXPECT_NE(words.out.find("\ncollides: " + json["contact_count"].dump() + " contacts, " +
                           json["continued_count"].dump() + " of them continued"),
            std::string::npos)
      << words.out;
}

TEST(CheckMotion, TheAnswerIsTheFirstNewCollision) {
  const TemporaryFolder folder;
  const std::string both = two_darts(folder, {-1.25, -1.3, -1.2}, {0, 0, -1.25});
  const Outcome words = run_pliant("check --allow-initial --earliest " + both);
  EXPECT_EQ(words.status, 1);
  const std::string answer = "\nfirst new collision: frame 1.8, three.obj with itself, at (";
  EXPECT_NE(words.out.find(answer), std::string::npos) << words.out;
  // The row of the table that shows it stands above those of what is allowed.
  EXPECT_LT(words.out.find("  1.8  "), words.out.find(", allowed")) << words.out;
  const auto json = run_pliant("check --allow-initial --earliest --json - " + both).json();
  EXPECT_NEAR(json["first_time"].get<double>(), 1.8, 1e-9);
  const Outcome falls = run_pliant("check " + PlateAndDart().moving({0, -4, -8}));
  EXPECT_NE(falls.out.find("\nfirst collision: frame 0.25, plate.obj with dart.obj, at ("), std::string::npos)
      << falls.out;
}

TEST(CheckMotion, ASpentBudgetDoesNotCallAnythingAllowed) {
  const PlateAndDart scene;
  const std::string stuck = scene.moving({-1.25, -1.3, -1.2});
  const Outcome run = run_pliant("check --budget 1ns --allow-initial " + stuck);
  EXPECT_EQ(run.status, 3);
  EXPECT_NE(run.out.find("\nnot known: stopped before the end, the budget is spent"), std::string::npos) << run.out;
  const auto json = run_pliant("check --budget 1ns --allow-initial --json - " + stuck).json();
  EXPECT_EQ(json["collides"], false);
  EXPECT_EQ(json["verdict"], "not known");
}

TEST(CheckMotion, NearnessIsNotCalledIntersection) {
  const PlateAndDart scene;
  const std::string near = scene.moving({-0.9, -0.9, -0.9});
  const Outcome words = run_pliant("check --min-separation 0.2 " + near);
  EXPECT_EQ(words.status, 1);
  EXPECT_NE(words.out.find("near at the start"), std::string::npos) << words.out;
  EXPECT_EQ(words.out.find("intersects at the start"), std::string::npos) << words.out;
  EXPECT_EQ(words.err, "");
  const auto pair = run_pliant("check --min-separation 0.2 --json - " + near).json()["pairs"][0];
  EXPECT_EQ(pair["initial"], false);
  EXPECT_EQ(pair["near_at_start"], true);
  const Outcome large = run_pliant("check --min-separation 0.6 --json - " + near);
  EXPECT_NE(large.err.find("longer than the mean edge of 'dart.obj'"), std::string::npos) << large.err;
  EXPECT_EQ(large.json()["notes"].size(), 1u);
}

TEST(CheckMotion, FramesAreCountedFromTheFirstFrameEverywhere) {
  const PlateAndDart scene;
  const std::string late = scene.moving({3, 2, 1, 0, -1.25, -4, -4}) + " --first-frame 1001 ";
  const auto json = [&](const std::string& options) { return run_pliant("check --json - " + late + options).json(); };
  EXPECT_NEAR(json("")["first_time"].get<double>(), 1004.8, 1e-9);
  EXPECT_EQ(json("")["pairs"][0]["ranges"][0][0], 1004);
  EXPECT_EQ(json("")["per_frame"][0][0], 1004);
  EXPECT_NEAR(json("--start 1003")["first_time"].get<double>(), 1004.8, 1e-9);
  EXPECT_EQ(json("--start 1003")["frames"], 5);
  EXPECT_TRUE(json("--end 1004")["first_time"].is_null());
  EXPECT_EQ(json("--end 1004")["frames"], 4);
  EXPECT_NEAR(json("--start 1002 --step 2")["first_time"].get<double>(), 1004 + 2 * 0.25, 1e-9);
  const Outcome early = run_pliant("check " + late + "--start 3");
  EXPECT_EQ(early.status, 2);
  EXPECT_NE(early.err.find("--start 3 lies before the first frame, 1001"), std::string::npos) << early.err;
  const Outcome words = run_pliant("check " + late);
  EXPECT_NE(words.out.find("first collision: frame 1004.8"), std::string::npos) << words.out;
}

TEST(CheckMotion, PartsOfAnAnimatedFileAreCheckedAgainstEachOther) {
  const TemporaryFolder folder;
  const std::string both = two_darts(folder, {0, 0, -1.25}, {0, 0, 0});
  const auto json = run_pliant("check --split --no-self --json - " + both).json();
  ASSERT_EQ(json["bodies"].size(), 3u);
  EXPECT_EQ(json["bodies"][1]["name"], "three.obj/component 1");
  EXPECT_EQ(json["verdict"], "collides");
  ASSERT_EQ(json["pairs"].size(), 1u);
  EXPECT_EQ(json["pairs"][0]["b"], 1);
  EXPECT_NEAR(json["first_time"].get<double>(), 1.8, 1e-9);
  // The same features as in one body, by the indices of the file.
  const auto whole = run_pliant("check --json - " + both).json();
  EXPECT_EQ(json["contact_count"], whole["contact_count"]);
  for (std::size_t i = 0; i < json["contacts"].size(); ++i)
    for (const char* side : {"a", "b"})
      for (const char* kind : {"vertex", "triangle", "edge"})
        EXPECT_EQ(json["contacts"][i][side].value(kind, nlohmann::json()),
                  whole["contacts"][i][side].value(kind, nlohmann::json()));
}

TEST(CheckMotion, DoesNotCallFreeWhatItCanNotDecide) {
  const PlateAndDart scene;
  const std::string near = scene.moving({0, -0.875, 0});  // as near as 1/8
  const Outcome found = run_pliant("check --min-separation 0.125 --json - " + near);
  const auto json = found.json();
  if (json["contact_count"] == 0) {
    EXPECT_EQ(found.status, 3);
    EXPECT_GT(json["possible_count"], 0);
    EXPECT_NE(run_pliant("check --min-separation 0.125 " + near).out.find("not known"), std::string::npos);
  } else {
    EXPECT_EQ(found.status, 1);
  }
  const Outcome alone = run_pliant("check --min-separation 0.125 --end 0 " + near);
  EXPECT_EQ(alone.status, 2);
  EXPECT_NE(alone.err.find("one frame"), std::string::npos) << alone.err;
}

TEST(CheckMotion, EarliestIsTheFirstOfAll) {
  const PlateAndDart scene;
  const std::string through = scene.moving({0, -4, -8});
  const auto all = run_pliant("check --json - " + through).json();
  const auto first = run_pliant("check --earliest --json - " + through).json();
  ASSERT_EQ(first["contacts"].size(), 1);
  EXPECT_EQ(first["contacts"][0], all["contacts"][0]);
}

TEST(CheckMotion, SeparationCountsAsContact) {
  const PlateAndDart scene;
  const std::string above = scene.moving({0, -0.9, 0});
  EXPECT_EQ(run_pliant("check " + above).status, 0);
  EXPECT_EQ(run_pliant("check --min-separation 0.05 " + above).status, 0);
  const Outcome near = run_pliant("check --min-separation 0.2 --json - " + above);
  EXPECT_EQ(near.status, 1);
  EXPECT_EQ(near.json()["guarantee"], "conservative");
  EXPECT_NEAR(near.json()["first_time"].get<double>(), 0.8 / 0.9, 1e-6);
}

TEST(CheckMotion, TimesAreTheFramesOfTheFile) {
  const PlateAndDart scene;
  const std::string late = scene.moving({3, 2, 1, 0, -1.25, -4, -4});
  const auto time = [&](const std::string& options) {
    return run_pliant("check --json - " + options + " " + late).json()["first_time"];
  };
  EXPECT_NEAR(time("").get<double>(), 3.8, 1e-9);
  EXPECT_NEAR(time("--start 2").get<double>(), 3.8, 1e-9);
  EXPECT_NEAR(time("--start 1 --step 2").get<double>(), 3 + 2 * 0.25, 1e-9);  // straight from frame 3 to frame 5
  EXPECT_TRUE(time("--end 3").is_null());
  EXPECT_NEAR(time("--scale 2").get<double>(), 3.8, 1e-9);
}

TEST(CheckMotion, StopsInTimeAndSaysWhatIsOpen) {
  const PlateAndDart scene;
  const Outcome run = run_pliant("check --budget 1ns --json - " + scene.moving({0, -4, -8}));
  EXPECT_EQ(run.status, 3);
  const auto json = run.json();
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["guarantee"], "conservative");
  EXPECT_GT(json["possible_count"].get<int>(), 0);
}

TEST(CheckMotion, RefusesWhatDoesNotFitTogether) {
  const PlateAndDart scene;
  const TemporaryFolder& folder = scene.folder;
  const std::string three = dart_motion(folder, "three.npy", {0, 1, 2});
  const std::string two = dart_motion(folder, "two.npy", {0, 1});
  expect_refused("check --motion " + three + " " + scene.dart, {"before the first mesh", "three.npy"});
  expect_refused("check " + scene.dart + " --motion " + three + " --motion " + two, {"two motions"});
  expect_refused("check " + scene.plate + " --motion " + three, {"three.npy", "3", "4"});
  expect_refused("check " + scene.dart + " --motion " + three + " " + scene.dart + " --motion " + two,
                 {"two.npy", "frame 2", "3", "--end 1"});
  expect_refused("check " + scene.dart + " --allow-initial", {"--allow-initial", "--motion"});
  for (const char* option : {"--start 1", "--end 3", "--step 2", "--scale 0.01", "--fps 60"})
    expect_refused("check " + scene.dart + " " + option, {std::string(option).substr(0, 5), "--motion"});
  expect_refused("check " + scene.dart + " --method swept-bvh", {"swept-bvh", "--motion"});
  expect_refused("check " + scene.dart + " --motion " + three + " --min-separation -1", {"--min-separation"});
  expect_refused("check " + scene.dart + " --motion " + three + " --min-separation 1 --at-frames",
                 {"--min-separation"});
  expect_refused("check " + scene.dart + " --motion " + three + " --start 3", {"three.npy"});
  expect_refused("check " + scene.dart + " --motion " + three + " --first-frame 18446744073709551615",
                 {"--first-frame is too large"});
  expect_refused("check " + scene.dart + " --motion " + folder.path("missing.pc2"), {"missing.pc2"});
}

// A one-dimensional .npy array.
std::string times_file(const TemporaryFolder& folder, const std::string& name, const std::vector<double>& times) {
  NpyRows rows(folder.path(name), 0, AppendFile::Open::create);
  for (const double t : times) rows.add(t);
  rows.flush();
  return folder.path(name);
}

TEST(CheckMotion, RefusesTimesThatGoBackwards) {
  const PlateAndDart scene;
  const std::string moving = scene.moving({0, 1, 2, 3});
  EXPECT_EQ(run_pliant("check -q " + moving + " --times " + times_file(scene.folder, "t.npy", {0, 1, 1, 5})).status, 0);
  expect_refused("check " + moving + " --times " + times_file(scene.folder, "back.npy", {0, 2, 1, 5}),
                 {"back.npy, value 2", "time 1", "before, 2"});
}

TEST(CheckMotion, NamesTheFrameThatIsNotFinite) {
  const PlateAndDart scene;
  const std::string path = dart_motion(scene.folder, "bad.npy", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  std::string bytes = read_text(path);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // 9 doubles a frame: vertex 1 of frame 7.
  std::memcpy(bytes.data() + bytes.size() - 3 * 72 + 24, &nan, 8);
  scene.folder.write("bad.npy", bytes);
  for (const char* options : {"", " --threads 1", " --at-frames"})
    expect_refused("check " + scene.dart + " --motion " + path + options, {"bad.npy", "frame 7"});
}

TEST(CheckMotion, RefusesACacheWithoutFrames) {
  const PlateAndDart scene;
  std::string header("POINTCACHE2\0", 12);
  const std::int32_t version = 1;
  const std::int32_t points = 3;
  const float start = 0;
  const float rate = 1;
  const std::int32_t frames = 0;
  for (const auto* field : {reinterpret_cast<const char*>(&version), reinterpret_cast<const char*>(&points),
                            reinterpret_cast<const char*>(&start), reinterpret_cast<const char*>(&rate),
                            reinterpret_cast<const char*>(&frames)})
    header.append(field, 4);
  expect_refused("check " + scene.dart + " --motion " + scene.folder.write("none.pc2", header), {"none.pc2", "frame"});
}

}  // namespace
}  // namespace pliant::testing
