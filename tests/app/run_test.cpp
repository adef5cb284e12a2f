// `pliant run`: scenes in, recordings out, however a run ends.
#include <csignal>
#include <cstring>
#include <map>
#include <regex>
#include <thread>

#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/io/tet_file.h"
#include "pliant/mesh/shapes.h"
#include "tests/app/run_command.h"
#include "tests/support/errors.h"

namespace pliant::testing {
namespace {

constexpr const char* kCloth = R"(
[world]
frames = 12
method = "swept-bvh"

[[body]]
name = "ball"
kind = "keyframed"
shape = { type = "icosphere", radius = 0.2, frequency = 3 }
motion = { turns_per_second = 0.5 }

[[body]]
name = "cloth"
kind = "cloth"
shape = { type = "grid", width = 0.6, depth = 0.6, columns = 10, rows = 10 }
position = [0, 0, 0.21]
material = "cotton"
)";

class Run : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string scene(const std::string& text = kCloth) const { return folder_.write("scene.toml", text); }
  Outcome run(const std::string& arguments) const { return run_pliant("run -q --json - " + arguments); }
  Outcome run_to(const std::string& out, const std::string& options = {}) const {
    return run(scene() + " --out " + path(out) + " " + options);
  }
  std::string refusal(const std::string& text) const {
    const Outcome outcome = run(folder_.write("bad.toml", text) + " --out " + path("bad"));
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path("bad")));
    return outcome.err;
  }

  TemporaryFolder folder_;
};

TEST_F(Run, ScenesWithManyPartsStartFreeOfCollisionsAndWarnings) {
  for (const char* name : {"stack", "flag", "skirt", "trampoline", "pressure_pile"}) {
    const Outcome outcome = run(std::string(name) + " --frames 3 --out " + path(name));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(outcome.json()["warnings"].empty()) << name << ": " << outcome.json()["warnings"].dump();
    EXPECT_EQ(run_pliant("check -q " + path(name)).status, 0) << name;
  }
}

TEST_F(Run, SaysWhatIsWrongInTheSummaryAndInRunJson) {
  const std::string frail = std::regex_replace(std::string(kCloth), std::regex("material = \"cotton\""),
                                               "material = { preset = \"cotton\", stretch_limit = 1e-6 }");
  const Outcome outcome = run_pliant("run " + scene(frail) + " --out " + path("a"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "warning: cloth: threads are stretched by ")) << outcome.out;
  EXPECT_TRUE(says(outcome.out, "shorten substep")) << outcome.out;
  const auto warnings = nlohmann::json::parse(read_text(path("a/run.json")))["warnings"];
  ASSERT_EQ(warnings.size(), 1u) << warnings.dump();
  EXPECT_EQ(warnings[0]["body"], "cloth");
  EXPECT_GT(warnings[0]["frame"], 0);
  EXPECT_TRUE(says(warnings[0]["what"].get<std::string>(), "beyond the 0.0001 %")) << warnings.dump();
  EXPECT_FALSE(warnings[0]["remedy"].get<std::string>().empty());
}

TEST_F(Run, RecordsASceneThatCheckFindsFreeOfCollisions) {
  const Outcome outcome = run_to("a", "--pc2 --gltf");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["schema"], "pliant.run/1");
  EXPECT_EQ(json["outcome"], "done");
  EXPECT_EQ(json["frames_done"], 12);
  EXPECT_GT(json["totals"]["contacts"], 0);
  EXPECT_EQ(open_motion(path("a/cloth.pc2"))->frame_count(), 13u);
  EXPECT_EQ(open_motion(path("a/cloth.glb"), {.frames_per_second = 60})->frame_count(), 13u);
  EXPECT_EQ(open_motion(path("a/cloth.npy"))->frame_count(), json["checkpoint"]["rows"]);

  const Outcome check = run_pliant("check --json - " + path("a"));
  EXPECT_EQ(check.status, 0) << check.out;
  EXPECT_EQ(check.json()["frames"], json["checkpoint"]["rows"]);
  EXPECT_EQ(check.json()["bodies"].size(), 2u);
  EXPECT_EQ(run_pliant("check -q " + path("a") + " --start 2").status, 2);
  EXPECT_EQ(run_pliant("check -q " + path("a") + " " + path("a/cloth.ply")).status, 2);
}

