#include "pliant/mesh/shapes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <functional>
#include <ostream>

#include "pliant/core/error.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

long euler_characteristic(const TriangleMesh& mesh) {
  return static_cast<long>(mesh.vertex_count()) - static_cast<long>(mesh.topology().edges().size()) +
         static_cast<long>(mesh.face_count());
}

// A closed shape at a resolution n, and what mathematics knows of it.
struct Family {
  const char* name;
  std::function<MeshPtr(int)> make;
  long euler_characteristic;
  double volume;
  std::function<std::size_t(int)> face_count;
};

std::ostream& operator<<(std::ostream& out, const Family& family) { return out << family.name; }

class ClosedShapes : public ::testing::TestWithParam<Family> {};

TEST_P(ClosedShapes, AreClosedManifoldAndOutwardAtAnyResolution) {
  const Family& family = GetParam();
  for (const int n : {1, 2, 3, 5, 8}) {
    const MeshPtr mesh = family.make(n);
    const DefectReport report = find_defects(*mesh);
    EXPECT_TRUE(report.closed()) << n;
    EXPECT_TRUE(report.manifold()) << n;
    EXPECT_EQ(report.components, 1u) << n;
    EXPECT_EQ(report.zero_area_faces.count + report.repeated_index_faces.count + report.duplicate_faces.count, 0u) << n;
    EXPECT_EQ(report.unreferenced_vertices.count + report.duplicate_vertices.count, 0u) << n;
    EXPECT_EQ(euler_characteristic(*mesh), family.euler_characteristic) << n;
    EXPECT_EQ(mesh->face_count(), family.face_count(n)) << n;
    EXPECT_GT(enclosed_volume(*mesh), 0) << n;
    EXPECT_LE(enclosed_volume(*mesh), family.volume * 1.0001) << n;
  }
}

TEST_P(ClosedShapes, ApproachTheirVolumeQuadratically) {
  const Family& family = GetParam();
  const double coarse = family.volume - enclosed_volume(*family.make(8));
  const double fine = family.volume - enclosed_volume(*family.make(16));
  EXPECT_LE(std::abs(fine), 0.3 * std::abs(coarse) + 1e-9);
  EXPECT_NEAR(enclosed_volume(*family.make(24)) / family.volume, 1, 0.01);
}

std::size_t count(int n) { return static_cast<std::size_t>(n); }

INSTANTIATE_TEST_SUITE_P(
    Shapes, ClosedShapes,
    ::testing::Values(
        Family{"box",
               [](int n) {
                 return make_box({.size = {1, 2, 3}, .cells = {n, 2 * n, 3}});
               },
               2, 6, [](int n) { return 4 * count(2 * n * n + 6 * n + 3 * n); }},
        Family{"icosphere", [](int n) { return make_icosphere({.radius = 2, .frequency = n}); }, 2, 4.0 / 3 * kPi * 8,
               [](int n) { return 20 * count(n * n); }},
        Family{"uv sphere", [](int n) { return make_uv_sphere({.segments = 3 + 4 * (n - 1), .rings = 2 * n}); }, 2,
               4.0 / 3 * kPi, [](int n) { return 2 * count((4 * n - 1) * (2 * n - 1)); }},
        Family{
            "torus",
            [](int n) { return make_torus({.radius = 2, .tube_radius = 0.5, .segments = 4 * n, .sides = 2 + 2 * n}); },
            0, 2 * kPi* kPi * 2 * 0.25, [](int n) { return 2 * count(4 * n * (2 + 2 * n)); }},
        Family{"capsule",
               [](int n) {
                 return make_capsule({.radius = 0.5, .length = 2, .segments = 4 * n, .cap_rings = n, .side_rings = n});
               },
               2, kPi * 0.25 * 2 + 4.0 / 3 * kPi * 0.125, [](int n) { return 2 * count(4 * n * (3 * n - 1)); }},
        Family{"cylinder",
               [](int n) {
                 return make_cylinder({.radius = 0.5, .length = 2, .segments = 4 * n, .cap_rings = n, .side_rings = 1});
               },
               2, kPi * 0.25 * 2, [](int n) { return 2 * count(4 * n * 2 * n); }},
        Family{"bowl", [](int n) { return make_bowl({.radius = 1, .thickness = 0.5, .segments = 4 * n, .rings = n}); },
               2, 2.0 / 3 * kPi*(1.5 * 1.5 * 1.5 - 1), [](int n) { return 4 * count(4 * n * n); }}));

