#include "pliant/ccd/exact_polynomial.h"

#include <algorithm>
#include <cmath>

namespace pliant::ccd {
namespace {

// The sign of p + q sqrt(d), d > 0.
int sign_with_root(const Integer& p, const Integer& q, const Integer& d) {
  const int sp = sign(p), sq = sign(q);
  if (sp == sq || sq == 0) return sp;
  if (sp == 0) return sq;
  const Integer pp = p * p, qqd = q * q * d;
  const int larger = pp.compare(qqd);
  return larger > 0 ? sp : larger < 0 ? sq : 0;
}

// p modulo g up to a positive factor; g of degree 2 with a positive leading coefficient.
Polynomial remainder_by_convex(const Polynomial& p, const Polynomial& g) {
  Polynomial r = p;
  for (int k = 3; k >= 2; --k) {
    if (sign(r.c[k]) == 0) continue;
    const Integer lead = r.c[k];
    for (Integer& c : r.c) c *= g.c[2];
    for (int i = 0; i <= 2; ++i) r.c[k - 2 + i] -= lead * g.c[i];
  }
  return r;
}

Rational positive_denominator(const Integer& n, const Integer& d) {
  return sign(d) < 0 ? Rational{-n, -d} : Rational{n, d};
}

RationalRoots roots_of_degenerate_cubic(const Polynomial& p) {
  Polynomial slope{{p.c[1], p.c[2] * 2, p.c[3] * 3, 0}};
  if (sign(slope.c[2]) < 0) slope = Polynomial{} - slope;
  const Polynomial rest = remainder_by_convex(p, slope);
  const Integer &alpha = rest.c[1], &beta = rest.c[0];
  if (sign(alpha) == 0) {
    if (sign(beta) != 0) return {};
    return {{positive_denominator(-p.c[2], p.c[3] * 3)}, 1};  // the slope divides p: a triple root
  }
  const Rational twice = positive_denominator(-beta, alpha);
  if (sign(scaled_value(slope, twice.numerator, twice.denominator)) != 0) return {};
  // The three roots add up to -c2 / c3.
  const Integer other = -p.c[2] * twice.denominator - 2 * twice.numerator * p.c[3];
  return {{twice, positive_denominator(other, p.c[3] * twice.denominator)}, 2};
}

}  // namespace

int Polynomial::degree() const {
  for (int k = 3; k >= 0; --k) {
    if (sign(c[k]) != 0) return k;
  }
  return -1;
}

Polynomial operator-(const Polynomial& p, const Polynomial& q) {
  return {{p.c[0] - q.c[0], p.c[1] - q.c[1], p.c[2] - q.c[2], p.c[3] - q.c[3]}};
}

Polynomial operator+(const Polynomial& p, const Polynomial& q) {
  return {{p.c[0] + q.c[0], p.c[1] + q.c[1], p.c[2] + q.c[2], p.c[3] + q.c[3]}};
}

Integer scaled_value(const Polynomial& p, const Integer& n, const Integer& q) {
  const Integer qq = q * q;
  return ((p.c[3] * n + p.c[2] * q) * n + p.c[1] * qq) * n + p.c[0] * qq * q;
}

int variations(const Polynomial& p) {
  const Integer three_c0 = p.c[0] * 3;
  const std::array<int, 4> signs{sign(p.c[0]), sign(three_c0 + p.c[1]), sign(three_c0 + p.c[1] * 2 + p.c[2]),
                                 sign(p.c[0] + p.c[1] + p.c[2] + p.c[3])};
  int changes = 0, last = 0;
  for (const int s : signs) {
    if (s != 0 && last != 0 && s != last) ++changes;
    if (s != 0) last = s;
  }
  return changes;
}

RationalRoots roots_if_multiple(const Polynomial& p) {
  if (p.degree() == 3) return roots_of_degenerate_cubic(p);
  if (p.c[1] * p.c[1] != p.c[0] * p.c[2] * 4) return {};
  return {{positive_denominator(-p.c[1], p.c[2] * 2)}, 1};
}

UnitRoot::UnitRoot(const Polynomial& p) : p_(p), side_(0) {
  for (int k = 0; k <= 3 && side_ == 0; ++k) side_ = sign(p.c[k]);
}

int UnitRoot::sign_of(const Polynomial& g) const {
  // One-signed Bernstein coefficients, not all zero, leave no root in the open interval.
  const Integer twice_c0 = g.c[0] * 2;
  const int s0 = sign(g.c[0]), s1 = sign(twice_c0 + g.c[1]), s2 = sign(g.c[0] + g.c[1] + g.c[2]);
  if (s0 >= 0 && s1 >= 0 && s2 >= 0) return s0 > 0 || s1 > 0 || s2 > 0;
  if (s0 <= 0 && s1 <= 0 && s2 <= 0) return -1;
  if (sign(g.c[2]) == 0) return sign_of_linear(g);
  return sign(g.c[2]) > 0 ? sign_of_convex(g) : -sign_of_convex(Polynomial{} - g);
}

// -1, 0, 1: the root is before, at, behind a time in (0, 1) where p has the given sign.
int UnitRoot::side_of(int sign_at_other) const { return sign_at_other == side_ ? 1 : sign_at_other == 0 ? 0 : -1; }

// g = c0 + c1 s changes sign in (0, 1).
int UnitRoot::sign_of_linear(const Polynomial& g) const {
  const Rational zero = positive_denominator(-g.c[0], g.c[1]);
  return sign(g.c[1]) * side_of(sign(scaled_value(p_, zero.numerator, zero.denominator)));
}

// g = c + b s + a s^2, a > 0. Where its roots (-b -+ sqrt(D)) / 2a lie relative to this one: by the sign of p there,
// which is that of its remainder alpha s + beta modulo g.
int UnitRoot::sign_of_convex(const Polynomial& g) const {
  const Integer &b = g.c[1], &a = g.c[2];
  const Integer d = b * b - a * g.c[0] * 4;
  if (sign(d) < 0) return 1;
  if (sign(d) == 0) {
    const Rational twice{-b, a * 2};
    if (!twice.inside_unit()) return 1;
    return sign(scaled_value(p_, twice.numerator, twice.denominator)) == 0 ? 0 : 1;
  }
  const Polynomial rest = remainder_by_convex(p_, g);
  const Integer &alpha = rest.c[1], &beta = rest.c[0];
  const Integer p = a * beta * 2 - alpha * b;
  int result = 1;
  for (const int branch : {-1, 1}) {
    int side;
    if (sign_with_root(-b, branch, d) <= 0) {
      side = 1;
    } else if (sign_with_root(-b - a * 2, branch, d) >= 0) {
      side = -1;
    } else {
      side = side_of(sign_with_root(p, alpha * branch, d));
    }
    result *= side;
  }
  return result;
}

// In double, good for a guess.
double UnitRoot::approximate() const {
  unsigned longest = 0;
  for (const Integer& c : p_.c) {
    if (sign(c) != 0) longest = std::max(longest, static_cast<unsigned>(msb(abs(c))));
  }
  const unsigned drop = longest > 900 ? longest - 900 : 0;
  std::array<double, 4> c;
  for (int k = 0; k <= 3; ++k) c[k] = static_cast<double>(Integer(p_.c[k] >> drop));
  double lo = 0, hi = 1;
  for (int i = 0; i < 54; ++i) {
    const double s = 0.5 * (lo + hi);
    const double value = ((c[3] * s + c[2]) * s + c[1]) * s + c[0];
    (value * side_ > 0 ? lo : hi) = s;
  }
  return lo;
}

bool UnitRoot::brackets(const Bracket& b) const {
  const auto sign_at = [&](std::int64_t k) {
    Integer value = p_.c[3];
    for (int i = 2; i >= 0; --i) value = value * k + (p_.c[i] << static_cast<unsigned>(b.bits * (3 - i)));
    return sign(value);
  };
  const std::int64_t one = std::int64_t{1} << b.bits;
  return (b.lo == 0 || sign_at(b.lo) == side_) && (b.hi == one || sign_at(b.hi) != side_);
}

UnitRoot::Bracket UnitRoot::bracket(int wanted) const {
  if (wanted <= 0) return {0, 1, 0};
  const int bits = wanted + 2;
  const std::int64_t one = std::int64_t{1} << bits;
  const auto k = static_cast<std::int64_t>(std::ldexp(approximate(), bits));
  const Bracket guess{std::max<std::int64_t>(0, k - 1), std::min(one, k + 2), bits};
  if (brackets(guess)) return guess;
  Bracket b{0, 1, 0};
  while (b.bits < wanted) {
    const std::int64_t middle = b.lo + b.hi;
    const Bracket left{2 * b.lo, middle, b.bits + 1};
    b = brackets(left) ? left : Bracket{middle, 2 * b.hi, b.bits + 1};
  }
  return b;
}

}  // namespace pliant::ccd
