// First contacts happen at roots of the coplanarity cubic. Where that vanishes identically (all motion in a moving
// plane) they happen at the start or when a vertex comes upon an edge: as long as the crossing is in the inside of both
// features and they span the plane, it was there a moment before, too. Then A, B, C being linear in time, a vertex on a
// line is a root of a quadratic, or, if it is on the line all the time, meets an end point at a root of a linear
// function. Each root is examined with the signs of polynomials there; nothing is ever rounded.
//
// Each axis has a power of two of its own as unit: contact does not depend on scaling along axes, and integers are
// short.
#include "pliant/ccd/exact.h"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "pliant/ccd/exact_polynomial.h"

namespace pliant::ccd {
namespace {

using Line = std::array<Integer, 2>;       // values at s = 0 and s = 1 of a linear function
using MovingVector = std::array<Line, 3>;  // one for each axis

MovingVector operator-(const MovingVector& p, const MovingVector& q) {
  MovingVector r;
  for (int k = 0; k < 3; ++k) r[k] = {p[k][0] - q[k][0], p[k][1] - q[k][1]};
  return r;
}

// The pair's vectors A, B, C (differences.h) as functions of s in [0, 1].
struct Motion {
  MovingVector a, b, c;
};

// ---- from doubles to integers ----

// x = mantissa 2^exponent with an odd mantissa, or 0.
struct Dyadic {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

Dyadic decode(double x) {
  if (x == 0) return {};
  int exponent = 0;
  auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  return {mantissa / (std::int64_t{1} << zeros), exponent - 53 + zeros};
}

// Values times the power of two that makes all of them integers.
template <std::size_t N>
std::array<Integer, N> integers(const std::array<double, N>& values) {
  std::array<Dyadic, N> d;
  int lowest = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < N; ++i) {
    d[i] = decode(values[i]);
    if (d[i].mantissa != 0) lowest = std::min(lowest, d[i].exponent);
  }
  std::array<Integer, N> result;
  for (std::size_t i = 0; i < N; ++i) {
    if (d[i].mantissa == 0) continue;
    result[i] = d[i].mantissa;
    result[i] <<= static_cast<unsigned>(d[i].exponent - lowest);
  }
  return result;
}

Motion integer_motion(CcdKind kind, const CcdQuery& query) {
  std::array<MovingVector, 4> x;
  for (int axis = 0; axis < 3; ++axis) {
    std::array<double, 8> values;
    for (int i = 0; i < 4; ++i) {
      values[i] = query.x_t0[i][axis];
      values[4 + i] = query.x_t1[i][axis];
    }
    const std::array<Integer, 8> n = integers(values);
    for (int i = 0; i < 4; ++i) x[i][axis] = {n[i], n[4 + i]};
  }
  if (kind == CcdKind::vertex_face) return {x[0] - x[1], x[2] - x[1], x[3] - x[1]};
  return {x[2] - x[0], x[1] - x[0], x[3] - x[2]};
}

MovingVector restricted(const MovingVector& v, const std::array<Integer, 3>& t) {
  const Integer &lo = t[0], &hi = t[1], &one = t[2];
  MovingVector r;
  for (int k = 0; k < 3; ++k) {
    const Integer slope = v[k][1] - v[k][0], start = v[k][0] * one;
    r[k] = {start + slope * lo, start + slope * hi};
  }
  return r;
}

Motion restricted(const Motion& m, Interval t) {
  const std::array<Integer, 3> scaled = integers(std::array<double, 3>{t.t0, t.t1, 1.0});
  return {restricted(m.a, scaled), restricted(m.b, scaled), restricted(m.c, scaled)};
}

// ---- polynomials of a motion ----

Polynomial linear(const Line& p) { return {{p[0], p[1] - p[0], 0, 0}}; }

// p q - r s.
Polynomial minor(const Line& p, const Line& q, const Line& r, const Line& s) {
  const Integer p1 = p[1] - p[0], q1 = q[1] - q[0], r1 = r[1] - r[0], s1 = s[1] - s[0];
  return {{p[0] * q[0] - r[0] * s[0], p[0] * q1 + p1 * q[0] - r[0] * s1 - r1 * s[0], p1 * q1 - r1 * s1, 0}};
}

Polynomial cross(const MovingVector& p, const MovingVector& q, int axis) {
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  return minor(p[j], q[k], p[k], q[j]);
}

Polynomial dot(const MovingVector& p, const MovingVector& q) {
  const Line nothing{};
  return minor(p[0], q[0], nothing, nothing) + minor(p[1], q[1], nothing, nothing) +
         minor(p[2], q[2], nothing, nothing);
}

Polynomial coplanarity(const Motion& m) {
  Polynomial f;
  for (int axis = 0; axis < 3; ++axis) {
    const Polynomial n = cross(m.b, m.c, axis);
    const Integer &a0 = m.a[axis][0], a1 = m.a[axis][1] - a0;
    f.c[0] += a0 * n.c[0];
    f.c[1] += a0 * n.c[1] + a1 * n.c[0];
    f.c[2] += a0 * n.c[2] + a1 * n.c[1];
    f.c[3] += a1 * n.c[2];
  }
  return f;
}

// ---- are the features in contact at a moment? ----

bool vanishes(const MovingVector& v, const Moment& moment) {
  return moment.sign_of(linear(v[0])) == 0 && moment.sign_of(linear(v[1])) == 0 && moment.sign_of(linear(v[2])) == 0;
}

// Point p on the segment from the origin to e.
bool on_segment(const MovingVector& p, const MovingVector& e, const Moment& moment) {
  if (vanishes(e, moment)) return vanishes(p, moment);
  for (int axis = 0; axis < 3; ++axis) {
    if (moment.sign_of(cross(p, e, axis)) != 0) return false;
  }
  return moment.sign_of(dot(p, e)) >= 0 && moment.sign_of(dot(e - p, e)) >= 0;
}

// A vertex and the edge it may come upon, relative to an end of that edge.
struct VertexEdge {
  MovingVector point, edge;
};

// All of them, of which three (vertex-face) or four (edge-edge) are used.
struct VertexEdges {
  std::array<VertexEdge, 4> pair;
  int count;
};

VertexEdges vertex_edges(CcdKind kind, const Motion& m) {
  if (kind == CcdKind::vertex_face) return {{{{m.a, m.b}, {m.a, m.c}, {m.a - m.b, m.c - m.b}, {}}}, 3};
  const MovingVector minus_a = MovingVector{} - m.a;
  return {{{{m.a, m.b}, {m.c - minus_a, m.b}, {minus_a, m.c}, {m.b - m.a, m.c}}}, 4};
}

// The features, coplanar and spanning a plane whose normal B x C has the given sign along an axis, meet.
bool overlap_along(CcdKind kind, const Motion& m, const Moment& moment, int axis, int normal_sign) {
  const Polynomial n = cross(m.b, m.c, axis);
  const Polynomial u = cross(m.a, m.c, axis);
  const auto inside = [&](const Polynomial& p) { return moment.sign_of(p) * normal_sign >= 0; };
  if (!inside(u)) return false;
  if (kind == CcdKind::vertex_face) {
    const Polynomial v = cross(m.b, m.a, axis);
    return inside(v) && inside(n - u - v);
  }
  const Polynomial v = cross(m.a, m.b, axis);
  return inside(v) && inside(n - u) && inside(n - v);
}

// Contact at a moment at which the features are known to be coplanar.
bool overlap(CcdKind kind, const Motion& m, const Moment& moment) {
  for (int axis = 0; axis < 3; ++axis) {
    const int normal_sign = moment.sign_of(cross(m.b, m.c, axis));
    if (normal_sign != 0) return overlap_along(kind, m, moment, axis, normal_sign);
  }
  const VertexEdges candidates = vertex_edges(kind, m);
  for (int i = 0; i < candidates.count; ++i) {
    if (on_segment(candidates.pair[i].point, candidates.pair[i].edge, moment)) return true;
  }
  return false;
}

bool touching(CcdKind kind, const Motion& m, const Rational& time) {
  const Moment moment(time);
  return moment.sign_of(coplanarity(m)) == 0 && overlap(kind, m, moment);
}

// ---- roots in order of time ----

// A part of the interval in its own unit: s in [s, e] of [0, 1], exact binary fractions.
struct Window {
  double s = 0, e = 1;
};

struct Search {
  CcdKind kind;
  double narrow_enough;  // for windows
};

// Halves; windows stop following when they are as narrow as doubles can tell.
constexpr double kNarrowest = 0x1p-50;
Window half(Window w, int which) {
  if (w.e - w.s <= kNarrowest) return w;
  const double middle = 0.5 * (w.s + w.e);
  return which == 0 ? Window{w.s, middle} : Window{middle, w.e};
}

MovingVector half(const MovingVector& v, int which) {
  MovingVector r;
  for (int k = 0; k < 3; ++k) {
    const Integer middle = v[k][0] + v[k][1];
    r[k] = which == 0 ? Line{v[k][0] * 2, middle} : Line{middle, v[k][1] * 2};
  }
  return r;
}

Motion half(const Motion& m, int which) { return {half(m.a, which), half(m.b, which), half(m.c, which)}; }

// Sign of p at k / 2^bits.
int sign_at(const Polynomial& p, std::int64_t k, unsigned bits) {
  Integer value = p.c[3];
  for (int i = 2; i >= 0; --i) value = value * k + (p.c[i] << (bits * static_cast<unsigned>(3 - i)));
  return sign(value);
}

// The window of the only root of p in (0, 1), narrowed by bisection.
Window narrowed(const Polynomial& p, Window w, double narrow_enough) {
  const int left = sign_right_of_zero(p);
  std::int64_t lo = 0, hi = 1;
  unsigned bits = 0;
  while ((w.e - w.s) > std::max(narrow_enough, kNarrowest)) {
    const std::int64_t middle = lo + hi;
    const int s = sign_at(p, middle, ++bits);
    lo *= 2;
    hi *= 2;
    (s == left ? lo : hi) = middle;
    w = half(w, s == left ? 1 : 0);
  }
  return w;
}

std::optional<Window> at_rational_roots(const Search& search, const Motion& m, const RationalRoots& roots, Window w) {
  std::optional<Window> first;
  for (int i = 0; i < roots.count; ++i) {
    const Rational& r = roots.root[i];
    if (!r.inside_unit() || !touching(search.kind, m, r)) continue;
    const Polynomial p{{-r.numerator, r.denominator, 0, 0}};
    const Window found = narrowed(p, w, search.narrow_enough);
    if (!first) first = found;
    first = Window{std::min(first->s, found.s), std::min(first->e, found.e)};
  }
  return first;
}

// A part of the motion still to be searched, from left to right.
struct Part {
  Motion motion;
  Window window;
  bool with_start;  // contact at its start is still to be looked at
};

// First contact at the roots in (0, 1) of a polynomial of the motion, which `polynomial` makes.
template <class Make>
std::optional<Window> first_at_roots(const Search& search, const Motion& whole, const Make& polynomial) {
  std::vector<Part> parts{{whole, {}, false}};
  while (!parts.empty()) {
    const Part part = std::move(parts.back());
    parts.pop_back();
    const Window w = part.window;
    if (part.with_start && touching(search.kind, part.motion, {0, 1})) {
      return w.e - w.s <= kNarrowest ? w : Window{w.s, w.s};
    }
    const Polynomial p = polynomial(part.motion);
    const int changes = variations(p);
    if (changes == 0) continue;
    if (changes == 1) {
      if (overlap(search.kind, part.motion, Moment::root_of(p))) return narrowed(p, w, search.narrow_enough);
      continue;
    }
    if (const RationalRoots multiple = roots_if_multiple(p); multiple.count > 0) {
      if (const auto found = at_rational_roots(search, part.motion, multiple, w)) return found;
      continue;
    }
    // Simple roots only: halving separates them.
    parts.push_back({half(part.motion, 1), half(w, 1), true});
    parts.push_back({half(part.motion, 0), half(w, 0), false});
  }
  return std::nullopt;
}

// The first component of a moving vector that is not always zero, or 3.
int varying_axis(const MovingVector& v) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!linear(v[axis]).zero()) return axis;
  }
  return 3;
}

