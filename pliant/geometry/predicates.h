// Signs of determinants of points, exact for every finite double.
//
// Each predicate tries a floating-point filter, inlined into the caller; only when the filter cannot tell does it
// call an exact stage: expansions, or big integers where exponents are extreme. No allocation, no exceptions, no
// state: safe from any thread. Coordinates must be finite (asserted in the exact stage;
// without assertions the sign is then meaningless). Needs the default floating-point environment (rounding to
// nearest, denormals not flushed to zero).
//
// Signs are 1, 0, -1. An `axis` is 0, 1 or 2: the coordinate that a projection drops.
#pragma once

#include <cmath>

#include "pliant/core/vec3.h"

namespace pliant {

namespace detail {

int orient3d_exact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
int orient2d_exact(const Vec3& a, const Vec3& b, const Vec3& c, int axis);

// The filters' error bounds, with u = 2^-53 and h = 2^-1075 (the largest error of a product that underflows).
//
// 3-D: det = sum over k of n_k d_k, n = e x f, where e, f, d are rounded differences of inputs. Written out it is
// six monomials, each with at most 8 relative errors of size u: 3 differences, the product in n, the subtraction
// in n, the product with d_k, two sums. So |det - exact| <= ((1+u)^8 - 1) P with P the exact sum of the monomials'
// magnitudes, and the same count gives computed permanent >= (1-u)^8 P: the error is below 8.1 u times the
// computed permanent. Underflow (differences never suffer from it: tiny sums are exact) adds at most 2.1 h |d_k|
// from the two products in each n_k and 3.1 h from the products with d_k, and takes no more from the permanent.
// Adding the guard 2^-960 to each |n_k| and once to the permanent adds 10 u 2^-960 (1 + sum |d_k|), which is more than
// all that by 2^60. What remains between 8.1 u and 10 u covers the rounding of the bound itself. A smaller guard would
// make the bounds of flat inputs denormal, and slow.
//
// Overflow: an infinity or NaN anywhere reaches the permanent, because it is built from the same products by operations
// that are monotone in them; then "|det| > bound" compares with infinity or NaN and is false. Fusing products and sums
// would only take roundings away.
//
// 2-D: det = l - r, two products of differences, 4 relative errors each: 4.1 u, taken as 6 u; the guard as above.
inline constexpr double kFilter3 = 10 * 0x1p-53;
inline constexpr double kFilter2 = 6 * 0x1p-53;
inline constexpr double kUnderflowGuard = 0x1p-960;

inline int sign_of_nonzero(double x) { return x > 0 ? 1 : -1; }

}  // namespace detail

// On which side of the plane through a, b, c points lie; what does not depend on the point is computed once.
// Holds references: the three points must outlive it.
class PlaneSide {
 public:
  PlaneSide(const Vec3& a, const Vec3& b, const Vec3& c) : a_(a), b_(b), c_(c) {
    const double ex = b.x() - a.x(), ey = b.y() - a.y(), ez = b.z() - a.z();
    const double fx = c.x() - a.x(), fy = c.y() - a.y(), fz = c.z() - a.z();
    set(nx_, mx_, ey * fz, ez * fy);
    set(ny_, my_, ez * fx, ex * fz);
    set(nz_, mz_, ex * fy, ey * fx);
  }

  // orient3d(a, b, c, p).
  int operator()(const Vec3& p) const {
    const double dx = a_.x() - p.x(), dy = a_.y() - p.y(), dz = a_.z() - p.z();
    const double det = determinant(dx, dy, dz);
    if (std::abs(det) > bound(std::abs(dx), std::abs(dy), std::abs(dz))) [[likely]]
      return detail::sign_of_nonzero(det);
    return detail::orient3d_exact(a_, b_, c_, p);
  }

 private:
  static void set(double& minor, double& magnitude, double left, double right) {
    minor = left - right;
    magnitude = std::abs(left) + std::abs(right) + detail::kUnderflowGuard;
  }
  double determinant(double dx, double dy, double dz) const { return nx_ * dx + ny_ * dy + nz_ * dz; }
  double bound(double x, double y, double z) const {
    return detail::kFilter3 * (mx_ * x + my_ * y + mz_ * z + detail::kUnderflowGuard);
  }

  const Vec3 &a_, &b_, &c_;
  double nx_, ny_, nz_;  // normal of the plane, (b - a) x (c - a)
  double mx_, my_, mz_;  // the same with every product's magnitude added up
};

// Sign of the determinant with rows a - d, b - d, c - d: 1 if d lies below the plane through a, b, c, where "above" is
// the side from which a, b, c turn counter-clockwise; -1 if it lies above; 0 if the four are coplanar.
inline int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return PlaneSide(a, b, c)(d); }

// Sign of component `axis` of (a - c) x (b - c): 1 if the projections of a, b, c turn counter-clockwise, seen
// against that axis. 0: the projections are collinear.
inline int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int x = axis == 2 ? 0 : axis + 1;
  const int y = axis == 0 ? 2 : axis - 1;
  const double left = (a.data()[x] - c.data()[x]) * (b.data()[y] - c.data()[y]);
  const double right = (a.data()[y] - c.data()[y]) * (b.data()[x] - c.data()[x]);
  const double det = left - right;
  const double permanent = std::abs(left) + std::abs(right) + detail::kUnderflowGuard;
  if (std::abs(det) > detail::kFilter2 * permanent) [[likely]]
    return detail::sign_of_nonzero(det);
  return detail::orient2d_exact(a, b, c, axis);
}

// The first axis along which the triangle a, b, c can be projected without becoming flat; -1 if its area is zero.
inline int projection_axis(const Vec3& a, const Vec3& b, const Vec3& c) {
  for (int axis = 0; axis < 3; ++axis) {
    if (orient2d(a, b, c, axis) != 0) return axis;
  }
  return -1;
}

inline bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) { return projection_axis(a, b, c) < 0; }

// Lexicographic order of x, y, z: along any line it is the order on that line, one way or the other.
inline bool lex_less(const Vec3& a, const Vec3& b) {
  if (a.x() != b.x()) return a.x() < b.x();
  if (a.y() != b.y()) return a.y() < b.y();
  return a.z() < b.z();
}

// For collinear v, a, b: whether a and b are both different from v and on the same side of it. No arithmetic: along
// a line the order of any coordinate that changes at all is the order on the line.
inline bool same_ray(const Vec3& v, const Vec3& a, const Vec3& b) {
  return (lex_less(v, a) && lex_less(v, b)) || (lex_less(a, v) && lex_less(b, v));
}

}  // namespace pliant
