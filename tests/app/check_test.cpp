// `pliant check` on still meshes: answers, refusals, options.
#include <random>

#include "pliant/detect/registry.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/shapes.h"
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

// Two tetrahedra, the second one moved along x.
std::string tetrahedron_obj(double x) {
  std::ostringstream obj;
  obj << "v " << x << " 0 0\nv " << x + 1 << " 0 0\nv " << x << " 1 0\nv " << x << " 0 1\n"
      << "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  return obj.str();
}

TEST(Check, ExitStatusSaysWhetherMeshesCollide) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.obj", tetrahedron_obj(0));
  const std::string b = folder.write("b.obj", tetrahedron_obj(0.25));
  const std::string far = folder.write("far.obj", tetrahedron_obj(7));
  EXPECT_EQ(run_pliant("check " + a).status, 0);
  EXPECT_EQ(run_pliant("check " + a + " " + far).status, 0);
  const Outcome collides = run_pliant("check " + a + " " + b);
  EXPECT_EQ(collides.status, 1);
  EXPECT_NE(collides.out.find("collides"), std::string::npos);
  EXPECT_NE(collides.out.find("a.obj with b.obj"), std::string::npos);
  EXPECT_NE(collides.out.find("\ncollides: "), std::string::npos) << collides.out;
  const Outcome quiet = run_pliant("check -q " + a + " " + b);
  EXPECT_EQ(quiet.status, 1);
  EXPECT_TRUE(quiet.out.empty());
  EXPECT_TRUE(quiet.err.empty());
}

TEST(Check, JsonHoldsTheContactsOfTheLibrary) {
  const TemporaryFolder folder;
  const MeshPtr torus = make_torus({.radius = 1, .tube_radius = 0.4, .segments = 30, .sides = 16});
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 6});
  write_mesh(folder.path("torus.ply"), *torus);
  write_mesh(folder.path("ball.obj"), *ball);
  for (const MethodInfo* method : methods()) {
    if (!method->still) continue;
    const auto detector = make_detector(method->name);
    detector->add_body(torus);
    detector->add_body(ball);
    const Report report = detector->detect(Interval::instant(0));
    ASSERT_FALSE(report.contacts.empty());

    const Outcome run = run_pliant("check " + folder.path("torus.ply") + " " + folder.path("ball.obj") +
                                   " --json - --method " + std::string(method->name));
    EXPECT_EQ(run.status, 1);
    const auto json = run.json();
    EXPECT_EQ(json["schema"], "pliant.check/2");
    EXPECT_EQ(json["method"], std::string(method->name));
    EXPECT_EQ(json["guarantee"], "exact");
    EXPECT_EQ(json["complete"], true);
    EXPECT_EQ(json["collides"], true);
    EXPECT_EQ(json["first_time"], 0);
    EXPECT_EQ(json["contact_count"], report.contacts.size());
    EXPECT_EQ(json["bodies"][0]["name"], "torus.ply");
    EXPECT_EQ(json["bodies"][1]["triangles"], ball->face_count());
    EXPECT_EQ(json["pairs"][0]["contacts"], report.contacts.size());
    EXPECT_EQ(json["pairs"][0]["initial"], json["contacts"][0]["initial"]);
    ASSERT_EQ(json["contacts"].size(), report.contacts.size());
    for (std::size_t i = 0; i < report.contacts.size(); ++i) {
      EXPECT_EQ(json["contacts"][i]["kind"], "triangle-triangle");
      EXPECT_EQ(json["contacts"][i]["a"]["triangle"], report.contacts[i].a.id);
      EXPECT_EQ(json["contacts"][i]["b"]["triangle"], report.contacts[i].b.id);
      EXPECT_EQ(json["contacts"][i]["point"][0].get<double>(), report.contacts[i].point.x());
    }
  }
}

