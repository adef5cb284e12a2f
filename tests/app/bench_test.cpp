// `pliant bench`, `pliant bench budgets`, `pliant bench run` and `pliant bench ccd`.
#include <cstring>
#include <filesystem>

#include "app/spread.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/shapes.h"
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

TEST(Bench, MethodsAgreeWithTheOracleAndEverySettingIsARow) {
  const Outcome run = run_pliant(
      "bench teapot-sphere --triangles 700 --frames 5 --methods swept-bvh,swept-classical --inbetweens 1,3 "
      "--threads 1,2 --boxes --json -");
  EXPECT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["schema"], "pliant.bench/1");
  EXPECT_TRUE(json["machine"].contains("processor"));
  EXPECT_TRUE(json.contains("commit"));
  ASSERT_EQ(json["rows"].size(), 8);
  for (const auto& row : json["rows"]) {
    EXPECT_EQ(row["scene"], "teapot-sphere");
    EXPECT_EQ(row["frames"].get<int>(), 4 * row["inbetweens"].get<int>());
    EXPECT_GT(row["contacts"].get<int>(), 0);
    EXPECT_GT(row["bytes"].get<int>(), 0);
    EXPECT_GT(row["tests_per_frame"].get<double>(), 0);
    EXPECT_EQ(row["guarantee"], "exact");
    const auto& ms = row["ms_per_frame"];
    EXPECT_LE(ms["median"].get<double>(), ms["max"].get<double>());
    EXPECT_GT(ms["mean"].get<double>(), 0);
    EXPECT_GT(row["ms_per_frame_boxes"]["mean"].get<double>(), 0);
    if (row["inbetweens"] != 1) continue;
    EXPECT_EQ(row["recall"], 1);
    EXPECT_EQ(row["precision"], 1);
  }
}

TEST(Bench, SimulatesASceneBeforeItMeasures) {
  const Outcome run =
      run_pliant("bench pressure_ground --frames 4 --triangles 700,900 --methods swept-bvh,bvh --oracle off --json -");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.err.find("pressure_ground has one size"), std::string::npos) << run.err;
  const auto rows = run.json()["rows"];
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0]["scene"], "pressure_ground");
  EXPECT_EQ(rows[0]["triangles"], 1280 + 96);
  EXPECT_EQ(rows[0]["frames"], 3);
}

TEST(BenchBudgets, MoreTimeMeansABetterAnswer) {
  const Outcome run = run_pliant(
      "bench budgets teapot-sphere --triangles 700 --frames 4 --no-self --search-budgets 1ns,60s --repeat 2 --json -");
  EXPECT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["schema"], "pliant.bench.budgets/1");
  ASSERT_EQ(json["rows"].size(), 4);
  for (const std::size_t method : {0u, 1u}) {
    const auto& none = json["rows"][2 * method];
    const auto& enough = json["rows"][2 * method + 1];
    EXPECT_EQ(none["method"], method == 0 ? "anytime" : "sphere-tree");
    EXPECT_EQ(none["searches"], 8);
    EXPECT_LT(none["recall"].get<double>(), 1);
    EXPECT_LT(none["complete"].get<int>(), 8);
    EXPECT_EQ(enough["complete"], 8);
    EXPECT_EQ(enough["recall"], 1);
    EXPECT_EQ(enough["bound"]["max"], 0);
    EXPECT_EQ(enough["late_us"]["max"], 0);
    EXPECT_GT(none["late_us"]["median"].get<double>(), 0);
  }
}

TEST(BenchBudgets, RefusesMethodsThatLookAtMotionAndTimesThatAreNone) {
  EXPECT_EQ(run_pliant("bench budgets teapot-sphere --triangles 700 --methods kinetic").status, 2);
  EXPECT_EQ(run_pliant("bench budgets teapot-sphere --triangles 700 --search-budgets soon").status, 2);
}

TEST(BenchRun, TellsWhatTheStagesOfAFrameCost) {
  const Outcome run = run_pliant("bench run pressure_ground fem_pressed --frames 3 --repeat 2 --json -");
  EXPECT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["schema"], "pliant.bench.run/1");
  ASSERT_EQ(json["rows"].size(), 2);
  const auto& row = json["rows"][0];
  EXPECT_EQ(row["scene"], "pressure_ground");
  EXPECT_EQ(row["vertices"], 642);
  EXPECT_EQ(row["triangles"], 1280);
  EXPECT_EQ(row["frames"], 3);
  double sum = 0;
  for (const auto& stage : row["ms_by_stage"]) sum += stage["mean"].get<double>();
  EXPECT_NEAR(row["ms_per_frame"]["mean"].get<double>(), sum, 1e-9 * sum);
  EXPECT_GT(row["cpu_ms_per_frame"]["mean"].get<double>(), 0);
  EXPECT_FALSE(std::filesystem::exists("out/pressure_ground"));
}

TEST(BenchRun, RefusesWhatIsNotSimulated) {
  const Outcome run = run_pliant("bench run teapot-sphere --frames 2");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("replay"), std::string::npos) << run.err;
}

