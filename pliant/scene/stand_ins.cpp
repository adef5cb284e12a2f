#include "pliant/scene/stand_ins.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "pliant/core/error.h"
#include "pliant/core/rigid.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/level_set.h"
#include "pliant/mesh/rings.h"

namespace pliant {
namespace {

// A ball drawn from a to b.
struct Limb {
  Vec3 a, b;
  double radius;
};

double distance_to(const Limb& limb, const Vec3& p) {
  const Vec3 along = limb.b - limb.a;
  const double length_sq = fixed_dot(along, along);
  const double t = length_sq > 0 ? std::clamp(fixed_dot(p - limb.a, along) / length_sq, 0.0, 1.0) : 0.0;
  return fixed_length(p - limb.a - t * along) - limb.radius;
}

// The union with rounded inner corners; changes no faster than its parts do.
double rounded_union(double a, double b) {
  constexpr double kRounding = 0.12;
  const double h = std::max(kRounding - std::abs(a - b), 0.0) / kRounding;
  return std::min(a, b) - h * h * kRounding / 4;
}

std::vector<Limb> rabbit() {
  return {{{-0.08, 0, 0.3}, {0.05, 0, 0.32}, 0.26},      {{0.2, 0, 0.55}, {0.26, 0, 0.56}, 0.15},
          {{0.14, 0.06, 0.66}, {0, 0.13, 0.92}, 0.06},   {{0.14, -0.06, 0.66}, {0, -0.13, 0.92}, 0.06},
          {{-0.05, 0.15, 0.1}, {0.2, 0.18, 0.08}, 0.08}, {{-0.05, -0.15, 0.1}, {0.2, -0.18, 0.08}, 0.08},
          {{0.2, 0.09, 0.25}, {0.3, 0.1, 0.07}, 0.06},   {{0.2, -0.09, 0.25}, {0.3, -0.1, 0.07}, 0.06},
          {{-0.36, 0, 0.22}, {-0.38, 0, 0.24}, 0.08}};
}

std::vector<Limb> serpent() {
  return {{{-0.5, 0.1, 0.07}, {-0.36, 0.22, 0.08}, 0.05},
          {{-0.36, 0.22, 0.08}, {-0.2, 0.08, 0.14}, 0.08},
          {{-0.2, 0.08, 0.16}, {0, -0.04, 0.2}, 0.13},
          {{0, -0.04, 0.2}, {0.16, 0, 0.24}, 0.13},
          {{0.16, 0, 0.24}, {0.28, 0.02, 0.42}, 0.08},
          {{0.28, 0.02, 0.42}, {0.24, 0, 0.56}, 0.07},
          {{0.26, 0, 0.58}, {0.4, 0, 0.56}, 0.09},
          {{-0.18, 0.16, 0.12}, {-0.14, 0.26, 0.06}, 0.06},
          {{-0.18, -0.02, 0.12}, {-0.16, -0.16, 0.06}, 0.06},
          {{0.14, 0.08, 0.16}, {0.2, 0.18, 0.06}, 0.06},
          {{0.14, -0.08, 0.16}, {0.2, -0.2, 0.06}, 0.06}};
}

std::vector<Limb> bear() {
  return {{{-0.2, 0, 0.42}, {0.14, 0, 0.44}, 0.2},
          {{0.3, 0, 0.6}, {0.33, 0, 0.6}, 0.15},
          {{0.42, 0, 0.56}, {0.46, 0, 0.55}, 0.07},
          {{0.28, 0.1, 0.72}, {0.28, 0.12, 0.75}, 0.05},
          {{0.28, -0.1, 0.72}, {0.28, -0.12, 0.75}, 0.05},
          {{0.18, 0.12, 0.34}, {0.2, 0.14, 0.08}, 0.08},
          {{0.18, -0.12, 0.34}, {0.2, -0.14, 0.08}, 0.08},
          {{-0.26, 0.12, 0.34}, {-0.28, 0.14, 0.08}, 0.085},
          {{-0.26, -0.12, 0.34}, {-0.28, -0.14, 0.08}, 0.085},
          {{-0.4, 0, 0.5}, {-0.43, 0, 0.52}, 0.045}};
}

std::vector<Limb> limbs_of(StandIn animal) {
  if (animal == StandIn::rabbit) return rabbit();
  return animal == StandIn::serpent ? serpent() : bear();
}

// Faces of nearly equal size: small ones would make small masses, and small masses short steps.
MeshPtr evened(const MeshPtr& mesh, double cell, FunctionRef<double(const Vec3&)> distance) {
  constexpr int kRounds = 12;
  std::vector<Vec3> x(mesh->positions().begin(), mesh->positions().end());
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Vec3> next = x;
    for (std::size_t v = 0; v < x.size(); ++v) {
      const std::span<const VertexId> ring = mesh->rings()[VertexId(v)];
      Vec3 sum = Vec3::Zero();
      for (const VertexId w : ring) sum += x[w.index()];
      if (ring.empty()) continue;
      next[v] = sum / static_cast<double>(ring.size());
      next[v] -= distance(next[v]) * distance_gradient(distance, next[v], cell / 4);
    }
    x = std::move(next);
  }
  return with_positions(*mesh, std::move(x));
}

}  // namespace

MeshPtr make_stand_in(const StandInSettings& settings) {
  if (!(settings.size > 0) || !std::isfinite(settings.size))
    throw Error("the size of a shape is " + std::to_string(settings.size), "give a positive length");
  if (!(settings.cell >= 0.01 && settings.cell <= 0.1))
    throw Error("the cells of a shape are " + std::to_string(settings.cell) + " of its size", "give 0.01 to 0.1");
  const std::vector<Limb> limbs = limbs_of(settings.animal);
  const double s = settings.size;
  const auto distance = [&](const Vec3& p) {
    const Vec3 upright = Vec3(p.x(), -p.z(), p.y()) / s;  // limbs are given with z up
    double nearest = distance_to(limbs[0], upright);
    for (const Limb& limb : std::span(limbs).subspan(1)) nearest = rounded_union(nearest, distance_to(limb, upright));
    return s * nearest;
  };
  const Eigen::AlignedBox3d box(Vec3(-0.75, -0.2, -0.5) * s, Vec3(0.75, 1.2, 0.5) * s);
  const double cell = settings.cell * s;
  return evened(make_level_set({.box = box, .cell = cell}, distance), cell, distance);
}

}  // namespace pliant