TEST(Shapes, DiscIsASheetThatFacesUpWithItsLastVerticesOnTheRim) {
  for (const int rings : {1, 2, 7}) {
    const MeshPtr mesh = make_disc({.radius = 2, .rings = rings});
    const DefectReport report = find_defects(*mesh);
    EXPECT_EQ(mesh->vertex_count(), count(3 * rings * (rings + 1) + 1));
    EXPECT_EQ(mesh->face_count(), 6 * count(rings * rings));
    EXPECT_TRUE(report.manifold());
    EXPECT_EQ(report.flipped_edges.count, 0u);
    EXPECT_EQ(report.boundary_edges.count, 6 * count(rings));
    EXPECT_EQ(euler_characteristic(*mesh), 1);
    for (const Triangle& t : mesh->triangles()) {
      const Vec3 a = mesh->position(t[0]);
      EXPECT_GT((mesh->position(t[1]) - a).cross(mesh->position(t[2]) - a).z(), 0);
    }
    for (std::size_t v = 0; v < mesh->vertex_count(); ++v) {
      const double radius = mesh->positions()[v].norm();
      if (v + 6 * count(rings) >= mesh->vertex_count()) EXPECT_NEAR(radius, 2, 1e-12);
      else EXPECT_LT(radius, 2 - 1e-3);
    }
  }
}

RC_GTEST_PROP(Shapes, GridIsASheetThatFacesUp, ()) {
  const int columns = *rc::gen::inRange(1, 9), rows = *rc::gen::inRange(1, 9);
  const bool alternate = *rc::gen::arbitrary<bool>();
  const MeshPtr mesh = make_grid({.width = 2, .depth = 3, .columns = columns, .rows = rows, .alternate = alternate});
  const DefectReport report = find_defects(*mesh);
  RC_ASSERT(mesh->vertex_count() == static_cast<std::size_t>((columns + 1) * (rows + 1)));
  RC_ASSERT(mesh->face_count() == static_cast<std::size_t>(2 * columns * rows));
  RC_ASSERT(report.manifold());
  RC_ASSERT(report.flipped_edges.count == 0u);
  RC_ASSERT(report.boundary_edges.count == static_cast<std::size_t>(2 * (columns + rows)));
  RC_ASSERT(euler_characteristic(*mesh) == 1);
  double area = 0;
  for (const Triangle& t : mesh->triangles()) {
    const Vec3 a = mesh->position(t[0]);
    const double up = (mesh->position(t[1]) - a).cross(mesh->position(t[2]) - a).z() / 2;
    RC_ASSERT(up > 0);
    area += up;
  }
  RC_ASSERT(std::abs(area - 6) < 1e-12);
  RC_ASSERT(mesh->position(VertexId(0)) == Vec3(-1, -1.5, 0));
}

TEST(Shapes, RoundOnesKeepTheirRadius) {
  for (const MeshPtr& mesh : {make_icosphere({.radius = 3, .frequency = 7}), make_uv_sphere({.radius = 3})})
    for (const Vec3& p : mesh->positions()) EXPECT_NEAR(p.norm(), 3, 1e-14);
}

class TeapotResolutions : public ::testing::TestWithParam<int> {};

