// Whole runs: recorded to their end, stopped in the middle, resumed, and what stands in their way.
#include "pliant/world/record_run.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <limits>
#include <regex>

#include "pliant/io/motion_file.h"
#include "pliant/world/recording.h"
#include "tests/support/errors.h"
#include "tests/world/recorded.h"

namespace pliant {
namespace {

using testing::refusal;
using testing::says;

class RecordRun : public RecordingTest {
 protected:
  RunEnding record(const char* name, int frames, const RecordSettings& settings = {}) const {
    World world = small_world();
    RunInfo info = small_info();
    info.frames = frames;
    return record_run(world, info, folder(name), settings);
  }
  RunEnding resume(const char* name, int frames, const RecordSettings& settings = {}) const {
    World world = small_world();
    RecordingFolder held = RecordingFolder::of_recording(folder(name));
    RunInfo info = read_run(folder(name));
    info.frames = frames;
    return resume_run(world, info, std::move(held), settings);
  }
  bool exists(const char* file) const { return std::filesystem::exists(folder(file)); }
  void put(const char* file, const std::string& text = "mine") const { write_file(folder(file), text); }
};

TEST_F(RecordRun, StepsToTheLastFrameAndSaysSo) {
  std::vector<double> told;
  RecordSettings settings;
  settings.exports = {.pc2 = true, .gltf = true};
  settings.progress = [&](const RunProgress& now) {
    told.push_back(now.frame);
    EXPECT_EQ(now.frames, 8);
  };
  const RunEnding ending = record("a", 8, settings);
  EXPECT_TRUE(ending.done());
  EXPECT_EQ(ending.frames, 8);
  EXPECT_EQ(ending.info.checkpoint.frame, 8);
  EXPECT_EQ(ending.export_failure, "");
  EXPECT_EQ(told, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(read_run(folder("a")).outcome, RunOutcome::done);
  EXPECT_EQ(read_run(folder("a")).checkpoint.hash, ending.info.checkpoint.hash);
  EXPECT_EQ(open_motion(folder("a/cloth.pc2"))->frame_count(), 9u);
  EXPECT_TRUE(exists("a/run.glb"));
  EXPECT_FALSE(exists("a/run.lock"));
}

// Falls, and after three frames has no numbers any more.
class Failing : public BodyModel {
 public:
  explicit Failing(const MeshPtr& mesh)
      : BodyModel(mesh, {mesh->positions().begin(), mesh->positions().end()},
                  std::vector<double>(mesh->vertex_count(), 1)) {}

 private:
  StepStatus advance(double h, ParticleState& next) override {
    for (Vec3& x : next.x) x.z() -= h;
    if (seconds() > 2.5 / 60) next.x[0].z() = std::numeric_limits<double>::quiet_NaN();
    return {};
  }
};

TEST_F(RecordRun, StopsNamingBodyAndFrameWhenABodyDiverges) {
  World world;
  world.add(std::make_unique<Failing>(make_icosphere()), {"ball", {}, true});
  const RunEnding ending = record_run(world, {.scene = "mine", .frames = 8, .method = "swept-bvh"}, folder());
  EXPECT_EQ(ending.info.outcome, RunOutcome::diverged);
  EXPECT_FALSE(ending.can_be_resumed());
  EXPECT_TRUE(says(ending.info.message, "frame 4")) << ending.info.message;
  EXPECT_TRUE(says(ending.info.message, "ball")) << ending.info.message;
  EXPECT_EQ(read_run(folder()).checkpoint.rows, 4u);
}

TEST_F(RecordRun, DescribesBodiesByItselfIfNobodyDoes) {
  World world = small_world();
  record_run(world, {.scene = "mine", .frames = 1, .method = "swept-bvh"}, folder());
  EXPECT_EQ(read_run(folder()).bodies[1].name, "cloth");
  EXPECT_TRUE(read_run(folder()).bodies[0].obstacle);
  World other = small_world();
  RunInfo info = small_info();
  info.bodies.pop_back();
  EXPECT_TRUE(says(refusal([&] { record_run(other, info, folder("b")); }), "a recording of 1 bodies"));
}

TEST_F(RecordRun, StopsWhenItIsToldToAndGoesOnBitForBit) {
  const RunEnding whole = record("whole", 8);
  std::atomic<bool> stop = false;
  RecordSettings settings;
  settings.budget = Budget::cancelled_by(stop);
  settings.progress = [&](const RunProgress& now) { stop = now.frame >= 3; };
  const RunEnding first = record("a", 8, settings);
  EXPECT_EQ(first.info.outcome, RunOutcome::interrupted);
  EXPECT_TRUE(first.can_be_resumed());
  EXPECT_EQ(first.info.checkpoint.frame, 3);
  const RunEnding rest = resume("a", 8);
  EXPECT_TRUE(rest.done());
  EXPECT_EQ(rest.frames, 5);
  EXPECT_EQ(rest.info.checkpoint.hash, whole.info.checkpoint.hash);
  EXPECT_EQ(read_text(folder("a/cloth.npy")), read_text(folder("whole/cloth.npy")));
}

TEST_F(RecordRun, ADeadlineOfTheWholeIsAnInterruption) {
  RecordSettings settings;
  settings.budget = Budget::within_seconds(0);
  const RunEnding ending = record("a", 8, settings);
  EXPECT_EQ(ending.info.outcome, RunOutcome::interrupted);
  EXPECT_EQ(ending.info.checkpoint.frame, 0);
  EXPECT_TRUE(resume("a", 2).done());
}

TEST_F(RecordRun, AHugeBudgetPerStepIsNone) {
  for (const double seconds : {1e308, 1e12}) {
    World world = small_world();
    RunInfo info = small_info();
    info.frames = 2;
    info.budget_seconds = seconds;
    const RunEnding ending = record_run(world, info, folder(seconds > 1e300 ? "a" : "b"));
    EXPECT_TRUE(ending.done()) << ending.info.message;
    EXPECT_EQ(ending.info.totals.late, 0u);
  }
}

TEST_F(RecordRun, LeavesACompleteRecordingAlone) {
  record("a", 2);
  const std::string before = read_text(folder("a/run.json"));
  EXPECT_TRUE(resume("a", 2).was_complete);
  EXPECT_EQ(read_text(folder("a/run.json")), before);
  EXPECT_TRUE(says(refusal([&] { resume("a", 1); }), "2 frames are recorded already, more than the 1 asked for"));
}

TEST_F(RecordRun, OneAtATimeInAFolder) {
  record("a", 1);
  {
    const RecordingFolder held = RecordingFolder::of_recording(folder("a"));
    const std::string words = "is being recorded into by another run (process " + std::to_string(::getpid()) + ")";
    EXPECT_TRUE(says(refusal([&] { RecordingFolder::for_new(folder("a"), true); }), words));
    EXPECT_TRUE(says(refusal([&] { resume("a", 2); }), words));
    EXPECT_EQ(read_run(folder("a")).checkpoint.frame, 1);  // reading is free
  }
  EXPECT_TRUE(resume("a", 2).done());
}

TEST_F(RecordRun, ARunThatWasKilledHoldsNothing) {
  record("a", 1);
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const RecordingFolder held = RecordingFolder::of_recording(folder("a"));
    [[maybe_unused]] const auto written = ::write(pipe[1], "x", 1);
    for (;;) ::pause();
  }
  char ready = 0;
  ASSERT_EQ(::read(pipe[0], &ready, 1), 1);
  EXPECT_TRUE(says(refusal([&] { resume("a", 2); }), "process " + std::to_string(child)));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(exists("a/run.lock"));
  EXPECT_TRUE(resume("a", 2).done());
  EXPECT_FALSE(exists("a/run.lock"));
}

TEST_F(RecordRun, RemovesWhatAKilledRunLeftAndNothingElse) {
  for (const bool replace : {false, true}) {
    std::filesystem::remove_all(folder("a"));
    record("a", 1);
    const std::vector<const char*> leftovers = {"a/run.json.part123-0", "a/state-7.bin", "a/state-9.bin.part99-12",
                                                "a/cloth.pc2.part5-1"};
    const std::vector<const char*> others = {"a/notes.txt", "a/run.json.partial", "a/state-of-the-art.txt",
                                             "a/my.npy.part1-1", "a/cloth.npy.part"};
    for (const char* file : leftovers) put(file);
    for (const char* file : others) put(file);
    if (replace) RecordingFolder::for_new(folder("a"), true);
    else EXPECT_TRUE(resume("a", 2).done());
    for (const char* file : leftovers) EXPECT_FALSE(exists(file)) << file;
    for (const char* file : others) EXPECT_EQ(read_text(folder(file)), "mine") << file;
    EXPECT_EQ(exists("a/cloth.npy"), !replace);
  }
}

TEST_F(RecordRun, ARunThatWasKilledBeforeItsFirstRowCanBeReplaced) {
  std::filesystem::create_directories(folder("a"));
  put("a/run.json", format_run(small_info()));
  put("a/cloth.ply", "half a mesh");
  EXPECT_TRUE(says(refusal([&] { read_run(folder("a")); }), "ended before its first frame"));
  EXPECT_TRUE(says(refusal([&] { resume("a", 2); }), "ended before its first frame"));
  World world = small_world();
  EXPECT_TRUE(record_run(world, small_info(), RecordingFolder::for_new(folder("a"), true)).done());
}

// Field by field, as if it had come in after the recording was made: read, resumed and replaced all the same.
TEST_F(RecordRun, RecordingsOfEarlierVersionsCanBeReadResumedAndReplaced) {
  record("a", 2);
  const std::string now = read_text(folder("a/run.json"));
  for (const char* later :
       {"replayed", "most_inverted", "inverted", "stretch_limit", "stretch_frame", "energy", "knows_energy",
        "most_kinetic", "least_energy", "energy_gained", "energy_frame", "zones_frame", "halvings_frame"}) {
    const std::string before = std::regex_replace(now, std::regex(std::string(",?\"") + later + "\":[^,}]*"), "");
    const std::string joined = std::regex_replace(before, std::regex("\\{,"), "{");
    ASSERT_NE(joined, now) << later;
    put("a/run.json", joined);
    EXPECT_EQ(read_run(folder("a")).checkpoint.frame, 2) << later;
    EXPECT_TRUE(read_run(folder("a")).warnings().empty()) << later;
  }
  EXPECT_TRUE(resume("a", 4).done());
  const std::string none = std::regex_replace(now, std::regex("\"health\":[^]*\"checkpoint\""), "\"checkpoint\"");
  ASSERT_NE(none, now);
  put("a/run.json", none);
  EXPECT_TRUE(read_run(folder("a")).health.bodies.empty());
  World world = small_world();
  EXPECT_TRUE(record_run(world, small_info(), RecordingFolder::for_new(folder("a"), true)).done());
}

TEST_F(RecordRun, RefusesPlacesThatAreNotForIt) {
  const auto words = [&](const char* name) { return refusal([&] { RecordingFolder::for_new(folder(name), true); }); };
  put("file");
  EXPECT_TRUE(says(words("file"), "is a file, not a folder"));
  EXPECT_TRUE(says(words("file/below"), "cannot be")) << words("file/below");
  std::filesystem::create_directories(folder("others"));
  put("others/notes.txt");
  EXPECT_TRUE(says(words("others"), "holds other files"));
  std::filesystem::create_symlink("nowhere", folder("dangling"));
  EXPECT_TRUE(says(words("dangling"), "is a link that leads nowhere"));
  std::filesystem::create_symlink("loop", folder("loop"));
  EXPECT_TRUE(says(words("loop"), "cannot be looked at")) << words("loop");
  std::filesystem::create_directories(folder("damaged"));
  put("damaged/run.json", "{");
  EXPECT_TRUE(says(words("damaged"), "is damaged")) << words("damaged");
  EXPECT_TRUE(says(refusal([] { RecordingFolder::for_new("/proc/pliant"); }), "cannot be made"));
  EXPECT_TRUE(says(refusal([] { RecordingFolder::for_new(""); }), "without a folder"));
  // A link to a folder is as good as the folder.
  std::filesystem::create_directories(folder("real"));
  std::filesystem::create_directory_symlink("real", folder("link"));
  EXPECT_TRUE(record("link", 1).done());
  EXPECT_TRUE(exists("real/run.json"));
}

TEST_F(RecordRun, SaysThatAFolderCannotBeWrittenInto) {
  using std::filesystem::perms;
  std::filesystem::create_directories(folder("a"));
  for (const std::string& path : {root_.path().string(), folder("a")})
    std::filesystem::permissions(path, perms(0555));  // to be read by all, to be written by none
  constexpr uid_t kNobody = 65534;
  const uid_t me = ::geteuid();
  if (me == 0) {
    ASSERT_EQ(::seteuid(kNobody), 0);  // root may write everywhere
  }
  const std::string words = refusal([&] { record("a", 1); });
  if (me == 0) {
    ASSERT_EQ(::seteuid(me), 0);
  }
  std::filesystem::permissions(root_.path(), perms::owner_all);
  EXPECT_TRUE(says(words, "cannot be written into: Permission denied")) << words;
}

TEST_F(RecordRun, TellsOfAnExportThatFailed) {
  RecordSettings settings;
  settings.exports.pc2 = true;
  settings.progress = [&](const RunProgress&) { std::filesystem::create_directories(folder("a/cloth.pc2")); };
  const RunEnding ending = record("a", 2, settings);
  EXPECT_TRUE(ending.done());
  EXPECT_TRUE(says(ending.export_failure, "cloth.pc2")) << ending.export_failure;
}

}  // namespace
}  // namespace pliant
