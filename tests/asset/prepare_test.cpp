#include "pliant/asset/prepare.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pliant/asset/asset_file.h"
#include "pliant/io/mesh_file.h"
#include "tests/asset/meshes.h"
#include "tests/support/stand_in_data.h"

namespace pliant::testing {
namespace {

PrepareSettings small_settings() {
  PrepareSettings settings;
  settings.coarse_faces = 200;
  settings.tets.way = TetWay::stuffing;
  return settings;
}

void expect_usable(const PreparedAsset& prepared) {
  const Asset& asset = prepared.asset;
  EXPECT_TRUE(check_surface(asset.coarse).sound());
  EXPECT_TRUE(find_defects(*asset.dense).manifold());
  ASSERT_TRUE(asset.links && asset.embedding);
  EXPECT_EQ(asset.embedding->outside_count(), prepared.report.quality.outside_vertices);
  // Written and read again, and still where it was.
  const Asset back = parse_asset(format_asset(asset), "back.pliant");
  LinkFollower follower(*back.links);
  const auto followed = follower.follow(back.tets->surface()->positions());
  for (std::size_t v = 0; v < followed.size(); ++v)
    ASSERT_LT((followed[v] - asset.dense->positions()[v]).norm(), 1e-15 * prepared.report.quality.diagonal);
}

TEST(Prepare, MakesAnAssetOfACleanMesh) {
  std::vector<std::string> stages;
  PrepareSettings settings = small_settings();
  settings.progress = [&](std::string_view stage, double fraction) {
    EXPECT_TRUE(fraction >= 0 && fraction <= 1);
    if (stages.empty() || stages.back() != stage) stages.emplace_back(stage);
  };
  const PreparedAsset prepared = prepare_asset(*make_torus(), settings);
  expect_usable(prepared);
  EXPECT_EQ(stages, (std::vector<std::string>{"repairing", "simplifying", "tetrahedra", "linking", "measuring"}));
  EXPECT_FALSE(prepared.report.repair.any());
  EXPECT_LT(*prepared.report.quality.volume_error(), 0.02);
  EXPECT_LT(prepared.report.quality.largest_distance, 0.05 * prepared.report.quality.diagonal);
  ASSERT_TRUE(prepared.report.quality.dense_volume);
}

TEST(Prepare, GivesTheSameBytesEveryTimeOnAnyNumberOfThreads) {
  PrepareSettings settings = small_settings();
  settings.threads = {1};
  const std::string once = format_asset(prepare_asset(*make_teapot(), settings).asset);
  settings.threads = {3};
  EXPECT_EQ(format_asset(prepare_asset(*make_teapot(), settings).asset), once);
}

TEST(Prepare, UsesMeshesAsTheyAreWhenAskedTo) {
  PrepareSettings settings = small_settings();
  settings.repair = false;
  settings.wrap_sheets = true;
  const MeshPtr grid = make_grid();
  const PreparedAsset prepared = prepare_asset(*grid, settings);
  EXPECT_EQ(prepared.asset.dense->face_count(), grid->face_count());
  EXPECT_FALSE(prepared.report.quality.volume_error());
  expect_usable(prepared);
}

TEST(Prepare, DoesNotMakeASolidOfASheetUnasked) {
  const std::string words = error_text([&] { prepare_asset(*make_grid(), small_settings()); });
  EXPECT_TRUE(says(words, "is open, along 64 edges") && says(words, "--wrap")) << words;
  const MeshPtr flat = make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}});
  PrepareSettings as_it_is = small_settings();
  as_it_is.repair = false;
  const std::string flat_words = error_text([&] { prepare_asset(*flat, as_it_is); });
  EXPECT_TRUE(says(flat_words, "no inside to fill: it is flat")) << flat_words;
}

TEST(Prepare, TurnsMeshesThatAreInsideOut) {
  const MeshPtr ball = make_icosphere({.frequency = 8});
  std::vector<Triangle> triangles(ball->triangles().begin(), ball->triangles().end());
  for (Triangle& t : triangles) std::swap(t[0], t[1]);
  const TriangleMesh inside_out({ball->positions().begin(), ball->positions().end()}, std::move(triangles));
  const PreparedAsset prepared = prepare_asset(inside_out, small_settings());
  expect_usable(prepared);
  EXPECT_LT(*prepared.report.quality.volume_error(), 0.02);
}

TEST(Prepare, IsEndedByWhatProgressThrows) {
  struct Enough {};
  for (const char* last : {"repairing", "simplifying", "tetrahedra", "linking"}) {
    PrepareSettings settings = small_settings();
    settings.progress = [&](std::string_view stage, double) {
      if (stage == last) throw Enough();
    };
    EXPECT_THROW(prepare_asset(*make_torus(), settings), Enough);
  }
}

TEST(Prepare, RefusesWhatHasNoExtent) {
  const MeshPtr point = make_mesh({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 1, 2}});
  EXPECT_FALSE(error_text([&] { prepare_asset(*point, small_settings()); }).empty());
  EXPECT_TRUE(says(error_text([&] { prepare_asset(TriangleMesh({{0, 0, 0}}, {}), small_settings()); }), "no faces"));
}

// Generated and real meshes with every kind of defect.
class MeshFiles : public ::testing::TestWithParam<const char*> {};

TEST_P(MeshFiles, ArePreparedWhateverIsWrongWithThem) {
  const bool generated = GetParam()[0] == '+';
  const std::filesystem::path path =
      generated ? stand_in_meshes() / (GetParam() + 1) : std::filesystem::path(PLIANT_TEST_DATA) / GetParam();
  PrepareSettings settings = small_settings();
  settings.wrap_sheets = true;
  const PreparedAsset prepared = prepare_asset(*read_mesh_file(path.string()).mesh, settings);
  expect_usable(prepared);
  EXPECT_EQ(prepared.report.after.nonmanifold_edges.count + prepared.report.after.flipped_edges.count, 0u);
}

std::string file_name(const ::testing::TestParamInfo<const char*>& info) {
  return std::filesystem::path(info.param).stem().string();
}

INSTANTIATE_TEST_SUITE_P(Generated, MeshFiles,
                         ::testing::Values("+meshes/grid.obj", "+meshes/soup.ply", "+meshes/fin.obj",
                                           "+meshes/bowtie.ply", "+meshes/blemished.ply", "+meshes/teapot.obj",
                                           "+meshes/two_cubes_intersecting.obj"),
                         file_name);

std::vector<const char*> real_meshes() {
  std::vector<const char*> names = {
      "meshes/teapot_1k.obj",     "meshes/teapot_6k.ply",         "meshes/two_cubes_intersecting.obj",
      "meshes/erleben_crack.obj", "research-only/dragon_11k.ply", "research-only/beetle_2k.obj",
      "research-only/cow_6k.obj"};
  std::erase_if(
      names, [](const char* name) { return !std::filesystem::exists(std::filesystem::path(PLIANT_TEST_DATA) / name); });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Real, MeshFiles, ::testing::ValuesIn(real_meshes()), file_name);

}  // namespace
}  // namespace pliant::testing
