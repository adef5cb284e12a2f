// Closest points of a vertex and a face or of two edges at one time, from the difference vectors. Heuristic: the
// direction between them is tried as a separating one, and the coordinates describe a contact; no proof rests on their
// being accurate. They are always finite and inside the features.
#pragma once

#include <type_traits>

#include "pliant/ccd/differences.h"

namespace pliant::ccd {

// The edge vector along which the closest point of one feature is free to slide while the other's is a vertex.
enum class Sliding : std::uint8_t { none, b, c, c_minus_b };

struct Coordinates {
  double u = 0;
  double v = 0;
  Sliding along = Sliding::none;
};

inline double clamp01(double x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

// p / q in [0, 1]; 0 where q is not positive.
inline double unit_quotient(double p, double q) { return q > 0 ? clamp01(p / q) : 0; }

inline Coordinates closest_on_edges_of_face(const Triple<double>& v) {
  const Vector<double> bc = v.c - v.b;
  const Vector<double> from_b = v.a - v.b;
  const double s = unit_quotient(dot(v.a, v.b), dot(v.b, v.b));
  const double r = unit_quotient(dot(v.a, v.c), dot(v.c, v.c));
  const double q = unit_quotient(dot(from_b, bc), dot(bc, bc));
  const Vector<double> to_ab = v.a - v.b * s, to_ac = v.a - v.c * r, to_bc = from_b - bc * q;
  const double ab = dot(to_ab, to_ab), ac = dot(to_ac, to_ac), b_c = dot(to_bc, to_bc);
  const auto free = [](double x, Sliding edge) { return 0 < x && x < 1 ? edge : Sliding::none; };
  if (ab <= ac && ab <= b_c) return {s, 0, free(s, Sliding::b)};
  return ac <= b_c ? Coordinates{0, r, free(r, Sliding::c)} : Coordinates{1 - q, q, free(q, Sliding::c_minus_b)};
}

// A ~ u B + v C.
inline Coordinates closest_vertex_face(const Triple<double>& v) {
  const double bb = dot(v.b, v.b), bc = dot(v.b, v.c), cc = dot(v.c, v.c);
  const double ab = dot(v.a, v.b), ac = dot(v.a, v.c);
  const double area_sq = bb * cc - bc * bc;
  const double u = ab * cc - ac * bc, w = ac * bb - ab * bc;
  if (area_sq > 0 && u >= 0 && w >= 0 && u + w <= area_sq) {
    const double y = w / area_sq;
    return {std::min(u / area_sq, 1 - y), y};
  }
  return closest_on_edges_of_face(v);
}

// A ~ u B - v C: a point on each edge, the first free, the other following, both clamped.
inline Coordinates closest_edge_edge(const Triple<double>& v) {
  const double bb = dot(v.b, v.b), bc = dot(v.b, v.c), cc = dot(v.c, v.c);
  const double ab = dot(v.a, v.b), ac = dot(v.a, v.c);
  const double area_sq = bb * cc - bc * bc;
  const double u = area_sq > 0 ? unit_quotient(ab * cc - ac * bc, area_sq) : 0;
  const double w = cc > 0 ? (u * bc - ac) / cc : 0;
  const auto on_first_edge = [](double x, double end) {
    return Coordinates{x, end, 0 < x && x < 1 ? Sliding::b : Sliding::none};
  };
  if (w <= 0 || !(cc > 0)) return on_first_edge(unit_quotient(ab, bb), 0);
  if (w >= 1) return on_first_edge(unit_quotient(ab + bc, bb), 1);
  return {u, w, u == 0 || u == 1 ? Sliding::c : Sliding::none};
}

inline Coordinates closest(CcdKind kind, const Triple<double>& v) {
  return kind == CcdKind::vertex_face ? closest_vertex_face(v) : closest_edge_edge(v);
}

// From the second feature's closest point to the first's (vertex-face), or from the first's to the second's
// (edge-edge).
template <class Real>
Vector<Real> between(CcdKind kind, const Triple<Real>& v, Coordinates x) {
  if (kind == CcdKind::vertex_face) return v.a - v.b * x.u - v.c * x.v;
  return v.a - v.b * x.u + v.c * x.v;
}

template <class Real>
Vector<Real> sliding_edge(const Triple<Real>& v, Sliding along) {
  return along == Sliding::b ? v.b : along == Sliding::c ? v.c : v.c - v.b;
}

// n without its part along e. The factor is a double, so each pass leaves 2^-53 of that part; twice is enough for
// double-double.
template <class Real>
Vector<Real> normal_to(Vector<Real> n, const Vector<Real>& e) {
  const double length_sq = dot(approximate(e), approximate(e));
  if (!(length_sq > 0)) return n;
  constexpr int kPasses = std::is_same_v<Real, double> ? 1 : 2;
  for (int i = 0; i < kPasses; ++i) n = n - e * (Arithmetic<Real>::approximate(dot(n, e)) / length_sq);
  return n;
}

// The closest points in the middle of a span [s, e], and directions between them.
template <class Real>
class Approach {
 public:
  Approach(CcdKind kind, const Ends<Real>& v)
      : middle_{(v.s.a + v.e.a) * 0.5, (v.s.b + v.e.b) * 0.5, (v.s.c + v.e.c) * 0.5},
        x_(closest(kind, approximate(middle_))),
        n_s_(between(kind, v.s, x_)),
        n_e_(between(kind, v.e, x_)) {}

  Sliding sliding() const { return x_.along; }

  // Between the points when they are closest, if one of them slides along an edge.
  Vector<Real> direction(Sliding along) const {
    if (along == Sliding::none) return nearest(n_s_, n_e_);
    const Vector<Real> edge = sliding_edge(middle_, along);
    return nearest(normal_to(n_s_, edge), normal_to(n_e_, edge));
  }

 private:
  static Vector<Real> nearest(const Vector<Real>& n_s, const Vector<Real>& n_e) {
    const Vector<Real> velocity = n_e - n_s;
    const Vector<double> w = approximate(velocity);
    return n_s + velocity * unit_quotient(-dot(approximate(n_s), w), dot(w, w));
  }

  Triple<Real> middle_;
  Coordinates x_;
  Vector<Real> n_s_, n_e_;
};

}  // namespace pliant::ccd
