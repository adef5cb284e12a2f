// What the command may write to, and what it refuses to: never its own inputs.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pliant/io/motion_file.h"
#include "pliant/io/tet_file.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

namespace fs = std::filesystem;

// A ball in `ball.ply` that stays where it is: for three frames in `still.npy` and in `w.0007.obj`, `w.0008.obj`, ...
class Outputs : public ::testing::Test {
 protected:
  Outputs() {
    const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 2});
    write_mesh(path("ball.ply"), *ball);
    MotionWriter writer(path("still.npy"), ball->vertex_count(), {});
    for (std::size_t k = 0; k < 3; ++k) {
      writer.add(ball->positions());
      write_mesh(path("w.000" + std::to_string(7 + k) + ".obj"), *ball);
    }
    writer.finish();
  }

  std::string path(const std::string& name) const { return folder_.path(name); }
  // Arguments with @ for the folder.
  Outcome run(std::string arguments) const {
    for (std::size_t at = arguments.find('@'); at != std::string::npos; at = arguments.find('@', at))
      arguments.replace(at, 1, path(""));
    return run_pliant(arguments);
  }
  // The command refuses to overwrite `input`, and does not.
  void expect_refused(const std::string& arguments, const std::string& input) const {
    const std::string before = read_text(path(input));
    ASSERT_FALSE(before.empty()) << input;
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_NE(outcome.err.find("would overwrite an input: " + path(input)), std::string::npos) << outcome.err;
    EXPECT_EQ(read_text(path(input)), before) << arguments;
  }

  TemporaryFolder folder_;
};

TEST_F(Outputs, CheckRefusesToWriteItsReportOverAnInput) {
  expect_refused("check @ball.ply --json @ball.ply", "ball.ply");
  expect_refused("check @ball.ply --motion @still.npy --json @still.npy", "still.npy");
  expect_refused("check @ball.ply --motion @w.%04d.obj --json @w.0008.obj", "w.0008.obj");
}

TEST_F(Outputs, ALinkToAnInputIsThatInput) {
  fs::create_symlink("ball.ply", path("link.json"));
  expect_refused("check @ball.ply --json @link.json", "ball.ply");
  expect_refused("convert @ball.ply @../" + fs::path(path("")).parent_path().filename().string() + "/ball.ply",
                 "ball.ply");
}

TEST_F(Outputs, ConvertRefusesToWriteOverAnInput) {
  expect_refused("convert @ball.ply @ball.ply --scale 2", "ball.ply");
  expect_refused("convert @still.npy @still.npy --step 2", "still.npy");
  expect_refused("convert @ball.ply @still.npy --motion @still.npy", "still.npy");
  expect_refused("convert @still.npy @ball.ply --mesh @ball.ply --end 0", "ball.ply");
}

// The first frame written could be the third one to be read.
TEST_F(Outputs, ConvertRefusesToWriteASequenceOverItself) {
  expect_refused("convert @w.%04d.obj @w.%04d.obj --step 2", "w.0007.obj");
  EXPECT_FALSE(fs::exists(path("w.0000.obj")));
  ASSERT_EQ(run("convert @w.%04d.obj @p.%04d.vtp").status, 0);
  expect_refused("convert @p.%04d.vtp @p.pvd", "p.0000.vtp");
  EXPECT_EQ(run("convert @w.%04d.obj @v.%04d.obj").status, 0);
}

