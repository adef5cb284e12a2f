// `pliant check`: what options leave to be tested, and options that make no sense.
#include "pliant/io/motion_file.h"
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

constexpr const char* kBlade = "v 0.2 0.2 -1\nv 0.2 0.2 1\nv 0.2 0.8 1\nf 1 2 3\n";
constexpr const char* kFloor = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";

TEST(CheckOptions, PairsRefuseANameThatSeveralBodiesHave) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("a"));
  std::filesystem::create_directory(folder.path("b"));
  const std::string meshes = folder.write("a/y.obj", kBlade) + " " + folder.write("b/y.obj", kFloor);
  expect_refused("check " + meshes + " --pairs y.obj:y.obj", {"several bodies are named 'y.obj'", "0, 1"});
  EXPECT_EQ(run_pliant("check -q " + meshes + " --pairs 0:1").status, 1);
  EXPECT_EQ(run_pliant("check -q " + meshes + " --pairs 0:0").status, 0);
}

TEST(CheckOptions, OptionsThatLeaveNothingToTestAreRefused) {
  const TemporaryFolder folder;
  const std::string blade = folder.write("blade.obj", kBlade);
  const std::string floor = folder.write("floor.obj", kFloor);
  expect_refused("check --no-self " + blade, {"nothing is left to test", "--no-self"});
  expect_refused("check --no-self " + blade + " " + floor + " --pairs 0:0", {"blade.obj with itself", "--no-self"});
  expect_refused("check --no-self " + blade + " " + floor + " --pairs 0:1,1:1", {"floor.obj with itself"});
  EXPECT_EQ(run_pliant("check -q --no-self " + blade + " " + floor + " --pairs 0:1").status, 1);
}

