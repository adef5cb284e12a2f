#include <thread>

#include "pliant/io/mesh_file.h"
#include "pliant/mesh/shapes.h"
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

TEST(NoThreads, AreAResourceThatIsMissingNotABadInput) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one processor starts no threads";
  const TemporaryFolder folder;
  const std::string path = folder.path("torus.ply");
  write_mesh(path, *make_torus({.segments = 240, .sides = 120}));
  ::setenv("LD_PRELOAD", PLIANT_NO_THREADS, 1);
  const Outcome many = run_pliant("check --threads 2 " + path), one = run_pliant("check --threads 1 " + path);
  ::unsetenv("LD_PRELOAD");
  EXPECT_EQ(many.status, 3) << many.err;
  EXPECT_NE(many.err.find("threads cannot be started"), std::string::npos) << many.err;
  EXPECT_NE(many.err.find("--threads 1"), std::string::npos) << many.err;
  EXPECT_EQ(one.status, 0) << one.err;
}

}  // namespace
}  // namespace pliant::testing
