// Polynomials of degree up to three with integer coefficients, and their exact signs at moments of time in [0, 1]:
// rational ones and roots of other polynomials.
#pragma once

#include <array>
#include <boost/multiprecision/cpp_int.hpp>

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

// Sign just right of 0, for p not zero.
int sign_right_of_zero(const Polynomial& p);

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

// A moment in [0, 1] at which polynomials of degree up to two have exact signs.
class Moment {
 public:
  explicit Moment(const Rational& time) : time_(time) {}

  // The root of p in (0, 1), where variations(p) = 1. p must outlive the moment.
  static Moment root_of(const Polynomial& p);

  int sign_of(const Polynomial& g) const;  // degree at most 2; 3 for rational moments
  bool rational() const { return defining_ == nullptr; }

 private:
  Moment() = default;
  int side_of(int sign_at_other) const;
  int sign_at_root(const Polynomial& g) const;
  int sign_of_linear(const Polynomial& g) const;
  int sign_of_convex(const Polynomial& g) const;

  Rational time_;
  const Polynomial* defining_ = nullptr;
  int side_ = 0;  // sign of defining_ between 0 and the root
};

}  // namespace pliant::ccd