TEST(CheckOptions, WhatIsLeftOutOfTheSurfaceIsSaid) {
  const TemporaryFolder folder;
  const std::string odd = folder.write("odd.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1 2 3\nf 1 2\nface 3 2 1\n");
  const Outcome run = run_pliant("check " + odd);
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.err.find("odd.obj: 1 face with fewer than three corners is left out: see line 6\n"), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("odd.obj: unknown statements are left out: the first, 'face', stands in line 7\n"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(run.err.find("normals"), std::string::npos) << run.err;  // they change nothing
  EXPECT_TRUE(run_pliant("check -q " + odd).err.empty());
  expect_refused("check " + folder.write("cut.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2"), {"cut.obj:4", "no faces"});
}

TEST(CheckOptions, AnAnimationThatIsNotUsedIsSaid) {
  const TemporaryFolder folder;
  const std::string blade = folder.write("blade.obj", kBlade);
  MotionWriter writer(folder.path("blade.npy"), 3, {});
  for (const double z : {0.0, 1.0})
    writer.add(std::vector<Vec3>{{0.2, 0.2, z - 1}, {0.2, 0.2, z + 1}, {0.2, 0.8, z + 1}});
  writer.finish();
  const std::string glb = folder.path("blade.glb");
  ASSERT_EQ(run_pliant("convert " + blade + " " + glb + " --motion " + folder.path("blade.npy")).status, 0);
  const std::string words = "its animation is not used";
  EXPECT_NE(run_pliant("check " + glb).err.find(words), std::string::npos);
  EXPECT_NE(run_pliant("convert " + glb + " " + folder.path("a.ply")).err.find(words), std::string::npos);
  EXPECT_EQ(run_pliant("check " + glb + " --motion " + glb).err.find(words), std::string::npos);
  const Outcome baked = run_pliant("convert " + glb + " " + folder.path("a.pc2"));
  EXPECT_EQ(baked.status, 0);
  EXPECT_EQ(baked.err.find("animation"), std::string::npos) << baked.err;
}

TEST(CheckOptions, CornersOfStlFilesAreWeldedWithinATolerance) {
  const TemporaryFolder folder;
  // Two triangles that share an edge but for a hair: apart, one touches the other.
  const auto facet = [](const std::string& corners) {
    return "facet normal 0 0 1\nouter loop\n" + corners + "endloop\nendfacet\n";
  };
  const std::string stl =
      folder.write("hair.stl", "solid\n" + facet("vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n") +
                                   facet("vertex 1 0.00001 0\nvertex 1 1 0\nvertex 0 1 0\n") + "endsolid\n");
  EXPECT_EQ(run_pliant("check --json - " + stl).json()["bodies"][0]["vertices"], 5);
  EXPECT_EQ(run_pliant("check --json - --weld-tolerance 0.001 " + stl).json()["bodies"][0]["vertices"], 4);
  const Outcome converted = run_pliant("convert --weld-tolerance 0.001 " + stl + " " + folder.path("a.obj"));
  EXPECT_EQ(converted.out, folder.path("a.obj") + ": 4 vertices, 2 triangles\n");
  expect_refused("check --weld-tolerance 0.1 " + folder.write("blade.obj", kBlade), {"--weld-tolerance", ".stl"});
}

TEST(CheckOptions, TheTableNamesFacesOfTheFile) {
  const TemporaryFolder folder;
  // The second triangle of the second polygon.
  const std::string quads =
      folder.write("quads.obj", std::string(kFloor) + "v 5 0 0\nv 6 0 0\nv 6 1 0\nv 5 1 0\nf 5 6 7 8\n");
  const std::string blade = folder.write("blade.obj", "v 5.2 0.8 -1\nv 5.2 0.8 1\nv 5.1 0.9 1\nf 1 2 3\n");
  const Outcome run = run_pliant("check " + quads + " " + blade);
  EXPECT_NE(run.out.find("quads.obj triangle 3 (face 1)  "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("blade.obj triangle 0  "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\ncollides: 1 contact"), std::string::npos) << run.out;
}

TEST(CheckOptions, NumbersOutOfRangeAreRefusedInAFewWords) {
  const TemporaryFolder folder;
  const std::string blade = folder.write("blade.obj", kBlade);
  for (const char* option :
       {"--threads -1", "--step 0", "--fps 0", "--fps nan", "--limit -1", "--start -1", "--end -1"}) {
    const Outcome run = run_pliant("check " + blade + " " + option);
    EXPECT_EQ(run.status, 2) << option;
    EXPECT_NE(run.err.find("is not a number"), std::string::npos) << run.err;
    EXPECT_LT(run.err.size(), 120u) << run.err;
  }
  EXPECT_EQ(run_pliant("check " + blade + " --pairs ''").status, 2);
}

TEST(CheckOptions, FilesThatAreNoMeshesAreRefusedWithTheWayToGo) {
  const TemporaryFolder folder;
  expect_refused("check " + folder.write("walk.pc2", "POINTCACHE2"), {"walk.pc2", "--motion"});
  expect_refused("check " + folder.write("shot.abc", "Ogawa"), {"shot.abc", "Blender", "docs/files.md"});
  expect_refused("check " + folder.write("a.xyz", "1 2 3"), {".node, .ele, .vtk"});
}

TEST(CheckOptions, SettingsAreThoseOfTheMethod) {
  const TemporaryFolder folder;
  const std::string blade = folder.write("blade.obj", kBlade);
  const Outcome plain = run_pliant("check --json - " + blade);
  const Outcome set = run_pliant("check --set leaf_size=1 --set rebuild_growth=3.5 --json - " + blade);
  EXPECT_EQ(set.status, plain.status) << set.err;
  EXPECT_EQ(set.json()["contact_count"], plain.json()["contact_count"]);
  expect_refused("check --set leafsize=1 " + blade, {"--set: method 'bvh' has no setting 'leafsize'", "'leaf_size'"});
  expect_refused("check --set leaf_size=0 " + blade, {"--set: 'leaf_size' is 0, which is out of range", "1 to 255"});
  expect_refused("check --set leaf_size=many " + blade, {"which is not a whole number"});
  expect_refused("check --set leaf_size " + blade, {"write NAME=VALUE"});
  expect_refused("check --method brute-force --set leaf_size=1 " + blade, {"has no settings"});
}

TEST(CheckOptions, OnlyNearNamesAreSuggested) {
  const TemporaryFolder folder;
  const std::string blade = folder.write("blade.obj", kBlade);
  expect_refused("check --method bhv " + blade, {"did you mean 'bvh'?"});
  expect_refused("check --method nosuch " + blade, {"there are ", "kinetic"});
  expect_refused("chek " + blade, {"there is no subcommand 'chek'", "did you mean 'check'?"});
}

}  // namespace
}  // namespace pliant::testing
