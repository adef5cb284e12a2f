// Numbers as unevaluated sums hi + lo of two doubles, |lo| <= ulp(hi) / 2: about 106 bits, without fused
// multiply-add, so that every processor computes the same bits.
//
// Error of one operation, u = 2^-53, while nothing overflows and no product is below 2^-950 in size:
//   sum, difference: |error| <= 3 u^2 / (1 - 4u) |result| (Joldes, Muller, Popescu, "Tight and rigorous error bounds
//   for
//                    basic building blocks of double-word arithmetic", 2017, algorithm 6: the one used here);
//   products: with p + e = x.hi y.hi exactly, c = fl(fl(x.hi y.lo) + fl(x.lo y.hi)), the result is p + fl(e + c)
//   exactly.
//             In units of |x y| (1 + 4u): x.lo y.lo left out: u^2; the two rounded products: u^2 each (their factors lo
//             are at most u hi); their sum, at most 2u, rounded: 2 u^2; e + c, at most 3u, rounded: 3 u^2. Together 8
//             u^2.
// Both are below kUnit = 2^-102 = 16 u^2. A smaller product errs by at most 2^-1070 more (six roundings of denormals).
#pragma once

namespace pliant::ccd {

struct DoubleDouble {
  double hi = 0;
  double lo = 0;

  static constexpr double kUnit = 0x1p-102;
};

// a + b exactly, for any finite a, b (Knuth).
inline DoubleDouble two_sum(double a, double b) {
  const double s = a + b;
  const double bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}

// a + b exactly if |a| >= |b| or a = 0 (Dekker).
inline DoubleDouble quick_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

// a = hi + lo with 26 bits each (Veltkamp). |a| < 2^990.
inline DoubleDouble split(double a) {
  const double c = 134217729.0 * a;  // 2^27 + 1
  const double hi = c - (c - a);
  return {hi, a - hi};
}

// a b exactly (Dekker).
inline DoubleDouble two_product(double a, double b) {
  const double p = a * b;
  const DoubleDouble x = split(a);
  const DoubleDouble y = split(b);
  return {p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

inline DoubleDouble operator-(DoubleDouble x) { return {-x.hi, -x.lo}; }

inline DoubleDouble operator+(DoubleDouble x, DoubleDouble y) {
  const DoubleDouble s = two_sum(x.hi, y.hi);
  const DoubleDouble t = two_sum(x.lo, y.lo);
  const DoubleDouble v = quick_two_sum(s.hi, s.lo + t.hi);
  return quick_two_sum(v.hi, t.lo + v.lo);
}

inline DoubleDouble operator-(DoubleDouble x, DoubleDouble y) { return x + (-y); }

inline DoubleDouble operator*(DoubleDouble x, DoubleDouble y) {
  const DoubleDouble p = two_product(x.hi, y.hi);
  return quick_two_sum(p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi));
}

// A product with one double errs by less than one with two double-doubles: lo is 0.
inline DoubleDouble operator*(DoubleDouble x, double y) {
  const DoubleDouble p = two_product(x.hi, y);
  return quick_two_sum(p.hi, p.lo + x.lo * y);
}

// What the solver needs to know of a number type. `kUnit` bounds the relative error of every operation.
template <class Real>
struct Arithmetic;

template <>
struct Arithmetic<double> {
  static constexpr double kUnit = 0x1p-53;
  static double difference(double a, double b) { return a - b; }
  static double approximate(double x) { return x; }
  static double from(double x) { return x; }
};

template <>
struct Arithmetic<DoubleDouble> {
  static constexpr double kUnit = DoubleDouble::kUnit;
  static DoubleDouble difference(double a, double b) { return two_sum(a, -b); }
  static double approximate(DoubleDouble x) { return x.hi; }
  static DoubleDouble from(double x) { return {x, 0}; }
};

}  // namespace pliant::ccd