TEST(Bench, SettingsAreForTheMethodsThatHaveThem) {
  const std::string words =
      "bench teapot-sphere --triangles 700 --frames 3 --methods swept-classical,kinetic --json - ";
  const Outcome run = run_pliant(words + "--set leaf_size=3 --set renewal=1");
  EXPECT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  for (const auto& row : json["rows"]) EXPECT_EQ(row["recall"], 1);
  const auto plain = run_pliant(words).json();
  EXPECT_GT(json["rows"][1]["bytes"].get<int>(), plain["rows"][1]["bytes"].get<int>());  // more leaves
  const Outcome wrong = run_pliant(words + "--set leafsize=3");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("--set: none of the methods swept-classical, kinetic has a setting 'leafsize'"),
            std::string::npos)
      << wrong.err;
}

TEST(Bench, StillMethodsAreAskedAtTheFrames) {
  const auto json =
      run_pliant("bench teapot-sphere --triangles 700 --frames 5 --methods bvh,spatial-hash --json -").json();
  ASSERT_EQ(json["rows"].size(), 2);
  EXPECT_GT(json["rows"][0]["contacts"].get<int>(), 0);
  EXPECT_EQ(json["rows"][0]["contacts"], json["rows"][1]["contacts"]);
  EXPECT_EQ(json["rows"][0]["recall"], 1);
  EXPECT_EQ(json["rows"][1]["precision"], 1);
}

TEST(Bench, PrintsATable) {
  const Outcome run = run_pliant("bench teapot-sphere --triangles 700 --frames 3 --methods swept-bvh --oracle off");
  EXPECT_EQ(run.status, 0);
  for (const char* column : {"mean ms", "events/frame", "tests/frame"})
    EXPECT_NE(run.out.find(column), std::string::npos) << column;
  EXPECT_NE(run.out.find("teapot-sphere"), std::string::npos);
}

TEST(Bench, RefusesUnknownNames) {
  const Outcome scene = run_pliant("bench tablecloths --triangles 700");
  EXPECT_EQ(scene.status, 2);
  EXPECT_NE(scene.err.find("tablecloth"), std::string::npos) << scene.err;
  EXPECT_EQ(run_pliant("bench --methods swept-bhv").status, 2);
  EXPECT_EQ(run_pliant("bench --frames 1").status, 2);
  EXPECT_EQ(run_pliant("bench --inbetweens 0").status, 2);
}

TEST(Bench, RefusesNegativeNumbers) {
  for (const char* option : {"--triangles", "--inbetweens", "--threads", "--frames", "--first", "--seed"}) {
    const Outcome run = run_pliant(std::string("bench teapot-sphere ") + option + " -5");
    EXPECT_EQ(run.status, 2) << option;
    EXPECT_NE(run.err.find(option), std::string::npos) << run.err;
  }
}

TEST(Bench, MeasuresBoxesOfMovingMethodsAlone) {
  const auto json =
      run_pliant("bench teapot-sphere --triangles 700 --frames 3 --methods kinetic,bvh --boxes --json -").json();
  EXPECT_TRUE(json["rows"][0].contains("ms_per_frame_boxes"));
  EXPECT_FALSE(json["rows"][1].contains("ms_per_frame_boxes"));
}

TEST(Spread, SharesAreOfTheValuesThemselves) {
  std::vector<double> values;
  for (int i = 100; i > 0; --i) values.push_back(i);
  app::Spread spread = app::spread_of(values);
  EXPECT_EQ(spread.median, 50);
  EXPECT_EQ(spread.p99, 99);
  EXPECT_EQ(spread.max, 100);
  spread = app::spread_of({1, 2, 3, 100});  // one of four is more than one in a hundred
  EXPECT_EQ(spread.median, 2);
  EXPECT_EQ(spread.p99, 100);
  EXPECT_EQ(app::spread_of({7}).p99, 7);
  EXPECT_EQ(app::spread_of({}).p99, 0);
}

// ---- queries ----

// A vertex that falls from height 1 at (x, y) to height `end` on the triangle (0,0,0) (1,0,0) (0,1,0).
struct Fall {
  double x = 0.25;
  double y = 0.25;
  double end = -1;
  bool collides = true;
  double time = 0.5;
};

std::string ccdq(const std::vector<Fall>& falls) {
  std::string bytes = "CCDQ0001";
  append_little(bytes, std::uint32_t{1});
  append_little(bytes, static_cast<std::uint32_t>(falls.size()));
  for (const Fall& fall : falls)
    for (const double height : {1.0, fall.end})
      for (const double value : {fall.x, fall.y, height, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0})
        append_little(bytes, value);
  for (const Fall& fall : falls) append_little(bytes, static_cast<std::uint8_t>(fall.collides));
  for (const Fall& fall : falls) append_little(bytes, fall.time);
  return bytes;
}

