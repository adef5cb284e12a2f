// The six difference vectors that every test of a pair is made of, and how far they are off.
//
// Vertex-face: A = v - f0, B = f1 - f0, C = f2 - f0. Edge-edge: A = b0 - a0, B = a1 - a0, C = b1 - b0. Each is linear
// in time. A contact is A = u B + v C with u, v >= 0, u + v <= 1 (vertex-face), or A = u B - v C with u, v in [0, 1].
//
// Errors, to first order in u = Arithmetic<Real>::kUnit (bounds are used with a margin of more than 1.1, and u is at
// most 2^-53): a difference has relative error u. With X the largest absolute x of the six vectors, X(t) = (1-t) X0 + t
// X1 in floating point errs by at most (difference u, 1 - t: u, product: u) (1-t) X + (u, u) t X + (sum) u X <= 4 u X.
// Numbers are trusted only below kLargest, so nothing up to degree four overflows. An operation that underflows errs by
// less than 2^-1070; at most one later factor, below 2^152, enlarges that, and fewer than 2^10 such errors meet in any
// result: every bound has kTiny added for them.
#pragma once

#include <cmath>

#include "pliant/ccd/ccd.h"
#include "pliant/ccd/double_double.h"

namespace pliant::ccd {

inline constexpr double kLargest = 0x1p150;
inline constexpr double kTiny = 0x1p-700;

// By value: one instruction each, where references would be followed by a branch.
inline double larger(double p, double q) { return p > q ? p : q; }
inline double smaller(double p, double q) { return p < q ? p : q; }

template <class Real>
struct Vector {
  Real x, y, z;
};

template <class Real>
Vector<Real> operator+(const Vector<Real>& a, const Vector<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
Vector<Real> operator-(const Vector<Real>& a, const Vector<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real, class Factor>
Vector<Real> operator*(const Vector<Real>& a, Factor s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class Real, class Other>
Real dot(const Vector<Real>& a, const Vector<Other>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real, class Other>
Vector<Real> cross(const Vector<Real>& a, const Vector<Other>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class Real>
Vector<double> approximate(const Vector<Real>& a) {
  using N = Arithmetic<Real>;
  return {N::approximate(a.x), N::approximate(a.y), N::approximate(a.z)};
}

// The three vectors at one time.
template <class Real>
struct Triple {
  Vector<Real> a, b, c;
};

template <class Real>
Triple<double> approximate(const Triple<Real>& v) {
  return {approximate(v.a), approximate(v.b), approximate(v.c)};
}

// The triples at both ends of a part [s, e] of the motion.
template <class Real>
struct Ends {
  Triple<Real> s, e;
};

template <class Real>
struct Differences {
  Triple<Real> t0, t1;
  Vector<double> scale;  // X, Y, Z

  bool trusted() const { return scale.x < kLargest && scale.y < kLargest && scale.z < kLargest; }
};

template <class Real>
Vector<Real> difference(const Vec3& p, const Vec3& q) {
  using N = Arithmetic<Real>;
  return {N::difference(p[0], q[0]), N::difference(p[1], q[1]), N::difference(p[2], q[2])};
}

template <class Real>
Triple<Real> differences_of(CcdKind kind, const std::array<Vec3, 4>& x) {
  if (kind == CcdKind::vertex_face) {
    return {difference<Real>(x[0], x[1]), difference<Real>(x[2], x[1]), difference<Real>(x[3], x[1])};
  }
  return {difference<Real>(x[2], x[0]), difference<Real>(x[1], x[0]), difference<Real>(x[3], x[2])};
}

template <class Real>
Vector<double> extent(const Triple<Real>& v) {
  const Vector<double> a = approximate(v.a), b = approximate(v.b), c = approximate(v.c);
  const auto largest = [](double p, double q, double r) {
    return larger(std::abs(p), larger(std::abs(q), std::abs(r)));
  };
  return {largest(a.x, b.x, c.x), largest(a.y, b.y, c.y), largest(a.z, b.z, c.z)};
}

template <class Real>
Differences<Real> make_differences(CcdKind kind, const CcdQuery& query) {
  const Triple<Real> t0 = differences_of<Real>(kind, query.x_t0);
  const Triple<Real> t1 = differences_of<Real>(kind, query.x_t1);
  const Vector<double> e = extent(t0), f = extent(t1);
  return {t0, t1, {larger(e.x, f.x), larger(e.y, f.y), larger(e.z, f.z)}};
}

template <class Real>
Triple<Real> at(const Differences<Real>& d, double t) {
  const Real s = Arithmetic<Real>::difference(1.0, t);
  return {d.t0.a * s + d.t1.a * t, d.t0.b * s + d.t1.b * t, d.t0.c * s + d.t1.c * t};
}

}  // namespace pliant::ccd
