// Cloth in motion, against closed forms; and what every motion keeps to: energy, momentum, the same bits.
#include <gtest/gtest.h>

#include "pliant/bodies/cloth.h"
#include "pliant/core/cpu.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/bodies/support.h"

namespace pliant {
namespace {

// An upright sheet that is pinned along its upper edge.
struct Curtain {
  MeshPtr mesh;
  std::vector<VertexId> pins;
};
Curtain curtain(double width, double length, int columns, int rows) {
  const MeshPtr flat = make_grid({.width = width, .depth = length, .columns = columns, .rows = rows});
  std::vector<Vec3> upright;
  for (const Vec3& p : flat->positions()) upright.emplace_back(p.x(), 0, p.y() - length / 2);
  Curtain result{with_positions(*flat, upright), {}};
  for (int i = 0; i <= columns; ++i) result.pins.emplace_back(rows * (columns + 1) + i);
  return result;
}

// Along its threads a strip with one free end oscillates at omega = pi/2 sqrt(stretch / density) / L; viscosity of
// d seconds takes exp(-pi omega d / 2) of the amplitude in half a period, for d omega well below 1.
TEST(ClothBody, ViscosityDampsAsKelvinAndVoigtSay) {
  const int rows = 20;
  const double stretch = 20, density = 0.2;
  for (const double damping : {0.005, 0.02}) {
    const Curtain c = curtain(0.1, 1, 2, rows);
    ClothBody body(c.mesh, {.material = {.density = density, .stretch = stretch, .shear = 10, .damping = damping},
                            .gravity = Vec3::Zero(),
                            .pinned = c.pins,
                            .substep = 1.0 / 1920,
                            .air_density = 0});
    std::vector<Vec3> x(body.positions().begin(), body.positions().end());
    for (Vec3& p : x) p.z() += 0.05 * std::sin(kPi / 2 * p.z());
    body.commit(x, body.velocities());
    std::vector<double> extremes;
    double before = body.positions()[1].z() + 1, direction = 1;
    for (int i = 0; i < 480; ++i) {
      run(body, 1.0 / 960, 1);
      const double now = body.positions()[1].z() + 1;
      if ((now - before) * direction < 0) {
        extremes.push_back(std::abs(before));
        direction = -direction;
      }
      before = now;
    }
    ASSERT_GE(extremes.size(), 2u);
    const double omega = kPi / 2 * std::sqrt(stretch / density), ratio = omega * damping / 2;
    const double theory = std::exp(-kPi * ratio / std::sqrt(1 - ratio * ratio));
    EXPECT_NEAR(extremes[1] / extremes[0], theory, 0.05 * theory);
  }
}

TEST(ClothBody, EnergyNeverGrows) {
  for (const char* name : {"silk", "cotton", "leather", "steel"}) {
    const ClothMaterial material =
        std::string(name) == "steel" ? ClothMaterial{.stretch = 1e5, .shear = 100} : cloth_material(name);
    for (const int cells : {12, 40}) {
      const MeshPtr mesh = make_grid({.columns = cells, .rows = cells});
      ClothBody body(mesh, {.material = material,
                            .pinned = {VertexId(cells * (cells + 1)), VertexId(cells * (cells + 2))},
                            .air_density = 0});
      const double drop = material.density * 9.81;  // J, of a square metre that falls by one
      double least = 0;
      for (int frame = 0; frame < 240; ++frame) {
        ASSERT_TRUE(run(body, 1.0 / 60, 1).ok());
        const double now = body.kinetic_energy() + body.potential_energy() + body.gravitational_energy();
        ASSERT_LT(now, least + 1e-3 * drop) << name << ", " << cells << " cells, frame " << frame;
        least = std::min(least, now);
      }
      EXPECT_LT(least, -0.1 * drop);
    }
  }
}

TEST(ClothBody, KeepsMomentumOfEachPartToRounding) {
  // Two sheets in one body, which do not touch.
  const MeshPtr one = make_grid({.columns = 9, .rows = 9});
  std::vector<Vec3> positions(one->positions().begin(), one->positions().end());
  std::vector<Triangle> triangles(one->triangles().begin(), one->triangles().end());
  const std::size_t half = positions.size();
  for (std::size_t i = 0; i < half; ++i) positions.push_back(positions[i] + Vec3(3, 0, 0));
  for (std::size_t f = 0, count = triangles.size(); f < count; ++f) {
    Triangle moved = triangles[f];
    for (VertexId& v : moved) v = VertexId(v.index() + half);
    triangles.push_back(moved);
  }
  const auto mesh = std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles));
  ClothBody body(mesh, {.gravity = Vec3::Zero(), .air_density = 0});
  Random random(3);
  std::vector<Vec3> v = random_vectors(random, mesh->vertex_count(), 1);
  for (std::size_t i = half; i < v.size(); ++i) v[i] = Vec3::Zero();
  body.commit(body.positions(), v);
  const auto momenta = [&](std::size_t begin, std::size_t end) {
    std::pair<Vec3, Vec3> sum{Vec3::Zero(), Vec3::Zero()};
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3 p = body.masses()[i] * body.velocities()[i];
      sum.first += p;
      sum.second += body.positions()[i].cross(p);
    }
    return sum;
  };
  const auto before = momenta(0, half);
  ASSERT_TRUE(run(body, 1.0 / 60, 60).ok());
  const auto after = momenta(0, half), other = momenta(half, 2 * half);
  EXPECT_LT((after.first - before.first).norm(), 1e-12);
  EXPECT_LT((after.second - before.second).norm(), 1e-6);  // arms change within a step
  EXPECT_LT(other.first.norm() + other.second.norm(), 1e-9);
}