TEST_F(Outputs, ConvertKnowsTheSecondFileOfATetgenMesh) {
  const TetMesh tet({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                    {{VertexId(0), VertexId(1), VertexId(2), VertexId(3)}});
  write_tets(path("t.node"), tet);
  expect_refused("convert @t.ele @t.node", "t.node");
}

// The numbers of a .gltf are in a file of their own.
TEST_F(Outputs, TheBuffersOfAGltfFileAreInputs) {
  ASSERT_EQ(run("convert @ball.ply @anim.gltf --motion @still.npy").status, 0);
  expect_refused("check @anim.gltf --motion @anim.gltf --json @anim.bin", "anim.bin");
  expect_refused("check @anim.gltf --json @anim.bin", "anim.bin");
  expect_refused("check @ball.ply --motion @anim.gltf --contacts @anim.bin", "anim.bin");
  expect_refused("prepare @anim.gltf -o @anim.bin --tets stuffing", "anim.bin");
  expect_refused("prepare @anim.gltf -o @anim.pliant --json @anim.bin --tets stuffing", "anim.bin");
  expect_refused("convert @anim.gltf @anim.bin", "anim.bin");
  fs::rename(path("anim.gltf"), path("other.gltf"));
  expect_refused("convert @other.gltf @anim.gltf", "anim.bin");
}

TEST_F(Outputs, EveryFileThatIsReadIsAnInput) {
  write_tets(path("t.node"), *make_tet_box());
  expect_refused("check @t.node --json @t.ele", "t.ele");
  expect_refused("prepare @t.ele -o @t.node --tets stuffing", "t.node");
  ASSERT_EQ(run("convert @ball.ply @p.pvd --motion @still.npy").status, 0);
  expect_refused("check @ball.ply --motion @p.pvd --json @p.0001.vtp", "p.0001.vtp");
  expect_refused("check @ball.ply --motion @p.pvd --json @p.pvd", "p.pvd");
  fs::create_directory(path("frames"));
  ASSERT_EQ(run("convert @ball.ply @frames/w.%02d.obj --motion @still.npy").status, 0);
  expect_refused("check @ball.ply --motion @frames --json @frames/w.02.obj", "frames/w.02.obj");
  expect_refused("convert @frames @frames/w.01.obj --end 0", "frames/w.01.obj");
  expect_refused("check @ball.ply --motion '@w.*.obj' --json @w.0009.obj", "w.0009.obj");
  fs::copy(path("ball.ply"), path("hits.points.vtp"));
  expect_refused("check @hits.points.vtp --contacts @hits.vtp", "hits.points.vtp");
}

TEST_F(Outputs, RunRefusesToWriteItsSummaryOverTheScene) {
  const std::string body = "[world]\nframes = 1\n[[body]]\nname = 'ball'\nkind = 'fixed'\nmesh = 'ball.ply'\n";
  std::ofstream(path("ball.toml")) << body;
  expect_refused("run @ball.toml --out @out --json @ball.toml", "ball.toml");
  expect_refused("run @ball.toml --out @out --json @ball.ply", "ball.ply");
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(Outputs, RunAndBenchRefuseToWriteOverAMeshThatIsFoundByItsName) {
  fs::create_directory(path("assets"));
  fs::copy(path("ball.ply"), path("assets/orb.ply"));
  std::ofstream(path("orb.toml")) << "[world]\nframes = 1\n[[body]]\nname = 'orb'\nkind = 'fixed'\nmesh = 'orb'\n";
  ::setenv("PLIANT_ASSETS", path("assets").c_str(), 1);
  expect_refused("run @orb.toml --out @out --json @assets/orb.ply", "assets/orb.ply");
  expect_refused("bench @orb.toml --json @assets/orb.ply", "assets/orb.ply");
  expect_refused("bench @orb.toml --json @orb.toml", "orb.toml");
  ::unsetenv("PLIANT_ASSETS");
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(Outputs, PrepareRefusesToWriteOverTheMeshOrTheSameFileTwice) {
  expect_refused("prepare @ball.ply -o @ball.ply --tets stuffing", "ball.ply");
  expect_refused("prepare @ball.ply -o @ball.pliant --json @ball.ply --tets stuffing", "ball.ply");
  const Outcome twice = run("prepare @ball.ply -o @both --json @both --tets stuffing");
  EXPECT_EQ(twice.status, 2);
  EXPECT_NE(twice.err.find("is to be written twice"), std::string::npos) << twice.err;
  EXPECT_FALSE(fs::exists(path("both")));
}

TEST_F(Outputs, AReportGoesThroughALinkAndIntoAPipe) {
  fs::create_symlink("real.json", path("link.json"));
  EXPECT_EQ(run("check -q @ball.ply --json @link.json").status, 0);
  EXPECT_TRUE(fs::is_symlink(path("link.json")));
  EXPECT_EQ(nlohmann::json::parse(read_text(path("real.json")))["schema"], "pliant.check/2");

  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int both_ends = ::open(path("pipe").c_str(), O_RDWR | O_NONBLOCK);
  EXPECT_EQ(run("check -q @ball.ply --json @pipe").status, 0);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  std::string text(100000, '\0');
  const ssize_t count = ::read(both_ends, text.data(), text.size());
  ::close(both_ends);
  ASSERT_GT(count, 0);
  text.resize(static_cast<std::size_t>(count));
  EXPECT_EQ(nlohmann::json::parse(text)["schema"], "pliant.check/2");
}

}  // namespace
}  // namespace pliant::testing
