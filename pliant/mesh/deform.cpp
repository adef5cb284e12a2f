#include "pliant/mesh/deform.h"

#include <Eigen/Geometry>
#include <cassert>
#include <cmath>

#include "pliant/core/random.h"
#include "pliant/core/rigid.h"
#include "pliant/core/trig.h"

namespace pliant {
namespace {

// Even over the sphere (Archimedes: the height of a random point on a sphere is even).
Vec3 random_direction(Random& random) {
  const double z = random.within(-1, 1);
  const SinCos turn = sin_cos(2 * kPi * random.unit());
  const double r = std::sqrt(1 - z * z);
  return {r * turn.cos, r * turn.sin, z};
}

template <class Map>
std::vector<Vec3> mapped(std::span<const Vec3> positions, Map&& map) {
  std::vector<Vec3> result;
  result.reserve(positions.size());
  for (const Vec3& p : positions) result.push_back(map(p));
  return result;
}

}  // namespace

SmoothField::SmoothField(const SmoothFieldSettings& settings) {
  Random random(settings.seed);
  for (int i = 0; i < settings.waves; ++i) {
    Wave wave;
    wave.amplitude = random_direction(random) * (settings.amplitude / settings.waves);
    wave.frequency = random_direction(random);  // a statement for each random number: operands have no order
    wave.frequency *= 2 * kPi / (settings.wavelength * random.within(1, 2));
    wave.phase = 2 * kPi * random.unit();
    wave.speed = 2 * kPi * random.within(1, 2);
    waves_.push_back(wave);
  }
}

Vec3 SmoothField::at(const Vec3& p, double time) const {
  Vec3 sum = Vec3::Zero();
  for (const Wave& w : waves_) sum += w.amplitude * sin_cos(fixed_dot(w.frequency, p) + w.phase + w.speed * time).sin;
  return sum;
}

double SmoothField::slope() const {
  double sum = 0;
  for (const Wave& w : waves_) sum += fixed_length(w.amplitude) * fixed_length(w.frequency);
  return sum;
}

std::vector<Vec3> displaced(std::span<const Vec3> positions, const SmoothField& field, double time) {
  return mapped(positions, [&](const Vec3& p) -> Vec3 { return p + field.at(p, time); });
}

std::vector<Vec3> transformed(std::span<const Vec3> positions, const RigidTransform& transform) {
  return mapped(positions, [&](const Vec3& p) -> Vec3 { return transform * p; });
}

std::vector<Vec3> twisted(std::span<const Vec3> positions, double radians_per_length) {
  return mapped(positions, [&](const Vec3& p) -> Vec3 {
    const SinCos turn = sin_cos(radians_per_length * p.z());
    return {turn.cos * p.x() - turn.sin * p.y(), turn.sin * p.x() + turn.cos * p.y(), p.z()};
  });
}

std::vector<Vec3> bent(std::span<const Vec3> positions, double curvature) {
  if (curvature == 0) return {positions.begin(), positions.end()};
  const double radius = 1 / curvature;
  return mapped(positions, [&](const Vec3& p) -> Vec3 {
    const SinCos turn = sin_cos(curvature * p.z());
    return {radius - (radius - p.x()) * turn.cos, p.y(), (radius - p.x()) * turn.sin};
  });
}

MeshPtr with_positions(const TriangleMesh& mesh, std::vector<Vec3> positions) {
  assert(positions.size() == mesh.vertex_count());
  return std::make_shared<const TriangleMesh>(
      std::move(positions), std::vector<Triangle>(mesh.triangles().begin(), mesh.triangles().end()), mesh.origin());
}

double enclosed_volume(const TriangleMesh& mesh, std::span<const Vec3> positions) {
  if (positions.empty()) return 0;
  const Vec3& origin = positions[0];  // near the surface: less cancellation far from the coordinates' origin
  double sum = 0;
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 a = positions[t[0].index()] - origin, b = positions[t[1].index()] - origin;
    sum += fixed_dot(a.cross(b), positions[t[2].index()] - origin);
  }
  return sum / 6;
}

double enclosed_volume(const TriangleMesh& mesh) { return enclosed_volume(mesh, mesh.positions()); }

}  // namespace pliant
