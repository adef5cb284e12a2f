// Every answer against the rational oracle, on inputs made to be degenerate.
#include <gtest/gtest.h>

#include <random>

#include "pliant/ccd/ccd.h"
#include "tests/oracle/ccd_oracle.h"

namespace pliant {
namespace {

using Random = std::mt19937_64;

int below(Random& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

// Coordinates from a few small integers: coplanar, collinear, parallel, coincident and still points abound.
CcdQuery small_integers(Random& random, int range) {
  CcdQuery q;
  const bool flat = below(random, 4) == 0, still = below(random, 8) == 0;
  const auto coordinate = [&] { return static_cast<double>(below(random, 2 * range + 1) - range); };
  for (int i = 0; i < 4; ++i) {
    q.x_t0[i] = Vec3(coordinate(), coordinate(), flat ? 0 : coordinate());
    q.x_t1[i] = still ? q.x_t0[i] : Vec3(coordinate(), coordinate(), flat ? 0 : coordinate());
  }
  return q;
}

void nudge(Random& random, CcdQuery& q) {
  for (auto* points : {&q.x_t0, &q.x_t1}) {
    for (Vec3& p : *points) {
      for (int k = 0; k < 3; ++k) {
        const double side = below(random, 2) == 0 ? -1 : 1;
        if (below(random, 3) == 0) p[k] = p[k] == 0 ? side * 0x1p-54 : std::nextafter(p[k], side * 10);
      }
    }
  }
}

std::string text(const CcdQuery& q) {
  std::ostringstream out;
  out.precision(17);
  for (int i = 0; i < 4; ++i) out << "  " << q.x_t0[i].transpose() << " -> " << q.x_t1[i].transpose() << "\n";
  return out.str();
}

void expect_like_oracle(CcdKind kind, const CcdQuery& q, Interval interval = {0, 1}) {
  SCOPED_TRACE((kind == CcdKind::vertex_face ? "vertex-face\n" : "edge-edge\n") + text(q));
  const auto truth = oracle::first_contact(kind, q, interval);
  const CcdResult r = pair_ccd(kind, q, {}, interval);
  ASSERT_EQ(r.status, truth ? CcdStatus::hit : CcdStatus::none);
  const CcdResult quick = pair_ccd(kind, q, {.exact = false}, interval);
  ASSERT_TRUE(quick.status == r.status || quick.status == CcdStatus::possible);
  if (!truth) return;
  EXPECT_LE(oracle::Rational(r.t_lo), truth->hi);
  EXPECT_GE(oracle::Rational(r.t_hi), truth->lo);
  EXPECT_LE(oracle::Rational(quick.t_lo), truth->hi);
  EXPECT_LE(r.t_hi - r.t_lo, 1e-6);
  EXPECT_EQ(r.initial, truth->hi == oracle::Rational(interval.t0));
}

constexpr CcdKind kKinds[] = {CcdKind::vertex_face, CcdKind::edge_edge};

TEST(CcdExactness, SmallIntegerQueriesAgreeWithTheOracle) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    for (const CcdKind kind : kKinds) expect_like_oracle(kind, small_integers(random, 1 + i % 3));
    if (HasFailure()) return;
  }
}

TEST(CcdExactness, QueriesNudgedByUlpsAgreeWithTheOracle) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    for (const CcdKind kind : kKinds) {
      CcdQuery q = small_integers(random, 1 + i % 2);
      nudge(random, q);
      expect_like_oracle(kind, q);
    }
    if (HasFailure()) return;
  }
}

TEST(CcdExactness, PartsOfTheMotionAgreeWithTheOracle) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    double s = below(random, 9) / 8.0, e = below(random, 9) / 8.0;
    if (s > e) std::swap(s, e);
    for (const CcdKind kind : kKinds) expect_like_oracle(kind, small_integers(random, 1 + i % 3), {s, e});
    if (HasFailure()) return;
  }
}

// Coordinates whose sizes have nothing to do with each other: roots that are equal in hundreds of digits, or as near to
// an end, which halving would take as many steps to find.
TEST(CcdExactness, CoordinatesOfMixedExponents) {
  Random random(9);
  for (const int spread : {8, 60, 140}) {
    const auto coordinate = [&] {
      const double mantissa = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
      return std::ldexp(mantissa, below(random, spread) - spread / 2);
    };
    const auto small = [&] { return std::ldexp(below(random, 7) - 3, below(random, 4) * spread / 4); };
    for (int i = 0; i < 10; ++i) {
      CcdQuery q;
      for (auto* points : {&q.x_t0, &q.x_t1})
        for (Vec3& p : *points)
          for (int k = 0; k < 3; ++k) p[k] = i % 2 == 0 ? coordinate() : small();
      for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge}) expect_like_oracle(kind, q);
    }
  }
}

// Two roots that agree in their first hundred binary digits and more, or none.
TEST(CcdExactness, RootsThatAgreeInHundredsOfDigits) {
  for (const double tilt : {0x1p-200, -0x1p-200, 0x1p-500, -0x1p-500}) {
    // The height of the vertex over the plane is (1 - 2t)^2 - tilt: three quantities that change linearly make it.
    CcdQuery q;
    q.x_t0 = {Vec3(1, 0, 1), Vec3(0, 0, -tilt), Vec3(1, 0, -tilt), Vec3(0, 1, -tilt)};
    q.x_t1 = {Vec3(-1, 0, -1), Vec3(0, 0, -tilt), Vec3(1, 0, 2 - tilt), Vec3(0, 1, -tilt)};
    for (int i = 0; i < 4; ++i) {
      q.x_t0[i].x() *= 3;
      q.x_t1[i].x() *= 3;
    }
    for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge}) expect_like_oracle(kind, q);
  }
}

}  // namespace
}  // namespace pliant
