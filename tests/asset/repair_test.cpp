#include "pliant/asset/repair.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/asset/measure.h"
#include "tests/asset/meshes.h"

namespace pliant::testing {
namespace {

std::vector<Triangle> triangles_of(const TriangleMesh& mesh) {
  return {mesh.triangles().begin(), mesh.triangles().end()};
}
std::vector<Vec3> positions_of(const TriangleMesh& mesh) { return {mesh.positions().begin(), mesh.positions().end()}; }

TEST(Repair, LeavesASoundMeshAsItIs) {
  const MeshPtr ball = make_icosphere();
  const RepairedMesh repaired = repair_mesh(*ball);
  EXPECT_FALSE(repaired.report.any());
  EXPECT_EQ(triangles_of(*repaired.mesh), triangles_of(*ball));
  EXPECT_EQ(positions_of(*repaired.mesh), positions_of(*ball));
}

TEST(Repair, FillsHolesAndGivesTheVolumeBack) {
  const MeshPtr box = make_box({.cells = {6, 6, 6}});
  // All of the top but its rim, and a single face at the bottom.
  const MeshPtr open = faces_where(*box, [&](std::size_t f) {
    const Triangle& t = box->triangles()[f];
    const double z = box->position(t[0]).z() + box->position(t[1]).z() + box->position(t[2]).z();
    return !(z > 1.49) && f != 3;
  });
  const RepairedMesh repaired = repair_mesh(*open);
  EXPECT_EQ(repaired.report.filled_holes, 2u);
  EXPECT_GT(repaired.report.faces_added, 20u);
  EXPECT_TRUE(is_closed_manifold(*repaired.mesh));
  EXPECT_NEAR(measure(*repaired.mesh).volume(), 1, 1e-12);
  EXPECT_TRUE(!is_closed_manifold(*repair_mesh(*open, {.fill_holes = false}).mesh));
}

TEST(Repair, LeavesFlatSheetsOpen) {
  const RepairedMesh repaired = repair_mesh(*make_grid());
  EXPECT_EQ(repaired.report.open_sheets, 1u);
  EXPECT_EQ(repaired.report.faces_added, 0u);
  EXPECT_EQ(repaired.mesh->face_count(), make_grid()->face_count());
}

TEST(Repair, WeldsSeams) {
  const MeshPtr ball = make_icosphere();
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (const Triangle& t : ball->triangles()) {
    for (const VertexId v : t) positions.push_back(ball->position(v));
    const std::size_t n = positions.size();
    triangles.push_back({VertexId(n - 3), VertexId(n - 2), VertexId(n - 1)});
  }
  const RepairedMesh repaired = repair_mesh(TriangleMesh(positions, triangles));
  EXPECT_EQ(repaired.mesh->vertex_count(), ball->vertex_count());
  EXPECT_EQ(repaired.report.welded_vertices, positions.size() - ball->vertex_count());
  EXPECT_TRUE(is_closed_manifold(*repaired.mesh));
}

TEST(Repair, DropsDuplicatesAndFoldsPressedFlat) {
  const MeshPtr ball = make_icosphere();
  std::vector<Triangle> triangles = triangles_of(*ball);
  triangles.push_back(triangles[5]);  // a copy
  std::vector<Vec3> positions = positions_of(*ball);
  positions.emplace_back(0, 0, 3);  // a fin of two sides on an edge
  const VertexId tip(positions.size() - 1);
  triangles.push_back({triangles[0][0], triangles[0][1], tip});
  triangles.push_back({triangles[0][1], triangles[0][0], tip});
  const RepairedMesh repaired = repair_mesh(TriangleMesh(positions, triangles));
  EXPECT_EQ(repaired.report.duplicate_faces, 3u);
  EXPECT_EQ(repaired.mesh->face_count(), ball->face_count());
  EXPECT_TRUE(is_closed_manifold(*repaired.mesh));
}

TEST(Repair, KeepsOneSideOfAMeshModelledWithTwo) {
  const MeshPtr ball = make_icosphere();
  std::vector<Triangle> triangles = triangles_of(*ball);
  for (const Triangle& t : ball->triangles()) triangles.push_back({t[0], t[2], t[1]});
  const RepairedMesh repaired = repair_mesh(TriangleMesh(positions_of(*ball), triangles));
  EXPECT_EQ(repaired.report.duplicate_faces, ball->face_count());
  EXPECT_TRUE(is_closed_manifold(*repaired.mesh));
  EXPECT_GT(measure(*repaired.mesh).volume(), 0);
}

TEST(Repair, DropsDanglingFaces) {
  const MeshPtr ball = make_icosphere();
  std::vector<Triangle> triangles = triangles_of(*ball);
  std::vector<Vec3> positions = positions_of(*ball);
  positions.emplace_back(0, 0, 3);
  triangles.push_back({triangles[0][0], triangles[0][1], VertexId(positions.size() - 1)});
  const RepairedMesh repaired = repair_mesh(TriangleMesh(positions, triangles));
  EXPECT_EQ(repaired.report.dangling_faces, 1u);
  EXPECT_EQ(triangles_of(*repaired.mesh), triangles_of(*ball));
}

TEST(Repair, TakesBodiesApartThatTouchInAnEdge) {
  const MeshPtr two = joined({make_cube(), make_cube()}, {Vec3::Zero(), {1, 1, 0}});
  const RepairedMesh repaired = repair_mesh(*two);
  EXPECT_EQ(repaired.report.cut_edges, 1u);
  EXPECT_TRUE(is_closed_manifold(*repaired.mesh));
  EXPECT_EQ(find_defects(*repaired.mesh).components, 2u);
  EXPECT_NEAR(measure(*repaired.mesh).volume(), 2, 1e-12);
}

TEST(Repair, TakesBodiesApartThatTouchInAVertex) {
  const RepairedMesh repaired = repair_mesh(*joined({make_cube(), make_cube()}, {Vec3::Zero(), {1, 1, 1}}));
  EXPECT_EQ(repaired.report.split_vertices, 1u);
  EXPECT_TRUE(is_closed_manifold(*repaired.mesh));
  EXPECT_EQ(find_defects(*repaired.mesh).components, 2u);
}

TEST(Repair, TurnsFacesTheSameWayAndOutward) {
  const MeshPtr ball = make_icosphere();
  std::vector<Triangle> triangles = triangles_of(*ball);
  for (std::size_t f = 0; f < triangles.size(); ++f)
    if (f % 5 != 0) std::swap(triangles[f][1], triangles[f][2]);
  const RepairedMesh repaired = repair_mesh(TriangleMesh(positions_of(*ball), triangles));
  EXPECT_GT(repaired.report.turned_faces, 0u);
  EXPECT_TRUE(is_closed_manifold(*repaired.mesh));
  EXPECT_NEAR(measure(*repaired.mesh).volume(), measure(*ball).volume(), 1e-12);
}

TEST(Repair, KeepsCavities) {
  const MeshPtr inner = make_icosphere({.radius = 0.5});
  std::vector<Triangle> turned;
  for (const Triangle& t : inner->triangles()) turned.push_back({t[0], t[2], t[1]});
  const MeshPtr hollow =
      joined({make_icosphere(), std::make_shared<const TriangleMesh>(positions_of(*inner), std::move(turned))});
  const RepairedMesh repaired = repair_mesh(*hollow);
  EXPECT_FALSE(repaired.report.any());
  EXPECT_LT(measure(*repaired.mesh).volume(), measure(*make_icosphere()).volume());
}

TEST(Repair, DropsSmallPartsWhenAsked) {
  const MeshPtr mesh = joined({make_icosphere(), make_icosphere({.radius = 0.01})}, {Vec3::Zero(), {2, 0, 0}});
  EXPECT_EQ(repair_mesh(*mesh).report.dropped_parts, 0u);
  const RepairedMesh repaired = repair_mesh(*mesh, {.drop_below = 0.05});
  EXPECT_EQ(repaired.report.dropped_parts, 1u);
  EXPECT_EQ(repaired.mesh->face_count(), make_icosphere()->face_count());
}

TEST(Repair, NamesTheVerticesOfTheFile) {
  const MeshPtr box = make_box({.cells = {3, 3, 3}});
  const MeshPtr open = faces_where(*box, [](std::size_t f) { return f > 10; });
  const RepairedMesh repaired = repair_mesh(*open);
  const auto& in_file = repaired.mesh->origin().vertex_in_file;
  ASSERT_EQ(in_file.size(), repaired.mesh->vertex_count());
  for (std::size_t v = 0; v < in_file.size(); ++v)
    if (in_file[v] != VertexId::kNone) {
      EXPECT_EQ(repaired.mesh->positions()[v], open->positions()[in_file[v]]);
    }
}

TEST(Repair, RefusesAMeshOfNothing) {
  const MeshPtr flat = make_mesh({{0, 0, 0}, {1, 0, 0}}, {{0, 1, 1}});
  EXPECT_TRUE(says(error_text([&] { repair_mesh(*flat); }), "no face is left"));
}

// Whatever is thrown at it: faces dropped, doubled, turned and added between any vertices.
RC_GTEST_PROP(RepairProperty, MakesAnySoupManifold, ()) {
  const MeshPtr ball = make_icosphere({.frequency = 3});
  std::vector<Triangle> triangles;
  for (const Triangle& t : ball->triangles()) {
    const int fate = *rc::gen::inRange(0, 12);
    if (fate == 0) continue;
    triangles.push_back(fate == 1 ? Triangle{t[0], t[2], t[1]} : t);
    if (fate == 2) triangles.push_back(t);
  }
  const int more = *rc::gen::inRange(0, 40);
  const auto vertex = [&] { return VertexId(*rc::gen::inRange(0, static_cast<int>(ball->vertex_count()))); };
  for (int i = 0; i < more; ++i) triangles.push_back({vertex(), vertex(), vertex()});
  triangles.push_back(ball->triangles()[0]);  // never nothing
  const TriangleMesh soup(positions_of(*ball), triangles);
  for (const bool fill : {true, false}) {
    RepairedMesh repaired;
    try {
      repaired = repair_mesh(soup, {.fill_holes = fill});
    } catch (const Error&) {
      RC_DISCARD("faces that all cancel each other");
    }
    const DefectReport defects = find_defects(*repaired.mesh);
    RC_ASSERT(defects.manifold());
    RC_ASSERT(defects.flipped_edges.count == 0u);
    RC_ASSERT(defects.repeated_index_faces.count + defects.unreferenced_vertices.count == 0u);
    if (fill && repaired.report.open_sheets == 0) RC_ASSERT(defects.closed());
  }
}

}  // namespace
}  // namespace pliant::testing
