#include "pliant/bounds/box_distances.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Sums of two and of three terms, and a root, are off by a few halves of an ulp.
constexpr double kOutward = 1 + 8 * std::numeric_limits<double>::epsilon();

}  // namespace

Sphere sphere_around(const Aabb& box) {
  if (box.empty()) return {Vec3::Zero(), 0};
  Sphere sphere;
  Vec3 half;
  for (int i = 0; i < 3; ++i) {
    const double lo = box.lo[static_cast<std::size_t>(i)], hi = box.hi[static_cast<std::size_t>(i)];
    sphere.centre[i] = 0.5 * lo + 0.5 * hi;
    half[i] = std::max(hi - sphere.centre[i], sphere.centre[i] - lo);  // the centre is rounded
  }
  sphere.radius = std::sqrt(half.x() * half.x() + half.y() * half.y() + half.z() * half.z()) * kOutward;
  return sphere.radius < std::numeric_limits<double>::infinity() ? sphere : Sphere{};
}

double farthest_distance(const Aabb& a, const Aabb& b) {
  if (a.empty() || b.empty()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double far = std::max(double{a.hi[i]} - double{b.lo[i]}, double{b.hi[i]} - double{a.lo[i]});
    sum += far * far;
  }
  return std::sqrt(sum) * kOutward;
}

double farthest_distance(const Sphere& a, const Sphere& b) {
  const Vec3 d = a.centre - b.centre;
  return (std::sqrt(d.x() * d.x() + d.y() * d.y() + d.z() * d.z()) + a.radius + b.radius) * kOutward;
}

double distance_to(const Vec3& point, const Aabb& box) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    const double out = std::max({0.0, double{box.lo[axis]} - point[i], point[i] - double{box.hi[axis]}});
    sum += out * out;
  }
  return std::sqrt(sum) * (1 - 8 * std::numeric_limits<double>::epsilon());
}

}  // namespace pliant