TEST(BenchCcd, JudgesQueriesWithKnownAnswers) {
  const TemporaryFolder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  folder.write("a.ccdq",
               ccdq({{}, {.x = 2, .collides = false, .time = nan}, {.end = 0.5, .collides = false, .time = nan}}));
  folder.write("b.ccdq", ccdq({{.end = -3, .time = 0.25}}));
  const Outcome run = run_pliant("bench ccd --queries " + folder.path("") + " --json -");
  EXPECT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["schema"], "pliant.bench.ccd/1");
  ASSERT_EQ(json["sets"].size(), 2);
  EXPECT_EQ(json["sets"][0]["name"], "a.ccdq");
  EXPECT_EQ(json["sets"][0]["queries"], 3);
  EXPECT_EQ(json["sets"][0]["hits"], 1);
  EXPECT_EQ(json["total"]["queries"], 4);
  EXPECT_EQ(json["total"]["false_negatives"], 0);
  EXPECT_EQ(json["total"]["false_positives"], 0);
  EXPECT_EQ(json["total"]["late"], 0);
  EXPECT_GE(json["total"]["t_error"]["max"].get<double>(), 0);
  EXPECT_LT(json["total"]["t_error"]["max"].get<double>(), 1e-9);
  EXPECT_GT(json["total"]["ns_per_query"]["max"].get<double>(), 0);
}

TEST(BenchCcd, ExitStatusTellsOfAWrongAnswer) {
  const TemporaryFolder folder;
  const std::string missed = folder.write("missed.ccdq", ccdq({{.x = 2, .collides = true, .time = 0.5}}));
  EXPECT_EQ(run_pliant("bench ccd --queries " + missed).status, 3);
  const std::string late = folder.write("late.ccdq", ccdq({{.time = 0.4}}));
  EXPECT_EQ(run_pliant("bench ccd --queries " + late).status, 3);
}

TEST(BenchCcd, TakesPairsOfMeshesAndRationals) {
  const TemporaryFolder folder;
  const auto mesh = [](double height) {
    return "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.25 0.25 " + std::to_string(height) +
           "\nv 9 9 9\nv 9 8 9\nf 1 2 3\nf 4 5 6\n";
  };
  write_mesh(folder.path("t0.ply"), *parse_obj(mesh(1), "t0.obj").mesh);
  write_mesh(folder.path("t1.ply"), *parse_obj(mesh(-1), "t1.obj").mesh);
  std::string pairs = "CCDP0001";
  append_little(pairs, std::uint32_t{1});
  append_little(pairs, std::uint32_t{1});
  for (const std::int32_t v : {3, 0, 1, 2}) append_little(pairs, v);
  append_little(pairs, std::uint8_t{1});
  append_little(pairs, 0.5);
  folder.write("vf.ccdp", pairs);
  std::string rows;
  for (const char* height : {"1,1", "-1,1"})
    rows += std::string("1,4,1,4,") + height + ",1\n0,1,0,1,0,1,1\n1,1,0,1,0,1,1\n0,1,1,1,0,1,1\n";
  std::filesystem::create_directory(folder.path("vertex-face"));
  folder.write("vertex-face/0.csv", rows);
  const Outcome run = run_pliant("bench ccd --queries " + folder.path("") + " --json -");
  EXPECT_EQ(run.status, 0) << run.err;
  ASSERT_EQ(run.json()["sets"].size(), 2);
  EXPECT_EQ(run.json()["total"]["hits"], 2);
  const std::string untold = folder.write("0.csv", rows);
  EXPECT_EQ(run_pliant("bench ccd --queries " + untold).status, 2);
  EXPECT_EQ(run_pliant("bench ccd --kind vf --queries " + untold).status, 0);
}

TEST(BenchCcd, RefusesWhatItCanNotRead) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_pliant("bench ccd --queries " + folder.path("")).status, 2);
  const std::string bytes = ccdq({{}});
  const Outcome cut = run_pliant("bench ccd --queries " + folder.write("cut.ccdq", bytes.substr(0, bytes.size() - 9)));
  EXPECT_EQ(cut.status, 2);
  EXPECT_NE(cut.err.find("cut.ccdq"), std::string::npos);
  const Outcome missing = run_pliant("bench ccd --queries " + folder.path("nowhere"));
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("no such file"), std::string::npos) << missing.err;
  const std::string good = folder.write("good.ccdq", bytes);
  for (const char* length : {"nan", "inf", "-1"})
    EXPECT_EQ(run_pliant("bench ccd --queries " + good + " --min-separation " + length).status, 2) << length;
}

TEST(BenchCcd, HasNoTimesForASetWithoutQueries) {
  const TemporaryFolder folder;
  const std::string none = folder.write("none.ccdq", ccdq({}));
  const std::string some = folder.write("some.ccdq", ccdq({{}}));
  const auto json = run_pliant("bench ccd --queries " + none + " " + some + " --json -").json();
  EXPECT_EQ(json["sets"][0]["queries"], 0);
  EXPECT_TRUE(json["sets"][0]["ns_per_query"].is_null());
  EXPECT_TRUE(json["sets"][0]["ns_per_query_in_batches"].is_null());
  EXPECT_GT(json["total"]["ns_per_query_in_batches"].get<double>(), 0);
  EXPECT_EQ(run_pliant("bench ccd --queries " + none).status, 2);
}

}  // namespace
}  // namespace pliant::testing
