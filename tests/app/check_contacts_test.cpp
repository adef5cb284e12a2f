// `pliant check --contacts`: the same contacts as in the JSON, as lines, colours and points.
#include <cstring>

#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/io/pvd.h"
#include "tests/app/run_command.h"

namespace pliant::testing {
namespace {

constexpr const char* kPlate = "v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\nf 1 2 3 4\n";
constexpr const char* kDart = "v -0.25 0.1 1\nv 0.25 0.1 1\nv 0 0.3 1.5\nf 1 2 3\n";  // above the plate
constexpr const char* kStuckDart = "v -0.25 0.1 -0.25\nv 0.25 0.1 -0.25\nv 0 0.3 0.25\nf 1 2 3\n";

class CheckContacts : public ::testing::Test {
 protected:
  CheckContacts() {
    MotionWriter writer(path("dart.npy"), 3, {});
    for (const double z : {1.0, 0.5, -3.0, -3.5})
      writer.add(std::vector<Vec3>{{-0.25, 0.1, z}, {0.25, 0.1, z}, {0, 0.3, z + 0.5}});
    writer.finish();
  }
  std::string path(const std::string& name) const { return folder_.path(name); }
  nlohmann::json check(const std::string& words, const std::string& contacts) const {
    const Outcome run = run_pliant("check --json - " + words + " --contacts " + path(contacts));
    EXPECT_EQ(run.status, 1) << run.err;
    return run.json();
  }

