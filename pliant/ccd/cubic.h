// The coplanarity cubic of a pair, F(t) = 3 A.(B x C): zero whenever the features touch.
//
// In Bernstein form on [0, 1], with N0 = B0 x C0, N2 = B1 x C1, N1 = B0 x C1 + B1 x C0:
//   3 A0.N0,  A1.N0 + A0.N1,  A1.N1 + A0.N2,  3 A1.N2.
//
// Error, in units of u X Y Z, first order (differences.h says what u, X, Y, Z are and how higher orders are covered):
//   N0, N2 (in units of u Y Z and so on): two products with relative error 3 each (two differences, one rounding): 6;
//   their difference, at most 2, rounded: 2. Together 8, size 2. N1: 16 and its rounding 4: 20, size 4. A0.N0: each of
//   three terms 8 + 2 (A) + 2 (product) = 12; sums 4 + 6. Together 46, size 6. Three times that, rounded: 156. A0.N1:
//   each term 20 + 4 + 4 = 28; sums 8 + 12. Together 104, size 12. With A1.N0 and the rounded sum (18): 168. So
//   coefficients err by at most 168 and are at most 18 in size. Restriction to [s, e] (blossoming) has three levels of
//   (1-t) x + t y, each adding at most 3 * 18 = 54 by its own rounding: 330 in all. kCubicError = 384.
#pragma once

#include <cmath>

#include "pliant/ccd/differences.h"

namespace pliant::ccd {

inline constexpr double kCubicError = 384;

template <class Real>
struct Cubic {
  Real c0, c1, c2, c3;
};

template <class Real>
Cubic<Real> coplanarity_cubic(const Differences<Real>& d) {
  const Vector<Real> n0 = cross(d.t0.b, d.t0.c);
  const Vector<Real> n2 = cross(d.t1.b, d.t1.c);
  const Vector<Real> n1 = cross(d.t0.b, d.t1.c) + cross(d.t1.b, d.t0.c);
  return {dot(d.t0.a, n0) * 3.0, dot(d.t1.a, n0) + dot(d.t0.a, n1), dot(d.t1.a, n1) + dot(d.t0.a, n2),
          dot(d.t1.a, n2) * 3.0};
}

// Bound on the error of every coefficient, restricted or not.
template <class Real>
double cubic_error(const Differences<Real>& d) {
  return kCubicError * Arithmetic<Real>::kUnit * d.scale.x * d.scale.y * d.scale.z + kTiny;
}

template <class Real>
Cubic<Real> restricted(const Cubic<Real>& f, double s, double e) {
  const Real s_left = Arithmetic<Real>::difference(1.0, s), e_left = Arithmetic<Real>::difference(1.0, e);
  const auto to_s = [&](const Real& p, const Real& q) { return p * s_left + q * s; };
  const auto to_e = [&](const Real& p, const Real& q) { return p * e_left + q * e; };
  const Real s01 = to_s(f.c0, f.c1), s12 = to_s(f.c1, f.c2), s23 = to_s(f.c2, f.c3);
  const Real e01 = to_e(f.c0, f.c1), e12 = to_e(f.c1, f.c2), e23 = to_e(f.c2, f.c3);
  const Real ss0 = to_s(s01, s12), ss1 = to_s(s12, s23);
  const Real ee0 = to_e(e01, e12), ee1 = to_e(e12, e23);
  const Real se0 = to_e(s01, s12), se1 = to_e(s12, s23);
  return {to_s(ss0, ss1), to_e(ss0, ss1), to_e(se0, se1), to_e(ee0, ee1)};
}

// How much of [0, 1] can be cut off at the left because F has no root there, given the error bound of the coefficients.
// 0: nothing; 1 or more: all of it. The coefficients may have been rounded to double.
//
// With y = |c0|, s its sign and m = max 3/i (y - s c_i), i = 1, 2, 3: s c_i >= y - m i/3, hence, i/3 being the
// Bernstein coefficients of the identity, s F(x) >= y - m x - error for the true F. Up to x = (1 - 2^-40) (y - 2 error)
// / m that is at least 2^-40 y + error > 0. The first term covers all roundings: of c_i to double and of the operations
// here, an error of m x below 2^-48 (y + m x).
inline double root_free_fraction(const Cubic<double>& c, double error) {
  const double y = std::abs(c.c0);
  if (!(y > 2 * error)) return 0;
  const double s = c.c0 > 0 ? 1 : -1;
  const double m = larger(larger(3 * (y - s * c.c1), 1.5 * (y - s * c.c2)), y - s * c.c3);
  const double numerator = (1 - 0x1p-40) * (y - 2 * error);
  return m > numerator ? numerator / m : 1;
}

inline Cubic<double> reversed(const Cubic<double>& c) { return {c.c3, c.c2, c.c1, c.c0}; }

inline Cubic<double> approximate(const Cubic<double>& c) { return c; }
inline Cubic<double> approximate(const Cubic<DoubleDouble>& c) { return {c.c0.hi, c.c1.hi, c.c2.hi, c.c3.hi}; }

inline bool one_signed(const Cubic<double>& c, double error) {
  const double lowest = smaller(smaller(c.c0, c.c1), smaller(c.c2, c.c3));
  const double highest = larger(larger(c.c0, c.c1), larger(c.c2, c.c3));
  return lowest > error || highest < -error;
}

}  // namespace pliant::ccd
