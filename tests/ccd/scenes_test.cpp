// Whole steps of generated and published scenes and animated sequences, whose touching pairs are all known exactly.
#include <gtest/gtest.h>

#include "tests/support/stand_in_steps.h"

namespace pliant {
namespace {

TEST(CcdScenes, AllPairsWithTouchingSweptBoxesGetTheirExactAnswers) {
  std::size_t touching = 0;
  for (const CcdStep& step : testing::all_ccd_steps()) {
    const CcdVertices vertices(step.x_t0, step.x_t1);
    for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge}) {
      SCOPED_TRACE(step.name + (kind == CcdKind::vertex_face ? " vertex-face" : " edge-edge"));
      const std::vector<CcdPair> pairs = swept_box_pairs(step, kind);
      CcdBatchSolver solver;
      const auto hits = solver.solve({.kind = kind, .first = &vertices, .second = &vertices, .pairs = pairs});
      for (const CcdHit& hit : hits) ASSERT_EQ(hit.result.status, CcdStatus::hit);
      const StepVerdict verdict = judge(step, kind, pairs, hits);
      touching += verdict.touching;
      EXPECT_EQ(verdict.false_negatives, 0u);
      EXPECT_EQ(verdict.false_positives, 0u);
      EXPECT_EQ(verdict.late, 0u);
      for (const double error : verdict.t_error) ASSERT_LE(error, 1.01e-10);
      RecordProperty(step.name + (kind == CcdKind::vertex_face ? "_vf" : "_ee"), static_cast<int>(pairs.size()));
    }
  }
  EXPECT_GT(touching, 10u);
}

// The hard near misses that publishers list, one at a time.
TEST(CcdScenes, ListedPairsGetTheirExactAnswersAlone) {
  for (const CcdStep& step : testing::all_ccd_steps()) {
    for (const auto& path : {step.vf_truth, step.ee_truth}) {
      const CcdPairFile file = read_ccdp(path, step.x_t0.size());
      for (std::size_t i = 0; i < file.pairs.size(); ++i) {
        CcdQuery query;
        for (int k = 0; k < 4; ++k) {
          query.x_t0[k] = step.x_t0[file.pairs[i][k]];
          query.x_t1[k] = step.x_t1[file.pairs[i][k]];
        }
        const CcdResult r = pair_ccd(file.kind, query);
        ASSERT_EQ(r.status, file.truth[i].collides ? CcdStatus::hit : CcdStatus::none) << path << " pair " << i;
        if (!file.truth[i].collides) continue;
        ASSERT_LE(r.t_lo, file.truth[i].time) << path << " pair " << i;
        ASSERT_GE(r.t_hi, file.truth[i].time) << path << " pair " << i;
      }
    }
  }
}

}  // namespace
}  // namespace pliant
