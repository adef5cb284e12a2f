// The published hand-made queries with exact answers, where the data folder is there.
#include <gtest/gtest.h>

#include <filesystem>

#include "pliant/ccd/ccd.h"
#include "pliant/io/ccd_queries.h"

namespace pliant {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(PLIANT_TEST_DATA) / "ccd-queries";

std::vector<std::filesystem::path> query_files() {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(kFolder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".ccdq") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
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

TEST(QuerySets, HandMadeQueriesGetTheirExactAnswers) {
  const auto files = query_files();
  if (files.empty()) GTEST_SKIP() << "no query files in " << kFolder;
  for (const auto& path : files) {
    const CcdQueryFile file = read_ccdq(path);
    for (std::size_t i = 0; i < file.queries.size(); ++i) {
      SCOPED_TRACE(path.filename().string() + " query " + std::to_string(i));
      expect_truth(pair_ccd(file.kind, file.queries[i]), file.truth[i], {});
    }
  }
}

TEST(QuerySets, WithoutTheExactStageNothingIsMissedAndFewAreUndecided) {
  const auto files = query_files();
  if (files.empty()) GTEST_SKIP() << "no query files in " << kFolder;
  int false_positives = 0;
  for (const auto& path : files) {
    const CcdQueryFile file = read_ccdq(path);
    for (std::size_t i = 0; i < file.queries.size(); ++i) {
      const CcdResult r = pair_ccd(file.kind, file.queries[i], {.exact = false});
      if (file.truth[i].collides) {
        ASSERT_NE(r.status, CcdStatus::none) << path << " query " << i;
        EXPECT_LE(r.t_lo, file.truth[i].time);
      } else {
        ASSERT_NE(r.status, CcdStatus::hit) << path << " query " << i;
        false_positives += r.status == CcdStatus::possible ? 1 : 0;
      }
    }
  }
  EXPECT_LE(false_positives, 5);
}

}  // namespace
}  // namespace pliant
