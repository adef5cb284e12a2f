// Everything is built from the difference vectors (pliant/ccd/differences.h) in units of 2^-24 as 64-bit integers, so
// that no coordinate is rounded. With constant alpha, beta and a drift D,
//   A(t) = alpha B(t) + beta C(t) + (t - time) D     (edge-edge: - beta C)
// is linear in t and lies in the plane of B and C at `time`; if D.(B x C) keeps its sign in [0, 1], then only there.
#include "tests/ccd/planted.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using Wide = __int128;
using Int3 = std::array<std::int64_t, 3>;

Int3 operator+(const Int3& a, const Int3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Int3 operator*(const Int3& a, std::int64_t s) { return {a[0] * s, a[1] * s, a[2] * s}; }
Wide det(const Int3& a, const Int3& b, const Int3& c) {
  const auto minor = [&](int j, int k) { return static_cast<Wide>(b[j]) * c[k] - static_cast<Wide>(b[k]) * c[j]; };
  return a[0] * minor(1, 2) + a[1] * minor(2, 0) + a[2] * minor(0, 1);
}
int sign(Wide x) { return (x > 0) - (x < 0); }

// Fractions have this many parts: time, alpha and beta are multiples of 1/4096, so A is in units of 2^-24.
constexpr std::int64_t kDenominator = 4096;
constexpr std::int64_t kUnit = kDenominator * kDenominator;

// A pair by its vectors at both ends; B, C, D are whole numbers, alpha, beta, time in parts of 4096.
struct Plan {
  CcdKind kind;
  Int3 b0, c0, b1, c1, drift;
  std::int64_t alpha, beta, time;
};

Int3 whole(PlantRandom& r, int size) {
  return {r.between(-size, size), r.between(-size, size), r.between(-size, size)};
}

// A at the end t = 0 or 1, in units of 2^-24.
Int3 a_at(const Plan& p, int t) {
  const Int3 &b = t == 0 ? p.b0 : p.b1, &c = t == 0 ? p.c0 : p.c1;
  const std::int64_t beta = p.kind == CcdKind::vertex_face ? p.beta : -p.beta;
  return b * (p.alpha * kDenominator) + c * (beta * kDenominator) +
         p.drift * ((t * kDenominator - p.time) * kDenominator);
}

bool inside(const Plan& p) {
  if (p.alpha < 0 || p.beta < 0) return false;
  if (p.kind == CcdKind::vertex_face) return p.alpha + p.beta <= kDenominator;
  return p.alpha <= kDenominator && p.beta <= kDenominator;
}

// D.(B x C) has one strict sign on [0, 1]: its Bernstein coefficients do.
bool crosses_once(const Plan& p) {
  const Wide middle = det(p.drift, p.b0, p.c1) + det(p.drift, p.b1, p.c0);
  const int s = sign(det(p.drift, p.b0, p.c0));
  return s != 0 && sign(middle) == s && sign(det(p.drift, p.b1, p.c1)) == s;
}

// D x B has a component of one strict sign on [0, 1]: D is never along B.
bool never_along(const Int3& d, const Int3& b0, const Int3& b1) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const int s = sign(d[i] * b0[j] - d[j] * b0[i]);
    if (s != 0 && sign(d[i] * b1[j] - d[j] * b1[i]) == s) return true;
  }
  return false;
}

// ---- from vectors to points ----

struct Placement {
  Int3 origin0, origin1;       // of f0 or a0, whole numbers
  std::array<int, 3> stretch;  // powers of two
};

Placement place(PlantRandom& r) {
  Placement p{whole(r, 64), whole(r, 64), {0, 0, 0}};
  const int how = r.below(16);
  if (how == 0) p.stretch = {r.between(-90, 90), r.between(-90, 90), r.between(-90, 90)};
  if (how == 1) p.stretch = {r.between(-900, 900), r.between(-900, 900), r.between(-900, 900)};
  if (how == 2) p.stretch = {-1050, -1050, -1050};  // denormal
  if (how == 3) p.origin0 = p.origin0 * 65536, p.origin1 = p.origin1 * 65536;
  return p;
}

Vec3 position(const Int3& units, const Placement& p) {
  Vec3 x;
  for (int k = 0; k < 3; ++k) x[k] = std::ldexp(static_cast<double>(units[k]), p.stretch[k] - 24);
  return x;
}

std::array<Vec3, 4> points(const Plan& p, int t, const Placement& where) {
  const Int3 origin = (t == 0 ? where.origin0 : where.origin1) * kUnit;
  const Int3 a = a_at(p, t), b = (t == 0 ? p.b0 : p.b1) * kUnit, c = (t == 0 ? p.c0 : p.c1) * kUnit;
  const auto at = [&](const Int3& x) { return position(origin + x, where); };
  if (p.kind == CcdKind::vertex_face) return {at(a), at({}), at(b), at(c)};
  return {at({}), at(b), at(a), at(a + c)};
}

