#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "pliant/asset/find_tets.h"
#include "pliant/asset/measure.h"
#include "pliant/asset/quality.h"
#include "pliant/asset/simplify.h"
#include "pliant/asset/tet_pieces.h"
#include "pliant/asset/tetrahedralise.h"
#include "pliant/geometry/distance.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/asset/meshes.h"

namespace pliant::testing {
namespace {

void expect_sound_body(const TetMesh& tets) {
  EXPECT_EQ(tets.flat_count(), 0u);
  for (std::size_t t = 0; t < tets.tet_count(); ++t) EXPECT_GT(tets.tet_volume(TetId(t)), 0);
  EXPECT_TRUE(is_closed_manifold(*tets.surface()));
  EXPECT_NEAR(measure(*tets.surface()).volume(), tets.volume(), 1e-9 * tets.volume());
}

TEST(FindTets, AgreesWithTheEmbeddingOnInsideAndNearness) {
  const auto tets = make_tet_box({.size = {1, 2, 1}, .cells = {3, 4, 3}});
  std::vector<Vec3> points;
  Random random(1);
  for (int i = 0; i < 500; ++i)
    points.emplace_back(random.within(-0.8, 0.8), random.within(-1.5, 1.5), random.within(-0.8, 0.8));
  for (const Vec3& corner : tets->positions()) points.push_back(corner);
  const BarycentricEmbedding slow(points, *tets), fast(points, *tets, find_tets(points, *tets));
  EXPECT_EQ(fast.outside_count(), slow.outside_count());
  EXPECT_GT(fast.outside_count(), 100u);
  const auto distance = [&](TetId t, const Vec3& p) {
    double least = 1e9;
    for (const auto& f : kTetFaces) {
      const auto corner = [&](std::size_t i) -> const Vec3& { return tets->positions()[tets->tet(t)[f[i]].index()]; };
      least = std::min(least, closest_points(p, Triangle3{corner(0), corner(1), corner(2)}).distance);
    }
    return least;
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& weights = slow.anchors()[i].weights;
    const auto& found = fast.anchors()[i].weights;
    const bool outside = *std::min_element(weights.begin(), weights.end()) < -1e-12;
    if (outside) {
      EXPECT_NEAR(distance(fast.anchors()[i].tet, points[i]), distance(slow.anchors()[i].tet, points[i]), 1e-12);
    } else {
      EXPECT_GE(*std::min_element(found.begin(), found.end()), -1e-12);
    }
  }
}

TEST(Quality, OfKnownTetrahedra) {
  const TetMesh regular({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                        {{VertexId(0), VertexId(1), VertexId(2), VertexId(3)}});
  const TetQuality best = measure_tets(regular);
  EXPECT_NEAR(best.least_radius_ratio, 1, 1e-12);
  EXPECT_NEAR(best.least_dihedral_degrees, 70.528779, 1e-5);
  EXPECT_NEAR(best.largest_dihedral_degrees, 70.528779, 1e-5);
  const TetMesh corner({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                       {{VertexId(0), VertexId(1), VertexId(2), VertexId(3)}});
  const TetQuality right = measure_tets(corner);
  // Inner radius 1 / (3 + sqrt 3), outer radius sqrt(3) / 2.
  EXPECT_NEAR(right.mean_radius_ratio, 3 / (3 + std::sqrt(3.0)) / (std::sqrt(3.0) / 2), 1e-12);
  EXPECT_NEAR(right.largest_dihedral_degrees, 90, 1e-9);
  EXPECT_NEAR(right.least_dihedral_degrees, 54.735610, 1e-5);
}

TEST(Tetrahedralise, FallsBackToStuffingAndSaysWhy) {
  const MeshPtr ball = make_icosphere();
  const TetBody body = tetrahedralise(ball, ball, {.helper = "/no/such/program"});
  EXPECT_EQ(body.way, TetWay::stuffing);
  EXPECT_TRUE(says(body.refused, "pliant-netgen is not there"));
  expect_sound_body(*body.mesh);
  EXPECT_TRUE(
      says(error_text([&] { tetrahedralise(ball, ball, {.way = TetWay::netgen, .helper = "/no/such/program"}); }),
           "Netgen made no tetrahedra"));
}

TEST(Tetrahedralise, StuffsWithinTwoPercentAtTheDefaultResolution) {
  const MeshPtr ball = make_icosphere({.frequency = 16});
  for (const MeshPtr& mesh :
       {ball, make_box(), make_torus(), make_capsule(), make_cube(), make_box({.size = {1, 1, 0.3}})}) {
    const TetBody body = tetrahedralise(mesh, mesh, {.way = TetWay::stuffing});
    expect_sound_body(*body.mesh);
    EXPECT_NEAR(body.mesh->volume() / measure(*mesh).volume(), 1, 0.02);
    EXPECT_NEAR(static_cast<double>(body.mesh->surface()->face_count()), 1000, 200);
    EXPECT_TRUE(body.warnings.empty()) << body.warnings.front();
  }
}

TEST(Tetrahedralise, NamesWhatIsTooThin) {
  const MeshPtr plate = make_box({.size = {1, 1, 0.02}, .cells = {10, 10, 1}});
  const TetBody body = tetrahedralise(plate, plate, {.way = TetWay::stuffing, .faces = 3000});
  ASSERT_FALSE(body.warnings.empty());
  std::string all;
  for (const std::string& words : body.warnings) all += words + "\n";
  for (const char* words : {"cells of", "96", "thinner than two cells", "the thinnest 0.02 at (", "--cell", "--coarse"})
    EXPECT_TRUE(says(all, words)) << words << "\n" << all;
  // A size that was asked for is kept, or refused.
  const TetBody fine = tetrahedralise(plate, plate, {.way = TetWay::stuffing, .cell = 0.01});
  EXPECT_EQ(fine.cell, 0.01);
  EXPECT_NEAR(fine.mesh->volume(), 0.02, 0.0004);
  EXPECT_TRUE(says(error_text([&] { tetrahedralise(plate, plate, {.way = TetWay::stuffing, .cell = 0.25}); }),
                   "thinner than the cells"));
}

TEST(Tetrahedralise, StuffsTheCoarseSurfaceWhereTheDenseOneIsNotSound) {
  const MeshPtr crossing = joined({make_icosphere(), make_icosphere()}, {Vec3::Zero(), {1, 0, 0}});
  const MeshPtr coarse = make_coarse_surface(crossing, {.faces = 600}).mesh;
  const TetBody body = tetrahedralise(coarse, crossing, {.way = TetWay::stuffing});
  expect_sound_body(*body.mesh);
  EXPECT_NEAR(body.mesh->volume() / measure(*coarse).volume(), 1, 0.02);
}

TEST(TetPieces, CrumbsAreDropped) {
  const auto large = make_tet_box(), small = make_tet_box({.size = Vec3::Constant(0.05), .cells = {1, 1, 1}});
  std::vector<Vec3> positions(large->positions().begin(), large->positions().end());
  std::vector<Tet> tets(large->tets().begin(), large->tets().end());
  for (const Vec3& p : small->positions()) positions.emplace_back(p + Vec3(2, 0, 0));
  for (Tet t : small->tets()) {
    for (VertexId& v : t) v = VertexId(v.index() + large->vertex_count());
    tets.insert(tets.begin(), t);
  }
  const TetMesh both(positions, tets);
  const TetPieces pieces = find_tet_pieces(both);
  ASSERT_EQ(pieces.count(), 2u);
  EXPECT_NEAR(pieces.volume[0], small->volume(), 1e-12);
  const auto kept = without_crumbs(both, pieces, 1e-3);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->tet_count(), large->tet_count());
  EXPECT_NEAR(kept->volume(), large->volume(), 1e-12);
  EXPECT_FALSE(without_crumbs(both, pieces, 1e-6));
}

// Programs that do what Netgen may do: hang, crash, answer nonsense or nothing.
class Helper : public ::testing::Test {
 protected:
  TetBody run(const std::string& script, std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("pliant-helper-" + std::to_string(getpid()))).string();
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    const MeshPtr ball = make_icosphere();
    const TetBody body = tetrahedralise(ball, ball, {.timeout = timeout, .helper = path});
    std::filesystem::remove(path);
    EXPECT_EQ(body.way, TetWay::stuffing);
    expect_sound_body(*body.mesh);
    return body;
  }
};

TEST_F(Helper, IsStoppedWhenItTakesTooLong) {
  EXPECT_TRUE(says(run("exec sleep 60", std::chrono::milliseconds(50)).refused, "it took longer than"));
}
TEST_F(Helper, MayCrash) { EXPECT_TRUE(says(run("kill -ABRT $$").refused, "ended by signal 6")); }
TEST_F(Helper, MayRefuse) { EXPECT_TRUE(says(run("echo noise; exit 1").refused, "refused the surface (status 1)")); }
TEST_F(Helper, MayWriteNothing) { EXPECT_TRUE(says(run("exit 0").refused, "no such file")); }
TEST_F(Helper, MayWriteNonsense) { EXPECT_TRUE(says(run("echo tetrahedra >\"$2\"").refused, "the answer")); }
TEST_F(Helper, MayEchoTheSurface) { EXPECT_FALSE(run("cp \"$1\" \"$2\"").refused.empty()); }

#ifdef PLIANT_NETGEN_PATH
TEST(Netgen, FillsTheSurfaceAndKeepsIt) {
  const MeshPtr torus = make_coarse_surface(make_torus(), {.faces = 300}).mesh;
  for (const MeshPtr& mesh : {make_icosphere(), torus, joined({make_cube(), make_cube()}, {Vec3::Zero(), {3, 0, 0}})}) {
    const NetgenAnswer answer = run_netgen(*mesh, {.helper = PLIANT_NETGEN_PATH});
    ASSERT_TRUE(answer.mesh) << answer.problem;
    expect_sound_body(*answer.mesh);
    EXPECT_EQ(answer.mesh->surface()->face_count(), mesh->face_count());
    EXPECT_NEAR(answer.mesh->volume(), measure(*mesh).volume(), 1e-9);
    for (std::size_t v = 0; v < mesh->vertex_count(); ++v) EXPECT_EQ(answer.mesh->positions()[v], mesh->positions()[v]);
  }
}

TEST(Netgen, SurvivesSurfacesThatItCanNotFill) {
  const MeshPtr crossing = joined({make_icosphere(), make_icosphere()}, {Vec3::Zero(), {0.5, 0, 0}});
  for (const MeshPtr& mesh : {make_grid(), crossing}) {
    const NetgenAnswer answer = run_netgen(*mesh, {.timeout = std::chrono::seconds(20), .helper = PLIANT_NETGEN_PATH});
    EXPECT_FALSE(answer.mesh);
    EXPECT_FALSE(answer.problem.empty());
  }
}
#endif

}  // namespace
}  // namespace pliant::testing
