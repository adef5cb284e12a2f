// Cloth that hangs still, against what balances on the same mesh; bending and energies against closed forms.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/bodies/cloth_layout.h"
#include "tests/bodies/hanging_cloth.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

// A curved sheet with an edge on three faces and a face of no area.
MeshPtr odd_mesh() {
  const MeshPtr sphere = make_icosphere({.radius = 0.2, .frequency = 2});
  std::vector<Vec3> positions(sphere->positions().begin(), sphere->positions().end());
  std::vector<Triangle> triangles(sphere->triangles().begin(), sphere->triangles().end());
  const Triangle first = triangles[0];
  positions.push_back(1.5 * positions[first[0].index()]);
  triangles.push_back({first[0], first[1], VertexId(positions.size() - 1)});
  triangles.push_back({first[0], first[0], first[1]});
  triangles.erase(triangles.begin() + 7);
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles));
}

RC_GTEST_PROP(ClothElements, GradientOfTheOracleIsThatOfTheEnergy, (std::uint64_t seed)) {
  Random random(seed);
  const MeshPtr mesh = odd_mesh();
  const ClothElements elements(*mesh, {.stretch = 50, .shear = 20, .bending = 0.01}, Vec3(1, 2, 0.5));
  const std::vector<Vec3> x = jittered(random, mesh->positions(), 0.02);
  const std::vector<Vec3> force = minus_gradient(x, 1e-6, [&](const auto& at) { return elements.energy(at); });
  const std::vector<Vec3> gradient = cloth_gradient(elements, x);
  for (std::size_t i = 0; i < x.size(); ++i) RC_ASSERT((force[i] + gradient[i]).norm() < 1e-6 * largest(force));
}

// The kernel against the oracle, on a sheet that uses all that it knows: fans with gaps, flat and curved hinges.
RC_GTEST_PROP(ClothLayout, KernelGradientIsThatOfTheOracle, (std::uint64_t seed, bool hinges_apart)) {
  Random random(seed);
  for (const MeshPtr& mesh : {odd_mesh(), make_grid({.columns = 5, .rows = 7, .alternate = true})}) {
    const ClothElements elements(*mesh, {.stretch = 50, .shear = 20, .bending = 0.01}, Vec3(1, 2, 0.5));
    std::vector<double> masses(mesh->vertex_count(), 0.01);
    masses[3] = std::numeric_limits<double>::infinity();
    const ClothLayout layout(elements, masses, hinges_apart);
    const std::vector<Vec3> x = jittered(random, mesh->positions(), 0.02);
    std::vector<float> rows(4 * layout.row_count(), 0), y(3 * layout.free_rows(), 0), gradient(rows);
    for (std::size_t v = 0; v < x.size(); ++v)
      for (std::size_t axis = 0; axis < 3; ++axis)
        rows[4 * layout.row_of_vertex()[v] + axis] = static_cast<float>(x[v][static_cast<int>(axis)]);
    sheet::find_gradient(layout.arrays(), {.x = rows.data(), .y = y.data(), .inertia = 0},
                         {0, layout.block_count(), false}, gradient.data());
    const std::vector<Vec3> wanted = cloth_gradient(elements, x);
    for (std::size_t v = 0; v < x.size(); ++v) {
      if (v == 3) continue;
      const float* got = &gradient[4 * layout.row_of_vertex()[v]];
      RC_ASSERT((50 * Vec3(got[0], got[1], got[2]) - wanted[v]).norm() < 1e-4 * largest(wanted));
    }
  }
}

class HangsStill : public testing::TestWithParam<Hanging> {};
INSTANTIATE_TEST_SUITE_P(Cotton, HangsStill, testing::Values(Hanging::by_corners, Hanging::by_an_edge),
                         [](const auto& by) { return by.param == Hanging::by_corners ? "by_corners" : "by_an_edge"; });

