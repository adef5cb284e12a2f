// The floating-point solver of one pair, in double or double-double: scans an interval of time from left to right,
// cutting off what is proved free of contact, until it proves a contact or cannot decide a span any more.
#pragma once

#include <array>
#include <optional>
#include <type_traits>

#include "pliant/ccd/certificates.h"
#include "pliant/ccd/closest.h"
#include "pliant/ccd/cubic.h"

namespace pliant::ccd {

struct ClipLimits {
  double time_tolerance = 0;
  int iterations = 0;    // clips and bisections left
  double narrowest = 0;  // spans are not bisected below this
  int bisections = 0;    // nor more often than this in one scan
};

// What is left of an interval after a scan: outside of `open` and `hit` there is no contact.
struct Scan {
  static constexpr int kMost = 4;
  std::array<Interval, kMost> open{};  // undecided spans from left to right
  int open_count = 0;
  std::optional<Interval> hit;  // holds a contact for certain; nothing behind it was looked at
  bool capped = false;          // the iteration limit was reached; the last open span reaches to the end then
  int iterations = 0;

  void add_open(Interval span) {
    if (open_count > 0 && (open_count == kMost || open[open_count - 1].t1 >= span.t0)) {
      open[open_count - 1].t1 = span.t1;
    } else {
      open[open_count++] = span;
    }
  }
};

template <class Real>
class ClipSolver {
 public:
  ClipSolver(CcdKind kind, const Differences<Real>& differences, const ClipLimits& limits)
      : kind_(kind),
        d_(differences),
        cubic_(coplanarity_cubic(differences)),
        error_(cubic_error(differences)),
        limits_(limits) {}

  Scan scan(Interval interval) const;

 private:
  // Sides: the sign of F at the ends where it is proved, else 0.
  struct Span {
    double s, e;
    int side_s, side_e;

    double width() const { return e - s; }
    bool changes_sign() const { return side_s * side_e < 0; }
  };
  enum class Verdict { apart, hit, open, narrowed, bisect, bisect_hit };

  Verdict examine(Span& span) const;
  Verdict decide_by_geometry(const Span& span) const;
  bool apart(const Ends<Real>& v) const;
  bool apart_along(const Ends<Real>& v, const Vector<Real>& n) const;
  bool worth_narrowing(const Span& span) const;
  bool clip(Span& span, const Cubic<double>& c) const;
  void note_sides(Span& span, const Cubic<double>& c) const;

  static constexpr int kDepth = 64;

