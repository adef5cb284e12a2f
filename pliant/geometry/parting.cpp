#include "pliant/geometry/parting.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/core/simd.h"
#include "pliant/geometry/rescaled.h"

namespace pliant {
namespace {

using Corners = std::array<Vec3, 3>;

// Written out: the order of the sum is the same on every processor.
double along(const Vec3& n, const Vec3& p) { return n.x() * p.x() + n.y() * p.y() + n.z() * p.z(); }

// Edges are brought to length 1, roughly: products of tiny ones would vanish. From the corners themselves, not from
// tamed ones, which lose edges that are nothing beside the largest coordinate.
Corners edges_of(const Triangle3& t) {
  Corners edges;
  for (int i = 0; i < 3; ++i) {
    Vec3 edge = t[Triangle3::next(i)] - t[i];
    if (!edge.allFinite()) edge = 0.5 * t[Triangle3::next(i)] - 0.5 * t[i];  // longer than the largest double
    const double size = std::max({std::abs(edge.x()), std::abs(edge.y()), std::abs(edge.z())});
    edges[static_cast<std::size_t>(i)] = size > 0 ? Vec3(edge / size) : Vec3::Zero();
  }
  return edges;
}

Vec3 sum_of(const Corners& t) { return t[0] + t[1] + t[2]; }

// The normals of b and a, and the nine of pairs of edges; one more, so that they come in twos.
constexpr std::size_t kDirections = 12;

// Directions, and how far a has to go along each, forwards and backwards, times its length. Two at a time: this is most
// of what a contact costs.
class Ways {
 public:
  void set(std::size_t i, const Vec3& across) {
    for (int k = 0; k < 3; ++k) across_[k][i] = across[k];
  }
  void measure(const Corners& a, const Corners& b) {
    for (std::size_t i = 0; i < kDirections; i += 2) {
      const Double2 x = load(across_[0] + i), y = load(across_[1] + i), z = load(across_[2] + i);
      const auto along_two = [&](const Vec3& p) { return x * p.x() + y * p.y() + z * p.z(); };
      const auto least = [&](const Double2* d) { return simd::min(d[2], simd::min(d[1], d[0])); };
      const auto most = [&](const Double2* d) { return simd::max(d[2], simd::max(d[1], d[0])); };
      const Double2 da[3] = {along_two(a[0]), along_two(a[1]), along_two(a[2])};
      const Double2 db[3] = {along_two(b[0]), along_two(b[1]), along_two(b[2])};
      store(length_sq_ + i, x * x + y * y + z * z);
      store(up_ + i, simd::max(Double2{}, most(db) - least(da)));
      store(down_ + i, simd::max(Double2{}, most(da) - least(db)));
    }
  }

  Vec3 across(std::size_t i) const { return {across_[0][i], across_[1][i], across_[2][i]}; }
  double length_sq(std::size_t i) const { return length_sq_[i]; }
  double up(std::size_t i) const { return up_[i]; }
  double down(std::size_t i) const { return down_[i]; }

 private:
  using Double2 = simd::Double2;
  static Double2 load(const double* from) { return Double2{from[0], from[1]}; }
  static void store(double* to, Double2 x) { to[0] = x[0], to[1] = x[1]; }

  double across_[3][kDirections]{};
  double length_sq_[kDirections];
  double up_[kDirections];
  double down_[kDirections];
};

// The shortest of all ways. Directions need not be unit vectors: ways are compared as squares over their square, which
// needs no root. Every direction gives a way that parts; a bad one only a longer way: so nearly parallel edges, whose
// product is little but rounding, do no harm.
Parting shortest(const Ways& ways, const Vec3& to_a) {
  double least = 0, least_sq = std::numeric_limits<double>::infinity();
  Vec3 across = Vec3::Zero();
  for (std::size_t i = 0; i < kDirections; ++i) {
    const double up = ways.up(i), down = ways.down(i), way = std::min(up, down), length_sq = ways.length_sq(i);
    if (!(length_sq > 0) || !(way * way < least_sq * length_sq)) continue;
    across = ways.across(i);
    const bool is_up = up < down || (up == down && along(across, to_a) >= 0);
    if (!is_up) across = -across;
    least = way;
    least_sq = way * way / length_sq;
  }
  const double length = std::sqrt(along(across, across));
  return length > 0 ? Parting{least / length, across / length} : Parting{};
}

// The normal of a face by the two edges at its widest corner, as good as rounding allows.
Vec3 normal_of(const Corners& edges) {
  Vec3 best = Vec3::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 n = edges[i].cross(edges[(i + 1) % 3]);
    if (along(n, n) > along(best, best)) best = n;
  }
  return best;
}

}  // namespace

Parting parting(const Triangle3& a, const Triangle3& b) {
  const Rescaled<6> x({&a[0], &a[1], &a[2], &b[0], &b[1], &b[2]});
  const Vec3& origin = x[3];
  const Corners ca{x[0] - origin, x[1] - origin, x[2] - origin};
  const Corners cb{Vec3::Zero(), x[4] - origin, x[5] - origin};
  const Corners ea = edges_of(a), eb = edges_of(b);
  Ways ways;
  ways.set(0, normal_of(eb));
  ways.set(1, normal_of(ea));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) ways.set(2 + 3 * i + j, ea[i].cross(eb[j]));
  ways.measure(ca, cb);
  Parting found = shortest(ways, sum_of(ca) - sum_of(cb));
  if (x.shift() != 0) found.depth = std::ldexp(found.depth, -x.shift());
  return found;
}

}  // namespace pliant
