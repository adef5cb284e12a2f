#include "pliant/detect/still/clear_fans.h"

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/geometry/predicates.h"
#include "pliant/mesh/rings.h"

namespace pliant {
namespace {

// A spoke of the fan, projected.
struct Flat {
  double x;
  double y;
};

// Sign of left + right, 0 if in doubt. Both are products of rounded differences, each exact to one relative error: so
// orient2d's bound for a determinant of two such differences holds.
int certain_sign(double left, double right) {
  const double bound = detail::kFilter2 * (std::abs(left) + std::abs(right) + detail::kUnderflowGuard);
  const double sum = left + right;
  return sum > bound ? 1 : sum < -bound ? -1 : 0;
}

int certain_turn(const Flat& p, const Flat& q) { return certain_sign(p.x * q.y, -(p.y * q.x)); }
bool certainly_opposed(const Flat& p, const Flat& q) { return certain_sign(p.x * q.x, p.y * q.y) < 0; }

// The axis along which the fan is seen best: judged from three of its spokes, right or wrong.
int likely_axis(std::span<const VertexId> ring, std::span<const Vec3> x) {
  const std::size_t k = ring.size();
  const Vec3& a = x[ring[0].index()];
  const Vec3& b = x[ring[k / 3].index()];
  const Vec3& c = x[ring[2 * k / 3].index()];
  const Vec3 normal = (b - a).cross(c - a).cwiseAbs();
  if (normal.x() > normal.y()) return normal.x() > normal.z() ? 0 : 2;
  return normal.y() > normal.z() ? 1 : 2;
}

}  // namespace

bool is_clear_fan(const Vec3& v, std::span<const VertexId> ring, std::span<const Vec3> x) {
  const int axis = likely_axis(ring, x);
  const int i0 = axis == 0 ? 1 : 0;
  const int i1 = axis == 2 ? 1 : 2;
  const auto flat = [&](VertexId r) {
    const Vec3& p = x[r.index()];
    return Flat{p[i0] - v[i0], p[i1] - v[i1]};
  };
  const Flat first = flat(ring[0]);
  Flat before = flat(ring[1]);
  const int way = certain_turn(first, before);
  if (way == 0) return false;
  // Spokes lie ahead of the first one until the fan has turned by half, then behind it. Each step is less than half a
  // turn, so a fan that winds again has to set a spoke into the first half of its second round: ahead (or in doubt)
  // while others were behind before. One spoke straight opposite to the first, as in regular grids, may stand in
  // between.
  bool behind = false;
  for (std::size_t i = 2; i < ring.size(); ++i) {
    const Flat spoke = flat(ring[i]);
    if (certain_turn(before, spoke) != way) return false;
    const int side = certain_turn(first, spoke);
    if (behind ? side != -way : side == 0 && !certainly_opposed(first, spoke)) return false;
    behind = side != way;
    before = spoke;
  }
  return behind && certain_turn(before, first) == way;
}

std::vector<std::uint8_t> clear_fans(const StillBody& body, Threads threads) {
  const VertexRings& rings = body.mesh->rings();
  const std::span<const Vec3> x = body.frame.positions();
  std::vector<std::uint8_t> clear(x.size(), 0);
  parallel_for(threads, x.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto ring = rings[VertexId(v)];
      clear[v] = !ring.empty() && is_clear_fan(x[v], ring, x) ? 1 : 0;
    }
  });
  // Rings know nothing of welds: the faces of a copy belong to the same vertex.
  if (!body.identity.empty()) {
    for (const VertexId v : body.mesh->weld_copies()) clear[v.index()] = clear[body.mesh->welded(v).index()] = 0;
  }
  return clear;
}

}  // namespace pliant
