// `pliant reproduce`: all rows are there and say what they should; no times are judged.
#include <set>

#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

const std::set<std::string> kVerdicts{"holds", "does not hold", "not comparable", "not covered"};

std::set<std::string> ids_of(const nlohmann::json& report) {
  std::set<std::string> ids;
  for (const auto& row : report["rows"]) {
    EXPECT_TRUE(ids.insert(row["id"]).second) << row["id"] << " is there twice";
    EXPECT_TRUE(kVerdicts.contains(row["verdict"])) << row;
    for (const char* field : {"claim", "published", "measured"})
      EXPECT_FALSE(row[field].get<std::string>().empty()) << row;
    EXPECT_TRUE(row["verdict"] == "holds" || row["why"] != "") << row["id"] << ": no reason";
  }
  return ids;
}

nlohmann::json reproduce(const std::string& method) {
  const Outcome run = run_pliant("reproduce " + method + " --quick --quiet --json -");
  EXPECT_EQ(run.status, 0) << run.err;
  return run.json();
}

void expect_rows(const std::string& method, const std::vector<std::string>& wanted) {
  const nlohmann::json report = reproduce(method);
  EXPECT_EQ(report["schema"], "pliant.reproduce/1");
  EXPECT_TRUE(report["quick"]);
  const std::set<std::string> ids = ids_of(report);
  for (const std::string& id : wanted) EXPECT_TRUE(ids.contains(id)) << id;
  EXPECT_FALSE(report["figures"].empty());
}

TEST(Reproduce, Kinetic) {
  expect_rows("kinetic", {"kinetic/tablecloth-speedup", "kinetic/avatar-speedup", "kinetic/swirl-speedup",
                          "kinetic/events-per-frame", "kinetic/independent-of-sampling", "kinetic/compact",
                          "kinetic/local", "kinetic/responsive", "kinetic/efficient", "kinetic/point-clouds",
                          "kinetic/nurbs", "kinetic/other-flight-plans"});
}
TEST(Reproduce, SphereTree) {
  expect_rows("sphere-tree", {"sphere-tree/table1", "sphere-tree/table1/bunny-bunny/1s", "sphere-tree/figure9"});
}
TEST(Reproduce, SubdividedBoxes) {
  expect_rows("subdivided-boxes", {"subdivided-boxes/10k-vertices-30fps", "subdivided-boxes/2480-faces-120fps",
                                   "subdivided-boxes/vs-spatial-hash"});
}
TEST(Reproduce, Particles) { expect_rows("particles", {"particles/recall", "particles/fps"}); }

// What does not depend on the machine is judged.
TEST(Reproduce, EventsDoNotDependOnHowOftenAMotionIsSampled) {
  const nlohmann::json report = reproduce("kinetic");
  for (const auto& row : report["rows"]) {
    if (row["id"] != "kinetic/independent-of-sampling") continue;
    EXPECT_NE(row["measured"].get<std::string>().find("events equal at every l"), std::string::npos) << row;
  }
}

TEST(Reproduce, WritesAPageAndDocsWithTheirFigures) {
  const TemporaryFolder folder;
  const Outcome run =
      run_pliant("reproduce particles --quick -q --html " + folder.path("p.html") + " --docs " + folder.path("docs"));
  EXPECT_EQ(run.status, 0) << run.err;
  const std::string page = read_text(folder.path("p.html")), docs = read_text(folder.path("docs/reproduction.md"));
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org"));  // nothing is asked for from anywhere
  EXPECT_NE(docs.find("`particles/recall`"), std::string::npos);
  EXPECT_NE(docs.find("(plots/particles-figure-10.svg)"), std::string::npos);
  EXPECT_NE(read_text(folder.path("docs/plots/particles-figure-10.svg")).find("</svg>"), std::string::npos);
}

TEST(Reproduce, RefusesWhatItDoesNotKnow) {
  expect_refused("reproduce kinetik", {"did you mean 'kinetic'?"});
  expect_refused("reproduce --quick --mesh bunny", {"--mesh bunny", "bunny=FILE"});
}

}  // namespace
}  // namespace pliant::testing
