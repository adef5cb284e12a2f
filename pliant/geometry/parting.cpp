#include "pliant/geometry/parting.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/geometry/rescaled.h"

namespace pliant {
namespace {

using Corners = std::array<Vec3, 3>;

// Written out: the order of the sum is the same on every processor.
double along(const Vec3& n, const Vec3& p) { return n.x() * p.x() + n.y() * p.y() + n.z() * p.z(); }

struct Range {
  double least, most;
};

Range extent(const Corners& t, const Vec3& n) {
  const double d[3] = {along(n, t[0]), along(n, t[1]), along(n, t[2])};
  return {std::min({d[0], d[1], d[2]}), std::max({d[0], d[1], d[2]})};
}

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

class Search {
 public:
  Search(const Corners& a, const Corners& b) : a_(a), b_(b), to_a_(sum_of(a) - sum_of(b)) {}

  // `across` need not be a unit vector: ways are compared as squares over its square, which needs no root. Every
  // direction gives a way that parts; a bad one only a longer way: so nearly parallel edges, whose product is little
  // but rounding, do no harm.
  void try_direction(const Vec3& across) {
    const double length_sq = along(across, across);
    if (!(length_sq > 0)) return;
    const Range a = extent(a_, across), b = extent(b_, across);
    const double up = std::max(b.most - a.least, 0.0), down = std::max(a.most - b.least, 0.0);
    const bool is_up = up < down || (up == down && along(across, to_a_) >= 0);
    const double way = is_up ? up : down;
    if (!(way * way < way_sq_ * length_sq)) return;
    way_sq_ = way * way / length_sq;
    across_ = is_up ? across : Vec3(-across);
    way_ = way;
  }

  Parting result() const {
    const double length = std::sqrt(along(across_, across_));
    return length > 0 ? Parting{way_ / length, across_ / length} : Parting{};
  }

 private:
  const Corners& a_;
  const Corners& b_;
  Vec3 to_a_;
  double way_ = 0, way_sq_ = std::numeric_limits<double>::infinity();
  Vec3 across_ = Vec3::Zero();
};

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
  Search search(ca, cb);
  search.try_direction(normal_of(eb));
  search.try_direction(normal_of(ea));
  for (const Vec3& e : ea)
    for (const Vec3& f : eb) search.try_direction(e.cross(f));
  Parting found = search.result();
  if (x.shift() != 0) found.depth = std::ldexp(found.depth, -x.shift());
  return found;
}

}  // namespace pliant