Planted built(const Plan& p, bool collides, bool place_known, PlantRandom& r) {
  const Placement where = place(r);
  Planted result;
  // Units of 2^-24 are whole when stretched by 2^-1050, and multiples of the smallest denormal.
  result.query = {points(p, 0, where), points(p, 1, where)};
  result.collides = collides;
  result.time = static_cast<double>(p.time) / kDenominator;
  result.place_known = collides && place_known && where.stretch == std::array<int, 3>{};
  result.u = static_cast<double>(p.alpha) / kDenominator;
  result.v = static_cast<double>(p.beta) / kDenominator;
  return result;
}

bool in_time(const Plan& p) { return p.time >= 0 && p.time <= kDenominator; }

// ---- families ----

// Anywhere from well inside to well outside.
void choose_place(Plan& p, PlantRandom& r) {
  p.alpha = r.between(-2000, 6000);
  p.beta = r.between(-2000, 6000);
}

void choose_inside(Plan& p, PlantRandom& r) {
  p.alpha = r.between(1, 4095);
  p.beta = r.between(1, p.kind == CcdKind::vertex_face ? static_cast<int>(kDenominator - p.alpha) : 4095);
}

// On the boundary, or one or a few parts off it.
void choose_boundary(Plan& p, PlantRandom& r) {
  choose_inside(p, r);
  const int off = r.one_in(2) ? 0 : r.between(-1, 1) * (1 << r.below(6));
  switch (r.below(4)) {
    case 0:
      p.alpha = off;
      break;
    case 1:
      p.beta = off;
      break;
    case 2:
      p.alpha = kDenominator - (p.kind == CcdKind::vertex_face ? p.beta : 0) + off;
      break;
    default:
      p.alpha = off, p.beta = r.one_in(2) ? 0 : kDenominator;
  }
}

Plan crossing_plan(CcdKind kind, PlantRandom& r) {
  Plan p{};
  p.kind = kind;
  do {
    p.b0 = whole(r, 1000), p.c0 = whole(r, 1000), p.drift = whole(r, 4000);
    p.b1 = p.b0 + whole(r, 700), p.c1 = p.c0 + whole(r, 700);
  } while (!crosses_once(p));
  p.time = r.between(1, 4095);
  return p;
}

Planted crossing(CcdKind kind, PlantRandom& r) {
  Plan p = crossing_plan(kind, r);
  choose_place(p, r);
  return built(p, inside(p), true, r);
}

Planted boundary(CcdKind kind, PlantRandom& r) {
  Plan p = crossing_plan(kind, r);
  choose_boundary(p, r);
  return built(p, inside(p), true, r);
}

Planted first_or_last(CcdKind kind, PlantRandom& r) {
  Plan p = crossing_plan(kind, r);
  r.one_in(2) ? choose_inside(p, r) : choose_boundary(p, r);
  const int off = r.one_in(2) ? 0 : r.between(-1, 1) * (1 << r.below(6));
  p.time = (r.one_in(2) ? 0 : kDenominator) + off;
  return built(p, inside(p) && in_time(p), true, r);
}

// Whether they span a plane.
bool independent(const Int3& b, const Int3& c) {
  return b[0] * c[1] != b[1] * c[0] || b[1] * c[2] != b[2] * c[1] || b[2] * c[0] != b[0] * c[2];
}

// B and C do not change, the drift g B + h C is in their plane.
// Vertex-face: to a point of the edge from f1 to f2, where alpha + beta = 1; before that, with g + h < 0, the sum is
// above 1. Edge-edge: b0 to a point of edge a; before that, with h < 0, all of edge b has a positive coordinate along
// C.
Planted coplanar(CcdKind kind, PlantRandom& r) {
  Plan p{};
  p.kind = kind;
  do p.b0 = p.b1 = whole(r, 1000), p.c0 = p.c1 = whole(r, 1000);
  while (!independent(p.b0, p.c0));
  int g, h;
  do g = r.between(-3, 3), h = r.between(-3, 3);
  while (kind == CcdKind::vertex_face ? g + h >= 0 : h >= 0);
  p.drift = p.b0 * g + p.c0 * h;
  p.time = r.between(0, 4096);
  p.alpha = r.between(0, 4096);
  p.beta = kind == CcdKind::vertex_face ? kDenominator - p.alpha : 0;
  return built(p, true, false, r);
}

// All on one line: edge b (or the vertex) comes along edge a's line until it meets its end.
Planted parallel_edges(CcdKind kind, PlantRandom& r) {
  Plan p{};
  p.kind = kind;
  do p.b0 = p.b1 = whole(r, 1000);
  while (p.b0 == Int3{});
  p.drift = p.b0 * -r.between(1, 4);  // from beyond a1 (f1) towards it
  p.time = r.between(0, 4096);
  p.alpha = kDenominator;
  p.beta = 0;
  p.c0 = p.c1 = kind == CcdKind::vertex_face ? p.b0 * r.between(-2, 1) : p.b0 * r.between(0, 3);
  return built(p, true, false, r);
}

