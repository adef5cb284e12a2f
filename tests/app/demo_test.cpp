// `pliant demo`: what it leaves, and where it does not go.
#include <set>
#include <sstream>

#include "pliant/io/motion_file.h"
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

// The lines of the README's first example: what follows the command in the first block of code.
std::string readme_sample() {
  const std::string readme = read_text(PLIANT_README);
  const std::string command = "    $ pliant check teapot_4.ply ball_4.ply --limit 2\n";
  const std::size_t begin = readme.find(command) + command.size();
  std::istringstream lines(readme.substr(begin, readme.find("\n\n(", begin) + 1 - begin));
  std::string sample;
  for (std::string line; std::getline(lines, line);) sample += (line.size() > 4 ? line.substr(4) : "") + "\n";
  return sample;
}

// All up to the times, which differ from run to run.
std::string without_times(const std::string& text) { return text.substr(0, text.rfind(", read ")); }

// Over an earlier one, which was broken off, and which a note was put beside.
TEST(Demo, LeavesARecordingMoviesAndATableForPrograms) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "brute force takes minutes in instrumented code; all that the demo does is tested elsewhere, too";
#endif
  const TemporaryFolder folder;
  ASSERT_EQ(run_pliant("run -q demo --frames 1 --out " + folder.path("d/run")).status, 0);
  folder.write("d/notes.txt", "mine");
  const Outcome demo =
      run_pliant("demo --frames 20 --threads 1 --json " + folder.path("table.json") + " --out " + folder.path("d"));
  ASSERT_EQ(demo.status, 0) << demo.err;
  EXPECT_EQ(demo.out.rfind("5 bodies that bend, 20 frames: will anything pass through anything?", 0), 0u) << demo.out;
  const std::string last_line = demo.out.substr(demo.out.rfind('\n', demo.out.size() - 2) + 1);
  EXPECT_EQ(last_line.rfind("5 bodies, 20 frames: nothing passed through anything, proved by exact detection", 0), 0u)
      << last_line;
  for (const char* part : {"recall        fraction of", "run/run.glb in any glTF viewer", "d/teapot_4.ply"})
    EXPECT_NE(demo.out.find(part), std::string::npos) << part;
  EXPECT_EQ(read_text(folder.path("d/notes.txt")), "mine");

  const auto json = nlohmann::json::parse(read_text(folder.path("table.json")));
  EXPECT_EQ(json["schema"], "pliant.demo.summary/1");
  EXPECT_EQ(json["run"]["free"], true);
  EXPECT_EQ(json["run"]["contacts"], 0);
  EXPECT_EQ(json["kept_word"], true);
  std::set<std::string> methods;
  for (const auto& row : json["rows"]) methods.insert(row["method"]);
  EXPECT_TRUE(methods.contains("brute-force") && methods.contains("bvh") && methods.contains("kinetic"));
  for (const auto& row : json["rows"]) EXPECT_EQ(row["recall"], 1) << row;
  EXPECT_EQ(open_motion(folder.path("d/run/run.glb"), {.frames_per_second = 60})->frame_count(), 21u);
  const Outcome check = run_pliant("check teapot_4.ply ball_4.ply --limit 2", {}, folder.path("d"));
  EXPECT_EQ(check.status, 1);
  EXPECT_EQ(without_times(check.out), without_times(readme_sample())) << "the README shows another output";
  for (const char* name : {"d/teapot_and_ball.glb", "d/tube.glb", "d/cloth.glb"})
    EXPECT_EQ(open_motion(folder.path(name), {.frames_per_second = 4})->frame_count(), 8u) << name;
}

TEST(Demo, WritesNothingIntoAFolderOfOtherFiles) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("mine/run"));
  folder.write("mine/cloth.glb", "mine");
  const Outcome outcome = run_pliant("demo --out " + folder.path("mine"));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("holds other files"), std::string::npos) << outcome.err;
  EXPECT_EQ(read_text(folder.path("mine/cloth.glb")), "mine");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("mine/run")));
  EXPECT_EQ(run_pliant("demo --out " + folder.path("mine/cloth.glb")).status, 2);
}

}  // namespace
}  // namespace pliant::testing
