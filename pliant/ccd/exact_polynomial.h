// Polynomials of degree up to three with integer coefficients, their roots in (0, 1), and exact signs of others there.
#pragma once

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>

namespace pliant::ccd {

// On the heap beyond 512 bits: one denormal coordinate makes an integer longer than a thousand.
using Integer =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
                                      512, 0, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked,
                                      std::allocator<boost::multiprecision::limb_type>>,
                                  boost::multiprecision::et_off>;

inline int sign(const Integer& x) { return x.sign(); }

// c[0] + c[1] s + c[2] s^2 + c[3] s^3.
struct Polynomial {
  std::array<Integer, 4> c;

  int degree() const;  // -1 for zero
  bool zero() const { return degree() < 0; }
};

Polynomial operator-(const Polynomial& p, const Polynomial& q);
Polynomial operator+(const Polynomial& p, const Polynomial& q);

// q^3 p(n / q), hence the sign of p there for q > 0.
Integer scaled_value(const Polynomial& p, const Integer& n, const Integer& q);

// Sign changes of the Bernstein coefficients on [0, 1]. 0: no root in the open interval; 1: one root, simple.
int variations(const Polynomial& p);

struct Rational {
  Integer numerator;
  Integer denominator;  // positive

  bool inside_unit() const { return sign(numerator) > 0 && numerator < denominator; }
};

// If p has a multiple root: all its roots (which are rational then), each once, in any order; empty otherwise.
// Degree 2 or 3.
struct RationalRoots {
  std::array<Rational, 2> root;
  int count = 0;
};
RationalRoots roots_if_multiple(const Polynomial& p);

// Binary fractions n 2^-bits in (0, 1), ascending, none of them a root, between which p has at most one root each.
// Found next to the places where p is steady for a moment, to as many bits as it takes: a few dozen multiplications,
// where halving would need as many steps as the closest two roots have leading digits in common. p has degree 2 or 3
// and no multiple root.
struct BinaryFraction {
  Integer n;
  unsigned bits = 0;
};
struct Separators {
  std::array<BinaryFraction, 2> at;
  int count = 0;
};
Separators separators(const Polynomial& p);

// Whether p, with at most one root in (0, 1), has one there; that root is then simple.
bool changes_sign(const Polynomial& p);

// The only root of a polynomial in (0, 1), a simple one.
class UnitRoot {
 public:
  // p must outlive this.
  explicit UnitRoot(const Polynomial& p);

  int sign_of(const Polynomial& g) const;  // of degree at most 2, at the root

  // The root lies in [lo, hi] 2^-bits.
  struct Bracket {
    std::int64_t lo, hi;
    int bits;
  };
  // Narrow enough: (hi - lo) 2^-bits <= 2^-wanted; wanted <= 52.
  Bracket bracket(int wanted) const;

 private:
  int side_of(int sign_at_other) const;
  int sign_nearby(const Polynomial& g) const;
  int sign_of_linear(const Polynomial& g) const;
  int sign_of_convex(const Polynomial& g) const;
  bool brackets(const Bracket& b) const;
  double approximate() const;

  const Polynomial& p_;
  int side_;                               // sign of p between 0 and the root
  mutable std::optional<Bracket> narrow_;  // made when it is first needed
};

}  // namespace pliant::ccd
