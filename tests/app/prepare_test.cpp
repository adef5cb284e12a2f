// `pliant prepare`: any mesh into an asset, with a report; and clear words about bad ones.
#include "pliant/asset/asset_file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/shapes.h"
#include "tests/app/run_command.h"
#include "tests/support/errors.h"

namespace pliant::testing {
namespace {

// A ball with a hole in `ball.ply`.
class Prepare : public ::testing::Test {
 protected:
  Prepare() {
    const MeshPtr ball = make_icosphere({.frequency = 8});
    const TriangleMesh open({ball->positions().begin(), ball->positions().end()},
                            {ball->triangles().begin() + 7, ball->triangles().end()});
    write_mesh(path("ball.ply"), open);
  }
  std::string path(const std::string& name) const { return folder_.path(name); }
  Outcome prepare(const std::string& options) const {
    return run_pliant("prepare '" + path("ball.ply") + "' -o '" + path("ball.pliant") + "' " + options);
  }
  Outcome inspect(const std::string& options = {}) const {
    return run_pliant("prepare --inspect '" + path("ball.pliant") + "' " + options);
  }

  TemporaryFolder folder_;
};

TEST_F(Prepare, WritesAnAssetAndSaysHowGoodItIs) {
  const Outcome run = prepare("--coarse 200 --tets stuffing");
  EXPECT_EQ(run.status, 0) << run.err;
  for (const char* words : {"1 holes filled", "dense", "coarse", "body", "radius ratio", "Volume error", "written"})
    EXPECT_TRUE(says(run.out, words)) << words << "\n" << run.out;
  const Asset asset = read_asset(path("ball.pliant"));
  EXPECT_EQ(asset.dense->vertex_count(), 642u);
  EXPECT_TRUE(asset.links && asset.embedding);
  const Outcome look = inspect();
  EXPECT_EQ(look.status, 0) << look.err;
  EXPECT_TRUE(says(look.out, "ball.pliant: sound")) << look.out;
}

TEST_F(Prepare, UsesNetgenOrSaysWhyNot) {
  const Outcome run = prepare("--coarse 100 --json -");
  EXPECT_EQ(run.status, 0) << run.err;
  const auto tets = run.json()["tets"];
  if (tets["way"] == "netgen") {
    EXPECT_EQ(read_asset(path("ball.pliant")).tets->surface()->face_count(), run.json()["coarse"]["triangles"]);
  } else {
    EXPECT_FALSE(tets["netgen"].get<std::string>().empty());
  }
}

TEST_F(Prepare, WritesTheReportAsJson) {
  const Outcome run = prepare("--coarse 200 --tets stuffing --json -");
  EXPECT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["schema"], "pliant.prepare/1");
  EXPECT_EQ(json["repair"]["filled_holes"], 1);
  EXPECT_GT(json["defects_before"]["boundary_edges"], 0);
  EXPECT_TRUE(json["defects_after"]["closed"]);
  EXPECT_EQ(json["tets"]["way"], "stuffing");
  EXPECT_GT(json["tets"]["least_dihedral_degrees"], 9.3);
  EXPECT_LT(json["volume"]["error"], 0.02);
  EXPECT_GT(json["tets"]["cell"], 0);
  EXPECT_EQ(json["tets"]["fills"], "dense");
  EXPECT_TRUE(json["warnings"].empty());
  EXPECT_LT(json["distance"]["largest"], 0.2);
  EXPECT_TRUE(json["volume"]["error"].is_number());
  EXPECT_TRUE(json["seconds"].is_object());
  // The one in the asset, without the seconds: they are different each time.
  const auto stored = inspect("--json -").json();
  EXPECT_FALSE(stored.contains("seconds"));
  EXPECT_EQ(stored["coarse"], json["coarse"]);
  EXPECT_EQ(prepare("--coarse 200 --tets stuffing --quiet --json " + path("r.json")).out, "");
  EXPECT_EQ(nlohmann::json::parse(read_text(path("r.json")))["schema"], "pliant.prepare/1");
}

TEST_F(Prepare, LeavesTheMeshAloneWhenAskedTo) {
  const auto kept = prepare("--coarse 200 --tets stuffing --keep-holes --wrap --json -").json();
  EXPECT_GT(kept["defects_after"]["boundary_edges"], 0);
  const auto as_given = prepare("--coarse 200 --tets stuffing --no-repair --wrap --json -").json();
  EXPECT_FALSE(as_given.contains("repair"));
}

TEST_F(Prepare, RefusesInWords) {
  folder_.write("empty.obj", "v 0 0 0\n");
  folder_.write("point.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"none.obj -o a.pliant", "no such file"},
      {path("empty.obj") + " -o " + path("a.pliant"), "empty.obj"},
      {path("point.obj") + " -o " + path("a.pliant"), "no face is left"},
      {path("ball.ply"), "an asset to write"},
      {"-o a.pliant", "a mesh to read"},
      {path("ball.ply") + " -o a.pliant --tets gmsh", "--tets"},
      {path("ball.ply") + " -o a.pliant --coarse 2", "--coarse"},
      {path("ball.ply") + " -o a.pliant --timeout soon", "not a duration"},
      {path("ball.ply") + " -o a.pliant --tets lattice", "--tets"},
      {path("ball.ply") + " -o a.pliant --tets stuffing --cell 1e-9", "ask for larger cells"},
      {path("ball.ply") + " -o a.pliant --tets stuffing --cell 3", "thinner than the cells"},
      {path("ball.ply") + " -o a.pliant --tets stuffing --grade 99", "--grade"},
      {path("ball.ply") + " -o a.pliant --keep-holes", "--wrap makes a thin solid"},
      {path("ball.ply") + " -o /no/such/folder/a.pliant --coarse 100 --tets stuffing", "/no/such/folder"},
      {"--inspect " + path("ball.ply"), "is not a Pliant asset"},
      {path("ball.ply") + " --inspect a.pliant", "leave out MESH"},
  };
  for (const auto& [arguments, words] : cases) {
    const Outcome run = run_pliant("prepare " + arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    EXPECT_TRUE(says(run.err, words)) << arguments << ": " << run.err;
  }
  EXPECT_FALSE(std::filesystem::exists(path("a.pliant")));
}

TEST_F(Prepare, RefusesADamagedAsset) {
  ASSERT_EQ(prepare("--coarse 100 --tets stuffing").status, 0);
  std::string bytes = read_text(path("ball.pliant"));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  folder_.write("ball.pliant", bytes);
  const Outcome run = inspect();
  EXPECT_EQ(run.status, 2);
  EXPECT_TRUE(says(run.err, "its checksum is wrong")) << run.err;
}

TEST_F(Prepare, ShowsExamples) {
  const Outcome run = run_pliant("prepare --help");
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(says(run.out, "pliant prepare dragon.ply -o dragon.pliant"));
}

}  // namespace
}  // namespace pliant::testing
