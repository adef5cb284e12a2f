// Scenes recorded, replayed and turned into motions; the one list of them.
#include "pliant/scene/run_scene.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/scene/scene_library.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

namespace pliant {
namespace {

using testing::read_text;
using testing::says;

constexpr const char* kBall = R"(
[world]
frames = 4
method = "swept-bvh"
[[body]]
name = "ground"
kind = "fixed"
shape = { type = "box", size = [1, 1, 0.1] }
position = [0, 0, -0.05]
[[body]]
name = "ball"
kind = "pressure"
shape = { type = "icosphere", radius = 0.1, frequency = 3 }
position = [0, 0, 0.12]
material = "soft-ball"
)";

class RunScene : public ::testing::Test {
 protected:
  std::string folder(const char* name = "run") const { return root_ / name; }

  testing::TemporaryFolder root_;
};

TEST_F(RunScene, RecordsAndGoesOnAsIfItHadNeverStopped) {
  const RunEnding whole = run_scene(parse_scene(kBall, "ball.toml"), folder("whole"));
  ASSERT_TRUE(whole.done()) << whole.info.message;
  RunSceneSettings settings;
  settings.frames = 2;
  ASSERT_TRUE(run_scene(parse_scene(kBall, "ball.toml"), folder(), settings).done());
  settings.frames = 4;
  const RunEnding rest = resume_scene(folder(), settings);
  EXPECT_EQ(rest.info.checkpoint.hash, whole.info.checkpoint.hash);
  EXPECT_EQ(read_text(folder("run/ball.npy")), read_text(folder("whole/ball.npy")));
  EXPECT_EQ(rest.info.bodies[1].kind, "pressure");
  EXPECT_TRUE(rest.info.bodies[0].obstacle);
}

TEST_F(RunScene, SettingsOfMethodsChangeNothingThatIsFound) {
  const RunEnding plain = run_scene(parse_scene(kBall, "ball.toml"), folder("plain"));
  RunSceneSettings settings;
  settings.method_settings = {"leaf_size=2", "rebuild_growth=1"};
  const RunEnding other = run_scene(parse_scene(kBall, "ball.toml"), folder("other"), settings);
  settings.method = "auto";
  settings.method_settings.push_back("renewal=1");  // of one of the two
  const RunEnding chosen = run_scene(parse_scene(kBall, "ball.toml"), folder("auto"), settings);
  EXPECT_EQ(other.info.checkpoint.hash, plain.info.checkpoint.hash);
  EXPECT_EQ(chosen.info.checkpoint.hash, plain.info.checkpoint.hash);
}

TEST_F(RunScene, RefusesSettingsThatNoMethodInUseHas) {
  const auto refusal = [&](const char* method, const char* text) -> std::string {
    RunSceneSettings settings;
    settings.method = method;
    settings.method_settings = {text};
    try {
      run_scene(parse_scene(kBall, "ball.toml"), folder(), settings);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_TRUE(says(refusal("", "renewal=1"), "method 'swept-bvh' has no setting 'renewal'"));
  EXPECT_TRUE(says(refusal("auto", "renewall=1"), "auto tries swept-bvh and kinetic: none of the methods"));
  EXPECT_TRUE(says(refusal("auto", "renewall=1"), "did you mean 'renewal'?"));
  EXPECT_TRUE(says(refusal("kinetic", "renewal=0"), "out of range"));
  EXPECT_FALSE(std::filesystem::exists(folder()));
}

TEST_F(RunScene, AHugeBudgetOfASceneIsNone) {
  const RunEnding ending =
      run_scene(parse_scene(std::string(kBall).insert(9, "budget = 1e308\n"), "ball.toml"), folder());
  EXPECT_TRUE(ending.done()) << ending.info.message;
  EXPECT_EQ(ending.info.totals.late, 0u);
}

TEST_F(RunScene, LeavesTheFolderAloneIfTheSceneCannotBeBuilt) {
  const std::string bad = std::string(kBall) + "[[body]]\nname = 'x'\nkind = 'fixed'\nmesh = 'no.obj'\n";
  EXPECT_THROW(run_scene(parse_scene(bad, "bad.toml"), folder()), Error);
  EXPECT_FALSE(std::filesystem::exists(folder()));
}

TEST_F(RunScene, TheFineSurfaceFollowsABodyThatWasMadeCoarser) {
  constexpr const char* kFine =
      "[[body]]\nname = 'ball'\nkind = 'fem'\nshape = { type = 'icosphere', radius = 0.1, frequency = 8 }\n"
      "coarse = 100\nmaterial = 'rubber'\nfit = '30 cm'\nposition = [1, 2, 3]\nvelocity = [0, 0, 5]\n";
  const auto record = [&](const char* name, int frames, const std::string& more = {}) {
    RunSceneSettings settings;
    settings.frames = frames;
    settings.replace = true;
    settings.record.exports.gltf = true;
    return run_scene(parse_scene(kFine + more, "fine.toml"), folder(name), settings);
  };
  const RunEnding whole = record("a", 4);
  ASSERT_TRUE(whole.done()) << whole.info.message;
  EXPECT_EQ(whole.info.bodies[0].dense->triangles, 20u * 8 * 8);
  const MeshPtr dense = read_mesh(folder("a/ball.dense.ply"));
  const auto frames = open_motion(folder("a/ball.dense.npy"));
  ASSERT_EQ(frames->frame_count(), 5u);
  const Frame first = frames->frame(0), last = frames->frame(4);
  EXPECT_TRUE(std::ranges::equal(first.positions(), dense->positions()));
  const MeshPtr coarse = read_mesh(folder("a/ball.ply"));
  const Frame coarse_last = open_motion(folder("a/ball.npy"))->frame(4);
  const Vec3 moved = coarse_last.positions()[0] - coarse->positions()[0];
  for (std::size_t v = 0; v < last.positions().size(); ++v)
    ASSERT_LT((last.positions()[v] - first.positions()[v] - moved).norm(), 0.02) << v;
  EXPECT_TRUE(std::filesystem::exists(folder("a/ball.dense.glb")));

  ASSERT_TRUE(record("b", 2).done());
  RunSceneSettings longer;
  longer.frames = 4;
  ASSERT_TRUE(resume_scene(folder("b"), longer).done());
  EXPECT_EQ(read_text(folder("b/ball.dense.npy")), read_text(folder("a/ball.dense.npy")));
  ASSERT_TRUE(record("a", 1, "dense = false\n").done());
  EXPECT_FALSE(std::filesystem::exists(folder("a/ball.dense.npy")));
}

TEST_F(RunScene, GoesOnInShorterStepsWhereABodyNeedsMoreSubsteps) {
  // Held at one end and drawn by forty times its weight, it soon needs more sub-steps in a frame than allowed in a
  // step.
  const RunEnding ending = run_scene(parse_scene(R"(
[world]
frames = 60
gravity = [0, 0, -400]
[[body]]
name = "bar"
kind = "fem"
shape = { type = "tet_box", size = [0.1, 0.1, 0.5], cells = [2, 2, 8] }
material = "jelly"
integrator = "runge_kutta4"
max_substeps = 30
self_collision = false
pins = [{ min = [-1, -1, 0.24], max = [1, 1, 1] }]
)",
                                                 "my.toml"),
                                     folder());
  EXPECT_EQ(ending.info.outcome, RunOutcome::done) << ending.info.message;
}

TEST_F(RunScene, StopsNamingBodiesWhenObstaclesLeaveNoRoom) {
  const RunEnding ending = run_scene(parse_scene(R"(
[world]
frames = 60
method = "swept-bvh"
[[body]]
name = "floor"
kind = "fixed"
shape = { type = "grid", columns = 1, rows = 1 }
[[body]]
name = "press"
kind = "keyframed"
shape = { type = "grid", columns = 1, rows = 1 }
position = [0, 0, 0.2]
motion = { velocity = [0, 0, -1] }
[[body]]
name = "sheet"
kind = "cloth"
shape = { type = "grid", width = 0.3, depth = 0.3, columns = 2, rows = 2 }
position = [0.01, 0.02, 0.1]
)",
                                                 "my.toml"),
                                     folder());
  EXPECT_EQ(ending.info.outcome, RunOutcome::pinched);
  EXPECT_FALSE(ending.can_be_resumed());
  EXPECT_TRUE(says(ending.info.message, "frame ")) << ending.info.message;
  EXPECT_TRUE(says(ending.info.message, "press")) << ending.info.message;
  EXPECT_GT(read_run(folder()).checkpoint.rows, 1u);
}

// Nothing answers for what they do: all of it is there to be found.
TEST_F(RunScene, ReplaysMadeMotionsWithEverythingToBeChecked) {
  RunSceneSettings settings;
  settings.frames = 6;
  settings.triangles = 1200;
  std::vector<std::string> notes;
  settings.note = [&](const std::string& note) { notes.push_back(note); };
  const RunEnding ending = run_scene(library_scene("teapot-sphere"), folder(), settings);
  ASSERT_TRUE(ending.done()) << ending.info.message;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(says(notes[0], "nothing is simulated")) << notes[0];
  const RunInfo info = read_run(folder());
  EXPECT_TRUE(info.replayed);
  const MovingScene made = make_scene("teapot-sphere", {.triangles = 1200, .frames = 7});
  ASSERT_EQ(info.bodies.size(), made.bodies.size());
  for (std::size_t b = 0; b < made.bodies.size(); ++b) {
    EXPECT_FALSE(info.bodies[b].obstacle);
    const auto rows = open_motion(folder(("run/" + info.bodies[b].name + ".npy").c_str()));
    ASSERT_EQ(rows->frame_count(), 7u);
    for (std::size_t k = 0; k < 7; ++k) {
      const Frame recorded = rows->frame(k), wanted = made.bodies[b].motion.frame(k);
      for (std::size_t v = 0; v < wanted.positions().size(); ++v)
        ASSERT_LT((recorded.positions()[v] - wanted.positions()[v]).norm(), 1e-9) << b << ' ' << k;
    }
  }
}

TEST_F(RunScene, AReplayGoesOnWithTheMotionThatItHad) {
  RunSceneSettings settings;
  settings.frames = 6;
  settings.triangles = 2000;
  const RunEnding whole = run_scene(library_scene("n-bodies"), folder("whole"), settings);
  std::atomic<bool> stop = false;
  settings.record.budget = Budget::cancelled_by(stop);
  settings.record.progress = [&](const RunProgress& now) { stop = now.frame >= 2; };
  EXPECT_FALSE(run_scene(library_scene("n-bodies"), folder(), settings).done());
  const RunEnding rest = resume_scene(folder());
  EXPECT_TRUE(rest.done());
  EXPECT_EQ(rest.info.checkpoint.hash, whole.info.checkpoint.hash);
}

TEST(SceneReplay, IsAsLongAndAsLargeAsItIsAskedFor) {
  SceneDescription scene = library_scene("swirl");
  SceneSettings settings = scene.replay->settings;
  EXPECT_EQ(settings.frames, 61u);
  settings.triangles = 5000;
  settings.frames = 8;
  set_replay(scene, settings);
  const SceneDescription again = parse_scene(scene.text, "swirl.toml");
  EXPECT_EQ(again.frames, 7);
  EXPECT_EQ(again.replay->settings.triangles, 5000u);
  EXPECT_EQ(again.world.frame_seconds, scene.world.frame_seconds);
  EXPECT_EQ(again.title, scene.title);
  SceneDescription other = library_scene("cloth_on_ball");
  EXPECT_THROW(set_replay(other, settings), Error);
  EXPECT_THROW(parse_scene("[replay]\nmotion = 'tablecloht'\n", "my.toml"), Error);
  EXPECT_THROW(parse_scene(std::string("[replay]\nmotion = 'swirl'\n") + kBall, "my.toml"), Error);
}

TEST(SceneList, HoldsEverySceneOnceAndSaysWhichSizesItHas) {
  std::size_t made = 0;
  const std::vector<SceneSummary> all = scene_summaries();
  EXPECT_EQ(all.size(), library_scenes().size());
  for (const SceneSummary& scene : all) {
    EXPECT_FALSE(scene.title.empty()) << scene.name;
    EXPECT_GT(scene.bodies, 0u) << scene.name;
    EXPECT_EQ(scene.simulated, !scene.triangles.has_value()) << scene.name;
    made += scene.simulated ? 0 : 1;
  }
  EXPECT_EQ(made, procedural_scenes().size());
  for (const SceneInfo& info : procedural_scenes()) {
    EXPECT_EQ(library_scene(info.name).replay->motion, info.name);
    EXPECT_EQ(make_scene(info.name, {.triangles = 10'000, .frames = 1}).bodies.size(), info.bodies) << info.name;
  }
}

TEST(MovingSceneOf, ASimulatedSceneIsWhatTheWorldDoes) {
  const SceneDescription scene = parse_scene(kBall, "ball.toml");
  const MovingScene moving = moving_scene(scene, {.frames = 4});
  ASSERT_EQ(moving.bodies.size(), 2u);
  EXPECT_EQ(moving.frame_count(), 4u);
  EXPECT_FALSE(moving.bodies[0].motion.moves());
  BuiltScene built = build_world(scene);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(built.world.step().ok());
  const auto x = built.world.body(BodyId(1)).positions();
  const Frame last = moving.bodies[1].motion.frame(3);
  EXPECT_TRUE(std::equal(x.begin(), x.end(), last.positions().begin(), last.positions().end()));
  EXPECT_THROW(moving_scene(scene, {.frames = 1}), Error);
  std::atomic<bool> stop = true;
  EXPECT_THROW(moving_scene(scene, {.frames = 4, .budget = Budget::cancelled_by(stop)}), Error);
  EXPECT_EQ(moving_scene(library_scene("n-bodies"), {.frames = 3, .triangles = 2000}).frame_count(), 3u);
}

std::vector<std::string> notes_of_spin(const std::string& turns, const std::string& world = "") {
  return build_world(parse_scene("[world]\nfps = 60\n" + world +
                                     "[[body]]\nname = 'wheel'\nkind = 'keyframed'\nshape = { type = 'box' }\n"
                                     "motion = { turns_per_second = " +
                                     turns + " }\n",
                                 "spin.toml"))
      .notes;
}

TEST(SceneBuilder, NotesASpinThatFramesCannotShow) {
  EXPECT_TRUE(notes_of_spin("29").empty());
  EXPECT_TRUE(notes_of_spin("-29").empty());
  ASSERT_EQ(notes_of_spin("120").size(), 1u);
  const std::string whole = notes_of_spin("120")[0];
  EXPECT_TRUE(says(whole, "'wheel' turns 2 times per frame, and will seem to stand still")) << whole;
  EXPECT_TRUE(says(whole, "it collides that way, too")) << whole;
  EXPECT_TRUE(says(whole, "raise fps to 241 or more")) << whole;
  EXPECT_TRUE(says(notes_of_spin("45")[0], "will seem to turn backwards"));
  EXPECT_TRUE(says(notes_of_spin("-75")[0], "will seem to turn slower than it does"));
  // Steps that are short enough see it; frames do not.
  const std::string seen = notes_of_spin("60", "substeps = 4\n")[0];
  EXPECT_TRUE(says(seen, "stand still") && !says(seen, "collides")) << seen;
}

}  // namespace
}  // namespace pliant