TEST_P(TeapotResolutions, HaveFourJoinedPartsWithSixOpenings) {
  const int n = GetParam();
  for (const bool trimmed : {false, true}) {
    const MeshPtr mesh = make_teapot({.segments = n, .trimmed = trimmed});
    const DefectReport report = find_defects(*mesh);
    EXPECT_EQ(mesh->vertex_count(), count(32 * n * n + 4 * n + 2));
    EXPECT_EQ(mesh->face_count(), count(64 * n * n - 8 * n));
    EXPECT_EQ(report.components, 4u);
    EXPECT_EQ(report.boundary_edges.count, count(2 * 4 * n + 4 * 2 * n));  // rim and lid, four ends of tubes
    EXPECT_TRUE(report.manifold());
    EXPECT_EQ(report.flipped_edges.count, 0u);
    EXPECT_EQ(report.duplicate_faces.count + report.repeated_index_faces.count, 0u);
    EXPECT_EQ(report.zero_area_faces.count, 0u);
    // Two discs (chi 1 each) and two tubes (chi 0).
    EXPECT_EQ(euler_characteristic(*mesh), 2);
    ASSERT_EQ(mesh->origin().parts.size(), 4u);
    EXPECT_EQ(mesh->origin().parts[3].name, "spout");
    EXPECT_EQ(mesh->origin().parts[3].first_face + mesh->origin().parts[3].face_count, mesh->face_count());
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, TeapotResolutions, ::testing::Values(2, 3, 4, 10));

TEST(Shapes, TeapotHasItsPublishedExtentAndFacesOutward) {
  const MeshPtr mesh = make_teapot({.segments = 10});
  Eigen::AlignedBox3d box;
  for (const Vec3& p : mesh->positions()) box.extend(p);
  EXPECT_NEAR(box.min().x(), -3.0, 0.01);
  EXPECT_NEAR(box.max().x(), 3.43, 0.01);
  EXPECT_NEAR(box.max().y(), 2.0, 0.01);
  EXPECT_EQ(box.min().z(), 0);
  EXPECT_NEAR(box.max().z(), 3.15, 1e-12);
  // The wall at half height, the bottom and the knob look away from the middle of the pot.
  const Vec3 middle(0, 0, 1.2);
  std::size_t outward = 0;
  const MeshPart& body = mesh->origin().parts[0];
  for (std::uint32_t f = 0; f < body.face_count; ++f) {
    const Triangle& t = mesh->triangle(FaceId(f));
    const Vec3 a = mesh->position(t[0]), normal = (mesh->position(t[1]) - a).cross(mesh->position(t[2]) - a);
    outward += normal.dot(a - middle) > 0 ? 1 : 0;
  }
  EXPECT_GT(outward, body.face_count * 7 / 8);  // all but the inner side of the rim, half a patch row of four
}

TEST(Shapes, TrimmedTeapotHasHandleAndSpoutOutsideItsBody) {
  for (const int n : {2, 4, 10}) {
    const MeshPtr mesh = make_teapot({.segments = n, .trimmed = true});
    const auto& parts = mesh->origin().parts;
    for (std::uint32_t f = parts[2].first_face; f < mesh->face_count(); ++f) {
      for (const VertexId v : mesh->triangle(FaceId(f))) {
        const Vec3& p = mesh->position(v);
        EXPECT_GT(std::hypot(p.x(), p.y()), 1.5);
        EXPECT_TRUE(p.z() > 0.6 || std::hypot(p.x(), p.y()) > 1.9);
      }
    }
  }
}

TEST(Shapes, RefuseSettingsThatMakeNoSense) {
  EXPECT_THROW(make_grid({.columns = 0}), Error);
  EXPECT_THROW(make_grid({.width = -1}), Error);
  EXPECT_THROW(make_box({.size = {1, std::nan(""), 1}}), Error);
  EXPECT_THROW(make_icosphere({.frequency = 0}), Error);
  EXPECT_THROW(make_uv_sphere({.segments = 2}), Error);
  EXPECT_THROW(make_torus({.radius = 1, .tube_radius = 1}), Error);
  EXPECT_THROW(make_capsule({.cap_rings = 0}), Error);
  EXPECT_THROW(make_cylinder({.length = INFINITY}), Error);
  EXPECT_THROW(make_teapot({.segments = 1}), Error);
  EXPECT_THROW(make_disc({.rings = 0}), Error);
  EXPECT_THROW(make_bowl({.thickness = 0}), Error);
  EXPECT_THROW(make_bowl({.degrees = 0}), Error);
  EXPECT_THROW(make_bowl({.degrees = 151}), Error);
}

// Before any memory is taken, so that this test is quick.
TEST(Shapes, RefuseToBeTooLarge) {
  constexpr int kHuge = 2'000'000'000;
  const auto says = [](auto&& make) -> std::string {
    try {
      make();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(says([] { make_grid({.columns = kHuge}); }),
            "grid: it would have about 64000 million triangles (choose smaller counts: 134 million are allowed)");
  EXPECT_EQ(says([] { make_grid({.columns = kHuge, .rows = kHuge}); }),
            "grid: it would have about 8000000 trillion triangles (choose smaller counts: 134 million are allowed)");
  EXPECT_THROW(make_box({.cells = {kHuge, 1, 1}}), Error);
  EXPECT_THROW(make_box({.cells = {kHuge, kHuge, kHuge}}), Error);
  EXPECT_THROW(make_icosphere({.frequency = kHuge}), Error);
  EXPECT_THROW(make_uv_sphere({.segments = kHuge}), Error);
  EXPECT_THROW(make_uv_sphere({.rings = kHuge}), Error);
  EXPECT_THROW(make_torus({.segments = kHuge}), Error);
  EXPECT_THROW(make_torus({.sides = kHuge}), Error);
  EXPECT_THROW(make_capsule({.segments = kHuge}), Error);
  EXPECT_THROW(make_capsule({.cap_rings = kHuge}), Error);
  EXPECT_THROW(make_capsule({.side_rings = kHuge}), Error);
  EXPECT_THROW(make_cylinder({.segments = kHuge}), Error);
  EXPECT_THROW(make_cylinder({.cap_rings = kHuge}), Error);
  EXPECT_THROW(make_cylinder({.side_rings = kHuge}), Error);
  EXPECT_THROW(make_teapot({.segments = kHuge}), Error);
  EXPECT_THROW(make_disc({.rings = kHuge}), Error);
  EXPECT_THROW(make_bowl({.segments = kHuge}), Error);
  EXPECT_THROW(make_bowl({.rings = kHuge}), Error);
  EXPECT_THROW(make_tet_box({.cells = {kHuge, 1, 1}}), Error);
  EXPECT_THROW(make_tet_box({.cells = {kHuge, kHuge, kHuge}}), Error);
}

}  // namespace
}  // namespace pliant
