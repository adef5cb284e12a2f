// A slow, simple second opinion on how triangles and segments meet, in exact rational arithmetic.
//
// Written to differ from the library on purpose: nothing here compares orientations. One convex set is described by
// half-spaces, the other by its corners; clipping the corners by the half-spaces gives the corners of the intersection,
// exactly; questions are then asked about that polygon. Rational points are homogeneous integers in lowest terms: one
// greatest common divisor a point is much cheaper than one an operation.
#pragma once

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "pliant/core/relation.h"
#include "pliant/core/vec3.h"
#include "pliant/geometry/triangle_triangle.h"

namespace pliant::oracle {

using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;

struct Direction {
  Integer x, y, z;
  friend bool operator==(const Direction&, const Direction&) = default;
};

inline Integer dot(const Direction& a, const Direction& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Direction cross(const Direction& a, const Direction& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Direction operator-(const Direction& a) { return {-a.x, -a.y, -a.z}; }

// The point (x, y, z) / w, w > 0, in lowest terms. Input points have w == 1.
struct Point {
  Integer x, y, z, w = 1;
  friend bool operator==(const Point&, const Point&) = default;
};

inline Point reduced(const Point& p) {
  using boost::multiprecision::gcd;
  Integer divisor = gcd(gcd(p.w, p.x), gcd(p.y, p.z));
  if (p.w < 0) divisor = -divisor;
  return {p.x / divisor, p.y / divisor, p.z / divisor, p.w / divisor};
}

// From one input point to another.
inline Direction operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

// Doubles as integers, all times one power of two: no answer here depends on scale.
class Exact {
 public:
  explicit Exact(std::initializer_list<const Vec3*> points) {
    for (const Vec3* p : points) include(*p);
  }
  explicit Exact(const std::vector<Vec3>& points) {
    for (const Vec3& p : points) include(p);
  }
  Point operator()(const Vec3& v) const { return {integer(v.x()), integer(v.y()), integer(v.z())}; }

  // The nearest doubles, or almost.
  Vec3 rounded(const Point& p) const { return {quotient(p.x, p.w), quotient(p.y, p.w), quotient(p.z, p.w)}; }

 private:
  double quotient(const Integer& x, const Integer& w) const {
    const Integer digits = (x << 100) / w;
    return std::ldexp(digits.convert_to<double>(), least_ - 100);
  }

  void include(const Vec3& p) {
    for (const double x : p) {
      if (x != 0) least_ = std::min(least_, split(x).power);
    }
  }

  struct Split {
    long long mantissa;
    int power;
  };
  static Split split(double x) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    return {static_cast<long long>(std::ldexp(fraction, 53)), exponent - 53};
  }
  Integer integer(double x) const {
    if (x == 0) return 0;
    return Integer(split(x).mantissa) * (Integer(1) << (split(x).power - least_));
  }

  int least_ = std::numeric_limits<int>::max();
};

// Corners of a convex polygon in order; repeated, collinear, two, one or none are allowed.
using Polygon = std::vector<Point>;

// The points x with normal . (x - origin) >= 0; `height` has the sign of the left side, and is proportional to w times
// it.
struct HalfSpace {
  Direction normal;
  Point origin;
  Integer height(const Point& p) const {
    return dot(normal, {p.x, p.y, p.z}) - dot(normal, {origin.x, origin.y, origin.z}) * p.w;
  }
};

inline Direction area_normal(const Polygon& t) { return cross(t[1] - t[0], t[2] - t[0]); }
inline bool has_area(const Polygon& t) { return t.size() == 3 && area_normal(t) != Direction{}; }

// The two corners that are farthest apart: the ends, when all are on a line.
inline std::array<Point, 2> ends(const Polygon& corners) {
  std::array<Point, 2> result{corners[0], corners[0]};
  Integer most = 0;
  for (const Point& p : corners) {
    for (const Point& q : corners) {
      const Integer distance_sq = dot(p - q, p - q);
      if (distance_sq <= most) continue;
      most = distance_sq;
      result = {p, q};
    }
  }
  return result;
}

inline void add_plane(std::vector<HalfSpace>& spaces, const Direction& normal, const Point& origin) {
  spaces.push_back({normal, origin});
  spaces.push_back({-normal, origin});
}

// Inward half-spaces at the edges of a triangle with area; together with its plane they are the triangle.
inline std::vector<HalfSpace> edge_half_spaces(const Polygon& t) {
  std::vector<HalfSpace> spaces;
  for (int i = 0; i < 3; ++i) spaces.push_back({cross(area_normal(t), t[(i + 1) % 3] - t[i]), t[i]});
  return spaces;
}

// A segment or a point.
inline std::vector<HalfSpace> line_half_spaces(const std::array<Point, 2>& segment) {
  std::vector<HalfSpace> spaces;
  const Direction direction = segment[1] - segment[0];
  for (const Direction& axis : {Direction{1, 0, 0}, Direction{0, 1, 0}, Direction{0, 0, 1}}) {
    add_plane(spaces, direction == Direction{} ? axis : cross(direction, axis), segment[0]);
  }
  spaces.push_back({direction, segment[0]});
  spaces.push_back({-direction, segment[1]});
  return spaces;
}

inline std::vector<HalfSpace> half_spaces(const Polygon& corners) {
  if (!has_area(corners)) return line_half_spaces(ends(corners));
  std::vector<HalfSpace> spaces = edge_half_spaces(corners);
  add_plane(spaces, area_normal(corners), corners[0]);
  return spaces;
}

// Where the line through p and q has height 0.
inline Point between(const Point& p, const Point& q, const Integer& height_p, const Integer& height_q) {
  return reduced({height_p * q.x - height_q * p.x, height_p * q.y - height_q * p.y, height_p * q.z - height_q * p.z,
                  height_p * q.w - height_q * p.w});
}

inline void push_new(Polygon& polygon, const Point& p) {
  if (std::find(polygon.begin(), polygon.end(), p) == polygon.end()) polygon.push_back(p);
}

inline Polygon clip(const Polygon& polygon, const HalfSpace& space) {
  Polygon result;
  std::vector<Integer> height;
  for (const Point& p : polygon) height.push_back(space.height(p));
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const std::size_t j = (i + 1) % polygon.size();
    if (height[i] >= 0) push_new(result, polygon[i]);
    if (height[i].sign() * height[j].sign() < 0)
      push_new(result, between(polygon[i], polygon[j], height[i], height[j]));
  }
  return result;
}

// The corners of what two convex sets have in common.
inline Polygon intersection(const Polygon& a, const Polygon& b) {
  Polygon result = a;
  for (const HalfSpace& space : half_spaces(b)) {
    result = clip(result, space);
    if (result.empty()) break;
  }
  return result;
}

inline bool contains(const Polygon& convex, const Point& p) {
  const std::vector<HalfSpace> spaces = half_spaces(convex);
  return std::all_of(spaces.begin(), spaces.end(), [&](const HalfSpace& space) { return space.height(p) >= 0; });
}

inline bool in_plane(const Polygon& triangle, const Point& p) {
  return HalfSpace{area_normal(triangle), triangle[0]}.height(p) == 0;
}

// Inside a triangle with area, not on an edge.
inline bool strictly_inside(const Polygon& t, const Point& p) {
  const std::vector<HalfSpace> spaces = edge_half_spaces(t);
  return in_plane(t, p) &&
         std::all_of(spaces.begin(), spaces.end(), [&](const HalfSpace& space) { return space.height(p) > 0; });
}

inline Point centroid(const Polygon& polygon) {
  Point sum{0, 0, 0, 1};
  for (const Point& p : polygon) {
    sum = {sum.x * p.w + p.x * sum.w, sum.y * p.w + p.y * sum.w, sum.z * p.w + p.z * sum.w, sum.w * p.w};
  }
  sum.w *= polygon.size();
  return reduced(sum);
}

inline bool coplanar(const Polygon& triangle, const Polygon& other) {
  return std::all_of(other.begin(), other.end(), [&](const Point& p) { return in_plane(triangle, p); });
}

// Whether the polygon lies in what two triangles share: corners, and segments between shared corners. A convex set
// inside a union of the edges of a triangle lies inside one of them.
inline bool inside_shared(const Polygon& polygon, const Polygon& a, const SharedVertices& shared) {
  for (int i = 0; i < shared.count; ++i) {
    for (int j = i; j < shared.count; ++j) {
      const Polygon segment{a[shared.pairs[i][0]], a[shared.pairs[j][0]]};
      if (std::all_of(polygon.begin(), polygon.end(), [&](const Point& p) { return contains(segment, p); }))
        return true;
    }
  }
  return false;
}

inline Polygon corners(const Triangle3& t, const Exact& exact) { return {exact(t[0]), exact(t[1]), exact(t[2])}; }

// What triangle_triangle_relation must say. If the interiors of convex sets meet, the centroid of the intersection is
// inside both.
inline Relation triangle_triangle(const Triangle3& triangle_a, const Triangle3& triangle_b,
                                  const SharedVertices& shared = {}) {
  const Exact exact({&triangle_a[0], &triangle_a[1], &triangle_a[2], &triangle_b[0], &triangle_b[1], &triangle_b[2]});
  const Polygon a = corners(triangle_a, exact);
  const Polygon b = corners(triangle_b, exact);
  const Polygon common = intersection(a, b);
  if (common.empty() || inside_shared(common, a, shared)) return Relation::none;
  if (!has_area(a) || !has_area(b)) return Relation::touching;
  const Point middle = centroid(common);
  if (!strictly_inside(a, middle) || !strictly_inside(b, middle)) return Relation::touching;
  return coplanar(a, b) ? Relation::coplanar : Relation::crossing;
}

// What segment_triangle_relation must say.
inline Relation segment_triangle(const Vec3& p, const Vec3& q, const Triangle3& triangle) {
  const Exact exact({&p, &q, &triangle[0], &triangle[1], &triangle[2]});
  const Polygon segment{exact(p), exact(q)};
  const Polygon t = corners(triangle, exact);
  const Polygon common = intersection(segment, t);
  if (common.empty()) return Relation::none;
  if (!has_area(t) || p == q) return Relation::touching;
  const Point middle = centroid(common);
  if (!strictly_inside(t, middle) || middle == segment[0] || middle == segment[1]) return Relation::touching;
  return coplanar(t, segment) ? Relation::coplanar : Relation::crossing;
}

// The corners of what the hulls of up to three points have in common, rounded.
inline std::vector<Vec3> common_points(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  std::vector<Vec3> all = a;
  all.insert(all.end(), b.begin(), b.end());
  const Exact exact(all);
  Polygon polygon_a, polygon_b;
  for (const Vec3& v : a) polygon_a.push_back(exact(v));
  for (const Vec3& v : b) polygon_b.push_back(exact(v));
  std::vector<Vec3> result;
  for (const Point& p : intersection(polygon_a, polygon_b)) result.push_back(exact.rounded(p));
  return result;
}

inline std::array<Vec3, 2> farthest(const std::vector<Vec3>& points) {
  std::array<Vec3, 2> result{points[0], points[0]};
  for (const Vec3& p : points) {
    for (const Vec3& q : points) {
      if ((p - q).norm() > (result[0] - result[1]).norm()) result = {p, q};
    }
  }
  return result;
}

inline double distance_to_nearest(const std::vector<Vec3>& points, const Vec3& p) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& q : points) least = std::min(least, (p - q).norm());
  return least;
}

inline int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Exact exact({&a, &b, &c, &d});
  return dot(exact(a) - exact(d), cross(exact(b) - exact(d), exact(c) - exact(d))).sign();
}

inline int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const Exact exact({&a, &b, &c});
  const Direction normal = cross(exact(a) - exact(c), exact(b) - exact(c));
  return (axis == 0 ? normal.x : axis == 1 ? normal.y : normal.z).sign();
}

}  // namespace pliant::oracle