TEST_F(Run, ASearchBudgetThatIsTooShortForAProofEndsTheRunAndSaysSo) {
  const Outcome outcome = run_to("a", "--search-budget 1ns");
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_EQ(outcome.json()["frames_done"], 0);
  EXPECT_EQ(outcome.json()["search_seconds"], 1e-9);
  // What it left is gone on with, in time enough.
  const Outcome rest = run("--resume " + path("a") + " --search-budget 60s");
  ASSERT_EQ(rest.status, 0) << rest.err;
  ASSERT_EQ(run_to("whole").status, 0);
  EXPECT_EQ(read_text(path("a/cloth.npy")), read_text(path("whole/cloth.npy")));
}

TEST_F(Run, IsCheckedWithoutWhatTheSceneLeavesOut) {
  const std::string text = std::string(kCloth) + "self_collision = false\n[[pair]]\na='ball'\nb='cloth'\nignore=true\n";
  ASSERT_EQ(run(scene(text) + " --frames 30 --out " + path("a")).status, 0);
  const Outcome check = run_pliant("check " + path("a"));
  EXPECT_EQ(check.status, 0) << check.out;
  EXPECT_TRUE(
      says(check.err, "left out, as in the scene: obstacles among themselves, cloth with itself, ball with cloth"))
      << check.err;
  // It did fall through the ball.
  const std::string files = path("a/ball.ply") + " --motion " + path("a/ball.npy") + " " + path("a/cloth.ply") +
                            " --motion " + path("a/cloth.npy");
  EXPECT_EQ(run_pliant("check -q --no-self " + files).status, 1);
}

TEST_F(Run, GivesTheSameBitsForAnyNumberOfThreads) {
  // A soft ball falls onto the cloth while that falls onto the turning one.
  const std::string text = std::string(kCloth) +
                           "[[body]]\nname = 'drop'\nkind = 'pressure'\nmaterial = 'soft-ball'\n"
                           "shape = { type = 'icosphere', radius = 0.08, frequency = 3 }\n"
                           "position = [0.01, 0.02, 0.31]\nvelocity = [0, 0, -2]\n";
  const auto one = run(scene(text) + " --frames 20 --threads 1 --out " + path("a"));
  const auto two = run(scene(text) + " --frames 20 --threads 2 --out " + path("b"));
  ASSERT_EQ(one.status, 0) << one.err;
  const std::string contacts = read_text(path("a/contacts.csv"));
  ASSERT_TRUE(std::regex_search(contacts, std::regex("cloth,[^,\\n]*,drop|drop,[^,\\n]*,cloth"))) << "they never meet";
  EXPECT_EQ(one.json()["hash"], two.json()["hash"]);
  EXPECT_EQ(contacts, read_text(path("b/contacts.csv")));
  for (const char* name : {"/cloth.npy", "/drop.npy"})
    EXPECT_EQ(read_text(path("a") + name), read_text(path("b") + name));
}

TEST_F(Run, GoesOnAsIfItHadNeverStopped) {
  const auto whole = run_to("whole").json();
  ASSERT_EQ(run_to("a", "--frames 5").status, 0);
  const Outcome rest = run("--resume " + path("a") + " --frames 12");
  ASSERT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(rest.json()["hash"], whole["hash"]);
  EXPECT_EQ(read_text(path("a/cloth.npy")), read_text(path("whole/cloth.npy")));
  EXPECT_EQ(run("--resume " + path("a") + " --force").status, 2);
}

TEST_F(Run, LeavesARecordingAsItIsWhenThereIsNothingToGoOnWith) {
  ASSERT_EQ(run_to("a", "--frames 40 --method auto").status, 0);
  const std::string before = read_text(path("a/run.json"));
  ASSERT_NE(nlohmann::json::parse(before)["method_in_use"], "auto");
  const Outcome fewer = run("--resume " + path("a") + " --frames 3");
  EXPECT_EQ(fewer.status, 2);
  EXPECT_TRUE(says(fewer.err, "40 frames are recorded already")) << fewer.err;
  EXPECT_EQ(read_text(path("a/run.json")), before);
  const Outcome same = run("--resume " + path("a"));
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_EQ(read_text(path("a/run.json")), before);
  EXPECT_EQ(same.out, before);
  // Nor does one more frame, too few to choose anew, forget the method that was chosen.
  const Outcome more = run("--resume " + path("a") + " --frames 41");
  EXPECT_EQ(more.json()["method_in_use"], nlohmann::json::parse(before)["method_in_use"]);
}