  TemporaryFolder folder_;
  std::string plate_ = folder_.write("plate.obj", kPlate);
  std::string still_ = plate_ + " " + folder_.write("stuck.obj", kStuckDart);
  std::string moving_ = plate_ + " " + folder_.write("dart.obj", kDart) + " --motion " + path("dart.npy");
};

std::vector<std::vector<std::string>> read_csv(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream text(read_text(path));
  for (std::string line; std::getline(text, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST_F(CheckContacts, CsvHoldsWhatTheJsonHolds) {
  for (const std::string& words : {still_, moving_}) {
    const auto json = check(words, "hits.csv");
    const auto rows = read_csv(path("hits.csv"));
    ASSERT_EQ(rows.size(), json["contacts"].size() + 1);
    ASSERT_GT(rows.size(), 1u);
    EXPECT_EQ(rows[0][0], "time");
    for (std::size_t i = 0; i < json["contacts"].size(); ++i) {
      const auto& contact = json["contacts"][i];
      EXPECT_EQ(std::stod(rows[i + 1][0]), contact["time"].get<double>());
      EXPECT_EQ(rows[i + 1][1], contact["kind"]);
      EXPECT_EQ(rows[i + 1][2], contact["relation"]);
      EXPECT_EQ(std::stoi(rows[i + 1][4]), contact["a"]["body"].get<int>());
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_EQ(std::stod(rows[i + 1][10 + axis]), contact["point"][axis].get<double>());
    }
  }
  check(moving_ + " --limit 1", "few.csv");
  EXPECT_EQ(read_csv(path("few.csv")).size(), 2u);
}

TEST_F(CheckContacts, CsvLeavesEmptyWhatRegionsDoNotHave) {
  const Outcome run = run_pliant("check -q --budget 1ns " + moving_ + " --contacts " + path("open.csv"));
  EXPECT_EQ(run.status, 3);
  const std::string text = read_text(path("open.csv"));
  EXPECT_NE(text.find(",possible,"), std::string::npos) << text;
  EXPECT_EQ(text.substr(text.size() - 7), ",,,,,,\n") << text;
}

TEST_F(CheckContacts, PlyColoursTheFacesThatTakePart) {
  // Of the plate, cut into two triangles, the dart meets the one beyond the diagonal.
  check(still_, "hits.ply");
  const MeshFile file = read_mesh_file(path("hits.ply"));
  ASSERT_EQ(file.mesh->face_count(), 3u);
  const std::string bytes = read_text(path("hits.ply"));
  std::vector<bool> red;
  for (std::size_t f = 3; f > 0; --f) red.push_back(bytes.substr(bytes.size() - 16 * (f - 1) - 3, 3) == "\xdc\x28\x28");
  EXPECT_EQ(red, (std::vector<bool>{false, true, true}));
}

TEST_F(CheckContacts, VtpShowsTheBodiesWhenTheyFirstMeet) {
  const auto json = check(moving_, "hits.vtp");
  const double time = json["first_time"].get<double>();
  ASSERT_GT(time, 1);
  const MeshPtr mesh = read_mesh(path("hits.vtp"));
  ASSERT_EQ(mesh->vertex_count(), 7u);
  EXPECT_NEAR(mesh->positions()[4].z(), 0.5 - 3.5 * (time - 1), 1e-12);
  const std::string points = read_text(path("hits.points.vtp"));
  EXPECT_NE(points.find("NumberOfPoints=\"" + std::to_string(json["contacts"].size()) + "\""), std::string::npos);
}

TEST_F(CheckContacts, PvdShowsEveryFrameWithItsContacts) {
  const auto json = check(moving_, "hits.pvd");
  const auto frames = open_motion(path("hits.pvd"));
  ASSERT_EQ(frames->frame_count(), 4u);
  EXPECT_EQ(frames->frame(1).positions()[4].z(), 0.5);
  EXPECT_EQ(frames->frame(3).positions()[4].z(), -3.5);
  const auto entries = parse_pvd(read_text(path("hits.points.pvd")), "hits.points.pvd");
  ASSERT_EQ(entries.size(), 4u);
  // All of it happens on the way from frame 1 to frame 2.
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(entries[k].time, static_cast<double>(k));
    const std::size_t count = k == 1 ? json["contacts"].size() : 0;
    EXPECT_NE(read_text(path(entries[k].file)).find("NumberOfPoints=\"" + std::to_string(count) + "\""),
              std::string::npos)
        << k;
  }
}

// The cell data of that name of the faces in a .vtp that check wrote.
std::vector<std::int32_t> cell_data(const std::string& path, const std::string& name) {
  const std::string text = read_text(path);
  const std::size_t array = text.find("Name=\"" + name + "\"");
  const std::size_t offset = std::stoul(text.substr(text.find("offset=\"", array) + 8));
  const std::size_t data = text.find('_', text.find("<AppendedData")) + 1 + offset;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text.data() + data, 8);
  std::vector<std::int32_t> values(bytes / 4);
  std::memcpy(values.data(), text.data() + data + 8, bytes);
  return values;
}

TEST_F(CheckContacts, PvdPaintsWhatIntersectsAtTheFrame) {
  MotionWriter writer(path("stays.npy"), 3, {});
  for (const double z : {1.0, -0.25, -0.25, -3.0})
    writer.add(std::vector<Vec3>{{-0.25, 0.1, z}, {0.25, 0.1, z}, {0, 0.3, z + 0.5}});
  writer.finish();
  check(plate_ + " " + path("dart.obj") + " --motion " + path("stays.npy"), "stays.pvd");
  const std::vector<std::vector<bool>> expected{
      {false, false, false}, {false, true, true}, {false, true, true}, {false, false, false}};
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<bool> painted;
    for (const std::int32_t count : cell_data(path("stays.000" + std::to_string(k) + ".vtp"), "contacts"))
      painted.push_back(count > 0);
    EXPECT_EQ(painted, expected[k]) << k;
  }
  // On the way from frame 0 to frame 1 they begin to meet, and once more on the way out.
  EXPECT_EQ(cell_data(path("stays.0001.vtp"), "begins"), (std::vector<std::int32_t>{0, 0, 0}));
  EXPECT_GT(cell_data(path("stays.0000.vtp"), "begins")[2], 0);
}

TEST_F(CheckContacts, PvdEndsWhereTheCheckEnded) {
  check(moving_ + " --earliest", "first.pvd");
  EXPECT_EQ(open_motion(path("first.pvd"))->frame_count(), 2u);
}

TEST_F(CheckContacts, RefusesOtherFormatsBeforeAnythingIsRead) {
  for (const char* name : {"hits.txt", "hits", "-"}) {
    const Outcome run = run_pliant("check /no/such/mesh.obj --contacts " + std::string(name));
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find(".csv, .ply, .vtp or .pvd"), std::string::npos) << run.err;
  }
  const Outcome same = run_pliant("check " + still_ + " --contacts " + path("x.csv") + " --json " + path("x.csv"));
  EXPECT_EQ(same.status, 2);
  EXPECT_NE(same.err.find("is to be written twice"), std::string::npos) << same.err;
  EXPECT_FALSE(std::filesystem::exists(path("x.csv")));
  ASSERT_EQ(run_pliant("convert -q " + plate_ + " " + path("plate.ply")).status, 0);
  const Outcome input = run_pliant("check " + path("plate.ply") + " --contacts " + path("plate.ply"));
  EXPECT_EQ(input.status, 2);
  EXPECT_NE(input.err.find("would overwrite an input"), std::string::npos) << input.err;
}

}  // namespace
}  // namespace pliant::testing