TEST(Check, SelfIntersectionsAreFoundUnlessSwitchedOff) {
  const TemporaryFolder folder;
  const std::string both =
      folder.write("both.obj", tetrahedron_obj(0) + "v 0.25 0.1 0.1\nv 3 0.1 0.1\nv 3 1 0.1\nf 5 6 7\n");
  EXPECT_EQ(run_pliant("check " + both).status, 1);
  const std::string far = folder.write("far.obj", tetrahedron_obj(7));
  EXPECT_EQ(run_pliant("check --no-self " + both + " " + far).status, 0);
}

TEST(Check, SeamsAreWeldedUnlessSwitchedOff) {
  const TemporaryFolder folder;
  const std::string seam =
      folder.write("seam.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 4 5 6\n");
  EXPECT_EQ(run_pliant("check " + seam).status, 0);
  const Outcome unwelded = run_pliant("check --no-weld --json - " + seam);
  EXPECT_EQ(unwelded.status, 1);
  EXPECT_EQ(unwelded.json()["contacts"][0]["relation"], "touching");
  EXPECT_EQ(unwelded.json()["bodies"][0]["defects"]["duplicate_vertices"], 2);
}

TEST(Check, GroupsBecomeBodiesOnRequestAndKeepTheFilesIndices) {
  const TemporaryFolder folder;
  const std::string obj = folder.write("groups.obj",
                                       "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.2 0.2 -1\nv 0.2 0.2 1\nv 0.2 0.8 1\n"
                                       "o floor\nf 1 2 3 4\no blade\nf 5 6 7\n");
  const Outcome run = run_pliant("check --no-self --split --json - " + obj);
  EXPECT_EQ(run.status, 1);
  const auto json = run.json();
  EXPECT_EQ(json["bodies"][0]["name"], "groups.obj/floor");
  EXPECT_EQ(json["bodies"][1]["name"], "groups.obj/blade");
  EXPECT_EQ(json["contacts"][0]["a"]["face"], 0);
  EXPECT_EQ(json["contacts"][0]["b"]["triangle"], 2);
  EXPECT_EQ(json["contacts"][0]["b"]["face"], 1);
  EXPECT_EQ(json["contacts"][0]["b"]["part"], "blade");
  EXPECT_EQ(json["contacts"][0]["b"]["local"], 0);
  // Without --split they are named parts of one body.
  const auto whole = run_pliant("check --json - " + obj).json();
  EXPECT_EQ(whole["bodies"].size(), 1u);
  EXPECT_EQ(whole["contacts"][0]["b"]["part"], "blade");
  EXPECT_EQ(whole["contacts"][0]["b"]["local"], 0);
}

TEST(Check, AFileWithoutGroupsIsSplitIntoComponents) {
  const TemporaryFolder folder;
  const std::string both =
      folder.write("both.obj", tetrahedron_obj(0) + "v 0.25 0.1 0.1\nv 3 0.1 0.1\nv 3 1 0.1\nf 5 6 7\n");
  const Outcome run = run_pliant("check --no-self --split --json - " + both);
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("no groups or objects, so split into 2 connected components"), std::string::npos) << run.err;
  EXPECT_EQ(run.json()["bodies"][1]["name"], "both.obj/component 1");
  EXPECT_EQ(run.json()["contacts"][0]["b"]["triangle"], 4);
  const Outcome refused = run_pliant("check --split=parts " + both);
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("--split=components"), std::string::npos) << refused.err;
  // Groups that hang together are one component.
  const std::string groups =
      folder.write("groups.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\ng a\nf 1 2 3\ng b\nf 2 4 3\n");
  EXPECT_EQ(run_pliant("check --split --json - " + groups).json()["bodies"].size(), 2u);
  EXPECT_EQ(run_pliant("check --split=components --json - " + groups).json()["bodies"].size(), 1u);
}

