#include "pliant/ccd/exact_motion.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace pliant::ccd {
namespace {

// x = mantissa 2^exponent with an odd mantissa, or 0.
struct Dyadic {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

Dyadic decode(double x) {
  if (x == 0) return {};
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
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

template <class To, class From, class Change>
Components<To> changed(const Components<From>& v, const Change& change) {
  return {change(v[0]), change(v[1]), change(v[2])};
}

template <class To, class Change>
Vectors<To> changed(const Motion& m, const Change& change) {
  return {changed<To>(m.a, change), changed<To>(m.b, change), changed<To>(m.c, change)};
}

}  // namespace

Motion integer_motion(CcdKind kind, const CcdQuery& query) {
  std::array<Components<Line>, 4> x;
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

Motion restricted(const Motion& m, Interval span) {
  const std::array<Integer, 3> t = integers(std::array<double, 3>{span.t0, span.t1, 1.0});
  return changed<Line>(m, [&](const Line& p) {
    const Integer slope = p.end - p.start, start = p.start * t[2];
    return Line{start + slope * t[0], start + slope * t[1]};
  });
}

Motion half(const Motion& m, int which) {
  return changed<Line>(m, [&](const Line& p) {
    const Integer middle = p.start + p.end;
    return which == 0 ? Line{p.start * 2, middle} : Line{middle, p.end * 2};
  });
}

// All times the larger of the two denominators.
Motion restricted_between(const Motion& m, const BinaryFraction& from, const BinaryFraction& to) {
  const unsigned bits = std::max(from.bits, to.bits);
  const Integer t0 = from.n << (bits - from.bits), t1 = to.n << (bits - to.bits);
  return changed<Line>(m, [&](const Line& p) {
    const Integer slope = p.end - p.start, start = p.start << bits;
    return Line{start + slope * t0, start + slope * t1};
  });
}

Vectors<Integer> at_start(const Motion& m) {
  return changed<Integer>(m, [](const Line& p) { return p.start; });
}

Vectors<Integer> at_end(const Motion& m) {
  return changed<Integer>(m, [](const Line& p) { return p.end; });
}

Vectors<Integer> at(const Motion& m, const Rational& s) {
  const Integer left = s.denominator - s.numerator;
  return changed<Integer>(m, [&](const Line& p) { return Integer(p.start * left + p.end * s.numerator); });
}

Polynomial as_product(const Line& p) { return {{p.start, p.end - p.start, 0, 0}}; }

Polynomial product(const Line& p, const Line& q) {
  const Integer p1 = p.end - p.start, q1 = q.end - q.start;
  return {{p.start * q.start, p.start * q1 + p1 * q.start, p1 * q1, 0}};
}

// From the values at both ends: the constant is that at s = 0, all three coefficients add up to that at s = 1, and the
// leading one is of slopes.
Polynomial minor(const Line& p, const Line& q, const Line& r, const Line& s) {
  const Integer start = p.start * q.start - r.start * s.start, end = p.end * q.end - r.end * s.end;
  const Integer lead = (p.end - p.start) * (q.end - q.start) - (r.end - r.start) * (s.end - s.start);
  return {{start, end - start - lead, lead, 0}};
}

Polynomial coplanarity(const Motion& m) {
  Polynomial f;
  for (int axis = 0; axis < 3; ++axis) {
    const Polynomial n = cross(m.b, m.c, axis);
    const Integer &a0 = m.a[axis].start, a1 = m.a[axis].end - a0;
    f.c[0] += a0 * n.c[0];
    f.c[1] += a0 * n.c[1] + a1 * n.c[0];
    f.c[2] += a0 * n.c[2] + a1 * n.c[1];
    f.c[3] += a1 * n.c[2];
  }
  return f;
}

}  // namespace pliant::ccd
