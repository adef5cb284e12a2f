// `pliant check`: what options leave to be tested, and options that make no sense.
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

constexpr const char* kBlade = "v 0.2 0.2 -1\nv 0.2 0.2 1\nv 0.2 0.8 1\nf 1 2 3\n";
constexpr const char* kFloor = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";

void expect_refused(const std::string& arguments, const std::vector<std::string>& words) {
  const Outcome run = run_pliant(arguments);
  EXPECT_EQ(run.status, 2) << arguments;
  EXPECT_TRUE(run.out.empty()) << run.out;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  for (const std::string& word : words) EXPECT_NE(run.err.find(word), std::string::npos) << word << "\n" << run.err;
}

TEST(CheckOptions, PairsRefuseANameThatSeveralBodiesHave) {
  const Folder folder;
  std::filesystem::create_directory(folder.path("a"));
  std::filesystem::create_directory(folder.path("b"));
  const std::string meshes = folder.write("a/y.obj", kBlade) + " " + folder.write("b/y.obj", kFloor);
  expect_refused("check " + meshes + " --pairs y.obj:y.obj", {"several bodies are named 'y.obj'", "0, 1"});
  EXPECT_EQ(run_pliant("check -q " + meshes + " --pairs 0:1").status, 1);
  EXPECT_EQ(run_pliant("check -q " + meshes + " --pairs 0:0").status, 0);
}

TEST(CheckOptions, OptionsThatLeaveNothingToTestAreRefused) {
  const Folder folder;
  const std::string blade = folder.write("blade.obj", kBlade);
  const std::string floor = folder.write("floor.obj", kFloor);
  expect_refused("check --no-self " + blade, {"nothing is left to test", "--no-self"});
  expect_refused("check --no-self " + blade + " " + floor + " --pairs 0:0", {"blade.obj with itself", "--no-self"});
  expect_refused("check --no-self " + blade + " " + floor + " --pairs 0:1,1:1", {"floor.obj with itself"});
  EXPECT_EQ(run_pliant("check -q --no-self " + blade + " " + floor + " --pairs 0:1").status, 1);
}

}  // namespace
}  // namespace pliant::testing
