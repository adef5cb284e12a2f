#include "pliant/mesh/exact_sign.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <limits>

namespace pliant::detail {
namespace {

using Rational = boost::multiprecision::cpp_rational;
using RationalVec = std::array<Rational, 3>;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kLeastNormal = std::numeric_limits<double>::min();

RationalVec difference(const Vec3& to, const Vec3& from) {
  return {Rational(to[0]) - Rational(from[0]), Rational(to[1]) - Rational(from[1]),
          Rational(to[2]) - Rational(from[2])};
}

RationalVec cross(const RationalVec& u, const RationalVec& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

}  // namespace

// The filters: with L the largest coordinate difference, a component of the cross product is off by less than
// 8 eps L^2 and the determinant by less than 32 eps L^3. An overflow compares false and goes on to the exact stage.
bool exactly_collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a;
  const double size = std::max(u.cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff());
  if (u.cross(v).cwiseAbs().maxCoeff() > 8 * kEpsilon * size * size + kLeastNormal) return false;
  return cross(difference(b, a), difference(c, a)) == RationalVec{};
}

int exact_handedness(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double size = std::max({u.cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff(), w.cwiseAbs().maxCoeff(), 1e-100});
  const double determinant = u.cross(v).dot(w);
  if (std::abs(determinant) > 32 * kEpsilon * size * size * size) return determinant > 0 ? 1 : -1;
  const RationalVec normal = cross(difference(b, a), difference(c, a));
  const RationalVec e = difference(d, a);
  const Rational exact = normal[0] * e[0] + normal[1] * e[1] + normal[2] * e[2];
  return exact.sign();
}

}  // namespace pliant::detail
