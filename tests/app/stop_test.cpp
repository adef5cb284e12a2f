// Ctrl-C and the like while files are being written.
#include "pliant/io/motion_file.h"
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

class Stop : public ::testing::Test {
 protected:
  // A triangle that moves for a 24th of a second: at a rate of some MHz a motion that takes much longer than a test.
  Stop() {
    folder_.write("blade.obj", "v 0.2 0.2 -1\nv 0.2 0.2 1\nv 0.2 0.8 1\nf 1 2 3\n");
    MotionWriter writer(path("blade.npy"), 3, {});
    for (const double z : {0.0, 1.0})
      writer.add(std::vector<Vec3>{{0.2, 0.2, z - 1}, {0.2, 0.2, z + 1}, {0.2, 0.8, z + 1}});
    writer.finish();
    EXPECT_EQ(run_pliant("convert -q " + path("blade.obj") + " " + glb_ + " --motion " + path("blade.npy")).status, 0);
    std::filesystem::create_directory(path("out"));
  }
  std::string path(const std::string& name) const { return folder_.path(name); }

  // Sends SIGTERM as soon as something stands in the folder "out".
  Outcome stop_while_writing(const std::string& words) const {
    const std::string script = "& child=$!; i=0; while [ -z \"$(ls " + path("out") +
                               ")\" ] && [ $i -lt 1000 ]; do sleep 0.01; i=$((i+1)); done; kill -TERM $child; "
                               "wait $child";
    return run_pliant(words, std::string(">").append(path("text")).append(" ") + script);
  }
  std::vector<std::string> left_behind() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path("out")))
      names.push_back(entry.path().filename().string());
    return names;
  }

  TemporaryFolder folder_;
  std::string glb_ = path("blade.glb");
};

TEST_F(Stop, AConversionLeavesNothingBehind) {
  const Outcome run = stop_while_writing("convert " + glb_ + " " + path("out/blade.pc2") + " --fps 48000000");
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(left_behind().empty()) << left_behind().front();
}

TEST_F(Stop, ACheckReportsWhatItKnowsByThen) {
  const Outcome run =
      stop_while_writing("check " + glb_ + " --motion " + glb_ + " --fps 48000000 --json " + path("out/blade.json"));
  EXPECT_EQ(run.status, 3);
  ASSERT_EQ(left_behind(), std::vector<std::string>{"blade.json"});
  const auto json = nlohmann::json::parse(read_text(path("out/blade.json")));
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["guarantee"], "conservative");
}

}  // namespace
}  // namespace pliant::testing
