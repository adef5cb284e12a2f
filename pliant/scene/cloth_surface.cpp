#include "pliant/scene/cloth_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/core/random.h"
#include "pliant/core/rigid.h"
#include "pliant/core/trig.h"

namespace pliant {
namespace {

// The particles with one more row and column on every side, continued in a straight line, so that the surface ends
// where the particles end.
std::vector<Vec3> padded(std::span<const Vec3> particles, std::size_t count) {
  const std::size_t stride = count + 2;
  std::vector<Vec3> result(stride * stride);
  for (std::size_t row = 0; row < count; ++row) {
    Vec3* to = &result[(row + 1) * stride];
    std::copy_n(&particles[row * count], count, to + 1);
    to[0] = 2 * to[1] - to[2];
    to[stride - 1] = 2 * to[stride - 2] - to[stride - 3];
  }
  for (std::size_t column = 0; column < stride; ++column) {
    const auto at = [&](std::size_t row) -> Vec3& { return result[row * stride + column]; };
    at(0) = 2 * at(1) - at(2);
    at(stride - 1) = 2 * at(stride - 2) - at(stride - 3);
  }
  return result;
}

Vec3 blend(const std::array<double, 4>& w, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return w[0] * a + w[1] * b + w[2] * c + w[3] * d;
}

}  // namespace

ClothSurface::ClothSurface(int particle_cells, int cells, double size, const RippleSettings& ripples)
    : particles_(static_cast<std::size_t>(particle_cells) + 1) {
  for (int i = 0; i <= cells; ++i) {
    const double along = static_cast<double>(i) / cells * particle_cells;
    const int cell = std::min(static_cast<int>(along), particle_cells - 1);
    const double t = along - cell, s = 1 - t;
    samples_.push_back({.first = static_cast<std::size_t>(cell),
                        .weights = {s * s * s / 6, (3 * t * t * t - 6 * t * t + 4) / 6,
                                    (3 * s * s * s - 6 * s * s + 4) / 6, t * t * t / 6},
                        .slopes = {-s * s / 2, (3 * t * t - 4 * t) / 2, (4 * s - 3 * s * s) / 2, t * t / 2},
                        .from_edge = size * i / cells});
  }
  Random random(ripples.seed);
  constexpr int kRipples = 4;
  for (int i = 0; i < kRipples; ++i) {
    const SinCos direction = sin_cos(2 * kPi * random.unit());
    const double frequency = 2 * kPi / (ripples.wavelength * random.within(1, 2));
    ripples_.push_back({.amplitude = ripples.amplitude / kRipples,
                        .along_u = frequency * direction.cos,
                        .along_v = frequency * direction.sin,
                        .phase = 2 * kPi * random.unit(),
                        .speed = 2 * kPi / (ripples.period * random.within(1, 2))});
  }
}

double ClothSurface::ripple(double u, double v, double seconds) const {
  double sum = 0;
  for (const Ripple& r : ripples_)
    sum += r.amplitude * sin_cos(r.along_u * u + r.along_v * v + r.phase + r.speed * seconds).sin;
  return sum;
}

std::vector<Vec3> ClothSurface::positions(std::span<const Vec3> particles, double seconds) const {
  const std::size_t stride = particles_ + 2;
  const std::vector<Vec3> control = padded(particles, particles_);
  std::vector<Vec3> result;
  result.reserve(vertex_count());
  std::vector<Vec3> across(stride), across_slope(stride);
  for (const Sample& row : samples_) {
    const Vec3* c = &control[row.first * stride];
    for (std::size_t i = 0; i < stride; ++i, ++c) {
      across[i] = blend(row.weights, c[0], c[stride], c[2 * stride], c[3 * stride]);
      across_slope[i] = blend(row.slopes, c[0], c[stride], c[2 * stride], c[3 * stride]);
    }
    for (const Sample& column : samples_) {
      const Vec3 *p = &across[column.first], *s = &across_slope[column.first];
      const Vec3 point = blend(column.weights, p[0], p[1], p[2], p[3]);
      const Vec3 normal =
          blend(column.slopes, p[0], p[1], p[2], p[3]).cross(blend(column.weights, s[0], s[1], s[2], s[3]));
      const double size = fixed_length(normal);
      const double height = size > 0 ? ripple(column.from_edge, row.from_edge, seconds) / size : 0;
      result.push_back(point + height * normal);
    }
  }
  return result;
}

}  // namespace pliant
