#include "pliant/detect/penetration.h"

#include <gtest/gtest.h>

#include "pliant/asset/measure.h"
#include "pliant/bounds/closest_face.h"
#include "pliant/core/error.h"
#include "pliant/geometry/distance.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/support/soups.h"

namespace pliant {
namespace {

using testing::Dice;
using testing::moved;

// Turns of the surface around a point, by solid angles.
double slow_winding(const Vec3& p, const PosedMesh& body) {
  double angle = 0;
  for (std::size_t f = 0; f < body.mesh->face_count(); ++f)
    angle += solid_angle(p, body.corner(FaceId(f), 0), body.corner(FaceId(f), 1), body.corner(FaceId(f), 2));
  return angle / (4 * std::numbers::pi);
}

double slow_depth(const Vec3& p, const PosedMesh& body) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < body.mesh->face_count(); ++i) {
    const FaceId f(i);
    least =
        std::min(least, closest_points(p, Triangle3(body.corner(f, 0), body.corner(f, 1), body.corner(f, 2))).distance);
  }
  return std::abs(slow_winding(p, body)) > 0.5 ? least : -least;
}

// The deepest of many points of every face: not more than the truth.
double sampled(const PosedMesh& surface, const PosedMesh& body, int n) {
  double most = 0;
  for (std::size_t i = 0; i < surface.mesh->face_count(); ++i) {
    const FaceId f(i);
    for (int u = 0; u <= n; ++u) {
      for (int v = 0; u + v <= n; ++v) {
        const Vec3 p = (u * surface.corner(f, 0) + v * surface.corner(f, 1) + (n - u - v) * surface.corner(f, 2)) / n;
        most = std::max(most, slow_depth(p, body));
      }
    }
  }
  return most;
}

TEST(ClosestFace, WindsAroundPointsAsSolidAnglesSay) {
  Dice dice(5);
  const MeshPtr torus = make_torus({.segments = 14, .sides = 9}), box = make_box({.cells = {2, 3, 1}});
  const auto inside_out = [](const MeshPtr& mesh) {
    std::vector<Triangle> turned(mesh->triangles().begin(), mesh->triangles().end());
    for (Triangle& t : turned) std::swap(t[0], t[1]);
    return std::make_shared<const TriangleMesh>(std::vector<Vec3>(mesh->positions().begin(), mesh->positions().end()),
                                                turned);
  };
  for (const MeshPtr& mesh : {torus, box, MeshPtr(inside_out(torus))}) {
    const ClosestFace closest(*mesh);
    for (int i = 0; i < 500; ++i) {
      const Vec3 p = dice.point(-1.4, 1.4);
      EXPECT_EQ(closest.crossings(p).winding, std::lround(slow_winding(p, mesh))) << p.transpose();
    }
    // Rays along edges, through vertices and in the plane of faces.
    for (const double x : {-2.0, -0.1, 0.0, 0.1, 2.0})
      for (const Vec3& v : mesh->positions()) {
        const Vec3 p(x, v.y(), v.z());
        if (closest.find(p).distance < 1e-9) continue;
        EXPECT_EQ(closest.crossings(p).winding, std::lround(slow_winding(p, mesh))) << p.transpose();
      }
  }
}

TEST(Penetration, OfABoxOnABoxIsTheOverlap) {
  const MeshPtr a = make_box({.size = Vec3(0.3, 0.3, 1)}), b = make_box({.size = Vec3(10, 10, 10), .cells = {3, 3, 3}});
  const auto found = penetration({a, moved(a, {0.3, 0.2, 5.25})}, b);  // from z = 4.75 to 5.75; b ends at 5
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->depth, 0.25, 1e-12);
  EXPECT_LE(found->bound, 1e-4);
  EXPECT_TRUE(found->of_a);
  EXPECT_NEAR(found->point.z(), 4.75, 1e-12);
  EXPECT_NEAR((found->normal - Vec3::UnitZ()).norm(), 0, 1e-12);
  EXPECT_NEAR(found->way_out.z(), 5, 1e-12);
  // The other way round the same point is one of b's partner, and the normal moves the first body away.
  const auto other = penetration(b, {a, moved(a, {0.3, 0.2, 5.25})});
  ASSERT_TRUE(other);
  EXPECT_NEAR(other->depth, 0.25, 1e-12);
  EXPECT_FALSE(other->of_a);
  EXPECT_NEAR((other->normal + Vec3::UnitZ()).norm(), 0, 1e-12);
}