// The JSON of a .glb, which stands behind 20 bytes of headers.
nlohmann::json glb_text(const std::string& path) {
  const std::string bytes = read_text(path);
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data() + 12, sizeof size);
  return nlohmann::json::parse(bytes.substr(20, size));
}

TEST_F(Run, ShowsAllBodiesInOneFileForAViewer) {
  const std::string floor =
      "[[body]]\nname = 'floor'\nkind = 'fixed'\nshape = { type = 'box' }\nposition = [0, 0, -1]\n";
  const std::string block =
      "[[body]]\nname = 'block'\nkind = 'fem'\nshape = { type = 'icosphere', radius = 0.1, frequency = 8 }\n"
      "coarse = 100\nmaterial = 'rubber'\nposition = [2, 0, 0]\n";
  ASSERT_EQ(run(scene(kCloth + floor + block) + " --frames 3 --gltf --out " + path("a")).status, 0);
  const nlohmann::json text = glb_text(path("a/run.glb"));
  std::map<std::string, std::size_t> targets;
  for (const auto& mesh : text["meshes"])
    targets[mesh["name"]] = mesh["primitives"][0].contains("targets") ? mesh["primitives"][0]["targets"].size() : 0;
  EXPECT_EQ(targets, (std::map<std::string, std::size_t>{{"ball", 3}, {"cloth", 3}, {"floor", 0}, {"block", 3}}));

  const MeshPtr all = read_mesh(path("a/run.glb"));
  const auto frames = open_motion(path("a/run.glb"), {.frames_per_second = 60});
  ASSERT_EQ(frames->frame_count(), 4u);
  const Frame last = frames->frame(3);
  std::size_t v = 0;
  for (const char* name : {"ball", "cloth", "floor", "block.dense"}) {
    const auto rows = open_motion(path(std::string("a/") + name + ".npy"));
    const Frame end = rows->frame(rows->frame_count() - 1);
    ASSERT_LE(v + end.positions().size(), last.positions().size());
    for (const Vec3& p : end.positions()) ASSERT_LT((last.positions()[v++] - Vec3(p.x(), p.z(), -p.y())).norm(), 1e-5);
  }
  EXPECT_EQ(v, all->vertex_count());
}

TEST_F(Run, DoesNotReplaceARecordingUnasked) {
  ASSERT_EQ(run_to("a", "--frames 2").status, 0);
  const Outcome again = run_to("a", "--frames 3");
  EXPECT_EQ(again.status, 2);
  EXPECT_TRUE(says(again.err, "--resume")) << again.err;
  EXPECT_EQ(run_to("a", "--frames 3 --force").json()["frames_done"], 3);
  std::filesystem::create_directories(path("mine"));
  folder_.write("mine/notes.txt", "mine");
  EXPECT_EQ(run_to("mine", "--force").status, 2);
  EXPECT_TRUE(std::filesystem::exists(path("mine/notes.txt")));
}

// Whether a process has a handler of its own for SIGINT.
bool catches_interrupts(pid_t process) {
  std::istringstream status(read_text("/proc/" + std::to_string(process) + "/status"));
  for (std::string line; std::getline(status, line);)
    if (line.rfind("SigCgt:", 0) == 0) return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
  return false;
}

