// `pliant bench map` and `pliant bench scaling`: every method has its row; no times are judged.
#include <set>

#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

std::set<std::string> methods_of(const nlohmann::json& report) {
  std::set<std::string> names;
  for (const auto& row : report["rows"]) names.insert(row["method"]);
  return names;
}

std::set<std::string> all_methods() {
  std::set<std::string> names;
  const nlohmann::json list = run_pliant("methods --json").json();
  for (const auto& method : list["methods"]) names.insert(method["name"]);
  return names;
}

TEST(BenchMap, SafeMethodsFindEverythingAndBoundsFallWithTime) {
  const TemporaryFolder folder;
  const Outcome run =
      run_pliant("bench map --triangles 1000 --frames 14 --first 6 --search-budgets 0us,1s -q --json - --html " +
                 folder.path("map.html"));
  ASSERT_EQ(run.status, 0) << run.err;
  const auto report = run.json();
  std::set<std::string> wanted = all_methods();
  wanted.erase("brute-force");
  EXPECT_EQ(methods_of(report), wanted);
  for (const auto& row : report["rows"]) {
    if (row["mode"] != "safe") continue;
    EXPECT_EQ(row["recall"] == 1, row["budget"] != "0us") << row;
  }
  EXPECT_NE(read_text(folder.path("map.html")).find("<svg"), std::string::npos);
}

TEST(BenchScaling, MeasuresWhatIsAskedForAndLeavesOutWhatTakesTooLong) {
  const Outcome run = run_pliant(
      "bench scaling --methods bvh,kinetic,brute-force --triangles 1000,2000,4000 --threads 1 "
      "--first 20 --frames 2 --limit 1ns -q --json -");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto report = run.json();
  EXPECT_EQ(methods_of(report), (std::set<std::string>{"bvh", "kinetic", "brute-force"}));
  std::size_t skipped = 0;
  for (const auto& row : report["rows"]) {
    skipped += row.contains("skipped");
    EXPECT_NE(row.contains("skipped"), row.contains("ms_per_frame")) << row;
  }
  EXPECT_EQ(skipped, 6u);  // the first size tells how long the others would take
}

TEST(BenchScaling, RefusesSizesInNoOrder) {
  expect_refused("bench scaling --triangles 4000,1000", {"--triangles", "from small to large"});
}

}  // namespace
}  // namespace pliant::testing