TEST(Check, SaysWhenABodyLiesInsideAnother) {
  const TemporaryFolder folder;
  write_mesh(folder.path("ball.ply"), *make_icosphere({.radius = 1, .frequency = 4}));
  write_mesh(folder.path("seed.ply"), *make_icosphere({.radius = 0.25, .frequency = 2}));
  const std::string meshes = folder.path("ball.ply") + " " + folder.path("seed.ply");
  const Outcome run = run_pliant("check " + meshes);
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.out.find("seed.ply lies wholly inside ball.ply"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\nclean: nothing collides"), std::string::npos) << run.out;
  EXPECT_EQ(run_pliant("check --json - " + meshes).json()["pairs"][0]["inside"], "b");
}

TEST(Check, PairsRestrictTheBodies) {
  const TemporaryFolder folder;
  const std::string meshes = folder.write("a.obj", tetrahedron_obj(0)) + " " +
                             folder.write("b.obj", tetrahedron_obj(0.25)) + " " +
                             folder.write("c.obj", tetrahedron_obj(7));
  EXPECT_EQ(run_pliant("check " + meshes + " --pairs 0:2,b.obj:c.obj").status, 0);
  EXPECT_EQ(run_pliant("check " + meshes + " --pairs a.obj:1").status, 1);
  const Outcome wrong = run_pliant("check " + meshes + " --pairs a.obj:d.obj");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("no body 'd.obj'"), std::string::npos) << wrong.err;
}

TEST(Check, LimitShortensTheListButNotTheCount) {
  const TemporaryFolder folder;
  const std::string meshes =
      folder.write("a.obj", tetrahedron_obj(0)) + " " + folder.write("b.obj", tetrahedron_obj(0.25));
  const auto all = run_pliant("check --json - " + meshes).json();
  const auto few = run_pliant("check --json - --limit 2 " + meshes).json();
  EXPECT_EQ(few["contacts"].size(), 2u);
  EXPECT_EQ(few["contact_count"], all["contact_count"]);
  // The table lists as many, ten without a limit.
  write_mesh(folder.path("torus.ply"), *make_torus({.radius = 1, .tube_radius = 0.4, .segments = 30, .sides = 16}));
  write_mesh(folder.path("ball.ply"), *make_icosphere({.radius = 1, .frequency = 6}));
  const std::string many = folder.path("torus.ply") + " " + folder.path("ball.ply");
  const auto rows = [&](const std::string& options) {
    const std::string out = run_pliant("check " + options + many).out;
    const std::size_t first = out.find("first contacts");
    return std::count(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), '(') - 1;  // the method's too
  };
  EXPECT_EQ(rows("--limit 2 "), 2);
  EXPECT_EQ(rows("--limit 11 "), 11);
  EXPECT_EQ(rows(""), 10);
}

TEST(Check, SpentBudgetExitsWithThreeAndStaysConservative) {
  const TemporaryFolder folder;
  write_mesh(folder.path("ball.ply"), *make_icosphere({.frequency = 20}));
  const Outcome run = run_pliant("check --budget 0ms --json - " + folder.path("ball.ply"));
  EXPECT_EQ(run.status, 3);
  const auto json = run.json();
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["guarantee"], "conservative");
  EXPECT_GT(json["bound"].get<double>(), 0);
  EXPECT_EQ(json["contacts"][0]["kind"], "region-region");
  EXPECT_GT(json["contacts"][0]["a"]["region"]["radius"].get<double>(), 0);
  EXPECT_EQ(run_pliant("check --budget soon " + folder.path("ball.ply")).status, 2);
}

TEST(Check, JsonFileAppearsCompleteOrNotAtAll) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.obj", tetrahedron_obj(0));
  EXPECT_EQ(run_pliant("check " + a + " --json " + folder.path("report.json")).status, 0);
  EXPECT_EQ(nlohmann::json::parse(read_text(folder.path("report.json")))["collides"], false);
  EXPECT_EQ(run_pliant("check " + folder.path("missing.obj") + " --json " + folder.path("none.json")).status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder.path("none.json")));
}

TEST(Check, UnknownMethodAndMissingPaperModeAreExplained) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.obj", tetrahedron_obj(0));
  const Outcome unknown = run_pliant("check --method bwh " + a);
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("did you mean 'bvh'?"), std::string::npos) << unknown.err;
  EXPECT_EQ(run_pliant("check --method bvh --mode paper " + a).status, 2);
}

