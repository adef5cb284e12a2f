// Cotton of a metre by a metre that hangs still, and its static equilibrium: what tests and the soak compare.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "pliant/bodies/cloth.h"
#include "pliant/bodies/cloth_elements.h"
#include "pliant/core/random.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "tests/bodies/static_cloth.h"

namespace pliant {

// Corners as squares of 2/45 m have a limit on finer meshes; single vertices have none: they cut in ever deeper.
enum class Hanging { by_corners, by_patches, by_an_edge };

struct HangingCloth {
  MeshPtr mesh;
  ClothBodySettings settings;
};

// `across` vertices along each side.
inline HangingCloth hanging_cloth(Hanging by, int across) {
  HangingCloth cloth{make_grid({.columns = across - 1, .rows = across - 1}), {.material = cloth_material("cotton")}};
  const auto at = [across](int column, int row) { return VertexId(row * across + column); };
  const int last = across - 1;
  if (by == Hanging::by_corners) {
    cloth.settings.pinned = {at(0, 0), at(last, 0), at(0, last), at(last, last)};
    return cloth;
  }
  if (by == Hanging::by_patches) {
    const auto held = [](double x) { return std::abs(x) > 0.5 - 2.01 / 45; };
    for (std::size_t v = 0; v < cloth.mesh->vertex_count(); ++v)
      if (held(cloth.mesh->positions()[v].x()) && held(cloth.mesh->positions()[v].y()))
        cloth.settings.pinned.emplace_back(v);
    return cloth;
  }
  std::vector<Vec3> upright;
  for (const Vec3& p : cloth.mesh->positions()) upright.emplace_back(p.x(), 0, p.y());
  cloth.mesh = with_positions(*cloth.mesh, upright);
  for (int column = 0; column < across; ++column) cloth.settings.pinned.push_back(at(column, last));
  return cloth;
}

// Runs it until it hangs still: whenever it begins to lose speed, it is stopped.
inline void settle(ClothBody& body, double seconds) {
  Random random(5);
  std::vector<Vec3> x(body.positions().begin(), body.positions().end());
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::isfinite(body.masses()[i]))
      x[i] += 5e-5 * Vec3(random.within(-1, 1), random.within(-1, 1), random.within(-1, 1));
  body.commit(x, body.velocities());
  const std::vector<Vec3> still(x.size(), Vec3::Zero());
  double before = 0;
  for (int frame = 0; frame < 60 * seconds; ++frame) {
    const Prediction p = body.predict(1.0 / 60);
    body.commit(p.positions, p.velocities);
    const double now = body.kinetic_energy();
    if (now < before) body.commit(body.positions(), still);
    before = now < before ? 0 : now;
  }
}

inline double lowest(std::span<const Vec3> x) {
  return std::min_element(x.begin(), x.end(), [](const Vec3& a, const Vec3& b) { return a.z() < b.z(); })->z();
}

// Of the four sides together, m.
inline double outline(std::span<const Vec3> x, int across) {
  double sum = 0;
  const auto add = [&](int a, int b) {
    sum += (x[static_cast<std::size_t>(a)] - x[static_cast<std::size_t>(b)]).norm();
  };
  for (int i = 0; i + 1 < across; ++i) {
    add(i, i + 1);
    add(across * (across - 1) + i, across * (across - 1) + i + 1);
    add(across * i, across * (i + 1));
    add(across * i + across - 1, across * (i + 1) + across - 1);
  }
  return sum;
}

}  // namespace pliant
