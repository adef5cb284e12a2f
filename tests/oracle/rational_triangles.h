// A slow, simple second opinion on how triangles and segments meet, in exact rational arithmetic.
//
// Written to differ from the library on purpose: nothing here looks at orientations. One convex set is described by
// half-spaces, the other by its corners; clipping the corners by the half-spaces gives the corners of the intersection,
// exactly; questions are then asked about that polygon.
#pragma once

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "pliant/core/relation.h"
#include "pliant/core/vec3.h"
#include "pliant/geometry/triangle_triangle.h"

namespace pliant::oracle {

using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;

struct Point {
  Rational x, y, z;
  friend bool operator==(const Point&, const Point&) = default;
};

inline Point exact(const Vec3& v) { return {Rational(v.x()), Rational(v.y()), Rational(v.z())}; }
inline Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point operator*(const Rational& s, const Point& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Rational dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Point cross(const Point& a, const Point& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline bool is_zero(const Point& a) { return a == Point{}; }

// Corners of a convex polygon in order; repeated, collinear, two, one or none are allowed.
using Polygon = std::vector<Point>;

// The points x with normal . (x - origin) >= 0.
struct HalfSpace {
  Point normal;
  Point origin;
  Rational height(const Point& x) const { return dot(normal, x - origin); }
};

inline Point area_normal(const Polygon& t) { return cross(t[1] - t[0], t[2] - t[0]); }
inline bool has_area(const Polygon& t) { return t.size() == 3 && !is_zero(area_normal(t)); }

// The two corners that are farthest apart: the ends, when all are on a line.
inline std::array<Point, 2> ends(const Polygon& corners) {
  std::array<Point, 2> result{corners[0], corners[0]};
  Rational most = 0;
  for (const Point& p : corners) {
    for (const Point& q : corners) {
      const Rational distance_sq = dot(p - q, p - q);
      if (distance_sq > most) {
        most = distance_sq;
        result = {p, q};
      }
    }
  }
  return result;
}

inline void add_plane(std::vector<HalfSpace>& spaces, const Point& normal, const Point& origin) {
  spaces.push_back({normal, origin});
  spaces.push_back({Rational(-1) * normal, origin});
}

inline std::vector<HalfSpace> triangle_half_spaces(const Polygon& t) {
  std::vector<HalfSpace> spaces;
  const Point normal = area_normal(t);
  add_plane(spaces, normal, t[0]);
  for (int i = 0; i < 3; ++i) spaces.push_back({cross(normal, t[(i + 1) % 3] - t[i]), t[i]});
  return spaces;
}

// A segment or a point.
inline std::vector<HalfSpace> line_half_spaces(const std::array<Point, 2>& segment) {
  std::vector<HalfSpace> spaces;
  const Point direction = segment[1] - segment[0];
  for (const Point& axis : {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}}) {
    add_plane(spaces, is_zero(direction) ? axis : cross(direction, axis), segment[0]);
  }
  spaces.push_back({direction, segment[0]});
  spaces.push_back({Rational(-1) * direction, segment[1]});
  return spaces;
}

inline std::vector<HalfSpace> half_spaces(const Polygon& corners) {
  return has_area(corners) ? triangle_half_spaces(corners) : line_half_spaces(ends(corners));
}

inline void push_new(Polygon& polygon, const Point& p) {
  if (std::find(polygon.begin(), polygon.end(), p) == polygon.end()) polygon.push_back(p);
}

inline Polygon clip(const Polygon& polygon, const HalfSpace& space) {
  Polygon result;
  std::vector<Rational> height;
  for (const Point& p : polygon) height.push_back(space.height(p));
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const std::size_t j = (i + 1) % polygon.size();
    if (height[i] >= 0) push_new(result, polygon[i]);
    if ((height[i] > 0 && height[j] < 0) || (height[i] < 0 && height[j] > 0)) {
      const Rational t = height[i] / (height[i] - height[j]);
      push_new(result, polygon[i] + t * (polygon[j] - polygon[i]));
    }
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
  for (const HalfSpace& space : half_spaces(convex)) {
    if (space.height(p) < 0) return false;
  }
  return true;
}

// Inside a triangle with area, not on an edge.
inline bool strictly_inside(const Polygon& t, const Point& p) {
  const Point normal = area_normal(t);
  if (dot(normal, p - t[0]) != 0) return false;
  for (int i = 0; i < 3; ++i) {
    if (dot(cross(normal, t[(i + 1) % 3] - t[i]), p - t[i]) <= 0) return false;
  }
  return true;
}

inline Point centroid(const Polygon& polygon) {
  Point sum{};
  for (const Point& p : polygon) sum = sum + p;
  return (Rational(1) / Rational(polygon.size())) * sum;
}

inline bool coplanar(const Polygon& triangle, const Polygon& other) {
  return std::all_of(other.begin(), other.end(),
                     [&](const Point& p) { return dot(area_normal(triangle), p - triangle[0]) == 0; });
}

// Whether the polygon lies in what two triangles share: corners, and segments between shared corners. A convex set
// inside a union of the edges of a triangle lies inside one of them.
inline bool inside_shared(const Polygon& polygon, const Polygon& a, const SharedVertices& shared) {
  for (int i = 0; i < shared.count; ++i) {
    for (int j = i; j < shared.count; ++j) {
      const Polygon piece{a[shared.pairs[i][0]], a[shared.pairs[j][0]]};
      if (std::all_of(polygon.begin(), polygon.end(), [&](const Point& p) { return contains(piece, p); })) return true;
    }
  }
  return false;
}

inline Polygon exact(const Triangle3& t) { return {exact(t[0]), exact(t[1]), exact(t[2])}; }

// What triangle_triangle_relation must say. If the interiors of convex sets meet, the centroid of the intersection is
// inside both.
inline Relation triangle_triangle(const Triangle3& triangle_a, const Triangle3& triangle_b,
                                  const SharedVertices& shared = {}) {
  const Polygon a = exact(triangle_a);
  const Polygon b = exact(triangle_b);
  const Polygon common = intersection(a, b);
  if (common.empty() || inside_shared(common, a, shared)) return Relation::none;
  if (!has_area(a) || !has_area(b)) return Relation::touching;
  const Point middle = centroid(common);
  if (!strictly_inside(a, middle) || !strictly_inside(b, middle)) return Relation::touching;
  return coplanar(a, b) ? Relation::coplanar : Relation::crossing;
}

inline Relation segment_triangle(const Vec3& p, const Vec3& q, const Triangle3& triangle) {
  const Polygon segment{exact(p), exact(q)};
  const Polygon t = exact(triangle);
  const Polygon common = intersection(segment, t);
  if (common.empty()) return Relation::none;
  if (!has_area(t) || p == q) return Relation::touching;
  const Point middle = centroid(common);
  if (!strictly_inside(t, middle) || middle == segment[0] || middle == segment[1]) return Relation::touching;
  return coplanar(t, segment) ? Relation::coplanar : Relation::crossing;
}

inline int sign(const Rational& x) { return x.sign(); }

inline int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return sign(dot(exact(a) - exact(d), cross(exact(b) - exact(d), exact(c) - exact(d))));
}

inline int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const Point normal = cross(exact(a) - exact(c), exact(b) - exact(c));
  return sign(axis == 0 ? normal.x : axis == 1 ? normal.y : normal.z);
}

}  // namespace pliant::oracle