// C along B at all times: the features have no area; the vertex (b0, with C shrinking to it) meets the line once.
Planted no_area(CcdKind kind, PlantRandom& r) {
  Plan p{};
  p.kind = kind;
  do {
    p.b0 = whole(r, 1000), p.b1 = p.b0 + whole(r, 700), p.drift = whole(r, 4000);
  } while (!never_along(p.drift, p.b0, p.b1));
  const int k = r.between(0, 2);
  p.c0 = p.b0 * k, p.c1 = p.b1 * k;
  p.time = r.between(-100, 4196);
  p.alpha = r.between(-2000, 6000);
  p.beta = 0;
  // Along B the face reaches from 0 to max(1, k), edge b from alpha to alpha + k.
  const std::int64_t most = kind == CcdKind::vertex_face ? kDenominator * std::max(1, k) : kDenominator;
  const std::int64_t least = kind == CcdKind::vertex_face ? 0 : -kDenominator * k;
  const bool meets = p.alpha >= least && p.alpha <= most;
  return built(p, meets && in_time(p), false, r);
}

// Edge b is a point, or the face one (then the vertex has to meet it exactly).
Planted no_length(CcdKind kind, PlantRandom& r) {
  Plan p{};
  p.kind = kind;
  const bool both = r.one_in(3);
  do {
    p.b0 = whole(r, 1000), p.b1 = p.b0 + whole(r, 700), p.drift = whole(r, 4000);
  } while (!never_along(p.drift, p.b0, p.b1));
  if (both) p.b0 = p.b1 = {};
  p.time = r.between(-100, 4196);
  p.alpha = r.between(-2000, 6000);
  const bool meets = both || (p.alpha >= 0 && p.alpha <= kDenominator);
  return built(p, meets && in_time(p), false, r);
}

Planted rigid(CcdKind kind, PlantRandom& r) {
  Plan p = crossing_plan(kind, r);
  p.b1 = p.b0, p.c1 = p.c0;
  r.one_in(2) ? choose_boundary(p, r) : choose_place(p, r);
  p.time = 0;
  if (r.one_in(2)) p.drift = {};  // in the plane: only then can they touch
  const bool in_plane = p.drift == Int3{};
  // Both ends are the start: A(1) = A(0).
  Plan still = p;
  if (!in_plane) {
    // Off the plane by one drift at all times: as at t = 1 of a motion that starts in it.
    still.time = -kDenominator;
  }
  const Placement where = place(r);
  Planted result;
  result.query = {points(still, 0, where), points(still, 0, where)};
  const Placement moved{where.origin1, where.origin1, where.stretch};
  result.query.x_t1 = points(still, 0, moved);
  result.collides = in_plane && inside(p);
  return result;
}

Planted still(CcdKind kind, PlantRandom& r) {
  Planted p = rigid(kind, r);
  p.query.x_t1 = p.query.x_t0;
  return p;
}

// First feature on one side of a plane n.x = 0, second on the other, at both ends, at least one unit away.
Planted apart(CcdKind kind, PlantRandom& r) {
  Int3 n;
  do n = whole(r, 3);
  while (n == Int3{});
  const Placement where = place(r);
  Planted result;
  const int firsts = kind == CcdKind::vertex_face ? 1 : 2;
  for (auto* x : {&result.query.x_t0, &result.query.x_t1}) {
    const Int3 origin = x == &result.query.x_t0 ? where.origin0 : where.origin1;
    for (int i = 0; i < 4; ++i) {
      Int3 p;
      std::int64_t height;
      do {
        p = whole(r, 40);
        height = p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
      } while (height == 0);
      if ((height > 0) != (i < firsts)) p = p * -1;
      (*x)[i] = position((p + origin) * kUnit, where);
    }
  }
  return result;
}

}  // namespace

std::uint64_t PlantRandom::bits() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::string_view name(PlantFamily family) {
  constexpr std::array<std::string_view, kPlantFamilies> kNames{
      "crossing", "boundary",  "first or last", "coplanar", "parallel edges",
      "no area",  "no length", "rigid",         "still",    "apart"};
  return kNames[static_cast<std::size_t>(family)];
}

Planted plant(CcdKind kind, PlantFamily family, PlantRandom& random) {
  using Maker = Planted (*)(CcdKind, PlantRandom&);
  constexpr std::array<Maker, kPlantFamilies> kMakers{crossing, boundary,  first_or_last, coplanar, parallel_edges,
                                                      no_area,  no_length, rigid,         still,    apart};
  return kMakers[static_cast<std::size_t>(family)](kind, random);
}

}  // namespace pliant