// A run in a process of its own, so long that it is not done when it is stopped. It has recorded something.
class RunningChild {
 public:
  RunningChild(const std::string& scene, const std::string& out) {
    const std::string command =
        std::string("exec ") + PLIANT_COMMAND_PATH + " run -q " + scene + " --frames 1000000 --out " + out;
    process_ = ::fork();
    if (process_ == 0) {
      ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }
    const auto has_begun = [&] { return std::filesystem::exists(out + "/run.json") && catches_interrupts(process_); };
    for (int patience = 60'000; patience > 0 && !has_begun(); --patience)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  // Its exit status; -1 if the signal ended it.
  int stop(int signal) const {
    ::kill(process_, signal);
    int status = 0;
    ::waitpid(process_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t process_ = -1;
};

TEST_F(Run, IsAloneInItsFolder) {
  const RunningChild child(scene(), path("a"));
  for (const Outcome& second : {run_to("a", "--force"), run("--resume " + path("a"))}) {
    EXPECT_EQ(second.status, 2);
    EXPECT_TRUE(says(second.err, "is being recorded into by another run (process ")) << second.err;
  }
  EXPECT_EQ(run_to("a").status, 2);
  EXPECT_EQ(run_pliant("check -q " + path("a")).status, 0);
  EXPECT_EQ(child.stop(SIGKILL), -1);
  EXPECT_EQ(run_to("a", "--force --frames 2").status, 0);
  EXPECT_FALSE(std::filesystem::exists(path("a/run.lock")));
}

TEST_F(Run, LeavesAResumableRecordingWhenInterrupted) {
  EXPECT_EQ(RunningChild(scene(), path("a")).stop(SIGINT), 3);
  const auto json = nlohmann::json::parse(read_text(path("a/run.json")));
  EXPECT_EQ(json["outcome"], "interrupted");
  EXPECT_EQ(run_pliant("check -q " + path("a")).status, 0);

  const std::string frames = "--frames " + std::to_string(json["frames_done"].get<int>() + 5);
  const Outcome rest = run("--resume " + path("a") + " " + frames);
  ASSERT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(rest.json()["hash"], run_to("whole", frames).json()["hash"]);
}

TEST_F(Run, LeavesAResumableRecordingWhenTheDiskIsFull) {
  const auto whole = run_to("whole").json();
  ASSERT_EQ(run_to("a", "--frames 3").status, 0);
  // No file may grow beyond 20 kB: the motion of the cloth would.
  const std::string command = "ulimit -f 40; exec " + std::string(PLIANT_COMMAND_PATH) + " run -q --resume " +
                              path("a") + " --frames 12 2>" + path("err");
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_TRUE(says(read_text(path("err")), "cannot be written")) << read_text(path("err"));
  EXPECT_EQ(run_pliant("check -q " + path("a")).status, 0);
  const Outcome rest = run("--resume " + path("a") + " --frames 12");
  ASSERT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(rest.json()["hash"], whole["hash"]);
  EXPECT_EQ(read_text(path("a/cloth.npy")), read_text(path("whole/cloth.npy")));
}

TEST_F(Run, RefusesBadScenesBeforeTheFirstStep) {
  const std::string ball = "[[body]]\nname='ball'\nkind='pressure'\nshape={type='icosphere',frequency=2}\n";
  EXPECT_TRUE(says(refusal(ball + "fricton = 1\n"), "bad.toml:5, key 'fricton' of body 'ball'"));
  EXPECT_TRUE(says(refusal(ball + "material = {density = '3 Pa'}\n"), "'3 Pa' is a pressure, not a mass per area"));
  EXPECT_TRUE(says(refusal(ball + "material = {density = 0}\n"), "not above zero"));
  EXPECT_TRUE(says(refusal(ball + "position = [0, 0, nan]\n"), "not a finite number"));
  EXPECT_TRUE(says(refusal("[world]\nfps = 1\n" + ball), "too large"));
  EXPECT_TRUE(
      says(refusal(ball + "max_substeps = 1\nmaterial = {stiffness = '1e9 N/m'}\n"), "the first step cannot be taken"));
  EXPECT_TRUE(says(refusal("[[body]]\nname='b'\nkind='fixed'\nmesh='no.obj'\n"), "no.obj: no such file"));
  EXPECT_TRUE(says(refusal("[[body]]\nname='b'\nkind='fixed'\nmesh='unicorn'\n"), "--mesh unicorn=FILE"));
  EXPECT_TRUE(says(refusal("[[body]]\nname='b'\nkind='pressure'\nshape={type='grid'}\n"), "body 'b'"));
  EXPECT_TRUE(
      says(refusal(ball + "[[body]]\nname='twin'\nkind='fixed'\nshape={type='icosphere'}\nposition=[0.5,0,0]\n"),
           "'ball' and 'twin' overlap"));
  EXPECT_TRUE(says(refusal("[world]\nmethod='swept-bhv'\n" + ball), "swept-bvh"));
}

TEST_F(Run, RefusesAMeshOfWhichSomeTetrahedraAreInsideOut) {
  folder_.write("two.mesh",
                "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n"
                "Tetrahedra 2\n1 2 3 4 0\n2 3 4 5 0\nEnd\n");
  const std::string right = "[[body]]\nname='b'\nkind='fem'\nmesh='two.mesh'\n";
  folder_.write("tangled.mesh",
                "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n"
                "Tetrahedra 2\n1 2 3 4 0\n3 2 4 5 0\nEnd\n");
  const Outcome first = run(folder_.write("s.toml", right) + " --frames 1 --out " + path("t"));
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_TRUE(says(refusal("[[body]]\nname='b'\nkind='fem'\nmesh='tangled.mesh'\n"),
                   "tangled.mesh: 1 of 2 tetrahedra are inside out"));
}

TEST_F(Run, UsesAMeshThatIsGivenByName) {
  write_mesh(path("mine.ply"), *make_icosphere({.radius = 1, .frequency = 4}));
  const std::string options = " --frames 1 --out " + path("a") + " --mesh bunny=" + path("mine.ply");
  const Outcome outcome = run_pliant("run bunnies --json - " + options);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["bodies"][1]["vertices"], 162);
  EXPECT_TRUE(says(outcome.err, "mesh 'bunny' from ")) << outcome.err;
}

TEST_F(Run, ReplaysAMadeMotionForCheckToJudge) {
  const std::string options = " --frames 12 --triangles 1200 --json - --out " + path("a");
  const Outcome replay = run_pliant("run teapot-sphere" + options);
  ASSERT_EQ(replay.status, 0) << replay.err;
  EXPECT_TRUE(says(replay.err, "nothing is simulated")) << replay.err;
  EXPECT_EQ(replay.json()["replayed"], true);
  const Outcome check = run_pliant("check --limit 1 " + path("a"));
  EXPECT_EQ(check.status, 1) << check.out;
  EXPECT_FALSE(says(check.err, "left out")) << check.err;
  const Outcome fixed = run_pliant("run cloth_on_ball" + options + "b");
  EXPECT_EQ(fixed.status, 2);
  EXPECT_TRUE(says(fixed.err, "has one size")) << fixed.err;
}

TEST_F(Run, SaysWhyAPlaceIsNotForARecording) {
  const std::string file = folder_.write("file", "mine");
  const Outcome at_file = run(scene() + " --out " + file);
  EXPECT_EQ(at_file.status, 2);
  EXPECT_TRUE(says(at_file.err, "is a file, not a folder")) << at_file.err;
  EXPECT_EQ(read_text(file), "mine");
  EXPECT_EQ(run(scene() + " --out /proc/nowhere").status, 2);
  EXPECT_EQ(run("--resume " + path("nothing")).status, 2);
  EXPECT_FALSE(std::filesystem::exists(path("nothing")));
}

TEST_F(Run, AHugeBudgetIsNoLimit) {
  const Outcome outcome = run_to("a", "--frames 1 --budget 1e300s");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["totals"]["late"], 0);
}

TEST_F(Run, RefusesABudgetThatIsNone) {
  for (const char* budget : {"''", "2", "soon"}) {
    const Outcome outcome = run_to("a", std::string("--budget ") + budget);
    EXPECT_EQ(outcome.status, 2) << budget;
    EXPECT_TRUE(says(outcome.err, "is not a duration")) << outcome.err;
  }
}

TEST_F(Run, ListsItsScenes) {
  const Outcome list = run_pliant("run --list");
  EXPECT_EQ(list.status, 0);
  const Outcome bench = run_pliant("bench --help");
  for (const char* name : {"cloth_on_ball", "pressure_10k", "fem_pressed", "tablecloth", "n-bodies"})
    for (const Outcome* both : {&list, &bench}) EXPECT_TRUE(says(both->out, name)) << name;
  EXPECT_TRUE(says(list.out, "2 000 to 250 000")) << list.out;
  const Outcome none = run_pliant("run cloth_on_bal");
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(says(none.err, "did you mean 'cloth_on_ball'?")) << none.err;
  EXPECT_EQ(run_pliant("run").status, 2);
}

}  // namespace
}  // namespace pliant::testing
