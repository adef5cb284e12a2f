// Recordings: what is in the folder, and that a run which was stopped goes on bit for bit.
#include "pliant/world/recording.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/mesh/shapes.h"
#include "tests/world/recorded.h"

namespace pliant {
namespace {

void step(World& world, Recording& recording, int frames) {
  for (int i = 0; i < frames; ++i) {
    const FrameReport report = world.step({}, &recording);
    ASSERT_TRUE(report.ok()) << report.message;
    recording.after(world, report);
  }
}

TEST_F(RecordingTest, HoldsEveryPieceOfEveryBody) {
  World world = small_world();
  const auto recording = Recording::begin(RecordingFolder::for_new(folder()), small_info(), world);
  step(world, *recording, 8);
  recording->checkpoint(world, RunOutcome::done);

  const std::vector<double> times = read_times(file_in(folder(), "times.npy"));
  EXPECT_EQ(times.front(), 0);
  EXPECT_EQ(times.back(), 8);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  for (std::size_t b = 0; b < world.body_count(); ++b) {
    const std::string name = world.name(BodyId(b));
    const MeshPtr mesh = read_mesh(file_in(folder(), name + ".ply"));
    const auto motion = open_motion(file_in(folder(), name + ".npy"), {.mesh = mesh});
    ASSERT_EQ(motion->frame_count(), times.size());
    const Frame last = motion->frame(times.size() - 1);
    const auto now = world.body(BodyId(b)).positions();
    EXPECT_TRUE(std::equal(now.begin(), now.end(), last.positions().begin(), last.positions().end()));
  }
  const RunInfo info = read_run(folder());
  EXPECT_EQ(info.outcome, RunOutcome::done);
  EXPECT_EQ(info.checkpoint.rows, times.size());
  EXPECT_EQ(info.checkpoint.hash, hash_of(world.snapshot()));
  EXPECT_EQ(info.scene_text, "title = \"small\"\n");
  EXPECT_EQ(info.bodies[1].triangles, 72u);
  EXPECT_GT(info.totals.contacts, 0u);
  const std::string contacts = read_text(file_in(folder(), "contacts.csv"));
  EXPECT_EQ(static_cast<std::uint64_t>(std::count(contacts.begin(), contacts.end(), '\n')), info.totals.contacts + 1);
}

TEST_F(RecordingTest, GoesOnFromTheLastCheckpointBitForBit) {
  World whole = small_world();
  const auto uninterrupted = Recording::begin(RecordingFolder::for_new(folder("whole")), small_info(), whole);
  step(whole, *uninterrupted, 8);
  uninterrupted->checkpoint(whole, RunOutcome::done);
  {
    World first = small_world();
    const auto recording = Recording::begin(RecordingFolder::for_new(folder()), small_info(), first);
    step(first, *recording, 3);
    recording->checkpoint(first, RunOutcome::running);
    step(first, *recording, 2);  // lost: the process ends here
  }
  World second = small_world();
  const auto recording = Recording::resume(RecordingFolder::of_recording(folder()), read_run(folder()), second);
  EXPECT_EQ(second.frame(), 3);
  step(second, *recording, 5);
  recording->checkpoint(second, RunOutcome::done);

  EXPECT_EQ(recording->info().checkpoint.hash, uninterrupted->info().checkpoint.hash);
  EXPECT_EQ(recording->info().totals.contacts, uninterrupted->info().totals.contacts);
  for (const char* file : {"cloth.npy", "ball.npy", "times.npy", "contacts.csv", "cloth.ply"})
    EXPECT_EQ(read_text(file_in(folder(), file)), read_text(file_in(folder("whole"), file))) << file;
}

TEST_F(RecordingTest, DropsAStepThatWasBrokenOff) {
  World world = small_world();
  const auto recording = Recording::begin(RecordingFolder::for_new(folder()), small_info(), world);
  step(world, *recording, 5);
  const std::uint64_t hash = hash_of(world.snapshot());
  world.step({}, recording.get());
  recording->back_to_last_step(world);
  EXPECT_EQ(hash_of(world.snapshot()), hash);
  recording->checkpoint(world, RunOutcome::interrupted, "stopped");
  EXPECT_EQ(read_run(folder()).checkpoint.hash, hash);
  EXPECT_EQ(read_times(file_in(folder(), "times.npy")).back(), 5);
}

TEST_F(RecordingTest, RefusesToGoOnWithAnotherWorld) {
  {
    World world = small_world();
    Recording::begin(RecordingFolder::for_new(folder()), small_info(), world);
  }
  World other({.method = "swept-bvh"});
  other.add(std::make_unique<FixedBody>(make_icosphere({.radius = 0.3, .frequency = 3})), {.name = "ball"});
  other.add(std::make_unique<FixedBody>(make_grid()), {.name = "cloth"});
  EXPECT_THROW(Recording::resume(RecordingFolder::of_recording(folder()), read_run(folder()), other), Error);
}

TEST_F(RecordingTest, RefusesARunFileThatIsDamaged) {
  std::filesystem::create_directories(folder());
  EXPECT_FALSE(is_run_folder(folder()));
  EXPECT_THROW(read_run(folder()), Error);
  write_file(file_in(folder(), "run.json"), "{\"schema\":\"pliant.run/1\"}");
  EXPECT_THROW(read_run(folder()), Error);
  write_file(file_in(folder(), "run.json"), "{\"schema\":\"pliant.run/9\"}");
  EXPECT_THROW(read_run(folder()), Error);
}

TEST(AppendFile, CanBeReadAtAnyTimeAndCutBack) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "a.npy";
  {
    NpyRows rows(path, 2, AppendFile::Open::create);
    const std::vector<Vec3> frame = {{1, 2, 3}, {4, 5, 6}};
    for (int i = 0; i < 3; ++i) rows.add(frame);
    rows.flush();
    rows.add(frame);  // not counted yet
    EXPECT_EQ(open_motion(path)->frame_count(), 3u);
    rows.cut(2);
    EXPECT_EQ(rows.rows(), 2u);
    EXPECT_EQ(open_motion(path)->frame_count(), 2u);
    EXPECT_THROW(rows.cut(5), Error);
  }
  NpyRows again(path, 2, AppendFile::Open::go_on);
  again.add(std::vector<Vec3>{{7, 8, 9}, {0, 0, 0}});
  again.flush();
  const auto motion = open_motion(path);
  ASSERT_EQ(motion->frame_count(), 3u);
  EXPECT_EQ(motion->frame(2).positions()[0], Vec3(7, 8, 9));
}

TEST(AppendFile, SaysWhenTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  AppendFile file("/dev/full", AppendFile::Open::go_on);
  file.append("text");
  EXPECT_THROW(file.flush(), Error);
}

}  // namespace
}  // namespace pliant
