// The vectors A, B, C of a pair (differences.h) in integers, now or as functions of time, and products of them.
#pragma once

#include <array>

#include "pliant/ccd/ccd.h"
#include "pliant/ccd/exact_polynomial.h"

namespace pliant::ccd {

// The values at s = 0 and s = 1 of a linear function.
struct Line {
  Integer start, end;
};
inline Line operator-(const Line& p, const Line& q) { return {p.start - q.start, p.end - q.end}; }

// One component for each axis, each axis in a unit of its own.
template <class N>
using Components = std::array<N, 3>;

template <class N>
Components<N> operator-(const Components<N>& p, const Components<N>& q) {
  return {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
}

template <class N>
struct Vectors {
  Components<N> a, b, c;
};
using Motion = Vectors<Line>;

// ---- making motions ----

// With s = t. Coordinates must be finite.
Motion integer_motion(CcdKind kind, const CcdQuery& query);

// With s running over a part of [0, 1].
Motion restricted(const Motion& m, Interval span);
Motion half(const Motion& m, int which);
Motion restricted_between(const Motion& m, const BinaryFraction& from, const BinaryFraction& to);

Vectors<Integer> at_start(const Motion& m);
Vectors<Integer> at_end(const Motion& m);
Vectors<Integer> at(const Motion& m, const Rational& s);  // times the denominator

// ---- products: integers of integers, polynomials of linear functions ----

inline const Integer& as_product(const Integer& p) { return p; }
Polynomial as_product(const Line& p);

inline Integer minor(const Integer& p, const Integer& q, const Integer& r, const Integer& s) { return p * q - r * s; }
Polynomial minor(const Line& p, const Line& q, const Line& r, const Line& s);  // p q - r s

inline Integer product(const Integer& p, const Integer& q) { return p * q; }
Polynomial product(const Line& p, const Line& q);

template <class N>
auto cross(const Components<N>& p, const Components<N>& q, int axis) {
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  return minor(p[j], q[k], p[k], q[j]);
}

template <class N>
auto dot(const Components<N>& p, const Components<N>& q) {
  return product(p[0], q[0]) + product(p[1], q[1]) + product(p[2], q[2]);
}

// A.(B x C).
Polynomial coplanarity(const Motion& m);

// ---- vertices and the edges they may come upon, relative to an end of the edge ----

template <class N>
struct VertexEdge {
  Components<N> point, edge;
};

inline int vertex_edge_count(CcdKind kind) { return kind == CcdKind::vertex_face ? 3 : 4; }

template <class N>
VertexEdge<N> vertex_edge(CcdKind kind, const Vectors<N>& m, int i) {
  const Components<N> zero{};
  if (kind == CcdKind::vertex_face) {
    return i == 0 ? VertexEdge<N>{m.a, m.b} : i == 1 ? VertexEdge<N>{m.a, m.c} : VertexEdge<N>{m.a - m.b, m.c - m.b};
  }
  switch (i) {
    case 0:
      return {m.a, m.b};  // b0 on edge a
    case 1:
      return {m.a - (zero - m.c), m.b};  // b1 on edge a
    case 2:
      return {zero - m.a, m.c};  // a0 on edge b
    default:
      return {m.b - m.a, m.c};  // a1 on edge b
  }
}

}  // namespace pliant::ccd
