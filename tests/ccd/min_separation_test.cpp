// Contact at a distance is conservative: never missed, never late, and not much too early.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Geometry>

#include "pliant/ccd/ccd.h"
#include "tests/ccd/planted.h"

namespace pliant {
namespace {

constexpr CcdKind kKinds[] = {CcdKind::vertex_face, CcdKind::edge_edge};

Vec3 at(const CcdQuery& q, int i, double t) { return (1 - t) * q.x_t0[i] + t * q.x_t1[i]; }

double to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 e = b - a;
  const double s = e.squaredNorm() > 0 ? std::clamp((p - a).dot(e) / e.squaredNorm(), 0.0, 1.0) : 0;
  return (p - a - s * e).norm();
}

// Distance of a point and a triangle, or of two segments, by cases.
double distance(CcdKind kind, const CcdQuery& q, double t) {
  const Vec3 a = at(q, 0, t), b = at(q, 1, t), c = at(q, 2, t), d = at(q, 3, t);
  if (kind == CcdKind::vertex_face) {
    const Vec3 n = (c - b).cross(d - b);
    double result = std::min({to_segment(a, b, c), to_segment(a, c, d), to_segment(a, d, b)});
    const auto side = [&](const Vec3& p, const Vec3& r) { return (r - p).cross(a - p).dot(n); };
    if (side(b, c) > 0 && side(c, d) > 0 && side(d, b) > 0)
      result = std::min(result, std::abs((a - b).dot(n)) / n.norm());
    return result;
  }
  double result = std::min({to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b)});
  const Vec3 u = b - a, v = d - c, w = a - c, n = u.cross(v);
  if (n.squaredNorm() > 0) {
    const double s = v.cross(w).dot(n) / n.squaredNorm(), r = u.cross(w).dot(n) / n.squaredNorm();
    if (s > 0 && s < 1 && r > 0 && r < 1) result = std::min(result, std::abs(w.dot(n)) / n.norm());
  }
  return result;
}

CcdQuery random_query(PlantRandom& r) {
  const auto coordinate = [&] { return static_cast<double>(r.between(-1000, 1000)) / 1000; };
  CcdQuery q;
  for (int i = 0; i < 4; ++i) {
    q.x_t0[i] = Vec3(coordinate(), coordinate(), coordinate());
    q.x_t1[i] = r.one_in(3) ? q.x_t0[i] : Vec3(q.x_t0[i] + 0.5 * Vec3(coordinate(), coordinate(), coordinate()));
  }
  return q;
}

TEST(CcdMinSeparation, NothingThatComesWithinTheDistanceIsMissedOrLate) {
  PlantRandom random(1);
  for (int i = 0; i < 20000; ++i) {
    const CcdKind kind = kKinds[i % 2];
    const CcdQuery q = random_query(random);
    const double d = 0.5 * std::pow(2.0, -random.below(20));
    const CcdResult r = pair_ccd(kind, q, {.min_separation = d});
    for (int k = 0; k <= 32; ++k) {
      const double t = k / 32.0;
      if (distance(kind, q, t) > d * (1 - 1e-9)) continue;
      ASSERT_NE(r.status, CcdStatus::none) << "query " << i << " t " << t;
      ASSERT_LE(r.t_lo, t) << "query " << i;
      break;
    }
    if (r.status == CcdStatus::hit) {
      // In contact at t_hi, not yet before t_lo.
      ASSERT_LE(distance(kind, q, r.t_hi), d * (1 + 1e-9));
      ASSERT_LE(r.t_hi - r.t_lo, 1e-8);
    }
  }
}

TEST(CcdMinSeparation, WhatStaysClearlyFurtherIsNone) {
  PlantRandom random(2);
  int cleared = 0;
  for (int i = 0; i < 20000; ++i) {
    const CcdKind kind = kKinds[i % 2];
    const CcdQuery q = random_query(random);
    double least = 1e9;
    for (int k = 0; k <= 256; ++k) least = std::min(least, distance(kind, q, k / 256.0));
    // Between samples no point moves further than 0.002.
    const double d = least - 0.005;
    if (d <= 0) continue;
    ++cleared;
    ASSERT_EQ(pair_ccd(kind, q, {.min_separation = d}).status, CcdStatus::none) << "query " << i;
  }
  EXPECT_GT(cleared, 10000);
}

TEST(CcdMinSeparation, LargerDistancesAreMetNoLater) {
  PlantRandom random(3);
  for (int i = 0; i < 5000; ++i) {
    const CcdKind kind = kKinds[i % 2];
    const CcdQuery q = random_query(random);
    CcdResult last = pair_ccd(kind, q);
    for (const double d : {1e-12, 1e-6, 1e-3, 0.01, 0.1, 1.0}) {
      const CcdResult r = pair_ccd(kind, q, {.min_separation = d});
      if (last.status != CcdStatus::none) {
        ASSERT_NE(r.status, CcdStatus::none) << "query " << i << " distance " << d;
        ASSERT_LE(r.t_lo, last.t_hi) << "query " << i << " distance " << d;
      }
      last = r;
    }
  }
}

TEST(CcdMinSeparation, ContactsStayContactsAtAnyDistance) {
  PlantRandom random(4);
  for (int family = 0; family < kPlantFamilies; ++family) {
    for (int i = 0; i < 2000; ++i) {
      const CcdKind kind = kKinds[i % 2];
      const Planted p = plant(kind, static_cast<PlantFamily>(family), random);
      if (!p.collides) continue;
      const double d = std::ldexp(1.0, random.between(-1074, 1000));
      const CcdResult r = pair_ccd(kind, p.query, {.min_separation = d, .max_iterations = random.below(20)});
      ASSERT_NE(r.status, CcdStatus::none) << name(static_cast<PlantFamily>(family)) << " " << i << " " << d;
      ASSERT_LE(r.t_lo, p.time);
    }
  }
}

TEST(CcdMinSeparation, TouchingAtTheStartIsInitial) {
  CcdQuery q{{Vec3(0.2, 0.2, 0.05), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {}};
  q.x_t1 = q.x_t0;
  const CcdResult near = vertex_face_ccd(q, {.min_separation = 0.1});
  EXPECT_EQ(near.status, CcdStatus::hit);
  EXPECT_TRUE(near.initial);
  EXPECT_EQ(near.t_lo, 0);
  EXPECT_NEAR(near.u, 0.2, 1e-12);
  EXPECT_EQ(vertex_face_ccd(q, {.min_separation = 0.04}).status, CcdStatus::none);
}

}  // namespace
}  // namespace pliant
