// Exact sums and products of doubles as expansions: unevaluated sums of doubles that do not overlap.
//
// After J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates"
// (1997): a component list, smallest first, strongly non-overlapping, zeros left out, so that the sign of the
// value is the sign of the last component. Sizes are bounded at compile time: no allocation.
//
// Valid only while nothing overflows or underflows; the caller checks the exponents of the inputs first. (With values
// that are not finite the result is worthless, but nothing is written out of bounds.) Needs round-to-nearest and
// operations as written (no fast-math, no contraction).
#pragma once

#include <cmath>

namespace pliant {

// A value and the exact error that rounding it made.
struct TwoDoubles {
  double value;
  double error;
};

inline TwoDoubles two_sum(double a, double b) {
  const double sum = a + b;
  const double b_rounded = sum - a;
  const double a_rounded = sum - b_rounded;
  return {sum, (a - a_rounded) + (b - b_rounded)};
}

#if !defined(__FMA__)
// The upper 26 bits of a; what is left has 26 bits with its sign (Veltkamp).
inline double upper_half(double a) {
  const double shifted = 134217729.0 * a;  // 2^27 + 1
  return shifted - (shifted - a);
}
#endif

inline TwoDoubles two_product(double a, double b) {
  const double product = a * b;
#if defined(__FMA__)
  return {product, __builtin_fma(a, b, -product)};
#else
  const double a_high = upper_half(a);
  const double a_low = a - a_high;
  const double b_high = upper_half(b);
  const double b_low = b - b_high;
  const double rest = ((product - a_high * b_high) - a_low * b_high) - a_high * b_low;
  return {product, a_low * b_low - rest};
#endif
}

template <int Capacity>
class Expansion {
 public:
  Expansion() = default;

  int sign() const { return size_ == 0 ? 0 : (component_[size_ - 1] > 0 ? 1 : -1); }

  // The value rounded to a double, off by no more than a few units in the last place.
  double estimate() const {
    double sum = 0;
    for (int i = 0; i < size_; ++i) sum += component_[i];
    return sum;
  }

  int size() const { return size_; }
  double operator[](int i) const { return component_[i]; }

  // Appends a component of larger magnitude; zeros are dropped.
  void push(double component) {
    if (component != 0) component_[size_++] = component;
  }

 private:
  double component_[Capacity];
  int size_ = 0;
};

inline Expansion<2> difference(double a, double b) {
  const TwoDoubles sum = two_sum(a, -b);
  Expansion<2> result;
  result.push(sum.error);
  result.push(sum.value);
  return result;
}

// e + sign * f, merged by magnitude and then swept (FAST-EXPANSION-SUM of the paper).
template <int N, int M>
Expansion<N + M> add_signed(const Expansion<N>& e, const Expansion<M>& f, double sign) {
  Expansion<N + M> result;
  int i = 0;
  int j = 0;
  const auto next = [&] {
    const bool from_e = j == f.size() || (i < e.size() && std::abs(e[i]) < std::abs(f[j]));
    return from_e ? e[i++] : sign * f[j++];
  };
  if (e.size() + f.size() == 0) return result;
  double carry = next();
  while (i < e.size() || j < f.size()) {
    const TwoDoubles sum = two_sum(carry, next());
    result.push(sum.error);
    carry = sum.value;
  }
  result.push(carry);
  return result;
}

template <int N, int M>
Expansion<N + M> operator+(const Expansion<N>& e, const Expansion<M>& f) {
  return add_signed(e, f, 1.0);
}

template <int N, int M>
Expansion<N + M> operator-(const Expansion<N>& e, const Expansion<M>& f) {
  return add_signed(e, f, -1.0);
}

// e * factor (SCALE-EXPANSION of the paper).
template <int N>
Expansion<2 * N> scale(const Expansion<N>& e, double factor) {
  Expansion<2 * N> result;
  if (e.size() == 0 || factor == 0) return result;
  const TwoDoubles first = two_product(e[0], factor);
  result.push(first.error);
  double carry = first.value;
  for (int i = 1; i < e.size(); ++i) {
    const TwoDoubles product = two_product(e[i], factor);
    const TwoDoubles low = two_sum(carry, product.error);
    result.push(low.error);
    const TwoDoubles high = two_sum(product.value, low.value);
    result.push(high.error);
    carry = high.value;
  }
  result.push(carry);
  return result;
}

template <int N>
Expansion<4 * N> operator*(const Expansion<N>& e, const Expansion<2>& f) {
  if (f.size() == 0) return {};
  const Expansion<2 * N> low = scale(e, f[0]);
  const Expansion<2 * N> high = f.size() == 2 ? scale(e, f[1]) : Expansion<2 * N>{};
  return low + high;
}

}  // namespace pliant
