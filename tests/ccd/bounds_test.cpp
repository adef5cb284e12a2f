// The error bounds that every proof rests on, against rational arithmetic.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <random>

#include "pliant/ccd/certificates.h"
#include "pliant/ccd/closest.h"
#include "pliant/ccd/cubic.h"

namespace pliant::ccd {
namespace {

using Rational = boost::multiprecision::cpp_rational;
using Exact3 = std::array<Rational, 3>;

Rational exact(double x) { return Rational(x); }
Rational exact(DoubleDouble x) { return Rational(x.hi) + Rational(x.lo); }

// The difference of two points of a query at time t, without rounding.
Exact3 difference_at(const CcdQuery& q, int i, int j, const Rational& t) {
  Exact3 r;
  for (int k = 0; k < 3; ++k) {
    r[k] = (1 - t) * (exact(q.x_t0[i][k]) - exact(q.x_t0[j][k])) + t * (exact(q.x_t1[i][k]) - exact(q.x_t1[j][k]));
  }
  return r;
}

struct ExactTriple {
  Exact3 a, b, c;
};

ExactTriple triple_at(CcdKind kind, const CcdQuery& q, const Rational& t) {
  if (kind == CcdKind::vertex_face) {
    return {difference_at(q, 0, 1, t), difference_at(q, 2, 1, t), difference_at(q, 3, 1, t)};
  }
  return {difference_at(q, 2, 0, t), difference_at(q, 1, 0, t), difference_at(q, 3, 2, t)};
}

Rational det(const Exact3& a, const Exact3& b, const Exact3& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Coefficients of F on [s, e]: polar forms of 3 A.(B x C), as sums over which factor is taken at which end.
std::array<Rational, 4> exact_cubic(const ExactTriple& s, const ExactTriple& e) {
  return {3 * det(s.a, s.b, s.c), det(e.a, s.b, s.c) + det(s.a, e.b, s.c) + det(s.a, s.b, e.c),
          det(s.a, e.b, e.c) + det(e.a, s.b, e.c) + det(e.a, e.b, s.c), 3 * det(e.a, e.b, e.c)};
}

class Source {
 public:
  // Coordinates with cancellation: multiples of various sizes, close together or far apart.
  CcdQuery query() {
    CcdQuery q;
    const double offset = std::ldexp(unit(), static_cast<int>(random_() % 12));
    const double spread = std::ldexp(1.0, -static_cast<int>(random_() % 30));
    for (auto* points : {&q.x_t0, &q.x_t1}) {
      for (Vec3& p : *points) p = Vec3(offset, -offset, offset) + spread * Vec3(unit(), unit(), unit());
    }
    return q;
  }
  double unit() { return std::ldexp(static_cast<double>(random_() >> 11), -52) - 1; }
  double time() { return std::ldexp(static_cast<double>(random_() >> 11), -53); }

 private:
  std::mt19937_64 random_{11};
};

constexpr CcdKind kKinds[] = {CcdKind::vertex_face, CcdKind::edge_edge};

template <class Real>
class CcdBounds : public testing::Test {};
using Reals = testing::Types<double, DoubleDouble>;
TYPED_TEST_SUITE(CcdBounds, Reals);

TYPED_TEST(CcdBounds, CubicCoefficientsErrByLessThanTheBound) {
  Source source;
  Rational worst = 0;
  for (int i = 0; i < 1000; ++i) {
    const CcdKind kind = kKinds[i % 2];
    const CcdQuery q = source.query();
    double s = source.time(), e = source.time();
    if (s > e) std::swap(s, e);
    const auto d = make_differences<TypeParam>(kind, q);
    const Cubic<TypeParam> c = restricted(coplanarity_cubic(d), s, e);
    const auto truth = exact_cubic(triple_at(kind, q, exact(s)), triple_at(kind, q, exact(e)));
    const Rational bound = exact(cubic_error(d));
    const std::array<Rational, 4> computed{exact(c.c0), exact(c.c1), exact(c.c2), exact(c.c3)};
    for (int k = 0; k < 4; ++k) {
      const Rational error = abs(computed[k] - truth[k]);
      ASSERT_LE(error, bound);
      worst = std::max(worst, Rational(error / bound));
    }
  }
  EXPECT_GT(worst, Rational(1) / 10000);  // the bound is one, not a wall far away
}

TYPED_TEST(CcdBounds, GapsErrByLessThanTheBound) {
  Source source;
  const auto dot = [](const Exact3& a, const Exact3& b) { return Rational(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]); };
  for (int i = 0; i < 1000; ++i) {
    const CcdKind kind = kKinds[i % 2];
    const CcdQuery q = source.query();
    const double t = source.time();
    const auto d = make_differences<TypeParam>(kind, q);
    using N = Arithmetic<TypeParam>;
    const Vector<TypeParam> n{N::from(source.unit()), N::from(source.unit()), N::from(source.unit())};
    const ExactTriple v = triple_at(kind, q, exact(t));
    const Exact3 direction{exact(n.x), exact(n.y), exact(n.z)};
    const Rational a = dot(v.a, direction), b = dot(v.b, direction), c = dot(v.c, direction), zero = 0;
    const Rational truth = kind == CcdKind::vertex_face ? Rational(a - std::max({zero, b, c}))
                                                        : Rational(a + std::min(zero, c) - std::max(zero, b));
    ASSERT_LE(abs(exact(gap(kind, at(d, t), n)) - truth), exact(gap_error(d, n)) + abs(truth) * exact(0x1p-52));
  }
}

// Products of any size, also where they lose bits to underflow.
TEST(DoubleDoubleTest, OperationsErrByLessThanTheUnit) {
  std::mt19937_64 random(5);
  const auto number = [&] {
    const double hi = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 200) - 150);
    return two_sum(hi, std::ldexp(hi, -54) * (static_cast<double>(random() % 1000) / 1000 - 0.5));
  };
  for (int i = 0; i < 20000; ++i) {
    const DoubleDouble x = number();
    const DoubleDouble y = random() % 2 == 0 ? number() : -number();
    const Rational unit = exact(DoubleDouble::kUnit);
    const Rational product = exact(x) * exact(y), sum = exact(x) + exact(y);
    ASSERT_LE(abs(exact(x * y) - product), unit * abs(product));
    ASSERT_LE(abs(exact(x + y) - sum), unit * abs(sum));
    ASSERT_LE(abs(exact(x * y.hi) - exact(x) * exact(y.hi)), unit * abs(product) * 2);
  }
  const DoubleDouble tiny = DoubleDouble{0x1.123456789p-520, 0} * DoubleDouble{0x1.3456789abcdefp-500, 0};
  EXPECT_LE(abs(exact(tiny) - exact(0x1.123456789p-520) * exact(0x1.3456789abcdefp-500)), exact(0x1p-1070));
}

}  // namespace
}  // namespace pliant::ccd