TEST(ClothBody, HasTheSameBitsWithAndWithoutAvx2) {
  const auto end = [](bool allowed) {
    set_avx2_allowed(allowed);
    const MeshPtr mesh = make_grid({.columns = 20, .rows = 20, .alternate = true});
    ClothBody body(mesh, {.material = {.damping = 5e-3}, .pinned = {VertexId(0), VertexId(20)}, .wind = {1, 2, 3}});
    run(body, 1.0 / 60, 30);
    set_avx2_allowed(true);
    return body.snapshot();
  };
  EXPECT_EQ(end(false), end(true));
}

TEST(ClothBody, PinsGoOnWithTheirVelocity) {
  const MeshPtr mesh = make_grid({.columns = 10, .rows = 10});
  ClothBody body(mesh, {.pinned = {VertexId(110), VertexId(120)}});
  std::vector<Vec3> v(mesh->vertex_count(), Vec3::Zero());
  v[110] = v[120] = Vec3(0.5, 0, 1);
  body.commit(body.positions(), v);
  ASSERT_TRUE(run(body, 0.125, 8).ok());
  EXPECT_LT((body.positions()[110] - mesh->positions()[110] - Vec3(0.5, 0, 1)).norm(), 1e-12);
  EXPECT_EQ(body.velocities()[120], Vec3(0.5, 0, 1));
  EXPECT_LT(body.condition().stretch, 0.05);
}

TEST(ClothBody, TakesVerticesWithVeryManyFacesAndBodiesThatAreAllPins) {
  std::vector<Vec3> positions{Vec3::Zero()};
  std::vector<Triangle> triangles;
  const int rim = 300;
  for (int i = 0; i < rim; ++i) {
    positions.emplace_back(std::cos(2 * kPi * i / rim), std::sin(2 * kPi * i / rim), 0);
    triangles.push_back({VertexId(0), VertexId(1 + i), VertexId(1 + (i + 1) % rim)});
  }
  const auto mesh = std::make_shared<const TriangleMesh>(positions, triangles);
  ClothBody hub(mesh, {.pinned = {VertexId(0)}});
  EXPECT_TRUE(run(hub, 1.0 / 60, 60).ok());
  EXPECT_LT(hub.condition().stretch, 0.05);
  std::vector<VertexId> all;
  for (std::size_t i = 0; i < positions.size(); ++i) all.emplace_back(i);
  ClothBody fixed(mesh, {.pinned = all});
  ASSERT_TRUE(run(fixed, 1.0 / 60, 3).ok());
  EXPECT_TRUE(same_bits(fixed.positions(), mesh->positions()));
}

}  // namespace
}  // namespace pliant
