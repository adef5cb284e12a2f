// Pages: what is put into the slot is what comes out of it.
#include "pliant/io/page.h"

#include "pliant/core/error.h"
#include "pliant/mesh/shapes.h"
#include "tests/io/helpers.h"
#include "tests/support/page_reader.h"

namespace pliant::testing {
namespace {

// A ball that grows and drifts, beside one that stands still; positions that no grid of 65,535 steps has.
PageContent two_balls(std::size_t frames) {
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 2});
  std::vector<Frame> moved;
  for (std::size_t k = 0; k < frames; ++k) {
    std::vector<Vec3> positions(ball->positions().begin(), ball->positions().end());
    for (Vec3& x : positions) x = x * (1 + 0.037 * double(k)) + Vec3(0.1, 0.0123, -0.2) * double(k);
    moved.push_back(Frame::own(std::move(positions)));
  }
  PageContent content;
  content.title = "two balls";
  content.bodies = {{"still", "fixed", ball, Motion::at_rest(ball)},
                    {"moved", "cloth", ball, Motion::keyframes(std::move(moved))}};
  for (std::size_t k = 0; k < frames; ++k) content.times.push_back(1001 + 0.5 * double(k));
  content.document = R"({"schema":"pliant.run/1"})";
  return content;
}

class PageTest : public ::testing::Test {
 protected:
  PageReader written(const PageContent& content, std::uint64_t most_bytes = kPageBytes) {
    result_ = write_page(folder_.path("out.html"), page_, content, most_bytes);
    return PageReader(folder_.path("out.html"));
  }

  TemporaryFolder folder_;
  PageTemplate page_{folder_.write("view.html", kEmptyPage)};
  PageWritten result_;
};

TEST_F(PageTest, KeepsFacesTimesAndPositionsToHalfAStep) {
  PageContent content = two_balls(7);
  content.arrays = {{"numbers", std::vector<float>{1.5f, -2.f}},
                    {"counts", std::vector<std::uint32_t>{7, 8, 4000000000u}}};
  const PageReader page = written(content);
  EXPECT_EQ(page.header["schema"], "pliant.page/1");
  EXPECT_EQ(page.header["times"].get<std::vector<double>>(), content.times);
  EXPECT_EQ(page.document["schema"], "pliant.run/1");
  EXPECT_EQ(page.array<float>("numbers"), (std::vector<float>{1.5f, -2.f}));
  EXPECT_EQ(page.array<std::uint32_t>("counts"), (std::vector<std::uint32_t>{7, 8, 4000000000u}));
  for (std::size_t b = 0; b < 2; ++b) {
    const PageBody& body = content.bodies[b];
    std::vector<std::uint32_t> corners;
    for (const Triangle& triangle : body.mesh->triangles())
      for (const VertexId v : triangle) corners.push_back(v.value);
    EXPECT_EQ(page.triangles(b), corners);
    for (std::size_t k = 0; k < body.motion.frame_count(); ++k) {
      const std::vector<Vec3> shown = page.positions(b, k);
      const Frame frame = body.motion.frame(k);
      for (std::size_t v = 0; v < shown.size(); ++v)
        for (int axis = 0; axis < 3; ++axis)
          EXPECT_LE(std::abs(shown[v][axis] - frame.positions()[v][axis]), 0.5001 * page.step(b)[axis]);
    }
  }
}

TEST_F(PageTest, NamesCannotEndTheScriptThatHoldsThem) {
  PageContent content = two_balls(2);
  const std::string name = "</script><script>alert('\xc3\xa9 & <!--')</script>";
  content.bodies[0].name = content.title = name;
  content.document = R"({"schema":"x","note":"</script>"})";
  const PageReader page = written(content);
  EXPECT_EQ(page.text().find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.header["title"], name);
  EXPECT_EQ(page.header["bodies"][0]["name"], name);
  EXPECT_EQ(page.document["note"], "</script>");
}

TEST_F(PageTest, LeavesFramesOutOfWhatIsTooLarge) {
  PageContent content = two_balls(20);
  content.needed = {7, 8};
  const std::uint64_t row = 6 * content.bodies[1].mesh->vertex_count();
  const PageReader page = written(content, 5 * row);
  EXPECT_EQ(result_.frames, 20u);
  EXPECT_EQ(page.header["frames"], 20);
  const auto times = page.header["times"].get<std::vector<double>>();
  EXPECT_EQ(times.size(), result_.kept);
  const std::vector<std::size_t> kept = {0, 4, 7, 8, 12, 16, 19};
  ASSERT_EQ(times.size(), kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(times[i], content.times[kept[i]]);
    const Vec3 there = content.bodies[1].motion.frame(kept[i]).positions()[3];
    EXPECT_LT((page.positions(1, i)[3] - there).norm(), page.step(1).norm());
  }
}

TEST_F(PageTest, WritesLargeBlocksInPieces) {
  PageContent content = two_balls(3);
  std::vector<std::uint32_t> many(1'000'001);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::uint32_t>(i * 2654435761u);
  content.arrays = {{"many", many}, {"last", std::vector<float>{0.25f}}};
  const PageReader page = written(content);
  EXPECT_EQ(page.array<std::uint32_t>("many"), many);
  EXPECT_EQ(page.array<float>("last"), std::vector<float>{0.25f});
}

TEST_F(PageTest, RefusesAFileWithoutASlot) {
  const std::string file = folder_.write("other.html", "<html></html>");
  {
    const std::string said = error_of([&] { PageTemplate other(file); }).what();
    for (const char* word : {"other.html", "make web"}) expect_says(said, word);
  }
  {
    const std::string said = error_of([&] { PageTemplate missing(folder_.path("none.html")); }).what();
    for (const char* word : {"none.html"}) expect_says(said, word);
  }
}

TEST_F(PageTest, RefusesMotionsWithOtherFramesThanTimes) {
  PageContent content = two_balls(4);
  content.times.pop_back();
  {
    const std::string said = error_of([&] { written(content); }).what();
    for (const char* word : {"moved", "4 frames", "3 times"}) expect_says(said, word);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out.html")));
}

}  // namespace
}  // namespace pliant::testing
