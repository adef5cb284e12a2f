#include "tests/oracle/ccd_oracle.h"

#include <array>
#include <vector>

namespace pliant::oracle {
namespace {

// ---- polynomials, lowest degree first, no trailing zeros ----

using Poly = std::vector<Rational>;

Poly trimmed(Poly p) {
  while (!p.empty() && p.back() == 0) p.pop_back();
  return p;
}

Poly operator+(const Poly& p, const Poly& q) {
  Poly r(std::max(p.size(), q.size()));
  for (std::size_t i = 0; i < p.size(); ++i) r[i] += p[i];
  for (std::size_t i = 0; i < q.size(); ++i) r[i] += q[i];
  return trimmed(r);
}

Poly operator*(const Poly& p, const Poly& q) {
  if (p.empty() || q.empty()) return {};
  Poly r(p.size() + q.size() - 1);
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < q.size(); ++j) r[i + j] += p[i] * q[j];
  }
  return trimmed(r);
}

Poly operator-(const Poly& p, const Poly& q) { return p + Poly{Rational(-1)} * q; }

Poly derivative(const Poly& p) {
  Poly r;
  for (std::size_t i = 1; i < p.size(); ++i) r.push_back(p[i] * static_cast<int>(i));
  return r;
}

struct Division {
  Poly quotient, remainder;
};

Division divide(Poly p, const Poly& q) {
  Poly quotient(p.size() >= q.size() ? p.size() - q.size() + 1 : 0);
  while (p.size() >= q.size()) {
    const std::size_t shift = p.size() - q.size();
    const Rational factor = p.back() / q.back();
    quotient[shift] = factor;
    for (std::size_t i = 0; i < q.size(); ++i) p[shift + i] -= factor * q[i];
    p = trimmed(p);
  }
  return {trimmed(quotient), p};
}

Poly gcd(Poly p, Poly q) {
  while (!q.empty()) {
    Poly r = divide(p, q).remainder;
    p = std::move(q);
    q = std::move(r);
  }
  return p;
}

Poly square_free(const Poly& p) {
  const Poly g = gcd(p, derivative(p));
  return g.size() <= 1 ? p : divide(p, g).quotient;
}

Rational value(const Poly& p, const Rational& x) {
  Rational r = 0;
  for (std::size_t i = p.size(); i-- > 0;) r = r * x + p[i];
  return r;
}

int sign_changes(const std::vector<Poly>& chain, const Rational& x) {
  int changes = 0, last = 0;
  for (const Poly& p : chain) {
    const int s = value(p, x).sign();
    if (s != 0 && last != 0 && s != last) ++changes;
    if (s != 0) last = s;
  }
  return changes;
}

// Roots of p in (a, b) with q > 0 minus those with q < 0; neither a nor b is a root.
int tarski_query(const Poly& p, const Poly& q, const Rational& a, const Rational& b) {
  std::vector<Poly> chain{p, divide(derivative(p) * q, p).remainder};
  while (!chain.back().empty()) {
    const Poly r = divide(chain[chain.size() - 2], chain.back()).remainder;
    chain.push_back(Poly{} - r);
  }
  chain.pop_back();
  return sign_changes(chain, a) - sign_changes(chain, b);
}

int root_count(const Poly& p, const Rational& a, const Rational& b) { return tarski_query(p, {Rational(1)}, a, b); }

// ---- real algebraic numbers ----

// A rational (lo == hi) or the only root of the square-free p in (lo, hi), whose ends are no roots.
struct Root {
  Poly p;
  Rational lo, hi;
};

int sign_at(const Poly& q, const Root& r) {
  if (r.lo == r.hi) return value(q, r.lo).sign();
  return q.empty() ? 0 : tarski_query(r.p, q, r.lo, r.hi);
}

void isolate(const Poly& p, const Rational& a, const Rational& b, std::vector<Root>& roots) {
  const int count = root_count(p, a, b);
  if (count == 0) return;
  if (count == 1) {
    roots.push_back({p, a, b});
    return;
  }
  const Rational m = (a + b) / 2;
  if (value(p, m) != 0) {
    isolate(p, a, m, roots);
    isolate(p, m, b, roots);
    return;
  }
  const Poly rest = divide(p, Poly{-m, Rational(1)}).quotient;
  isolate(rest, a, m, roots);
  roots.push_back({p, m, m});
  isolate(rest, m, b, roots);
}

// All distinct roots in [a, b], ascending.
std::vector<Root> roots_in(const Poly& polynomial, const Rational& a, const Rational& b) {
  std::vector<Root> roots;
  Poly p = square_free(polynomial);
  const auto take_out = [&](const Rational& x) {
    if (value(p, x) != 0) return false;
    p = divide(p, Poly{-x, Rational(1)}).quotient;
    return true;
  };
  const bool at_a = take_out(a), at_b = a != b && take_out(b);
  if (at_a) roots.push_back({p, a, a});
  isolate(p, a, b, roots);
  if (at_b) roots.push_back({p, b, b});
  return roots;
}

FirstContact narrowed(Root r) {
  const Rational enough = Rational(1) / (boost::multiprecision::cpp_int(1) << 80);
  while (r.hi - r.lo > enough) {
    const Rational m = (r.lo + r.hi) / 2;
    if (value(r.p, m) == 0) return {m, m};
    (value(r.p, m).sign() == value(r.p, r.lo).sign() ? r.lo : r.hi) = m;
  }
  return {r.lo, r.hi};
}

