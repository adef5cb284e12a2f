// The parting of geometry/parting.h in lanes: the same operations in the same order, so that the bits are the same.
// Internal to the kernels of geometry/; compiled for each target.
#pragma once

#include "pliant/geometry/four_sides.h"

namespace pliant::four {
inline namespace PLIANT_SIMD_TARGET {

PLIANT_SIMD_INLINE Double4 along(const Point4& n, const Point4& p) { return n.x * p.x + n.y * p.y + n.z * p.z; }

// Of length 1, roughly. Infinite where they have no length.
PLIANT_SIMD_INLINE void edges_of(const Triangle4& t, Point4* edges) {
  for (int i = 0; i < 3; ++i) {
    const Point4 edge = t.p[i == 2 ? 0 : i + 1] - t.p[i];
    const Double4 size = simd::max(simd::max(abs(edge.x), abs(edge.y)), abs(edge.z));
    edges[i] = {edge.x / size, edge.y / size, edge.z / size};
  }
}

PLIANT_SIMD_INLINE Point4 normal_of(const Point4* edges) {
  Point4 best{0.0, 0.0, 0.0};
  Double4 most = 0.0;
  for (int i = 0; i < 3; ++i) {
    const Point4 n = cross(edges[i], edges[i == 2 ? 0 : i + 1]);
    const Double4 length_sq = along(n, n);
    const Mask4 better = length_sq > most;
    best = select(better, n, best);
    most = select(better, length_sq, most);
  }
  return best;
}

// The shortest way that parts the two so far.
class Parting4 {
 public:
  // `edges_from`: the corners themselves; a and b: with coordinates that are next to nothing as 0. No edge is a point.
  PLIANT_SIMD_INLINE Parting4(const Triangle4& a_edges_from, const Triangle4& b_edges_from, const Triangle4& a,
                              const Triangle4& b) {
    const Point4& origin = b.p[0];
    for (int i = 0; i < 3; ++i) a_[i] = a.p[i] - origin;
    b_[0] = {0.0, 0.0, 0.0};
    for (int i = 1; i < 3; ++i) b_[i] = b.p[i] - origin;
    to_a_ = (a_[0] + a_[1] + a_[2]) - (b_[0] + b_[1] + b_[2]);
    Point4 ea[3], eb[3];
    edges_of(a_edges_from, ea);
    edges_of(b_edges_from, eb);
    take(normal_of(eb));
    take(normal_of(ea));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) take(cross(ea[i], eb[j]));
  }

  PLIANT_SIMD_INLINE void result(Double4& depth, Point4& direction) const {
    const Double4 length = sqrt(along(across_, across_));
    depth = least_ / length;
    direction = {across_.x / length, across_.y / length, across_.z / length};
  }
  // Where there is a way at all.
  PLIANT_SIMD_INLINE Mask4 found() const { return least_sq_ < __builtin_inf(); }

 private:
  PLIANT_SIMD_INLINE void take(const Point4& across) {
    const Double4 da[3] = {along(across, a_[0]), along(across, a_[1]), along(across, a_[2])};
    const Double4 db[3] = {along(across, b_[0]), along(across, b_[1]), along(across, b_[2])};
    const Double4 length_sq = along(across, across);
    const Double4 up = simd::max(Double4(0.0), most(db) - least(da)),
                  down = simd::max(Double4(0.0), most(da) - least(db));
    const Double4 way = simd::min(down, up), way_sq = way * way;
    const Mask4 better = (length_sq > 0.0) & (way_sq < least_sq_ * length_sq);
    const Mask4 is_up = (up < down) | ((up == down) & (along(across, to_a_) >= 0.0));
    const Point4 directed = select(is_up, across, Point4{-across.x, -across.y, -across.z});
    across_ = select(better, directed, across_);
    least_ = select(better, way, least_);
    least_sq_ = select(better, way_sq / length_sq, least_sq_);
  }
  PLIANT_SIMD_INLINE static Double4 least(const Double4* d) { return simd::min(d[2], simd::min(d[1], d[0])); }
  PLIANT_SIMD_INLINE static Double4 most(const Double4* d) { return simd::max(d[2], simd::max(d[1], d[0])); }

  Point4 a_[3], b_[3], to_a_;
  Point4 across_{0.0, 0.0, 0.0};
  Double4 least_ = 0.0, least_sq_ = __builtin_inf();
};

}  // namespace PLIANT_SIMD_TARGET
}  // namespace pliant::four
