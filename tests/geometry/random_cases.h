// Families of points and triangle pairs for the tests of this room, from generic to nasty.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <utility>

#include "pliant/core/vec3.h"
#include "pliant/geometry/triangle_triangle.h"

namespace pliant::test {

// The same numbers on every platform: no standard distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool coin() { return below(2) == 1; }
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  Vec3 in_cube() { return {unit(), unit(), unit()}; }
  Vec3 on_grid(int n) {
    const double x = below(n), y = below(n), z = below(n);
    return {x, y, z};
  }
  // Any sign, any exponent in the range.
  double of_exponent(int low, int high) {
    return std::ldexp(coin() ? 0.5 + unit() : -0.5 - unit(), between(low, high));
  }
  Vec3 of_exponents(int low, int high) {
    const double x = of_exponent(low, high), y = of_exponent(low, high), z = of_exponent(low, high);
    return {x, y, z};
  }
  double nudged(double x, int most_ulps) {
    for (int i = below(most_ulps + 1); i > 0; --i) x = std::nextafter(x, coin() ? 1e9 : -1e9);
    return x;
  }
  Vec3 nudged(const Vec3& v, int most_ulps) {
    const double x = nudged(v.x(), most_ulps), y = nudged(v.y(), most_ulps), z = nudged(v.z(), most_ulps);
    return {x, y, z};
  }
  std::array<int, 3> permutation() {
    std::array<int, 3> p{0, 1, 2};
    std::swap(p[2], p[static_cast<std::size_t>(below(3))]);
    std::swap(p[1], p[static_cast<std::size_t>(below(2))]);
    return p;
  }

 private:
  std::mt19937_64 engine_;
};

// Two triangles: corners 0, 1, 2 and 3, 4, 5.
struct TrianglePair {
  std::array<Vec3, 6> x;
  SharedVertices shared;

  Triangle3 a() const { return {x[0], x[1], x[2]}; }
  Triangle3 b() const { return {x[3], x[4], x[5]}; }

  std::string text() const {
    std::ostringstream out;
    out.precision(17);
    for (const Vec3& v : x) out << "{" << v.x() << ", " << v.y() << ", " << v.z() << "}, ";
    for (int i = 0; i < shared.count; ++i) out << int(shared.pairs[i][0]) << "=" << int(shared.pairs[i][1]) << " ";
    return out.str();
  }
};

// Makes `count` corners of b the same as corners of a.
inline TrianglePair with_shared(TrianglePair pair, int count, Random& random) {
  const auto of_a = random.permutation();
  const auto of_b = random.permutation();
  pair.shared.count = static_cast<std::uint8_t>(count);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    pair.x[static_cast<std::size_t>(3 + of_b[i])] = pair.x[static_cast<std::size_t>(of_a[i])];
    pair.shared.pairs[i] = {static_cast<std::uint8_t>(of_a[i]), static_cast<std::uint8_t>(of_b[i])};
  }
  return pair;
}

// Sharing 0 (half of the time), 1, 2 or 3 corners.
inline TrianglePair with_any_shared(const TrianglePair& pair, Random& random) {
  return with_shared(pair, random.coin() ? 0 : random.between(1, 3), random);
}

template <class MakePoint>
TrianglePair make_pair_of(MakePoint make) {
  TrianglePair pair;
  for (Vec3& v : pair.x) v = make();
  return pair;
}

// All corners with one coordinate the same.
inline TrianglePair flattened(TrianglePair pair, int axis) {
  for (Vec3& v : pair.x) v[axis] = pair.x[0][axis];
  return pair;
}

// A corner of b that is not shared moved onto a: to a corner, an edge or the inside. Exact if a's corners are multiples
// of 4. At most two corners may be shared.
inline TrianglePair touching(TrianglePair pair, Random& random) {
  std::array<int, 3> weight{0, 0, 0};
  for (int i = 0; i < 4; ++i) ++weight[static_cast<std::size_t>(random.below(3))];
  std::array<bool, 3> taken{};
  for (std::size_t i = 0; i < pair.shared.count; ++i) taken[pair.shared.pairs[i][1]] = true;
  auto corner = static_cast<std::size_t>(random.below(3));
  while (taken[corner]) corner = (corner + 1) % 3;
  pair.x[3 + corner] = (weight[0] * pair.x[0] + weight[1] * pair.x[1] + weight[2] * pair.x[2]) / 4;
  return pair;
}

// A corner of a drawn to another, or onto the line of the two others, almost or exactly.
inline TrianglePair with_needle(TrianglePair pair, Random& random) {
  const Vec3 target = random.coin() ? pair.x[0] : Vec3(0.5 * (pair.x[0] + pair.x[1]));
  const double fraction = random.coin() ? 0.0 : std::ldexp(1.0, -random.between(10, 60));
  pair.x[2] = target + fraction * (pair.x[2] - target);
  return pair;
}

// Corners on one slanted plane, as near as rounding and a few ulps allow.
inline TrianglePair nearly_coplanar(Random& random) {
  const Vec3 origin = random.in_cube(), u = random.in_cube(), v = random.in_cube();
  return make_pair_of([&] { return random.nudged(origin + (random.unit() * u + random.unit() * v), 2); });
}

inline TrianglePair scaled(TrianglePair pair, int power) {
  for (Vec3& v : pair.x) v = v.unaryExpr([&](double c) { return std::ldexp(c, power); });
  return pair;
}

}  // namespace pliant::test