int crossing_axis(const VertexEdge& pair) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!cross(pair.point, pair.edge, axis).zero()) return axis;
  }
  return 3;
}

void keep_first(std::optional<Window>& first, const std::optional<Window>& found) {
  if (!found) return;
  first = first ? Window{std::min(first->s, found->s), std::min(first->e, found->e)} : *found;
}

// Motion in a moving plane: a vertex comes upon an edge.
std::optional<Window> first_in_plane(const Search& search, const Motion& m) {
  std::optional<Window> first;
  const VertexEdges all = vertex_edges(search.kind, m);
  for (int i = 0; i < all.count; ++i) {
    const int axis = crossing_axis(all.pair[i]);
    if (axis < 3) {
      keep_first(first, first_at_roots(search, m, [&](const Motion& part) {
                   const VertexEdge pair = vertex_edges(search.kind, part).pair[i];
                   return cross(pair.point, pair.edge, axis);
                 }));
      continue;
    }
    for (const bool far_end : {false, true}) {
      const auto to_end = [&](const Motion& part) {
        const VertexEdge pair = vertex_edges(search.kind, part).pair[i];
        return far_end ? pair.point - pair.edge : pair.point;
      };
      const int k = varying_axis(to_end(m));
      if (k == 3) continue;
      keep_first(first, first_at_roots(search, m, [&](const Motion& part) { return linear(to_end(part)[k]); }));
    }
  }
  return first;
}

