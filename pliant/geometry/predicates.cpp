#include "pliant/geometry/predicates.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cassert>
#include <initializer_list>
#include <limits>

#include "pliant/geometry/determinants.h"

namespace pliant {
namespace {

// The widest determinant: coordinates are integers of up to 2098 bits once the smallest exponent is taken out, a
// difference has one more, a product of three 6297, the sum of six such 6300. Lives on the stack.
using BigInt = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<6400, 6400, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked, void>,
    boost::multiprecision::et_off>;

bool fits_expansions(const Vec3& p) {
  for (int k = 0; k < 3; ++k) {
    const double magnitude = std::abs(p[k]);
    if (magnitude != 0 && !(magnitude >= kLeastExpansible && magnitude <= kMostExpansible)) return false;
  }
  return true;
}

bool fit_expansions(std::initializer_list<const Vec3*> points) {
  return std::all_of(points.begin(), points.end(), [](const Vec3* p) { return fits_expansions(*p); });
}

// A caller's bug, but not one to crash for.
bool all_finite(std::initializer_list<const Vec3*> points) {
  const bool finite = std::all_of(points.begin(), points.end(), [](const Vec3* p) { return p->allFinite(); });
  assert(finite);
  return finite;
}

// Turns doubles into integers by one common power of two, the smallest that is needed.
class Scaler {
 public:
  explicit Scaler(std::initializer_list<const Vec3*> points) {
    for (const Vec3* p : points) {
      for (int k = 0; k < 3; ++k) include((*p)[k]);
    }
  }

  BigInt difference(double a, double b) const { return integer(a) - integer(b); }

 private:
  void include(double x) {
    if (x != 0) least_ = std::min(least_, exponent(x));
  }

  // x is an integer of at most 53 bits times two to this power, at least -1074.
  static int exponent(double x) { return std::max(std::ilogb(x) - 52, -1074); }

  BigInt integer(double x) const {
    if (x == 0) return 0;
    const int power = exponent(x);
    BigInt result = static_cast<long long>(std::ldexp(std::abs(x), -power));
    result <<= static_cast<unsigned>(power - least_);
    return x < 0 ? BigInt(-result) : result;
  }

  int least_ = std::numeric_limits<int>::max();
};

// Axis-aligned planes are the common exact zero; no arithmetic needed.
bool share_a_coordinate(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  for (int k = 0; k < 3; ++k) {
    if (a[k] == d[k] && b[k] == d[k] && c[k] == d[k]) return true;
  }
  return false;
}

}  // namespace

namespace detail {

[[gnu::cold]] int orient3d_exact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  if (share_a_coordinate(a, b, c, d)) return 0;
  if (fit_expansions({&a, &b, &c, &d})) return determinant3(a, b, c, d, ExpansionDifference{}).sign();
  if (!all_finite({&a, &b, &c, &d})) return 0;
  const Scaler scaler({&a, &b, &c, &d});
  return determinant3(a, b, c, d, [&](double x, double y) { return scaler.difference(x, y); }).sign();
}

[[gnu::cold]] int orient2d_exact(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int x = (axis + 1) % 3;
  const int y = (axis + 2) % 3;
  if ((a[x] == c[x] && b[x] == c[x]) || (a[y] == c[y] && b[y] == c[y])) return 0;
  if (fit_expansions({&a, &b, &c})) return determinant2(a, b, c, axis, ExpansionDifference{}).sign();
  if (!all_finite({&a, &b, &c})) return 0;
  const Scaler scaler({&a, &b, &c});
  return determinant2(a, b, c, axis, [&](double p, double q) { return scaler.difference(p, q); }).sign();
}

}  // namespace detail

}  // namespace pliant
