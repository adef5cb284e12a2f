#include "pliant/geometry/crossing_point.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/geometry/determinants.h"
#include "pliant/geometry/rescaled.h"

namespace pliant {
namespace {

// The plain determinant is good enough when cancellation took no more than 12 bits: the relative error is then below
// 2^-37 (predicates.h gives the bound). Otherwise the exact one is computed and rounded.
constexpr double kCancellation = 0x1p-12;

double value3(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 e = b - a;
  const Vec3 f = c - a;
  const Vec3 g = a - d;
  const double det = e.cross(f).dot(g);
  const Vec3 ea = e.cwiseAbs(), fa = f.cwiseAbs(), ga = g.cwiseAbs();
  const double permanent = (ea.y() * fa.z() + ea.z() * fa.y()) * ga.x() + (ea.z() * fa.x() + ea.x() * fa.z()) * ga.y() +
                           (ea.x() * fa.y() + ea.y() * fa.x()) * ga.z();
  if (std::abs(det) > kCancellation * permanent) return det;
  return determinant3(a, b, c, d, ExpansionDifference{}).estimate();
}

double value2(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int x = (axis + 1) % 3;
  const int y = (axis + 2) % 3;
  const double left = (a[x] - c[x]) * (b[y] - c[y]);
  const double right = (a[y] - c[y]) * (b[x] - c[x]);
  if (std::abs(left - right) > kCancellation * (std::abs(left) + std::abs(right))) return left - right;
  return determinant2(a, b, c, axis, ExpansionDifference{}).estimate();
}

// Never leaves the box of p and q, and never overflows on the way.
SegmentPoint interpolate(const Segment3& segment, double t) {
  const Vec3 lower = segment.p().cwiseMin(segment.q());
  const Vec3 upper = segment.p().cwiseMax(segment.q());
  const Vec3 point = (1 - t) * segment.p() + t * segment.q();
  return {t, point.cwiseMax(lower).cwiseMin(upper)};
}

// Heights over a plane or line, of opposite signs. Rescaling may have made one or both vanish.
double parameter(double height_p, double height_q) {
  const double sum = std::abs(height_p) + std::abs(height_q);
  return sum > 0 ? std::min(1.0, std::abs(height_p) / sum) : 0.5;
}

}  // namespace

SegmentPoint plane_crossing(const Segment3& segment, const Triangle3& plane) {
  const Rescaled<5> rescaled({&plane[0], &plane[1], &plane[2], &segment.p(), &segment.q()});
  return interpolate(segment, parameter(value3(rescaled[0], rescaled[1], rescaled[2], rescaled[3]),
                                        value3(rescaled[0], rescaled[1], rescaled[2], rescaled[4])));
}

SegmentPoint line_crossing(const Segment3& segment, const Segment3& line, int axis) {
  const Rescaled<4> rescaled({&line.p(), &line.q(), &segment.p(), &segment.q()});
  return interpolate(segment, parameter(value2(rescaled[0], rescaled[1], rescaled[2], axis),
                                        value2(rescaled[0], rescaled[1], rescaled[3], axis)));
}

SegmentPoint vertex_on_segment(const Segment3& segment, const Vec3& v) {
  const Rescaled<3> rescaled({&segment.p(), &segment.q(), &v});
  const Vec3 direction = rescaled[1] - rescaled[0];
  int longest = 0;
  if (direction.cwiseAbs().maxCoeff(&longest) == 0) return {0.0, v};
  const double t = (rescaled[2][longest] - rescaled[0][longest]) / direction[longest];
  return {std::clamp(t, 0.0, 1.0), v};
}

}  // namespace pliant
