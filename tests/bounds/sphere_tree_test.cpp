#include "pliant/bounds/sphere_tree/sphere_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "pliant/bounds/sphere_tree/build_sphere_tree.h"
#include "pliant/bounds/sphere_tree/moved_tree.h"
#include "pliant/bounds/sphere_tree/sphere_error.h"
#include "pliant/core/error.h"
#include "pliant/core/random.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/mesh_from.h"
#include "pliant/mesh/mesh_hash.h"
#include "pliant/mesh/shapes.h"

namespace pliant {
namespace {

SphereTreeSettings small(SphereTreeBuilder builder, std::uint32_t branching = 8, std::uint32_t depth = 2) {
  SphereTreeSettings settings;
  settings.builder = builder;
  settings.shape = {branching, depth};
  settings.threads = {1};
  return settings;
}

constexpr SphereTreeBuilder kBuilders[]{SphereTreeBuilder::medial, SphereTreeBuilder::octree, SphereTreeBuilder::boxes};

// Small: instrumented builds take ten times as long.
MeshPtr ring() { return make_torus({.segments = 20, .sides = 10}); }
MeshPtr pill() { return make_capsule({.segments = 16, .cap_rings = 4, .side_rings = 4}); }

std::vector<MeshPtr> closed_meshes() {
  return {make_icosphere({.radius = 1, .frequency = 4}), ring(), make_box({.size = Vec3(3, 1, 0.05)}), pill()};
}

// Random points of every face: some node of each level down to a leaf holds them, and lists the face.
void expect_cover(const SphereTree& tree, const TriangleMesh& mesh, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<FaceId>> faces_of(tree.spheres().size());
  for (std::uint32_t node = 0; node < faces_of.size(); ++node)
    if (tree.has(node)) faces_of[node] = tree.faces(node);
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    const std::array<Vec3, 3> corner = face_corners(mesh.triangle(FaceId(f)), mesh.positions());
    for (int sample = 0; sample < 4; ++sample) {
      double u = random.unit(), v = random.unit();
      if (u + v > 1) u = 1 - u, v = 1 - v;
      const Vec3 p = corner[0] + u * (corner[1] - corner[0]) + v * (corner[2] - corner[0]);
      std::vector<std::uint32_t> nodes{0};
      while (true) {
        ASSERT_FALSE(nodes.empty()) << "face " << f;
        std::vector<std::uint32_t> next;
        bool at_leaf = false;
        for (const std::uint32_t node : nodes) {
          const std::vector<FaceId>& faces = faces_of[node];
          if (!std::binary_search(faces.begin(), faces.end(), FaceId(f)) ||
              (p - tree.spheres()[node].centre).norm() > tree.spheres()[node].radius * (1 + 1e-12))
            continue;
          at_leaf = at_leaf || tree.is_leaf(node);
          for (std::uint32_t c = 0; c < tree.shape().branching && !tree.is_leaf(node); ++c)
            if (tree.has(tree.first_child(node) + c)) next.push_back(tree.first_child(node) + c);
        }
        if (at_leaf) break;
        nodes = std::move(next);
      }
    }
  }
}

TEST(SphereTree, CoversEveryPointOfTheSurfaceAtEveryLevel) {
  for (const SphereTreeBuilder builder : kBuilders)
    for (const MeshPtr& mesh : closed_meshes()) expect_cover(*build_sphere_tree(*mesh, small(builder)), *mesh, 7);
}

TEST(SphereTree, CoversLongThinTrianglesByCuttingThem) {
  const MeshPtr needle =
      mesh_from(std::vector<double>{0, 0, 0, 10, 0, 0, 10, 0.01, 0}, std::vector<std::uint32_t>{0, 1, 2});
  SphereTreeSettings settings = small(SphereTreeBuilder::boxes, 4, 3);
  const SphereTreePtr tree = build_sphere_tree(*needle, settings);
  expect_cover(*tree, *needle, 3);
  EXPECT_TRUE(tree->cuts_faces());
  double largest = 0;
  for (std::uint32_t node = 0; node < tree->spheres().size(); ++node)
    if (tree->has(node) && tree->is_leaf(node)) largest = std::max(largest, tree->spheres()[node].radius);
  EXPECT_LT(largest, 0.5);  // the face alone would need 5
}

TEST(SphereTree, IsTheSameForAnyNumberOfThreads) {
  const MeshPtr mesh = ring();
  for (const SphereTreeBuilder builder : kBuilders) {
    SphereTreeSettings settings = small(builder);
    const SphereTreePtr one = build_sphere_tree(*mesh, settings);
    settings.threads = {3};
    const SphereTreePtr three = build_sphere_tree(*mesh, settings);
    EXPECT_EQ(one->parts().order, three->parts().order);
    EXPECT_EQ(one->parts().spheres, three->parts().spheres);
  }
}

TEST(SphereTree, EveryWayOfReductionGivesATree) {
  const MeshPtr mesh = ring();
  for (const SphereReduction reduction :
       {SphereReduction::combined, SphereReduction::merge, SphereReduction::burst, SphereReduction::expand}) {
    SphereTreeSettings settings = small(SphereTreeBuilder::medial);
    settings.reduction = reduction;
    const SphereTreePtr tree = build_sphere_tree(*mesh, settings);
    expect_cover(*tree, *mesh, 5);
    EXPECT_GT(std::count_if(tree->spheres().begin(), tree->spheres().end(), is_there), 30) << to_string(reduction);
  }
}

double mean_error(const SphereTree& tree, const TriangleMesh& mesh, std::uint32_t level) {
  const SurfaceDepth surface(mesh);
  double sum = 0;
  int count = 0;
  for (std::uint32_t node = 0; node < tree.spheres().size(); ++node) {
    if (!tree.has(node) || tree.level(node) != level) continue;
    sum += sphere_error(surface, tree.spheres()[node]);
    ++count;
  }
  return sum / count;
}

TEST(SphereTree, OfTheMedialAxisIsTighterThanTheClassicOnes) {
  const MeshPtr mesh = pill();
  const SphereTreePtr medial = build_sphere_tree(*mesh, small(SphereTreeBuilder::medial));
  for (const SphereTreeBuilder other : {SphereTreeBuilder::octree, SphereTreeBuilder::boxes}) {
    const SphereTreePtr tree = build_sphere_tree(*mesh, small(other));
    for (const std::uint32_t level : {1U, 2U})
      EXPECT_LT(mean_error(*medial, *mesh, level), 0.7 * mean_error(*tree, *mesh, level)) << to_string(other);
  }
}

TEST(SphereTree, LayeredSpheresHoldThoseOfTheirChildren) {
  const MeshPtr mesh = ring();
  SphereTreeSettings settings = small(SphereTreeBuilder::medial);
  const SphereTreePtr wrapped = build_sphere_tree(*mesh, settings);
  settings.layered = true;
  const SphereTreePtr layered = build_sphere_tree(*mesh, settings);
  int sticking_out = 0;
  for (std::uint32_t node = 1; node < layered->spheres().size(); ++node) {
    if (!layered->has(node)) continue;
    const auto reach = [&](const SphereTree& tree) {
      const Sphere &inner = tree.spheres()[node], &outer = tree.spheres()[tree.parent(node)];
      return (inner.centre - outer.centre).norm() + inner.radius - outer.radius;
    };
    EXPECT_LE(reach(*layered), 1e-12);
    sticking_out += reach(*wrapped) > 1e-9 ? 1 : 0;
  }
  EXPECT_GT(sticking_out, 0);
}

TEST(SphereTree, OfDepthZeroIsOneSphere) {
  const MeshPtr mesh = ring();
  for (const SphereTreeBuilder builder : kBuilders) {
    const SphereTreePtr tree = build_sphere_tree(*mesh, small(builder, 8, 0));
    EXPECT_EQ(tree->spheres().size(), 1u);
    EXPECT_TRUE(tree->is_leaf(0));
    expect_cover(*tree, *mesh, 1);
  }
}

TEST(SphereTree, RefusesShapesThatAreNone) {
  const MeshPtr mesh = ring();
  EXPECT_THROW(build_sphere_tree(*mesh, small(SphereTreeBuilder::boxes, 1)), Error);
  EXPECT_THROW(build_sphere_tree(*mesh, small(SphereTreeBuilder::boxes, 8, 12)), Error);
  EXPECT_THROW(build_sphere_tree(*mesh, small(SphereTreeBuilder::octree, 4)), Error);
}

TEST(SphereTree, MedialOneRefusesSurfacesWithoutAnInside) {
  EXPECT_THROW(build_sphere_tree(*make_grid(), small(SphereTreeBuilder::medial)), Error);
  // Two faces back to back: closed, flat.
  const MeshPtr flat =
      mesh_from(std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0}, std::vector<std::uint32_t>{0, 1, 2, 0, 2, 1});
  EXPECT_THROW(build_sphere_tree(*flat, small(SphereTreeBuilder::medial)), Error);
  expect_cover(*build_sphere_tree(*make_grid(), small(SphereTreeBuilder::boxes)), *make_grid(), 2);
  expect_cover(*build_sphere_tree(*flat, small(SphereTreeBuilder::octree)), *flat, 2);
}

