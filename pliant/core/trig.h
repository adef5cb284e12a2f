// Sine and cosine that give the same bits on every platform: C libraries differ in the last place, and shapes and
// scenes must not.
#pragma once

#include <cmath>
#include <numbers>

namespace pliant {

inline constexpr double kPi = std::numbers::pi;

struct SinCos {
  double sin = 0;
  double cos = 1;
};

// Absolute error below 3e-16 for |radians| <= 1e5 (the argument is reduced by pi/2 in three parts of 33 bits, so that
// the products with the quotient are exact), growing with |radians| / 2^20 beyond. Not for |radians| above 1e9.
inline SinCos sin_cos(double radians) {
  constexpr double kHalfPiHigh = 0x1.921fb544p+0;
  constexpr double kHalfPiMid = 0x1.0b4611a6p-34;
  constexpr double kHalfPiLow = 0x1.3198a2e037073p-69;
  const double quotient = std::floor(radians * (2 / kPi) + 0.5);
  const double x = ((radians - quotient * kHalfPiHigh) - quotient * kHalfPiMid) - quotient * kHalfPiLow;

  // Taylor series over |x| <= pi/4: the first terms left out are below 5e-17 and 3e-18.
  const double x2 = x * x;
  double s = -1.0 / 1307674368000.0;
  s = s * x2 + 1.0 / 6227020800.0;
  s = s * x2 - 1.0 / 39916800.0;
  s = s * x2 + 1.0 / 362880.0;
  s = s * x2 - 1.0 / 5040.0;
  s = s * x2 + 1.0 / 120.0;
  s = s * x2 - 1.0 / 6.0;
  const double sine = x + x * (x2 * s);
  double c = 1.0 / 20922789888000.0;
  c = c * x2 - 1.0 / 87178291200.0;
  c = c * x2 + 1.0 / 479001600.0;
  c = c * x2 - 1.0 / 3628800.0;
  c = c * x2 + 1.0 / 40320.0;
  c = c * x2 - 1.0 / 720.0;
  c = c * x2 + 1.0 / 24.0;
  const double cosine = (1.0 - 0.5 * x2) + x2 * x2 * c;

  switch (static_cast<long long>(quotient) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace pliant
