#include "pliant/geometry/distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "pliant/geometry/rescaled.h"
#include "pliant/geometry/segment_triangle.h"
#include "pliant/geometry/triangle_triangle.h"

namespace pliant {
namespace {

using Weights = std::array<double, 3>;

// A pair of points, one on each thing. Starts as no pair at all.
struct Candidate {
  Weights weights_a{1, 0, 0};
  Weights weights_b{1, 0, 0};
  double distance_sq = std::numeric_limits<double>::infinity();

  void improve(const Candidate& other) {
    if (other.distance_sq < distance_sq) *this = other;
  }
};

// A point of a segment or triangle and its squared distance from a given point.
struct Foot {
  Weights weights;
  double distance_sq;
};

// The offset is taken from the nearer end, which keeps its error small beside the distance to that end.
Foot foot_on_segment(const Vec3& x, const Vec3& p, const Vec3& q) {
  const Vec3 along = q - p;
  const double length_sq = along.squaredNorm();
  if (length_sq == 0) return {{1, 0, 0}, (x - p).squaredNorm()};
  const Vec3 from_p = x - p;
  const double t = from_p.dot(along) / length_sq;
  if (t <= 0) return {{1, 0, 0}, from_p.squaredNorm()};
  if (t <= 0.5) return {{1 - t, t, 0}, (from_p - t * along).squaredNorm()};
  const Vec3 from_q = x - q;
  const double s = -from_q.dot(along) / length_sq;
  if (s <= 0) return {{0, 1, 0}, from_q.squaredNorm()};
  return {{s, 1 - s, 0}, (from_q + s * along).squaredNorm()};
}

// The projection to the plane, where it falls inside; infinitely far otherwise.
Foot foot_inside(const Vec3& x, const Triangle3& t) {
  const Vec3 e = t[1] - t[0];
  const Vec3 f = t[2] - t[0];
  const Vec3 d = x - t[0];
  const Vec3 normal = e.cross(f);
  const double scale = normal.squaredNorm();
  const double v = d.cross(f).dot(normal);
  const double w = e.cross(d).dot(normal);
  if (!(scale > 0 && v >= 0 && w >= 0 && v + w <= scale)) return {{}, std::numeric_limits<double>::infinity()};
  const double b = v / scale;
  const double c = std::min(w / scale, 1 - b);
  return {{1 - b - c, b, c}, (d - b * e - c * f).squaredNorm()};
}

Foot foot_on_triangle(const Vec3& x, const Triangle3& t) {
  Foot best = foot_inside(x, t);
  for (int i = 0; i < 3; ++i) {
    const int j = Triangle3::next(i);
    const Foot foot = foot_on_segment(x, t[i], t[j]);
    if (foot.distance_sq >= best.distance_sq) continue;
    best = {{}, foot.distance_sq};
    best.weights[static_cast<std::size_t>(i)] = foot.weights[0];
    best.weights[static_cast<std::size_t>(j)] = foot.weights[1];
  }
  return best;
}

// Where the lines are closest, if inside the first segment. The point on the second is the foot of that on the first:
// solving for both would leave an error along nearly parallel lines.
Candidate nearest_inside(const Segment3& a, const Segment3& b) {
  const Vec3 along_a = a.q() - a.p();
  const Vec3 along_b = b.q() - b.p();
  const Vec3 normal = along_a.cross(along_b);
  const double scale = normal.squaredNorm();
  const double s = (b.p() - a.p()).cross(along_b).dot(normal);
  if (!(scale > 0 && s >= 0 && s <= scale)) return {};
  const double t = s / scale;
  const Foot foot = foot_on_segment(a.p() + t * along_a, b.p(), b.q());
  return {{1 - t, t, 0}, foot.weights, foot.distance_sq};
}

Candidate end_against_segment(int end, const Segment3& a, const Segment3& b) {
  const Foot foot = foot_on_segment(end == 0 ? a.p() : a.q(), b.p(), b.q());
  return {{end == 0 ? 1.0 : 0.0, end == 0 ? 0.0 : 1.0, 0}, foot.weights, foot.distance_sq};
}

Candidate swapped(const Candidate& c) { return {c.weights_b, c.weights_a, c.distance_sq}; }

Candidate nearest(const Segment3& a, const Segment3& b) {
  Candidate best = nearest_inside(a, b);
  for (int end = 0; end < 2; ++end) {
    best.improve(end_against_segment(end, a, b));
    best.improve(swapped(end_against_segment(end, b, a)));
  }
  return best;
}

// Weights of the ends of edge i as weights of the triangle's corners.
Weights edge_weights(const Weights& ends, int i) {
  Weights corners{};
  corners[static_cast<std::size_t>(i)] = ends[0];
  corners[static_cast<std::size_t>(Triangle3::next(i))] = ends[1];
  return corners;
}

Segment3 edge_of(const Triangle3& t, int i) { return {t[i], t[Triangle3::next(i)]}; }

// For a segment that does not meet the triangle: at an edge, or at an end of the segment.
Candidate nearest(const Segment3& s, const Triangle3& t) {
  Candidate best;
  for (int i = 0; i < 3; ++i) {
    Candidate c = nearest(s, edge_of(t, i));
    c.weights_b = edge_weights(c.weights_b, i);
    best.improve(c);
  }
  const Foot p = foot_on_triangle(s.p(), t);
  const Foot q = foot_on_triangle(s.q(), t);
  best.improve({{1, 0, 0}, p.weights, p.distance_sq});
  best.improve({{0, 1, 0}, q.weights, q.distance_sq});
  return best;
}

// For triangles that do not meet: two edges, or a corner and a face. Corners of a come with its edges.
Candidate nearest(const Triangle3& a, const Triangle3& b) {
  Candidate best;
  for (int i = 0; i < 3; ++i) {
    Candidate c = nearest(edge_of(a, i), b);
    c.weights_a = edge_weights(c.weights_a, i);
    best.improve(c);
    const Foot foot = foot_on_triangle(b[i], a);
    best.improve({foot.weights, edge_weights({1, 0, 0}, i), foot.distance_sq});
  }
  return best;
}

Vec3 weighted(const Weights& w, const Segment3& s) { return w[0] * s.p() + w[1] * s.q(); }
Vec3 weighted(const Weights& w, const Triangle3& t) { return w[0] * t[0] + w[1] * t[1] + w[2] * t[2]; }
Vec3 weighted(const Weights&, const Vec3& p) { return p; }

// From the rescaled copies, which were scaled by 2^shift, back to the things themselves.
template <class A, class B>
ClosestPoints result(const Candidate& c, const A& a, const B& b, int shift) {
  const double distance = std::ldexp(std::sqrt(c.distance_sq), -shift);
  const double distance_sq = shift == 0 ? c.distance_sq : distance * distance;
  return {weighted(c.weights_a, a), weighted(c.weights_b, b), c.weights_a, c.weights_b, distance, distance_sq};
}

ClosestPoints meeting_at(const Vec3& point, const Weights& weights_a, const Weights& weights_b) {
  return {point, point, weights_a, weights_b, 0, 0};
}

}  // namespace

ClosestPoints closest_points(const Vec3& point, const Segment3& s) {
  const Rescaled<3> x({&point, &s.p(), &s.q()});
  const Foot foot = foot_on_segment(x[0], x[1], x[2]);
  return result({{1, 0, 0}, foot.weights, foot.distance_sq}, point, s, x.shift());
}

ClosestPoints closest_points(const Vec3& point, const Triangle3& t) {
  const Rescaled<4> x({&point, &t[0], &t[1], &t[2]});
  const Foot foot = foot_on_triangle(x[0], Triangle3(x[1], x[2], x[3]));
  return result({{1, 0, 0}, foot.weights, foot.distance_sq}, point, t, x.shift());
}

ClosestPoints closest_points(const Segment3& a, const Segment3& b) {
  const Rescaled<4> x({&a.p(), &a.q(), &b.p(), &b.q()});
  return result(nearest(Segment3(x[0], x[1]), Segment3(x[2], x[3])), a, b, x.shift());
}

ClosestPoints closest_points(const Segment3& s, const Triangle3& t) {
  const SegmentTriangleContact contact = segment_triangle_contact(s, t);
  if (contact.relation != Relation::none) {
    return meeting_at(contact.first, {1 - contact.t0, contact.t0, 0}, closest_points(contact.first, t).weights_b);
  }
  const Rescaled<5> x({&s.p(), &s.q(), &t[0], &t[1], &t[2]});
  return result(nearest(Segment3(x[0], x[1]), Triangle3(x[2], x[3], x[4])), s, t, x.shift());
}

ClosestPoints closest_points(const Triangle3& a, const Triangle3& b) {
  const TriangleContact contact = triangle_triangle_contact(a, b);
  if (contact.relation != Relation::none) {
    return meeting_at(contact.p, closest_points(contact.p, a).weights_b, closest_points(contact.p, b).weights_b);
  }
  const Rescaled<6> x({&a[0], &a[1], &a[2], &b[0], &b[1], &b[2]});
  return result(nearest(Triangle3(x[0], x[1], x[2]), Triangle3(x[3], x[4], x[5])), a, b, x.shift());
}

}  // namespace pliant