TEST(SphereTree, TakesSeveralComponents) {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (int part = 0; part < 3; ++part) {
    const MeshPtr ball = make_icosphere({.radius = 0.4, .frequency = 3});
    const auto first = static_cast<std::uint32_t>(positions.size());
    for (const Vec3& p : ball->positions()) positions.push_back(p + Vec3(part, 0, 0));
    for (const Triangle& t : ball->triangles())
      triangles.push_back({VertexId(first + t[0].value), VertexId(first + t[1].value), VertexId(first + t[2].value)});
  }
  const TriangleMesh mesh(std::move(positions), std::move(triangles));
  expect_cover(*build_sphere_tree(mesh, small(SphereTreeBuilder::medial)), mesh, 2);
}

TEST(SphereTree, PartsOfAnotherMeshAreRefused) {
  const MeshPtr mesh = ring();
  const SphereTree::Parts parts = build_sphere_tree(*mesh, small(SphereTreeBuilder::boxes))->parts();
  EXPECT_NO_THROW(SphereTree(*mesh, parts));
  EXPECT_THROW(SphereTree(*pill(), parts), Error);
  SphereTree::Parts shrunk = parts;
  shrunk.spheres[3].radius *= 0.99;
  EXPECT_THROW(SphereTree(*mesh, shrunk), Error);
  SphereTree::Parts moved = parts;
  std::swap(moved.order[0], moved.order[moved.order.size() - 1]);
  EXPECT_THROW(SphereTree(*mesh, moved), Error);
  SphereTree::Parts twice = parts;
  twice.order[0] = twice.order[1];
  EXPECT_THROW(SphereTree(*mesh, twice), Error);
  SphereTree::Parts short_range = parts;
  short_range.ranges[2].count -= 1;
  EXPECT_THROW(SphereTree(*mesh, short_range), Error);
}

