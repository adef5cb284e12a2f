// Steps of real motions for tests and measurements: two frames, the features, and all pairs whose swept boxes touch.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "pliant/ccd/batch.h"
#include "pliant/io/ccd_queries.h"

namespace pliant {

struct CcdStep {
  std::string name;
  std::vector<Vec3> x_t0, x_t1;
  std::vector<std::array<std::uint32_t, 3>> faces;
  std::vector<std::array<std::uint32_t, 2>> edges;
  std::filesystem::path vf_truth, ee_truth;  // .ccdp
};

// The published scenes and animated sequences below a data folder that have lists of touching pairs; empty without one.
std::vector<CcdStep> load_ccd_steps(const std::filesystem::path& data);

// All pairs without a common vertex whose closed swept boxes touch, by sort and sweep.
std::vector<CcdPair> swept_box_pairs(const CcdStep& step, CcdKind kind);

// How answers to swept-box pairs compare with a step's exact list; pairs that are not listed do not touch.
struct StepVerdict {
  std::size_t touching = 0;         // pairs that really do
  std::size_t false_negatives = 0;  // of them not reported
  std::size_t false_positives = 0;
  std::size_t late = 0;         // t_lo after the true time, or t_hi before it
  std::vector<double> t_error;  // true time - t_lo of each true hit
};
StepVerdict judge(const CcdStep& step, CcdKind kind, const std::vector<CcdPair>& pairs, std::span<const CcdHit> hits);

}  // namespace pliant
