// `pliant view`, `run --html` and `check --html`: with a page to put data into, and without.
#include "tests/app/run_command.h"
#include "tests/support/page_reader.h"

namespace pliant::testing {
namespace {

constexpr const char* kFall = R"(
[world]
frames = 3
[[body]]
name = "box"
kind = "rigid"
shape = { type = "box", size = [0.1, 0.1, 0.1] }
position = [0, 0, 1]
)";

class View : public ::testing::Test {
 protected:
  // Every command finds this page first.
  void SetUp() override { ::setenv("PLIANT_VIEW", folder_.write("view.html", kEmptyPage).c_str(), 1); }
  void TearDown() override { ::unsetenv("PLIANT_VIEW"); }
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string record() const {
    const std::string scene = folder_.write("fall.toml", kFall);
    EXPECT_EQ(run_pliant("run -q " + scene + " --out " + path("run") + " --html " + path("at-once.html")).status, 0);
    return path("run");
  }

  TemporaryFolder folder_;
};

TEST_F(View, MakesThePageThatRunMakesAtOnce) {
  const std::string run = record();
  const Outcome view = run_pliant("view " + run + " -o " + path("later.html"));
  EXPECT_EQ(view.status, 0) << view.err;
  EXPECT_NE(view.out.find("4 frames"), std::string::npos) << view.out;
  EXPECT_EQ(read_text(path("later.html")), read_text(path("at-once.html")));
  const PageReader page(path("later.html"));
  EXPECT_EQ(page.header["title"], "fall");
  EXPECT_EQ(page.document["frames"], 3);
}

TEST_F(View, ChecksHaveTheirReportInThePage) {
  const std::string run = record();
  const Outcome check = run_pliant("check -q " + run + " --html " + path("report.html") + " --json " + path("a.json"));
  EXPECT_EQ(check.status, 0) << check.err;
  const PageReader page(path("report.html"));
  const auto json = nlohmann::json::parse(read_text(path("a.json")));
  for (const char* field : {"verdict", "contact_count", "frames", "pairs", "per_frame", "bodies", "guarantee"})
    EXPECT_EQ(page.document[field], json[field]) << field;
  EXPECT_EQ(page.header["title"], "run");
}

TEST_F(View, WithoutAPageNothingIsDoneAndMakeWebIsNamed) {
  const std::string run = record();
  ::setenv("PLIANT_VIEW", path("none.html").c_str(), 1);
  expect_refused("view " + run + " -o " + path("new.html"), {"none.html"});
  expect_refused("check " + run + " --html " + path("new.html"), {"none.html"});
  expect_refused("run " + path("fall.toml") + " --out " + path("new") + " --html " + path("new.html"), {"none.html"});
  EXPECT_FALSE(std::filesystem::exists(path("new.html")));
  EXPECT_FALSE(std::filesystem::exists(path("new")));
  ::setenv("PLIANT_VIEW", folder_.write("other.html", "<p>").c_str(), 1);
  expect_refused("view " + run + " -o " + path("new.html"), {"other.html", "make web"});
}

TEST_F(View, NeverWritesOverWhatItReads) {
  const std::string run = record();
  expect_refused("view " + run + " -o " + run + "/run.json", {"would overwrite an input"});
  expect_refused("view " + path("view.html") + " -o " + path("new.html"), {"view.html"});
}

}  // namespace
}  // namespace pliant::testing
