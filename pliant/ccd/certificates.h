// Proofs in floating point about a pair during [s, e]: that it is apart, and that it touches.
//
// Errors in units of u (differences.h); triples are taken at arbitrary times, so vectors err by 4 X, 4 Y, 4 Z.
//
// Apart. For a fixed n, points that move linearly stay on one side of a moving plane n.x = c(t) if the gap
//   vertex-face A.n - max(0, B.n, C.n),   edge-edge A.n + min(0, C.n) - max(0, B.n)
// is positive at both ends: it is concave in t (a linear function minus maxima of linear ones). With S = X|nx| + Y|ny|
// + Z|nz| a dot product errs by 4 S (vectors) + 3 S (three roundings of a term or sum): 7 S; the vertex-face gap by 14
// S and a rounding of at most 2 S: 16 S; the edge-edge gap by 21 S and roundings 2 S + 3 S: 26 S. kGapError = 32.
//
// Touching. If F changes sign in [s, e] it has a root, where A, B, C are linearly dependent. For a fixed d let
//   alpha = A.(C x d), beta = A.(B x d), nu = B.(C x d) = d.(B x C),
// quadratic in t. At the root, if nu > 0, B and C are independent and A = u B + v C with u = alpha / nu, v = -beta /
// nu. So
//   vertex-face alpha, -beta, nu - alpha + beta > 0,   edge-edge alpha, beta, nu - alpha, nu - beta > 0 (nu follows)
// throughout [s, e] prove a contact; positive Bernstein coefficients prove that. With Q = YZ|dx| + XZ|dy| + XY|dz|: a
// component of C x d errs by (4 + 1) for each product and 1 for the difference: 6 (Y|dz| + Z|dy|); a term of the dot
// product by 6 + 4 + 1 = 11 times X (Y|dz| + Z|dy|), the three together 22 Q, their sums 4 Q: 26 Q, size 2 Q. The
// middle coefficient, half a sum: 28 Q. Differences of three of them: 84 Q and roundings 4 Q + 6 Q: 94 Q. kInsideError
// = 128.
#pragma once

#include "pliant/ccd/differences.h"

namespace pliant::ccd {

inline constexpr double kGapError = 32;
inline constexpr double kInsideError = 128;

template <class Real>
double gap(CcdKind kind, const Triple<Real>& v, const Vector<Real>& n) {
  using N = Arithmetic<Real>;
  const Real an = dot(v.a, n), bn = dot(v.b, n), cn = dot(v.c, n);
  const Real zero = N::from(0);
  const auto lower = [](const Real& p, const Real& q) { return N::approximate(p - q) < 0 ? p : q; };
  const auto upper = [](const Real& p, const Real& q) { return N::approximate(p - q) > 0 ? p : q; };
  if (kind == CcdKind::vertex_face) return N::approximate(an - upper(zero, upper(bn, cn)));
  return N::approximate(an + lower(zero, cn) - upper(zero, bn));
}

// Bound on the error of `gap` for this direction.
template <class Real>
double gap_error(const Differences<Real>& d, const Vector<Real>& direction) {
  const Vector<double> n = approximate(direction);
  const double s = d.scale.x * std::abs(n.x) + d.scale.y * std::abs(n.y) + d.scale.z * std::abs(n.z);
  return kGapError * Arithmetic<Real>::kUnit * s + kTiny;
}

// A quadratic's Bernstein coefficients on [s, e].
template <class Real>
struct Quadratic {
  Real c0, c1, c2;
};

template <class Real>
Quadratic<Real> operator-(const Quadratic<Real>& p, const Quadratic<Real>& q) {
  return {p.c0 - q.c0, p.c1 - q.c1, p.c2 - q.c2};
}
template <class Real>
Quadratic<Real> operator+(const Quadratic<Real>& p, const Quadratic<Real>& q) {
  return {p.c0 + q.c0, p.c1 + q.c1, p.c2 + q.c2};
}
template <class Real>
bool above(const Quadratic<Real>& q, double bound) {
  using N = Arithmetic<Real>;
  return N::approximate(q.c0) > bound && N::approximate(q.c1) > bound && N::approximate(q.c2) > bound;
}

// The product p(t).q(t) of two linear vectors.
template <class Real>
Quadratic<Real> product(const Vector<Real>& p_s, const Vector<Real>& p_e, const Vector<Real>& q_s,
                        const Vector<Real>& q_e) {
  return {dot(p_s, q_s), (dot(p_s, q_e) + dot(p_e, q_s)) * 0.5, dot(p_e, q_e)};
}

// True proves: wherever F has a root in [s, e], the features touch.
template <class Real>
bool inside_throughout(CcdKind kind, const Differences<Real>& difference, const Ends<Real>& v,
                       const Vector<double>& d) {
  const Vector<double>& x = difference.scale;
  const double q = x.y * x.z * std::abs(d.x) + x.x * x.z * std::abs(d.y) + x.x * x.y * std::abs(d.z);
  const double error = kInsideError * Arithmetic<Real>::kUnit * q + kTiny;
  const Vector<Real> cd_s = cross(v.s.c, d), cd_e = cross(v.e.c, d), bd_s = cross(v.s.b, d), bd_e = cross(v.e.b, d);
  const Quadratic<Real> alpha = product(v.s.a, v.e.a, cd_s, cd_e);
  if (!above(alpha, error)) return false;
  const Quadratic<Real> beta = product(v.s.a, v.e.a, bd_s, bd_e);
  const Quadratic<Real> nu = product(v.s.b, v.e.b, cd_s, cd_e);
  if (kind == CcdKind::vertex_face) {
    const Quadratic<Real> zero{};
    return above(zero - beta, error) && above(nu - alpha + beta, error);
  }
  return above(beta, error) && above(nu - alpha, error) && above(nu - beta, error);
}

}  // namespace pliant::ccd
