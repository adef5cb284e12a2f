// Inputs at the edge of what doubles can say, and options at their limits.
#include <gtest/gtest.h>

#include <limits>

#include "pliant/ccd/batch.h"
#include "tests/ccd/planted.h"

namespace pliant {
namespace {

constexpr double kHuge = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

// A vertex that falls through a triangle, scaled.
CcdQuery falling(double scale) {
  CcdQuery q{{Vec3(0.25, 0.25, 0.5), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {}};
  q.x_t1 = q.x_t0;
  q.x_t1[0][2] = -0.5;
  for (auto* points : {&q.x_t0, &q.x_t1}) {
    for (Vec3& p : *points) p *= scale;
  }
  return q;
}

TEST(CcdRobustness, ScaleDoesNotMatter) {
  for (const double scale : {1.0, 0x1p-1070, 0x1p-1000, 0x1p-300, 0x1p300, 0x1p1000, 0x1p1022}) {
    const CcdResult r = vertex_face_ccd(falling(scale));
    ASSERT_EQ(r.status, CcdStatus::hit) << scale;
    EXPECT_LE(r.t_lo, 0.5);
    EXPECT_GE(r.t_hi, 0.5);
    EXPECT_NEAR(r.t_lo, 0.5, 1e-9);
    EXPECT_NEAR(r.u, 0.25, 1e-6) << scale;
  }
}

TEST(CcdRobustness, DifferencesThatOverflowAreDecidedExactly) {
  CcdQuery q{{Vec3(0, 0, kHuge), Vec3(-kHuge, -kHuge, 0), Vec3(kHuge, -kHuge, 0), Vec3(0, kHuge, 0)}, {}};
  q.x_t1 = q.x_t0;
  q.x_t1[0] = Vec3(0, 0, -kHuge);
  const CcdResult hit = vertex_face_ccd(q);
  EXPECT_EQ(hit.status, CcdStatus::hit);
  EXPECT_LE(hit.t_lo, 0.5);
  EXPECT_GE(hit.t_hi, 0.5);
  q.x_t1[0] = Vec3(0, 0, kTiny);
  EXPECT_EQ(vertex_face_ccd(q).status, CcdStatus::none);
}

TEST(CcdRobustness, OneDenormalDecides) {
  CcdQuery q{{Vec3(0.25, 0.25, kTiny), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {}};
  q.x_t1 = q.x_t0;
  EXPECT_EQ(vertex_face_ccd(q).status, CcdStatus::none);
  q.x_t1[0][2] = -kTiny;
  const CcdResult r = vertex_face_ccd(q);
  EXPECT_EQ(r.status, CcdStatus::hit);
  EXPECT_LE(r.t_lo, 0.5);
  EXPECT_GE(r.t_hi, 0.5);
}

TEST(CcdRobustness, CoordinatesThatAreNotFiniteArePossible) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    for (int i = 0; i < 24; ++i) {
      CcdQuery q = falling(1);
      (i < 12 ? q.x_t0 : q.x_t1)[i % 12 / 3][i % 3] = bad;
      for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge}) {
        for (const double d : {0.0, 0.1}) {
          const CcdResult r = pair_ccd(kind, q, {.min_separation = d}, {0.25, 0.5});
          EXPECT_EQ(r.status, CcdStatus::possible);
          EXPECT_EQ(r.t_lo, 0.25);
          EXPECT_EQ(r.t_hi, 0.5);
        }
      }
    }
  }
}

TEST(CcdRobustness, AnInstantIsAPart) {
  EXPECT_EQ(vertex_face_ccd(falling(1), {}, {0.5, 0.5}).status, CcdStatus::hit);
  EXPECT_TRUE(vertex_face_ccd(falling(1), {}, {0.5, 0.5}).initial);
  EXPECT_EQ(vertex_face_ccd(falling(1), {}, {0.25, 0.25}).status, CcdStatus::none);
  EXPECT_EQ(vertex_face_ccd(falling(1), {.min_separation = 0.26}, {0.25, 0.25}).status, CcdStatus::hit);
  EXPECT_EQ(vertex_face_ccd(falling(1), {.min_separation = 0.24}, {0.25, 0.25}).status, CcdStatus::none);
}

