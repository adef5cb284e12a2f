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

// ---- separating roots ----

namespace {

// The sign of p at n 2^-bits.
template <class N>
int sign_at(const Polynomial& p, const N& n, unsigned bits) {
  Integer value = p.c[3];
  for (int i = 2; i >= 0; --i) value = value * n + (p.c[i] << (bits * static_cast<unsigned>(3 - i)));
  return sign(value);
}

Integer floor_of_quotient(const Integer& n, const Integer& d) {
  Integer q = n / d;
  if (sign(n) < 0 && q * d != n) --q;
  return q;
}

// The square root rounded down: from that of the upper half of the digits by Newton's method, which comes from above
// and doubles the digits that are right. (The library's finds them one by one.)
Integer root_below(const Integer& n) {
  if (sign(n) == 0) return 0;
  const auto top = static_cast<unsigned>(msb(n));
  if (top < 52) return static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  const unsigned k = top / 4;
  Integer x = (root_below(n >> (2 * k)) + 1) << k;
  while (true) {
    Integer next = (x + n / x) >> 1;
    if (next >= x) return x;
    x = std::move(next);
  }
}

// A root (-b + branch sqrt(d)) / a, a > 0, of the slope.
struct Turn {
  Integer a, b, d;
  int branch;

  bool inside_unit() const { return sign_with_root(-b, branch, d) > 0 && sign_with_root(-b - a, branch, d) < 0; }
  // n with n 2^-bits <= root < (n + 2) 2^-bits: the root of d 4^bits is rounded down, and the quotient too.
  Integer below(unsigned bits) const {
    const Integer root = root_below(d << (2 * bits));
    const Integer scaled = branch > 0 ? root : Integer(-root - 1);
    return floor_of_quotient((-b << bits) + scaled, a);
  }
};

// A place beside a turn at which p has the given sign, that of the turn itself, as it has on the turn's other side:
// there is no root between.
BinaryFraction separator(const Polynomial& p, const Turn& turn, int sign_at_turn, const std::optional<Turn>& other) {
  for (unsigned bits = 64;; bits *= 2) {
    const Integer n = turn.below(bits);
    if (sign(n) <= 0 || n + 2 >= (Integer(1) << bits)) continue;
    if (other) {
      const Integer o = other->below(bits);
      if (o <= n + 2 && n <= o + 2) continue;
    }
    if (sign_at(p, n, bits) == sign_at_turn && sign_at(p, Integer(n + 2), bits) == sign_at_turn) return {n, bits};
  }
}

}  // namespace

// Between two turns, and between a turn and an end, p goes one way, and between a turn and its separator there is no
// root: so the separators cut like the turns.
Separators separators(const Polynomial& p) {
  Separators result;
  if (p.degree() == 2) {
    const Rational turn = positive_denominator(-p.c[1], p.c[2] * 2);
    if (!turn.inside_unit()) return result;
    const Turn exact{turn.denominator, -turn.numerator, 0, 1};
    const int sign_there = sign(scaled_value(p, turn.numerator, turn.denominator));
    result.at[static_cast<std::size_t>(result.count++)] = separator(p, exact, sign_there, std::nullopt);
    return result;
  }
  // p' = 3 c3 s^2 + 2 c2 s + c1, made convex; p at a root of it is its remainder alpha s + beta there.
  Polynomial slope{{p.c[1], p.c[2] * 2, p.c[3] * 3, 0}};
  if (sign(slope.c[2]) < 0) slope = Polynomial{} - slope;
  const Integer &a = slope.c[2], b = slope.c[1] / 2, d = b * b - a * slope.c[0];
  if (sign(d) <= 0) return result;
  const Polynomial rest = remainder_by_convex(p, slope);
  const Integer &alpha = rest.c[1], &beta = rest.c[0];
  const std::array<Turn, 2> turns{Turn{a, b, d, -1}, Turn{a, b, d, 1}};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!turns[i].inside_unit()) continue;
    const int sign_there = sign_with_root(beta * a - alpha * b, alpha * turns[i].branch, d);
    result.at[static_cast<std::size_t>(result.count++)] = separator(p, turns[i], sign_there, turns[1 - i]);
  }
  return result;
}

bool changes_sign(const Polynomial& p) {
  // Just behind 0: the first coefficient that is not 0. Just before 1: the same of p(1 - s).
  const std::array<Integer, 4> back{p.c[0] + p.c[1] + p.c[2] + p.c[3], -(p.c[1] + p.c[2] * 2 + p.c[3] * 3),
                                    p.c[2] + p.c[3] * 3, -p.c[3]};
  int first = 0, last = 0;
  for (std::size_t k = 0; k < 4 && first == 0; ++k) first = sign(p.c[k]);
  for (std::size_t k = 0; k < 4 && last == 0; ++k) last = sign(back[k]);
  return first * last < 0;
}

// ---- the root ----

UnitRoot::UnitRoot(const Polynomial& p) : p_(p), side_(0) {
  for (int k = 0; k <= 3 && side_ == 0; ++k) side_ = sign(p.c[k]);
}

int UnitRoot::sign_of(const Polynomial& g) const {
  // One-signed Bernstein coefficients, not all zero, leave no root in the open interval.
  const Integer twice_c0 = g.c[0] * 2;
  const int s0 = sign(g.c[0]), s1 = sign(twice_c0 + g.c[1]), s2 = sign(g.c[0] + g.c[1] + g.c[2]);
  if (s0 >= 0 && s1 >= 0 && s2 >= 0) return s0 > 0 || s1 > 0 || s2 > 0;
  if (s0 <= 0 && s1 <= 0 && s2 <= 0) return -1;
  if (const int nearby = sign_nearby(g); nearby != 0) return nearby;
  if (sign(g.c[2]) == 0) return sign_of_linear(g);
  return sign(g.c[2]) > 0 ? sign_of_convex(g) : -sign_of_convex(Polynomial{} - g);
}

// The sign of g if it is the same all over a narrow bracket of the root, else 0: what follows multiplies long integers.
int UnitRoot::sign_nearby(const Polynomial& g) const {
  if (!narrow_) narrow_ = bracket(40);
  const auto [lo, hi, bits] = *narrow_;
  // Bernstein coefficients on [lo, hi], times 4^bits (twice that for the middle one).
  const Integer c0 = g.c[0] << static_cast<unsigned>(2 * bits), c1 = g.c[1] << static_cast<unsigned>(bits);
  const auto at = [&](std::int64_t k) { return sign(Integer((g.c[2] * k + c1) * k + c0)); };
  const int s0 = at(lo), s2 = at(hi);
  if (s0 == 0 || s0 != s2) return 0;
  const int s1 = sign(Integer(g.c[2] * lo * hi * 2 + c1 * (lo + hi) + c0 * 2));
  return s0 == s1 ? s0 : 0;
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
  const auto sign_at_fraction = [&](std::int64_t k) { return sign_at(p_, k, static_cast<unsigned>(b.bits)); };
  const std::int64_t one = std::int64_t{1} << b.bits;
  return (b.lo == 0 || sign_at_fraction(b.lo) == side_) && (b.hi == one || sign_at_fraction(b.hi) != side_);
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