TEST_P(HangsStill, WhereForcesBalance) {
  const int across = 46;
  const HangingCloth cloth = hanging_cloth(GetParam(), across);
  ClothBody body(cloth.mesh, cloth.settings);
  settle(body, 4);
  const ClothElements elements(*cloth.mesh, cloth.settings.material, cloth.settings.along);
  const StaticCloth truth = static_cloth(elements, {body.masses()}, body.positions(), 1e-5, 25);
  EXPECT_LT(truth.residual, 1e-3);
  RecordProperty("newton_steps", truth.steps);
  const double top = GetParam() == Hanging::by_an_edge ? 0.5 : 0;
  const double sag = top - lowest(body.positions()), true_sag = top - lowest(truth.x);
  EXPECT_NEAR(sag, true_sag, 0.03 * true_sag);
  EXPECT_NEAR(body.condition().stretch, elements.stretch(truth.x), 0.001);
  EXPECT_LT(body.condition().stretch, 0.01);
  EXPECT_NEAR(body.potential_energy(), elements.energy(truth.x), 0.05 * elements.energy(truth.x));
}

TEST(ClothElements, BendingEnergyIsThatOfACylinder) {
  const double radius = 0.5, bending = 1e-3;
  for (const bool alternate : {false, true}) {
    const MeshPtr flat = make_grid({.width = 1, .depth = 1, .columns = 40, .rows = 40, .alternate = alternate});
    std::vector<Vec3> rolled;
    for (const Vec3& p : flat->positions())
      rolled.emplace_back(radius * std::sin(p.x() / radius), p.y(), -radius * std::cos(p.x() / radius));
    const ClothElements elements(*flat, {.stretch = 1e-9, .shear = 0, .bending = bending}, Vec3::UnitX());
    EXPECT_NEAR(elements.energy(rolled), bending / (radius * radius) / 2, 0.05 * bending / (radius * radius) / 2);
  }
}

TEST(ClothElements, StretchAndShearEnergiesAreThoseOfAHomogeneousSheet) {
  const MeshPtr flat = make_grid({.columns = 5, .rows = 7});
  std::vector<Vec3> moved;
  for (const Vec3& p : flat->positions()) moved.emplace_back(1.1 * p.x(), p.y(), 0.0);
  const ClothElements elements(*flat, {.stretch = 100, .shear = 30, .bending = 0}, Vec3::UnitX());
  EXPECT_NEAR(elements.energy(moved), 100 * 0.01 / 2, 1e-12);
  EXPECT_NEAR(elements.stretch(moved), 0.1, 1e-12);
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = flat->positions()[i] + Vec3(0.1 * moved[i].y(), 0, 0);
  const double across = std::sqrt(1.01) - 1;
  EXPECT_NEAR(elements.energy(moved), 100 * across * across / 2 + 30 * 0.01 / 2, 1e-12);
}

// A strip that hangs from one end is stretched by density gravity L^2 / (2 stretch).
TEST(ClothBody, HangingStripIsAsLongAsItsStiffnessSays) {
  const int rows = 20;
  const MeshPtr flat = make_grid({.width = 0.1, .depth = 1, .columns = 2, .rows = rows});
  std::vector<Vec3> upright;
  for (const Vec3& p : flat->positions()) upright.emplace_back(p.x(), 0, p.y());
  const MeshPtr mesh = with_positions(*flat, upright);
  const double density = 0.2, stretch = 20, gravity = 9.81;
  ClothBody body(mesh, {.material = {.density = density, .stretch = stretch, .shear = 10},
                        .gravity = {0, 0, -gravity},
                        .pinned = {VertexId(3 * rows), VertexId(3 * rows + 1), VertexId(3 * rows + 2)}});
  settle(body, 5);
  // Mass is lumped to rows: half a row hangs at each end, which leaves the sum exact.
  const double stretched = density * gravity / (2 * stretch);
  EXPECT_NEAR(mesh->positions()[1].z() - body.positions()[1].z(), stretched, 0.02 * stretched);
}

}  // namespace
}  // namespace pliant
