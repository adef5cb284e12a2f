// A million queries with known answers, through batches.
#include "tests/ccd/planted.h"

#include <gtest/gtest.h>

#include "pliant/ccd/batch.h"
#include "pliant/core/cpu.h"
#include "tests/ccd/planted_batch.h"

namespace pliant {
namespace {

constexpr CcdKind kKinds[] = {CcdKind::vertex_face, CcdKind::edge_edge};

std::string text(const Planted& p) {
  std::ostringstream out;
  out << std::hexfloat << (p.collides ? "touches at " : "never touches ") << p.time << " (" << p.u << ", " << p.v
      << ")\n";
  for (int i = 0; i < 4; ++i) {
    for (const auto* x : {&p.query.x_t0, &p.query.x_t1}) {
      out << "  " << (*x)[i][0] << " " << (*x)[i][1] << " " << (*x)[i][2];
    }
    out << "\n";
  }
  return out.str();
}

class PlantedQueries : public testing::TestWithParam<int> {
 protected:
  PlantFamily family() const { return static_cast<PlantFamily>(GetParam()); }
};

// 500,000 of each kind; those that need exact arithmetic take a hundred times as long and are fewer.
constexpr std::array<int, kPlantFamilies> kThousands{100, 60, 60, 25, 25, 25, 25, 60, 60, 60};

TEST_P(PlantedQueries, GetTheirKnownAnswers) {
  for (const CcdKind kind : kKinds) {
    PlantRandom random(static_cast<std::uint64_t>(GetParam()));
    CcdBatchSolver solver;
    for (int block = 0; block < kThousands[static_cast<std::size_t>(GetParam())]; ++block) {
      PlantedBatch batch(kind, family(), 1000, random);
      const auto answers = batch.solve(solver);
      for (std::size_t i = 0; i < answers.size(); ++i) {
        const std::string wrong = disagreement(batch.planted()[i], answers[i]);
        ASSERT_EQ(wrong, "") << text(batch.planted()[i]);
      }
    }
  }
}

TEST_P(PlantedQueries, AreTheSameAloneAndInBatchesOnEitherTarget) {
  for (const CcdKind kind : kKinds) {
    PlantRandom random(100 + static_cast<std::uint64_t>(GetParam()));
    for (const CcdOptions& options :
         {CcdOptions{}, CcdOptions{.exact = false}, CcdOptions{.max_iterations = 3}, CcdOptions{.min_separation = 1}}) {
      PlantedBatch batch(kind, family(), 1000, random);
      CcdBatchSolver solver(options);
      const auto answers = batch.solve(solver);
      set_avx2_allowed(false);
      const auto portable = batch.solve(solver);
      set_avx2_allowed(true);
      ASSERT_TRUE(answers == portable);
      for (std::size_t i = 0; i < answers.size(); ++i) {
        ASSERT_EQ(answers[i], pair_ccd(kind, batch.planted()[i].query, options)) << text(batch.planted()[i]);
      }
    }
  }
}

TEST_P(PlantedQueries, AreNeverMissedByCappedOrInexactRuns) {
  for (const CcdKind kind : kKinds) {
    PlantRandom random(200 + static_cast<std::uint64_t>(GetParam()));
    for (int i = 0; i < 2000; ++i) {
      const Planted p = plant(kind, family(), random);
      const CcdOptions options{.max_iterations = 1 + i % 7, .exact = i % 2 == 0};
      const CcdResult r = pair_ccd(kind, p.query, options);
      if (p.collides) {
        ASSERT_NE(r.status, CcdStatus::none) << text(p);
        ASSERT_LE(r.t_lo, p.time) << text(p);
        ASSERT_GE(r.t_hi, p.time) << text(p);
      } else {
        ASSERT_NE(r.status, CcdStatus::hit) << text(p);
      }
    }
  }
}

// Which feature is called the first, and where a face begins, must not matter.
TEST_P(PlantedQueries, DoNotDependOnTheOrderOfTheirPoints) {
  using Order = std::array<int, 4>;
  const std::vector<Order> of_face{{0, 2, 3, 1}, {0, 3, 1, 2}, {0, 2, 1, 3}};
  const std::vector<Order> of_edges{{1, 0, 2, 3}, {0, 1, 3, 2}, {2, 3, 0, 1}};
  for (const CcdKind kind : kKinds) {
    PlantRandom random(300 + static_cast<std::uint64_t>(GetParam()));
    for (int i = 0; i < 1000; ++i) {
      const Planted p = plant(kind, family(), random);
      for (const Order& order : kind == CcdKind::vertex_face ? of_face : of_edges) {
        CcdQuery q;
        for (int k = 0; k < 4; ++k) {
          q.x_t0[k] = p.query.x_t0[order[k]];
          q.x_t1[k] = p.query.x_t1[order[k]];
        }
        const CcdResult r = pair_ccd(kind, q);
        ASSERT_EQ(r.status, p.collides ? CcdStatus::hit : CcdStatus::none) << text(p);
        if (!p.collides) continue;
        ASSERT_LE(r.t_lo, p.time);
        ASSERT_GE(r.t_hi, p.time);
      }
    }
  }
}

// Restricted to a part of the motion, contacts are found exactly if their first time lies in it or they go on.
TEST_P(PlantedQueries, AreFoundInPartsOfTheMotionThatHoldThem) {
  for (const CcdKind kind : kKinds) {
    PlantRandom random(400 + static_cast<std::uint64_t>(GetParam()));
    PlantedBatch batch(kind, family(), 2000, random);
    CcdBatchSolver solver;
    for (const Interval span : {Interval{0, 0.5}, Interval{0.25, 0.75}, Interval{0.4, 1}, Interval{0.3, 0.3}}) {
      const auto answers = batch.solve(solver, span);
      for (std::size_t i = 0; i < answers.size(); ++i) {
        const Planted& p = batch.planted()[i];
        ASSERT_EQ(answers[i], pair_ccd(kind, p.query, {}, span)) << text(p);
        if (!p.collides || p.time > span.t1) {
          ASSERT_EQ(answers[i].status, CcdStatus::none) << text(p);
        } else if (p.time >= span.t0) {
          ASSERT_EQ(answers[i].status, CcdStatus::hit) << text(p);
          ASSERT_LE(answers[i].t_lo, p.time);
          ASSERT_GE(answers[i].t_hi, p.time);
          ASSERT_EQ(answers[i].initial, p.time == span.t0) << text(p);
        }
      }
    }
  }
}

std::string family_name(const testing::TestParamInfo<int>& info) {
  std::string result(name(static_cast<PlantFamily>(info.param)));
  std::replace(result.begin(), result.end(), ' ', '_');
  return result;
}
INSTANTIATE_TEST_SUITE_P(Family, PlantedQueries, testing::Range(0, kPlantFamilies), family_name);

}  // namespace
}  // namespace pliant
