// Random meshes for property tests: soups, deformed grids, meshes with every kind of blemish.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant::testing {

// Deterministic for a seed on every platform: only the raw output of the generator is used.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  Vec3 point(double low, double high) { return {uniform(low, high), uniform(low, high), uniform(low, high)}; }

 private:
  std::mt19937_64 engine_;
};

// Faces over random vertices of an integer grid {0 .. side}^3 * scale: full of coplanar, touching, duplicate and
// zero-area triangles, shared and duplicated vertices.
inline MeshPtr grid_soup(Dice& dice, std::size_t vertices, std::size_t faces, std::uint32_t side, double scale = 1) {
  std::vector<Vec3> positions;
  for (std::size_t v = 0; v < vertices; ++v)
    positions.push_back(scale * Vec3(dice.below(side + 1), dice.below(side + 1), dice.below(side + 1)));
  std::vector<Triangle> triangles;
  const auto any = [&] { return VertexId(dice.below(static_cast<std::uint32_t>(vertices))); };
  for (std::size_t f = 0; f < faces; ++f) triangles.push_back({any(), any(), any()});
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles));
}

// Small triangles at random places of a cube, vertices not shared.
inline MeshPtr loose_soup(Dice& dice, std::size_t faces, double cube, double size) {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (std::size_t f = 0; f < faces; ++f) {
    const Vec3 centre = dice.point(-cube, cube);
    for (int i = 0; i < 3; ++i) positions.push_back(centre + dice.point(-size, size));
    triangles.push_back({VertexId(3 * f), VertexId(3 * f + 1), VertexId(3 * f + 2)});
  }
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles));
}

// A connected n x n sheet whose vertices are thrown about: neighbours that cross and fold, as in crumpled cloth.
inline MeshPtr crumpled_sheet(Dice& dice, std::uint32_t n, double noise) {
  std::vector<Vec3> positions;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t j = 0; j <= n; ++j) positions.push_back(Vec3(i, j, 0) / n + dice.point(-noise, noise));
  std::vector<Triangle> triangles;
  const auto at = [n](std::uint32_t i, std::uint32_t j) { return VertexId(i * (n + 1) + j); };
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles));
}

// The same face again and again, with vertices of their own: every one meets all others.
inline MeshPtr equal_faces(std::size_t count) {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (std::size_t f = 0; f < count; ++f) {
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}) positions.push_back(p);
    triangles.push_back({VertexId(3 * f), VertexId(3 * f + 1), VertexId(3 * f + 2)});
  }
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles));
}

// The same faces with every corner a vertex of its own, bit-equal to the original.
inline MeshPtr unshared(const TriangleMesh& mesh) {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  for (const Triangle& t : mesh.triangles()) {
    const std::size_t first = positions.size();
    for (const VertexId v : t) positions.push_back(mesh.position(v));
    triangles.push_back({VertexId(first), VertexId(first + 1), VertexId(first + 2)});
  }
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles));
}

inline std::vector<Vec3> positions_of(const TriangleMesh& mesh) {
  return {mesh.positions().begin(), mesh.positions().end()};
}

// The positions of a mesh, all carried along `way`.
inline MeshPtr one_triangle(const Vec3& at) {
  return std::make_shared<const TriangleMesh>(std::vector<Vec3>{at, at + Vec3(1, 0, 0), at + Vec3(0, 1, 0)},
                                              std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}});
}

inline std::vector<Vec3> moved(const MeshPtr& mesh, const Vec3& way) {
  std::vector<Vec3> x = positions_of(*mesh);
  for (Vec3& p : x) p += way;
  return x;
}

}  // namespace pliant::testing