// ---- geometry at a root ----

using Point = std::array<Poly, 3>;

Point moving(const Vec3& x_t0, const Vec3& x_t1) {
  Point p;
  for (int k = 0; k < 3; ++k) p[k] = trimmed({Rational(x_t0[k]), Rational(x_t1[k]) - Rational(x_t0[k])});
  return p;
}

Point operator-(const Point& p, const Point& q) { return {p[0] - q[0], p[1] - q[1], p[2] - q[2]}; }
Poly dot(const Point& p, const Point& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; }
Point cross(const Point& p, const Point& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}
bool zero_at(const Point& p, const Root& r) {
  return sign_at(p[0], r) == 0 && sign_at(p[1], r) == 0 && sign_at(p[2], r) == 0;
}

bool on_segment(const Point& p, const Point& a, const Point& b, const Root& r) {
  if (zero_at(b - a, r)) return zero_at(p - a, r);
  if (!zero_at(cross(b - a, p - a), r)) return false;
  return sign_at(dot(p - a, b - a), r) >= 0 && sign_at(dot(p - b, a - b), r) >= 0;
}

bool point_in_triangle(const std::array<Point, 4>& x, const Root& r) {
  const auto& [p, a, b, c] = x;
  const Point n = cross(b - a, c - a);
  if (zero_at(n, r)) return on_segment(p, a, b, r) || on_segment(p, b, c, r) || on_segment(p, c, a, r);
  if (sign_at(dot(n, p - a), r) != 0) return false;
  return sign_at(dot(cross(b - a, p - a), n), r) >= 0 && sign_at(dot(cross(c - b, p - b), n), r) >= 0 &&
         sign_at(dot(cross(a - c, p - c), n), r) >= 0;
}

bool segments_meet(const std::array<Point, 4>& x, const Root& r) {
  const auto& [a, b, c, d] = x;
  const Point n = cross(b - a, d - c);
  if (zero_at(n, r)) {
    return on_segment(a, c, d, r) || on_segment(b, c, d, r) || on_segment(c, a, b, r) || on_segment(d, a, b, r);
  }
  if (sign_at(dot(n, c - a), r) != 0) return false;
  // Each segment's ends lie on different sides of the other's line in their plane.
  const auto split = [&](const Point& from, const Point& to, const Point& p, const Point& q) {
    return sign_at(dot(cross(to - from, p - from), n), r) * sign_at(dot(cross(to - from, q - from), n), r) <= 0;
  };
  return split(a, b, c, d) && split(c, d, a, b);
}

bool meet(CcdKind kind, const std::array<Point, 4>& x, const Root& r) {
  return kind == CcdKind::vertex_face ? point_in_triangle(x, r) : segments_meet(x, r);
}

// Times at which p can come upon the line through a and b, or, if it never leaves it, upon a or b.
std::vector<Root> arrivals(const Point& p, const Point& a, const Point& b, const Rational& from, const Rational& to) {
  const auto common = [](const Point& v) { return gcd(gcd(v[0], v[1]), v[2]); };
  const Poly on_line = common(cross(b - a, p - a));
  if (!on_line.empty()) return roots_in(on_line, from, to);
  std::vector<Root> roots;
  for (const Point& end : {a, b}) {
    const Poly at_end = common(p - end);
    if (at_end.empty()) continue;
    for (const Root& r : roots_in(at_end, from, to)) roots.push_back(r);
  }
  return roots;
}

std::optional<FirstContact> first_in_plane(CcdKind kind, const std::array<Point, 4>& x, const Rational& from,
                                           const Rational& to) {
  using Triple = std::array<int, 3>;
  const std::vector<Triple> candidates = kind == CcdKind::vertex_face
                                             ? std::vector<Triple>{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}}
                                             : std::vector<Triple>{{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}};
  std::optional<FirstContact> first;
  for (const auto& [p, a, b] : candidates) {
    for (const Root& r : arrivals(x[p], x[a], x[b], from, to)) {
      if (!on_segment(x[p], x[a], x[b], r)) continue;
      const FirstContact t = narrowed(r);
      if (!first || t.lo < first->lo) first = t;
    }
  }
  return first;
}

}  // namespace

std::optional<FirstContact> first_contact(CcdKind kind, const CcdQuery& query, Interval interval) {
  std::array<Point, 4> x;
  for (int i = 0; i < 4; ++i) x[i] = moving(query.x_t0[i], query.x_t1[i]);
  const Point e = kind == CcdKind::vertex_face ? x[2] - x[1] : x[1] - x[0];
  const Point f = kind == CcdKind::vertex_face ? x[3] - x[1] : x[3] - x[2];
  const Point g = kind == CcdKind::vertex_face ? x[0] - x[1] : x[2] - x[0];
  const Rational from(interval.t0), to(interval.t1);
  const Poly coplanar = dot(cross(e, f), g);
  if (coplanar.empty()) {
    if (meet(kind, x, {{}, from, from})) return FirstContact{from, from};
    return first_in_plane(kind, x, from, to);
  }
  for (const Root& r : roots_in(coplanar, from, to)) {
    if (meet(kind, x, r)) return narrowed(r);
  }
  return std::nullopt;
}

}  // namespace pliant::oracle