TEST(Penetration, IsThatOfTheDeepestOfManyPoints) {
  Dice dice(6);
  const MeshPtr a = make_icosphere({.radius = 0.7, .frequency = 2}), b = make_box({.cells = {2, 2, 2}});
  for (int round = 0; round < 4; ++round) {
    const auto x = moved(a, dice.point(-0.7, 0.7));
    const PosedMesh posed(a, x);
    const auto found = penetration(posed, b, 1e-3);
    ASSERT_TRUE(found);
    const double in_b = sampled(posed, b, 6), in_a = sampled(b, posed, 6);
    EXPECT_GE(found->depth + found->bound, std::max(in_b, in_a) - 1e-12);
    EXPECT_NEAR(slow_depth(found->point, found->of_a ? PosedMesh(b) : posed), found->depth, 1e-9);
    EXPECT_LE(found->bound, 1.4e-3);
    // Out it goes.
    const Vec3 way = found->normal * (found->of_a ? 1 : -1) * (found->depth + 1e-9);
    EXPECT_LE(slow_depth(found->point + way, found->of_a ? PosedMesh(b) : posed), 1e-12);
  }
}

TEST(Penetration, OfABodyWhollyInsideAnotherIsFound) {
  const MeshPtr ball = make_icosphere({.radius = 3, .frequency = 6}), box = make_box();
  const auto found = penetration(ball, box);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->of_a);
  EXPECT_GT(found->depth, 2);
  EXPECT_TRUE(is_inside({0, 0, 0}, ball));
  EXPECT_FALSE(is_inside({0, 0, 3.5}, ball));
}

TEST(Penetration, IsEmptyForBodiesThatAreApartOrOnlyTouch) {
  const MeshPtr box = make_box(), ball = make_icosphere();
  EXPECT_FALSE(penetration(box, {ball, moved(ball, {5, 0, 0})}));
  EXPECT_FALSE(penetration(box, {box, moved(box, {1, 0, 0})}));
  // Boxes overlap, surfaces do not.
  EXPECT_FALSE(penetration(make_torus({.radius = 2, .tube_radius = 0.3}), {ball, ball->positions()}));
}

TEST(Penetration, EndsWithItsBudgetAndSaysHowMuchDeeperItMayBe) {
  const MeshPtr ball = make_icosphere({.radius = 0.7, .frequency = 8}), box = make_box({.cells = {3, 3, 3}});
  const auto x = moved(ball, {0.3, 0.2, 0.1});
  const auto whole = penetration({ball, x}, box);
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->complete);
  bool found_some = false;
  for (std::uint64_t operations = 0; operations < 1'000; operations = 2 * operations + 1) {
    const auto part = penetration({ball, x}, box, 1e-4, Budget::operations(operations));
    ASSERT_TRUE(part) << operations;  // empty would say that they are apart
    EXPECT_LE(part->depth, whole->depth + whole->bound);
    EXPECT_GE(part->depth + part->bound, whole->depth);
    EXPECT_EQ(part->face.valid(), part->depth > 0);
    if (operations < 100) {
      EXPECT_FALSE(part->complete);
    }
    found_some = found_some || part->face.valid();
  }
  EXPECT_TRUE(found_some);
  // Apart, and no time to see it.
  const auto apart = moved(ball, {1.1, 1.1, 1.1});
  EXPECT_FALSE(penetration({ball, apart}, box));
  const auto unknown = penetration({ball, apart}, box, 1e-4, Budget::operations(0));
  ASSERT_TRUE(unknown);
  EXPECT_FALSE(unknown->face.valid());
  EXPECT_GT(unknown->bound, 0);
}

TEST(Penetration, RefusesASurfaceWhoseSeamHasOpened) {
  std::vector<Vec3> x;
  std::vector<std::uint32_t> corners;
  const MeshPtr box = make_box();
  for (const Triangle& t : box->triangles())
    for (const VertexId v : t) {
      corners.push_back(static_cast<std::uint32_t>(x.size()));
      x.push_back(box->position(v));
    }
  std::vector<Triangle> faces;
  for (std::size_t i = 0; i < corners.size(); i += 3)
    faces.push_back({VertexId(corners[i]), VertexId(corners[i + 1]), VertexId(corners[i + 2])});
  const auto soup = std::make_shared<const TriangleMesh>(x, faces);
  EXPECT_TRUE(is_inside({0, 0, 0}, MeshPtr(soup)));
  std::vector<Vec3> open = x;
  open[0] *= 1.5;
  EXPECT_THROW(is_inside({0, 0, 0}, {MeshPtr(soup), open}), Error);
  EXPECT_THROW(penetration({MeshPtr(soup), open}, box), Error);
}

TEST(Penetration, RefusesOpenMeshesInWords) {
  try {
    penetration(make_box(), make_grid());
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("not closed"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("64 edges lie on one face only"), std::string::npos) << e.what();
  }
  EXPECT_THROW(is_inside({0, 0, 0}, make_grid()), Error);
  EXPECT_THROW(penetration(make_box(), make_box(), 0), Error);
}

}  // namespace
}  // namespace pliant
