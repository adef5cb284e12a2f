// `pliant check` on one file per frame, whose numbers need not begin at 0.
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

std::string dart(double height) {
  std::ostringstream obj;
  obj << "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\nv -0.25 0 " << height << "\nv 0.25 0 " << height
      << "\nv 0 0.25 " << height + 0.5 << "\nf 5 6 7\n";
  return obj.str();
}

// A dart that falls through its plate a third of a frame after `w.1002.obj`.
struct Falling {
  TemporaryFolder folder;
  std::string first = folder.write("w.1001.obj", dart(2));
  std::string second = folder.write("w.1002.obj", dart(1));
  std::string third = folder.write("w.1003.obj", dart(-2));

  Outcome check(const std::string& pattern, const std::string& options = {}) const {
    return run_pliant("check " + first + " --motion '" + folder.path(pattern) + "' " + options);
  }
};

TEST(NumberedFrames, AreCountedFromZeroAndCheckSaysSo) {
  const Falling scene;
  const Outcome run = scene.check("w.%04d.obj", "--json -");
  EXPECT_EQ(run.status, 1);
  EXPECT_NEAR(run.json()["first_time"].get<double>(), 1 + 1 / 3.0, 1e-9);
  EXPECT_NE(run.err.find("frame 0 is w.1001.obj, frame 1 is w.1002.obj"), std::string::npos) << run.err;
  EXPECT_TRUE(scene.check("w.%04d.obj", "-q").err.empty());
}

TEST(NumberedFrames, MayBeNamedAsHoudiniAndNukeNameThem) {
  const Falling scene;
  for (const char* pattern : {"w.####.obj", "w.$F4.obj", "w.*.obj"})
    EXPECT_EQ(scene.check(pattern, "--json -").json()["frames"], 3) << pattern;
  const Outcome none = scene.check("x.####.obj");
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.err.find("'walk.####.obj'"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace pliant::testing