TEST(SphereTree, GoesAlongWithItsMesh) {
  const MeshPtr mesh = make_torus({.segments = 12, .sides = 8});
  const RigidTransform turn = rigid({1, 2, 3}, 0.7, {4, -5, 6});
  constexpr double kScale = 0.3;
  const auto place = [&](const Vec3& p) { return turn * Vec3(kScale * p); };
  std::vector<Vec3> x;
  for (const Vec3& p : mesh->positions()) x.push_back(place(p));
  const MeshPtr moved = with_positions(*mesh, x);
  for (const SphereTreeBuilder builder : {SphereTreeBuilder::medial, SphereTreeBuilder::boxes}) {
    SphereTreeSettings settings;
    settings.builder = builder;
    settings.shape = {4, 2};
    const SphereTreePtr tree = build_sphere_tree(*mesh, settings);
    const SphereTreePtr there = moved_tree(*tree, *moved, kScale, place);  // proves that it covers
    ASSERT_TRUE(there);
    EXPECT_EQ(there->mesh_hash(), mesh_hash(*moved));
    for (std::uint32_t node = 0; node < tree->spheres().size(); ++node) {
      ASSERT_EQ(there->has(node), tree->has(node));
      if (!tree->has(node)) continue;
      EXPECT_NEAR(there->spheres()[node].radius, kScale * tree->spheres()[node].radius, 1e-9);
      EXPECT_LT((there->spheres()[node].centre - place(tree->spheres()[node].centre)).norm(), 1e-12);
    }
  }
}

TEST(SphereTree, BuildCanBeStoppedByItsProgress) {
  SphereTreeSettings settings = small(SphereTreeBuilder::medial);
  double last = 0;
  settings.progress = [&](double fraction) {
    last = fraction;
    if (fraction > 0.3) throw Error("stopped");
  };
  EXPECT_THROW(build_sphere_tree(*ring(), settings), Error);
  EXPECT_GT(last, 0.3);
  EXPECT_LE(last, 1);
}

RC_GTEST_PROP(EnclosingBall, HoldsAllPointsAndNoSmallerOneDoes, (std::uint64_t seed)) {
  Random random(seed);
  std::vector<Vec3> points(1 + random.below(40));
  for (Vec3& p : points)
    p = Vec3(random.within(-1, 1), random.within(-1, 1), random.below(3) == 0 ? 0 : random.within(-1, 1));
  const Sphere ball = enclosing_ball(points);
  for (const Vec3& p : points) RC_ASSERT(holds(ball, p));
  // No centre nearby does better: the largest distance is a convex function of the centre.
  for (int i = 0; i < 200; ++i) {
    const Vec3 other = ball.centre + Vec3(random.within(-1, 1), random.within(-1, 1), random.within(-1, 1)) * 0.01;
    RC_ASSERT(ball_around(other, points).radius >= ball.radius * (1 - 1e-9));
  }
}

TEST(EnclosingBall, OfOnePointHasNoRadius) {
  const Vec3 p(1, 2, 3);
  EXPECT_EQ(enclosing_ball(std::span(&p, 1)).radius, 0);
  const std::vector<Vec3> same(5, p);
  EXPECT_EQ(enclosing_ball(same).radius, 0);
}

TEST(MeshHash, TellsMeshesApart) {
  EXPECT_EQ(mesh_hash(*ring()), mesh_hash(*ring()));
  EXPECT_NE(mesh_hash(*ring()), mesh_hash(*pill()));
  const MeshPtr mesh = ring();
  std::vector<Vec3> moved(mesh->positions().begin(), mesh->positions().end());
  moved[17].x() = std::nextafter(moved[17].x(), 1e9);
  EXPECT_NE(mesh_hash(*mesh), mesh_hash(TriangleMesh(moved, {mesh->triangles().begin(), mesh->triangles().end()})));
}

}  // namespace
}  // namespace pliant
