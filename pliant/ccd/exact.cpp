// First contacts happen at roots of the coplanarity cubic. Where that vanishes identically (all motion in a moving
// plane) they happen at the start or when a vertex comes upon an edge: as long as the crossing is in the inside of both
// features and they span the plane, it was there a moment before, too. A, B, C being linear in time, a vertex on a line
// is a root of a quadratic, or, if it is on the line all the time, meets an end point at a root of a linear function.
// Each root is examined with the signs of polynomials there; nothing is ever rounded.
//
// Each axis has a power of two of its own as unit: contact does not depend on scaling along axes, and integers are
// short.
#include "pliant/ccd/exact.h"

#include <cmath>
#include <utility>
#include <vector>

#include "pliant/ccd/exact_motion.h"
#include "pliant/ccd/exact_polynomial.h"

namespace pliant::ccd {
namespace {

// ---- are the features in contact? ----
//
// For components N = Integer: now; for N = Line: at a moment that `sign` knows, which gives the sign of a product
// there.

template <class N, class Sign>
bool vanishes(const Components<N>& v, const Sign& sign_of) {
  return sign_of(as_product(v[0])) == 0 && sign_of(as_product(v[1])) == 0 && sign_of(as_product(v[2])) == 0;
}

// Point p on the segment from the origin to e.
template <class N, class Sign>
bool on_segment(const VertexEdge<N>& pair, const Sign& sign_of) {
  const auto& [p, e] = pair;
  if (vanishes(e, sign_of)) return vanishes(p, sign_of);
  for (int axis = 0; axis < 3; ++axis) {
    if (sign_of(cross(p, e, axis)) != 0) return false;
  }
  return sign_of(dot(p, e)) >= 0 && sign_of(dot(e - p, e)) >= 0;
}

// The features, coplanar and spanning a plane whose normal B x C has the given sign along an axis, meet.
template <class N, class Sign>
bool overlap_along(CcdKind kind, const Vectors<N>& m, const Sign& sign_of, int axis, int normal_sign) {
  const auto inside = [&](const auto& p) { return sign_of(p) * normal_sign >= 0; };
  const auto u = cross(m.a, m.c, axis);
  if (!inside(u)) return false;
  const auto n = cross(m.b, m.c, axis);
  if (kind == CcdKind::vertex_face) {
    const auto v = cross(m.b, m.a, axis);
    return inside(v) && inside(n - u - v);
  }
  const auto v = cross(m.a, m.b, axis);
  return inside(v) && inside(n - u) && inside(n - v);
}

// Contact of features that are known to be coplanar.
template <class N, class Sign>
bool overlap(CcdKind kind, const Vectors<N>& m, const Sign& sign_of) {
  for (int axis = 0; axis < 3; ++axis) {
    const int normal_sign = sign_of(cross(m.b, m.c, axis));
    if (normal_sign != 0) return overlap_along(kind, m, sign_of, axis, normal_sign);
  }
  for (int i = 0; i < vertex_edge_count(kind); ++i) {
    if (on_segment(vertex_edge(kind, m, i), sign_of)) return true;
  }
  return false;
}

bool touching(CcdKind kind, const Vectors<Integer>& m) {
  Integer volume = 0;
  for (int axis = 0; axis < 3; ++axis) volume += m.a[axis] * cross(m.b, m.c, axis);
  return sign(volume) == 0 && overlap(kind, m, [](const Integer& x) { return sign(x); });
}

bool touching_at_root(CcdKind kind, const Motion& m, const UnitRoot& root) {
  return overlap(kind, m, [&](const Polynomial& p) { return root.sign_of(p); });
}

// ---- roots in order of time ----

// A span of the interval in its own unit: s in [s, e] of [0, 1]. Exact binary fractions, or, if not `exact`, up to
// kSlack off.
struct Window {
  double s = 0, e = 1;
  bool exact = true;
};
constexpr double kSlack = 0x1p-50;

struct Search {
  CcdKind kind;
  double narrow_enough;  // for windows
};

// Halves; windows stop following when they are as narrow as doubles can tell.
constexpr double kNarrowest = 0x1p-50;
Window half(Window w, int which) {
  if (w.e - w.s <= kNarrowest) return w;
  const double middle = 0.5 * (w.s + w.e);
  return which == 0 ? Window{w.s, middle, w.exact} : Window{middle, w.e, w.exact};
}

double approximate(const BinaryFraction& x) {
  // All digits but the last 60, which is more than a double has.
  const unsigned dropped = x.bits > 60 ? x.bits - 60 : 0;
  return std::ldexp(static_cast<double>(static_cast<std::int64_t>(Integer(x.n >> dropped))),
                    -static_cast<int>(x.bits - dropped));
}

Window restricted_between(Window w, const BinaryFraction& from, const BinaryFraction& to) {
  const double width = w.e - w.s;
  return {w.s + width * approximate(from), w.s + width * approximate(to), false};
}

Window widened(Window w) {
  if (w.exact) return w;
  return {std::max(0.0, w.s - kSlack), std::min(1.0, w.e + kSlack), false};
}

Window narrowed(const UnitRoot& root, Window w, double narrow_enough) {
  const double width = w.e - w.s;
  if (!(width > kNarrowest)) return widened(w);
  // The width of an exact window is a power of two, that of others up to twice as much.
  const int wanted = std::ilogb(width) - std::ilogb(std::max(narrow_enough, kNarrowest)) + (w.exact ? 0 : 1);
  const UnitRoot::Bracket b = root.bracket(wanted);
  const double unit = std::ldexp(width, -b.bits);
  return widened({w.s + static_cast<double>(b.lo) * unit, w.s + static_cast<double>(b.hi) * unit, w.exact});
}

void keep_first(std::optional<Window>& first, const std::optional<Window>& found) {
  if (!found) return;
  first = first ? Window{std::min(first->s, found->s), std::min(first->e, found->e), false} : *found;
}

std::optional<Window> at_rational_roots(const Search& search, const Motion& m, const RationalRoots& roots, Window w) {
  std::optional<Window> first;
  for (int i = 0; i < roots.count; ++i) {
    const Rational& r = roots.root[i];
    if (!r.inside_unit() || !touching(search.kind, at(m, r))) continue;
    const Polynomial p{{-r.numerator, r.denominator, 0, 0}};
    keep_first(first, narrowed(UnitRoot(p), w, search.narrow_enough));
  }
  return first;
}

// A span of the motion still to be searched, from left to right.
struct MotionSpan {
  Motion motion;
  Window window;
  bool with_start = false;  // contact at its start is still to be looked at
  int halvings = 0;
  bool simple_roots = false;  // known: the polynomial has no multiple root
  bool separated = false;     // known: it has at most one root in the span
};

// Spans of a span with at most one root each, the first on top.
void push_separated(const MotionSpan& span, const Polynomial& p, std::vector<MotionSpan>& spans) {
  const Separators cuts = separators(p);
  for (int i = cuts.count; i >= 0; --i) {
    const BinaryFraction from = i == 0 ? BinaryFraction{0, 0} : cuts.at[static_cast<std::size_t>(i - 1)];
    const BinaryFraction to = i == cuts.count ? BinaryFraction{1, 0} : cuts.at[static_cast<std::size_t>(i)];
    spans.push_back({.motion = restricted_between(span.motion, from, to),
                     .window = restricted_between(span.window, from, to),
                     .separated = true});
  }
}

// First contact at the roots in (0, 1) of a polynomial of the motion, which `polynomial` makes.
template <class Make>
std::optional<Window> first_at_roots(const Search& search, const Motion& whole, const Make& polynomial) {
  // Most roots that are apart at all are so after a few halvings. Coordinates of very different sizes make some that
  // are equal in thousands of digits, or as near to an end, and integers that grow with every halving.
  constexpr int kMostHalvings = 8;
  std::vector<MotionSpan> spans;
  spans.push_back({.motion = whole, .window = {}});
  while (!spans.empty()) {
    const MotionSpan span = std::move(spans.back());
    spans.pop_back();
    const Window w = span.window;
    if (span.with_start && touching(search.kind, at_start(span.motion))) {
      return w.e - w.s <= kNarrowest ? w : Window{w.s, w.s};
    }
    const Polynomial p = polynomial(span.motion);
    const int changes = span.separated ? (changes_sign(p) ? 1 : 0) : variations(p);
    if (changes == 0) continue;
    if (changes == 1) {
      const UnitRoot root(p);
      if (touching_at_root(search.kind, span.motion, root)) return narrowed(root, w, search.narrow_enough);
      continue;
    }
    if (!span.simple_roots) {
      if (const RationalRoots multiple = roots_if_multiple(p); multiple.count > 0) {
        if (const auto found = at_rational_roots(search, span.motion, multiple, w)) return found;
        continue;
      }
    }
    if (span.halvings == kMostHalvings) {
      push_separated(span, p, spans);
      continue;
    }
    for (const int which : {1, 0})
      spans.push_back({.motion = half(span.motion, which),
                       .window = half(w, which),
                       .with_start = which == 1,
                       .halvings = span.halvings + 1,
                       .simple_roots = true});
  }
  return std::nullopt;
}

// The vertex stays on the edge's line: it can meet the near or the far end.
std::optional<Window> first_at_ends(const Search& search, const Motion& m, int pair) {
  std::optional<Window> first;
  for (const bool far_end : {false, true}) {
    const auto to_end = [&](const Motion& span) {
      const VertexEdge<Line> x = vertex_edge(search.kind, span, pair);
      return far_end ? x.point - x.edge : x.point;
    };
    const Components<Line> distance = to_end(m);
    int axis = 0;
    while (axis < 3 && as_product(distance[axis]).zero()) ++axis;
    if (axis == 3) continue;
    keep_first(first, first_at_roots(search, m, [&](const Motion& span) { return as_product(to_end(span)[axis]); }));
  }
  return first;
}

// Motion in a moving plane: a vertex comes upon an edge.
std::optional<Window> first_in_plane(const Search& search, const Motion& m) {
  std::optional<Window> first;
  for (int i = 0; i < vertex_edge_count(search.kind); ++i) {
    const VertexEdge<Line> pair = vertex_edge(search.kind, m, i);
    int axis = 0;
    while (axis < 3 && cross(pair.point, pair.edge, axis).zero()) ++axis;
    if (axis == 3) {
      keep_first(first, first_at_ends(search, m, i));
      continue;
    }
    keep_first(first, first_at_roots(search, m, [&](const Motion& span) {
                 const VertexEdge<Line> x = vertex_edge(search.kind, span, i);
                 return cross(x.point, x.edge, axis);
               }));
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
  if (touching(kind, at_start(m))) return Interval::instant(interval.t0);
  if (interval.is_instant()) return std::nullopt;
  const Search search{kind, time_tolerance / interval.length()};
  const auto found = coplanarity(m).zero() ? first_in_plane(search, m) : first_at_roots(search, m, coplanarity);
  if (found) {
    const Interval t = to_times(*found, interval);
    // Not at the start, which was examined; so an instant there would say too much.
    return t.t1 > interval.t0 ? t : Interval{t.t0, std::min(interval.t1, interval.t0 + 0x1p-51)};
  }
  if (touching(kind, at_end(m))) return Interval::instant(interval.t1);
  return std::nullopt;
}

}  // namespace pliant::ccd