  CcdKind kind_;
  const Differences<Real>& d_;
  Cubic<Real> cubic_;
  double error_;
  ClipLimits limits_;
};

template <class Real>
void ClipSolver<Real>::note_sides(Span& span, const Cubic<double>& c) const {
  if (std::abs(c.c0) > error_) span.side_s = c.c0 > 0 ? 1 : -1;
  if (std::abs(c.c3) > error_) span.side_e = c.c3 > 0 ? 1 : -1;
}

// Cuts root-free parts off both ends; false if nothing is left. F keeps its sign up to the new ends. Rounding of w = e
// - s and of s + w x is below 2^-52 (times are at most 1): the ends are kept 2^-51 back.
template <class Real>
bool ClipSolver<Real>::clip(Span& span, const Cubic<double>& c) const {
  const double left = root_free_fraction(c, error_);
  const double right = root_free_fraction(reversed(c), error_);
  if (left >= 1 || right >= 1) return false;
  const double width = span.width();
  if (left > 0) span.side_s = c.c0 > 0 ? 1 : -1;
  if (right > 0) span.side_e = c.c3 > 0 ? 1 : -1;
  const double s = larger(span.s, span.s + width * left - 0x1p-51);
  const double e = smaller(span.e, span.e - width * right + 0x1p-51);
  if (s > e) return false;
  span.s = s;
  span.e = e;
  return true;
}

template <class Real>
bool ClipSolver<Real>::apart_along(const Ends<Real>& v, const Vector<Real>& n) const {
  const double error = gap_error(d_, n);
  return gap(kind_, v.s, n) > error && gap(kind_, v.e, n) > error;
}

// A separating direction that is normal to an edge must be so to more digits than the coordinates of the closest points
// have once the distance is below their rounding. Only the accurate arithmetic gets there, and then it is worth trying
// all edges.
template <class Real>
bool ClipSolver<Real>::apart(const Ends<Real>& v) const {
  const Approach<Real> approach(kind_, v);
  if constexpr (std::is_same_v<Real, double>) {
    return apart_along(v, approach.direction(approach.sliding()));
  } else {
    for (const Sliding along : {Sliding::none, Sliding::b, Sliding::c, Sliding::c_minus_b}) {
      if (apart_along(v, approach.direction(along))) return true;
    }
    return false;
  }
}

// Geometry instead of the cubic: the proof of contact, which most spans that come this far have, then a separating
// direction.
template <class Real>
typename ClipSolver<Real>::Verdict ClipSolver<Real>::decide_by_geometry(const Span& span) const {
  const Ends<Real> v{at(d_, span.s), at(d_, span.e)};
  if (span.changes_sign()) {
    const Vector<double> normal = cross(approximate(v.s.b), approximate(v.e.c));
    if (inside_throughout(kind_, d_, v, normal)) return Verdict::hit;
  }
  return apart(v) ? Verdict::apart : Verdict::open;
}

// A span that holds a contact can be cut in two if F's sign in the middle is certain.
template <class Real>
bool ClipSolver<Real>::worth_narrowing(const Span& span) const {
  if (span.width() <= limits_.time_tolerance || span.width() <= limits_.narrowest) return false;
  const double middle = span.s + 0.5 * span.width();
  return std::abs(approximate(restricted(cubic_, middle, middle)).c0) > error_;
}

template <class Real>
typename ClipSolver<Real>::Verdict ClipSolver<Real>::examine(Span& span) const {
  const Cubic<double> c = approximate(restricted(cubic_, span.s, span.e));
  if (one_signed(c, error_)) return Verdict::apart;
  note_sides(span, c);
  const double width = span.width();
  if (!clip(span, c)) return Verdict::apart;
  if (span.width() > limits_.time_tolerance && span.width() < 0.5 * width) return Verdict::narrowed;
  const Verdict verdict = decide_by_geometry(span);
  if (verdict == Verdict::apart) return verdict;
  if (verdict == Verdict::hit) return worth_narrowing(span) ? Verdict::bisect_hit : Verdict::hit;
  return span.width() > limits_.narrowest ? Verdict::bisect : Verdict::open;
}

template <class Real>
Scan ClipSolver<Real>::scan(Interval interval) const {
  Scan result;
  std::array<Span, kDepth> stack;
  stack[0] = {interval.t0, interval.t1, 0, 0};
  for (int depth = 1, bisections = 0; depth > 0;) {
    Span span = stack[--depth];
    Verdict verdict = Verdict::narrowed;
    while (verdict == Verdict::narrowed && result.iterations < limits_.iterations) {
      verdict = examine(span);
      ++result.iterations;
    }
    if (verdict == Verdict::narrowed) {
      result.capped = true;
      result.add_open({span.s, interval.t1});
      return result;
    }
    const bool cut = verdict == Verdict::bisect || verdict == Verdict::bisect_hit;
    const bool may_cut = cut && bisections < limits_.bisections && depth + 2 <= kDepth;
    if (verdict == Verdict::hit || (verdict == Verdict::bisect_hit && !may_cut)) {
      result.hit = Interval{span.s, span.e};
      return result;
    }
    if (verdict == Verdict::bisect && !may_cut) {
      result.add_open({span.s, interval.t1});
      return result;
    }
    if (verdict == Verdict::open) result.add_open({span.s, span.e});
    if (cut) {
      ++bisections;
      const double middle = span.s + 0.5 * span.width();
      stack[depth++] = {middle, span.e, 0, span.side_e};
      stack[depth++] = {span.s, middle, span.side_s, 0};
    }
  }
  return result;
}

}  // namespace pliant::ccd