// Times from windows, rounded outward: t0 + (t1 - t0) s errs by less than 2^-51 for times up to 1.
Interval to_times(Window w, Interval interval) {
  const double length = interval.length();
  const double lo = w.s == 0 ? interval.t0 : interval.t0 + length * w.s - 0x1p-51;
  const double hi = w.e == 1 ? interval.t1 : interval.t0 + length * w.e + 0x1p-51;
  return {std::max(interval.t0, lo), std::min(interval.t1, hi)};
}

}  // namespace

std::optional<Interval> exact_first_contact(CcdKind kind, const CcdQuery& query, Interval interval,
                                            double time_tolerance) {
  Motion m = integer_motion(kind, query);
  if (interval.t0 != 0 || interval.t1 != 1) m = restricted(m, interval);
  if (touching(kind, m, {0, 1})) return Interval::instant(interval.t0);
  if (interval.is_instant()) return std::nullopt;
  const Search search{kind, time_tolerance / interval.length()};
  const auto found = coplanarity(m).zero() ? first_in_plane(search, m) : first_at_roots(search, m, coplanarity);
  if (found) {
    const Interval t = to_times(*found, interval);
    // Not at the start, which was examined; so an instant there would say too much.
    return t.t1 > interval.t0 ? t : Interval{t.t0, std::min(interval.t1, interval.t0 + 0x1p-51)};
  }
  if (touching(kind, m, {1, 1})) return Interval::instant(interval.t1);
  return std::nullopt;
}

}  // namespace pliant::ccd
