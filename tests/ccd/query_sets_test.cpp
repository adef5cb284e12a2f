// Generated and published hand-made queries with exact answers.
#include <gtest/gtest.h>

#include <filesystem>

#include "pliant/ccd/ccd.h"
#include "pliant/io/ccd_queries.h"
#include "tests/support/stand_in_steps.h"

namespace pliant {
namespace {

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".ccdq") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  EXPECT_FALSE(files.empty()) << folder;
  return files;
}

std::vector<std::filesystem::path> query_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : testing::query_folders())
    for (auto& file : files_in(folder)) files.push_back(std::move(file));
  return files;
}

// The published time is the exact one rounded to double.
void expect_truth(const CcdResult& r, const CcdTruth& truth, const CcdOptions& options) {
  ASSERT_EQ(r.status, truth.collides ? CcdStatus::hit : CcdStatus::none);
  if (!truth.collides) return;
  EXPECT_LE(r.t_lo, truth.time);
  EXPECT_GE(r.t_hi, truth.time);
  EXPECT_LE(r.t_hi - r.t_lo, std::max(options.time_tolerance, 1e-8));
  EXPECT_EQ(r.initial, truth.time == 0);
}

TEST(QuerySets, QueriesGetTheirExactAnswers) {
  for (const auto& path : query_files()) {
    const CcdQueryFile file = read_ccdq(path);
    for (std::size_t i = 0; i < file.queries.size(); ++i) {
      SCOPED_TRACE(path.filename().string() + " query " + std::to_string(i));
      expect_truth(pair_ccd(file.kind, file.queries[i]), file.truth[i], {});
    }
  }
}

// Of queries that were made to be degenerate most need the exact stage; of the others none that misses does.
TEST(QuerySets, WithoutTheExactStageNothingIsMissedAndOnlyDegenerateMissesAreUndecided) {
  int undecided = 0;
  for (const auto& path : query_files()) {
    const CcdQueryFile file = read_ccdq(path);
    const bool degenerate = path.filename().string().rfind("degenerate", 0) == 0;
    for (std::size_t i = 0; i < file.queries.size(); ++i) {
      const CcdResult r = pair_ccd(file.kind, file.queries[i], {.exact = false});
      if (file.truth[i].collides) {
        ASSERT_NE(r.status, CcdStatus::none) << path << " query " << i;
        EXPECT_LE(r.t_lo, file.truth[i].time);
      } else {
        ASSERT_NE(r.status, CcdStatus::hit) << path << " query " << i;
        if (!degenerate && r.status == CcdStatus::possible) ++undecided;
      }
    }
  }
  EXPECT_EQ(undecided, 0);
}

}  // namespace
}  // namespace pliant
