// Points and bodies inside closed surfaces, and what a check says about them.
#include "pliant/detect/inside.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/check/known_bodies.h"

namespace pliant::testing {
namespace {

MeshPtr moved(const MeshPtr& mesh, const Vec3& by) {
  std::vector<Vec3> x(mesh->positions().begin(), mesh->positions().end());
  for (Vec3& p : x) p += by;
  return with_positions(*mesh, std::move(x));
}

PosedMesh at_rest(const MeshPtr& mesh) { return {mesh.get(), mesh->positions()}; }

// A cube of 12 triangles on whole numbers, so that segments meet corners and edges all the time.
MeshPtr cube(int side) {
  std::vector<Vec3> x;
  for (int i = 0; i < 8; ++i) x.emplace_back((i & 1) * side, (i >> 1 & 1) * side, (i >> 2 & 1) * side);
  return mesh_of(std::move(x), {{0, 2, 1},
                                {1, 2, 3},
                                {4, 5, 6},
                                {5, 7, 6},
                                {0, 1, 4},
                                {1, 5, 4},
                                {2, 6, 3},
                                {3, 6, 7},
                                {0, 4, 2},
                                {2, 4, 6},
                                {1, 3, 5},
                                {3, 7, 5}});
}

RC_GTEST_PROP(Inside, OfACubeIsWhatLiesBetweenItsFaces, ()) {
  const MeshPtr box = cube(4);
  const auto surface = ClosedSurface::make(at_rest(box));
  RC_ASSERT(surface.has_value());
  const Vec3 p(*rc::gen::inRange(-2, 14) * 0.5, *rc::gen::inRange(-2, 14) * 0.5, *rc::gen::inRange(-2, 14) * 0.5);
  const bool within = (p.array() > 0).all() && (p.array() < 4).all();
  const bool beyond = (p.array() < 0).any() || (p.array() > 4).any();
  const auto expected = within ? PointSide::inside : beyond ? PointSide::outside : PointSide::on_surface;
  RC_ASSERT(surface->locate(p) == expected);
}

TEST(Inside, IsDecidedExactlyNextToTheSurface) {
  const MeshPtr box = cube(1);
  const auto surface = ClosedSurface::make(at_rest(box));
  ASSERT_TRUE(surface);
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(surface->locate({tiny, 0.5, 0.25}), PointSide::inside);
  EXPECT_EQ(surface->locate({0, 0.5, 0.25}), PointSide::on_surface);
  EXPECT_EQ(surface->locate({-tiny, 0.5, 0.25}), PointSide::outside);
  EXPECT_EQ(surface->locate({std::nextafter(1.0, 0), 0.3, 0.7}), PointSide::inside);
}

TEST(Inside, NeedsAClosedSurface) {
  EXPECT_FALSE(ClosedSurface::make(at_rest(plate())));
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 4});
  EXPECT_TRUE(ClosedSurface::make(at_rest(ball)));
  // A ball whose seam has opened is not closed any more, one whose faces turn both ways is.
  std::vector<std::array<std::uint32_t, 3>> faces;
  std::vector<Vec3> x;
  for (const Triangle& t : ball->triangles()) {
    const auto first = static_cast<std::uint32_t>(x.size());
    for (const VertexId v : t) x.push_back(ball->position(v));
    faces.push_back({first, first + 1, first + 2});
  }
  const MeshPtr soup = mesh_of(x, faces);
  EXPECT_TRUE(ClosedSurface::make(at_rest(soup)));
  std::vector<Vec3> open(x);
  open[0] *= 1.01;
  EXPECT_FALSE(ClosedSurface::make({soup.get(), open}));
  for (std::size_t f = 0; f < faces.size(); f += 3) std::swap(faces[f][0], faces[f][1]);
  const MeshPtr mixed = mesh_of(x, faces);
  const auto surface = ClosedSurface::make(at_rest(mixed));
  ASSERT_TRUE(surface);
  EXPECT_EQ(surface->locate(Vec3(0.1, 0.2, 0.3)), PointSide::inside);
}

std::vector<CheckBody> bodies_of(std::vector<MeshPtr> meshes) {
  std::vector<CheckBody> bodies;
  for (std::size_t i = 0; i < meshes.size(); ++i) bodies.push_back(still_body("b" + std::to_string(i), meshes[i]));
  return bodies;
}

TEST(Inside, ACheckSaysWhichBodyLiesInAnother) {
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 4});
  const MeshPtr small = make_icosphere({.radius = 0.25, .frequency = 2});
  for (const bool moving : {false, true}) {
    const auto bodies = bodies_of({small, ball, moved(small, Vec3(3, 0, 0))});
    const CheckReport report = moving ? check_animation(bodies) : check_meshes(bodies);
    EXPECT_EQ(report.verdict, Verdict::clean);
    ASSERT_EQ(report.pairs.size(), 1u);
    EXPECT_EQ(report.pairs[0].a, 0u);
    EXPECT_EQ(report.pairs[0].b, 1u);
    EXPECT_EQ(report.pairs[0].inside, Inside::a_in_b);
    EXPECT_EQ(report.pairs[0].contacts, 0u);
  }
  const auto other_way = bodies_of({ball, small});
  EXPECT_EQ(check_meshes(other_way).pairs.at(0).inside, Inside::b_in_a);
}

TEST(Inside, AShapeInTheHoleOfATorusOrAcrossASurfaceIsNot) {
  const MeshPtr torus = make_torus({.radius = 1, .tube_radius = 0.4, .segments = 30, .sides = 16});
  const MeshPtr small = make_icosphere({.radius = 0.1, .frequency = 2});
  EXPECT_TRUE(check_meshes(bodies_of({small, torus})).pairs.empty());
  EXPECT_EQ(check_meshes(bodies_of({moved(small, Vec3(1, 0, 0)), torus})).pairs.at(0).inside, Inside::a_in_b);
  const CheckReport across = check_meshes(bodies_of({moved(small, Vec3(1.4, 0, 0)), torus}));
  EXPECT_EQ(across.verdict, Verdict::collides);
  EXPECT_EQ(across.pairs.at(0).inside, Inside::neither);
}

TEST(Inside, ABodyOfTwoComponentsIsInsideOnlyIfBothAre) {
  const MeshPtr ball = make_icosphere({.radius = 1, .frequency = 4});
  const auto tetrahedra = [](const Vec3& apart) {
    std::vector<Vec3> x;
    for (const Vec3& shift : {Vec3(0, 0, 0), apart})
      for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0.1, 0, 0), Vec3(0, 0.1, 0), Vec3(0, 0, 0.1)})
        x.emplace_back(p + shift);
    return mesh_of(std::move(x),
                   {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {4, 6, 5}, {4, 5, 7}, {5, 6, 7}, {6, 4, 7}});
  };
  EXPECT_EQ(check_meshes(bodies_of({tetrahedra({0.3, 0, 0}), ball})).pairs.at(0).inside, Inside::a_in_b);
  EXPECT_TRUE(check_meshes(bodies_of({tetrahedra({0.8, 0.8, 0.8}), ball})).pairs.empty());
}

}  // namespace
}  // namespace pliant::testing