struct Refusal {
  const char* name;
  const char* file;
  std::string content;
  const char* says;  // part of the message, besides the file's name
};

std::string garbage() {
  std::mt19937 random(1);
  std::string bytes;
  for (int i = 0; i < 5000; ++i) bytes += static_cast<char>(random());
  return bytes;
}

std::vector<Refusal> refusals() {
  const std::string ply =
      "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty double x\n"
      "property double y\nproperty double z\nelement face 2000000000\n"
      "property list uchar int vertex_indices\nend_header\nabc";
  return {
      {"EmptyObj", "empty.obj", "", "empty"},
      {"EmptyPly", "empty.ply", "", "empty"},
      {"EmptyStl", "empty.stl", "", "empty"},
      {"EmptyOff", "empty.off", "", "empty"},
      {"GarbageObj", "garbage.obj", garbage(), ""},
      {"GarbagePly", "garbage.ply", garbage(), ""},
      {"GarbageStl", "garbage.stl", garbage(), ""},
      {"GarbageOff", "garbage.off", garbage(), ""},
      {"IndexOutOfRangeObj", "range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", ":4"},
      {"IndexOutOfRangeOff", "range.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 9\n", ":6"},
      {"NanObj", "nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ":1"},
      {"InfOff", "inf.off", "OFF\n3 1 0\n0 0 0\n1 inf 0\n0 1 0\n3 0 1 2\n", ":4"},
      {"NoFacesObj", "nofaces.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "face"},
      {"NoFacesOff", "nofaces.off", "OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", "face"},
      {"TruncatedOff", "cut.off", "OFF\n3 1 0\n0 0 0\n1 0", ""},
      {"TruncatedObj", "cut.obj", "v 0 0 0\nv 1 0 0\nv 0 1", ":3"},
      {"HugeClaimPly", "huge.ply", ply, "byte"},
      {"HugeClaimOff", "huge.off", "OFF\n4000000000 4000000000 0\n0 0 0\n", ""},
      {"HugeClaimStl", "huge.stl", std::string(80, ' ') + "\xff\xff\xff\xff" + std::string(50, '\0'), "byte"},
  };
}

class Refused : public ::testing::TestWithParam<Refusal> {};
INSTANTIATE_TEST_SUITE_P(Files, Refused, ::testing::ValuesIn(refusals()),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

TEST_P(Refused, WithExitTwoAndOneMessageThatNamesTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write(GetParam().file, GetParam().content);
  const Outcome run = run_pliant("check " + path);
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find(GetParam().file), std::string::npos) << run.err;
  EXPECT_NE(run.err.find(GetParam().says), std::string::npos) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

TEST(Check, MissingFileIsRefused) {
  const Outcome run = run_pliant("check /no/such/file.obj");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("/no/such/file.obj"), std::string::npos);
}

TEST(Check, ImperfectGeometryIsUsedAndReported) {
  const TemporaryFolder folder;
  // A quad and its duplicate by negative indices, a zero-area face, three faces on one edge, an unused vertex.
  const std::string obj = folder.write("imperfect.obj",
                                       "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf -4 -3 -2 -1\n"
                                       "v 0.5 0 0\nf 1 2 5\nv 0 0 1\nf 1 2 6\nv 9 9 9\n");
  const auto json = run_pliant("check --json - " + obj).json();
  const auto& defects = json["bodies"][0]["defects"];
  EXPECT_EQ(defects["duplicate_faces"], 2);
  EXPECT_EQ(defects["zero_area_faces"], 1);
  EXPECT_EQ(defects["unreferenced_vertices"], 1);
  EXPECT_GT(defects["nonmanifold_edges"].get<int>(), 0);
  EXPECT_EQ(json["collides"], true);  // the duplicates
  EXPECT_EQ(json["complete"], true);
}

}  // namespace
}  // namespace pliant::testing