TEST(CcdRobustness, PairsWithACommonPointAtTheStartTouchThere) {
  const Vec3 p(0.1, 0.2, 0.3);
  const std::array<Vec3, 4> apart{Vec3(5, 5, 5), Vec3(0.7, 0, 0), Vec3(0, 0.9, 0.1), Vec3(0.3, 0.1, 1.1)};
  const auto expect_initial = [](CcdKind kind, const CcdQuery& query, Interval span) {
    const CcdResult r = pair_ccd(kind, query, {}, span);
    EXPECT_EQ(r.status, CcdStatus::hit);
    EXPECT_TRUE(r.initial);
    EXPECT_EQ(r.t_lo, span.t0);
    EXPECT_EQ(r.t_hi, span.t0);
  };
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      CcdQuery together{apart, apart};
      together.x_t0[i] = together.x_t0[j] = p;
      const CcdQuery reversed{together.x_t1, together.x_t0};
      const bool of_both_edges = j < 2 && i >= 2;
      if (j == 0) expect_initial(CcdKind::vertex_face, together, {0, 1});
      if (j == 0) expect_initial(CcdKind::vertex_face, reversed, {1, 1});
      if (of_both_edges) expect_initial(CcdKind::edge_edge, together, {0, 0.25});
      if (of_both_edges) expect_initial(CcdKind::edge_edge, reversed, {1, 1});
    }
  }
}

TEST(CcdRobustness, TimeToleranceBoundsTheInterval) {
  PlantRandom random(5);
  for (const double tolerance : {1e-1, 1e-3, 1e-6, 1e-12, 0.0}) {
    for (int i = 0; i < 300; ++i) {
      const Planted p = plant(CcdKind::edge_edge, PlantFamily::boundary, random);
      const CcdResult r = edge_edge_ccd(p.query, {.time_tolerance = tolerance});
      ASSERT_EQ(r.status, p.collides ? CcdStatus::hit : CcdStatus::none);
      if (!p.collides) continue;
      ASSERT_LE(r.t_hi - r.t_lo, std::max(1.01 * tolerance, 1e-13));
    }
  }
}

TEST(CcdRobustness, DistanceToleranceMayLeaveTouchesUndecidedButNeverMissesOne) {
  PlantRandom random(6);
  int possible = 0;
  for (int i = 0; i < 2000; ++i) {
    const Planted p = plant(CcdKind::vertex_face, PlantFamily::boundary, random);
    const CcdResult r = vertex_face_ccd(p.query, {.distance_tolerance = 1e-3});
    possible += r.status == CcdStatus::possible ? 1 : 0;
    if (p.collides) {
      ASSERT_NE(r.status, CcdStatus::none);
      ASSERT_LE(r.t_lo, p.time);
    } else {
      ASSERT_NE(r.status, CcdStatus::hit);
    }
  }
  EXPECT_GT(possible, 100);
}

TEST(CcdRobustness, BatchesWithAnIntervalForEachPairAnswerAsAlone) {
  PlantRandom random(7);
  std::vector<Vec3> x_t0, x_t1;
  std::vector<CcdPair> pairs;
  std::vector<Interval> intervals;
  std::vector<CcdQuery> queries;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const auto family = static_cast<PlantFamily>(random.below(kPlantFamilies));
    queries.push_back(plant(CcdKind::edge_edge, family, random).query);
    x_t0.insert(x_t0.end(), queries[i].x_t0.begin(), queries[i].x_t0.end());
    x_t1.insert(x_t1.end(), queries[i].x_t1.begin(), queries[i].x_t1.end());
    pairs.push_back({4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
    const double s = random.below(1000) / 999.0, e = random.below(1000) / 999.0;
    intervals.push_back({std::min(s, e), std::max(s, e)});
  }
  const CcdVertices vertices(x_t0, x_t1);
  CcdBatchSolver solver;
  std::vector<CcdResult> answers(pairs.size());
  for (const CcdHit& hit : solver.solve({.kind = CcdKind::edge_edge,
                           .first = &vertices,
                           .second = &vertices,
                           .pairs = pairs,
                           .intervals = intervals})) {
    answers[hit.pair] = hit.result;
  }
  for (std::size_t i = 0; i < pairs.size(); ++i)
    ASSERT_EQ(answers[i], edge_edge_ccd(queries[i], {}, intervals[i])) << i;
}

TEST(CcdRobustness, TwoBodiesIndexTheirOwnVertices) {
  const CcdQuery q = falling(1);
  const std::vector<Vec3> vertex_t0{Vec3(9, 9, 9), q.x_t0[0]}, vertex_t1{Vec3(9, 9, 9), q.x_t1[0]};
  const std::vector<Vec3> face_t0(q.x_t0.begin() + 1, q.x_t0.end()), face_t1(q.x_t1.begin() + 1, q.x_t1.end());
  const CcdVertices a(vertex_t0, vertex_t1), b(face_t0, face_t1);
  const std::vector<CcdPair> pairs{{0, 0, 1, 2}, {1, 0, 1, 2}};
  CcdBatchSolver solver;
  const auto hits = solver.solve({.kind = CcdKind::vertex_face, .first = &a, .second = &b, .pairs = pairs});
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_EQ(hits[0].pair, 1u);
  EXPECT_EQ(hits[0].result, vertex_face_ccd(q));
}

}  // namespace
}  // namespace pliant
