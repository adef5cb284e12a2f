// Recordings as pages: whole frames, touches and statistics, and nothing about the machine.
#include "pliant/world/run_page.h"

#include "pliant/core/error.h"
#include "pliant/io/motion_file.h"
#include "pliant/world/record_run.h"
#include "pliant/world/run_tables.h"
#include "tests/support/errors.h"
#include "tests/support/page_reader.h"
#include "tests/world/recorded.h"

namespace pliant {
namespace {

using testing::PageReader;

class RunPage : public RecordingTest {
 protected:
  void SetUp() override {
    World world = small_world();
    RunInfo info = small_info();
    info.scene_folder = "/home/somebody/scenes";
    info.meshes["ball"] = "/home/somebody/ball.obj";
    record_run(world, info, folder());
  }
  PageReader page(const RunPageSettings& settings = {}) {
    write_run_page(folder(), root_ / "out.html", PageTemplate(root_.write("view.html", testing::kEmptyPage)), settings);
    return PageReader(root_ / "out.html");
  }
};

TEST_F(RunPage, HasEveryWholeFrame) {
  const PageReader shown = page();
  ASSERT_EQ(shown.header["times"].size(), 9u);
  const std::vector<double> times = read_times(file_in(folder(), "times.npy"));
  const auto motion = open_motion(file_in(folder(), "cloth.npy"));
  std::size_t frame = 0;
  for (std::size_t row = 0; row < times.size(); ++row) {
    if (times[row] != static_cast<double>(frame)) continue;
    EXPECT_EQ(shown.header["times"][frame], times[row]);
    const std::vector<Vec3> positions = shown.positions(1, frame++);
    const Frame recorded = motion->frame(row);
    for (std::size_t v = 0; v < positions.size(); ++v)
      EXPECT_LT((positions[v] - recorded.positions()[v]).cwiseAbs().maxCoeff(), 0.51 * shown.step(1).maxCoeff());
  }
  EXPECT_EQ(frame, 9u);
  EXPECT_EQ(shown.header["bodies"][0]["rows"], 1);
}

TEST_F(RunPage, CountsEveryContactAndDrawsTheStrongest) {
  const RunInfo info = read_run(folder());
  std::vector<std::size_t> counts(8);
  read_run_contacts(folder(), info, [&](const RunContact& contact) {
    ++counts.at(static_cast<std::size_t>(std::floor(contact.frame)));
  });
  ASSERT_GT(*std::max_element(counts.begin(), counts.end()), 8u);
  const PageReader all = page();
  const auto shown = all.array<std::uint32_t>("contact_counts");
  EXPECT_EQ(std::vector<std::size_t>(shown.begin(), shown.end()), counts);
  EXPECT_EQ(all.array<float>("contacts").size(), 12 * info.totals.contacts);

  const PageReader few = page({.most_contacts = 1});
  const std::size_t drawn = few.array<float>("contacts").size() / 12;
  std::size_t expected = 0;
  for (const std::size_t count : counts) expected += std::min<std::size_t>(count, 8);
  EXPECT_EQ(drawn, expected);
  EXPECT_EQ(few.array<std::uint32_t>("contact_counts"), shown);
}

TEST_F(RunPage, HasTheStatistics) {
  const RunStatistics statistics = read_run_statistics(folder(), read_run(folder()));
  EXPECT_EQ(statistics.rows(), 8u);
  const PageReader shown = page();
  EXPECT_EQ(shown.header["statistics"].get<std::vector<std::string>>(), statistics.columns);
  const std::vector<float> numbers = shown.array<float>("statistics");
  ASSERT_EQ(numbers.size(), statistics.numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], static_cast<float>(statistics.numbers[i]));
  EXPECT_EQ(statistics.columns.front(), "frame");
  EXPECT_EQ(statistics.columns.back(), "cloth gravitational");
}

TEST_F(RunPage, HasWhatTheMethodOfTheRunWorkedWith) {
  const PageReader shown = page();
  const auto& overlay = shown.header["overlay"];
  EXPECT_EQ(overlay["method"], read_run(folder()).method_in_use);
  ASSERT_EQ(overlay["rows"], 9);
  const auto rows = shown.array<std::uint32_t>("overlay_rows");
  ASSERT_EQ(rows.size(), 7u * 9);
  std::size_t boxes = 0;
  for (std::size_t row = 0; row < 9; ++row) {
    EXPECT_GT(rows[7 * row], 0u);
    boxes += rows[7 * row];
  }
  const auto numbers = shown.array<float>("overlay_boxes");
  ASSERT_EQ(numbers.size(), 8 * boxes);
  for (std::size_t at = 0; at < numbers.size(); at += 8)
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_LE(numbers[at + 2 + axis], numbers[at + 5 + axis]);
  EXPECT_EQ(shown.array<std::uint32_t>("overlay_counts").size(), 9 * overlay["counters"].size());
}

TEST_F(RunPage, DrawsAnotherMethodOrNone) {
  RunPageSettings settings;
  settings.overlay.method = "particles";
  const PageReader particles = page(settings);
  EXPECT_FALSE(particles.array<std::uint32_t>("overlay_particles").empty());
  EXPECT_FALSE(particles.array<std::uint32_t>("overlay_surfaces").empty());
  settings.overlay.method = "anytime";
  settings.overlay.operations = 50;
  const PageReader open = page(settings);
  EXPECT_EQ(open.header["overlay"]["limited"], true);
  EXPECT_FALSE(open.array<float>("overlay_spheres").empty());
  settings.overlay.method = "none";
  EXPECT_FALSE(page(settings).header.contains("overlay"));
  settings.overlay.method = "bwh";
  EXPECT_THROW(page(settings), Error);
}

TEST_F(RunPage, LeavesOutWhatIsTooMuchAndSaysSo) {
  RunPageSettings settings;
  settings.overlay.method = "subdivided-boxes";
  settings.overlay.most_numbers = 1;
  settings.overlay.most_region_numbers = 10;
  const PageReader shown = page(settings);
  const auto rows = shown.array<std::uint32_t>("overlay_rows");
  for (std::size_t row = 0; row < 9; ++row) EXPECT_LE(rows[7 * row], 16u);
  EXPECT_EQ(shown.header["overlay"]["regions_without"], 9);
  settings.overlay.method = "kinetic";
  EXPECT_GT(page(settings).header["overlay"]["left_out"], 0);
}

TEST_F(RunPage, TellsNothingOfFolders) {
  const PageReader shown = page();
  EXPECT_EQ(shown.text().find("somebody"), std::string::npos);
  EXPECT_EQ(shown.document["schema"], "pliant.run/1");
  EXPECT_EQ(shown.document["outcome"], "done");
}

TEST_F(RunPage, RefusesADamagedTable) {
  const std::string file = file_in(folder(), "contacts.csv");
  std::string text = testing::read_text(file);
  text[text.find('\n') + 1] = 'x';
  std::ofstream(file, std::ios::binary) << text;
  {
    const std::string said = testing::error_of([&] { page(); }).what();
    for (const char* word : {"contacts.csv", ":2: ", "record anew"}) testing::expect_says(said, word);
  }
  EXPECT_FALSE(std::filesystem::exists(root_ / "out.html"));
}

}  // namespace
}  // namespace pliant
