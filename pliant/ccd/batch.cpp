#include "pliant/ccd/batch.h"

#include <algorithm>
#include <cassert>

#include "pliant/ccd/filter.h"
#include "pliant/ccd/solve.h"

namespace pliant {
namespace {

static_assert(sizeof(Interval) == 2 * sizeof(double) && sizeof(CcdPair) == 4 * sizeof(std::uint32_t));

// Which positions the four points of a pair index.
std::array<const CcdPositions*, 4> sources(const CcdBatch& batch) {
  const CcdPositions *a = &batch.first, *b = &batch.second;
  return {a, batch.kind == CcdKind::vertex_face ? b : a, b, b};
}

CcdQuery gather(const CcdBatch& batch, const CcdPair& pair) {
  const auto from = sources(batch);
  CcdQuery query;
  for (int i = 0; i < 4; ++i) {
    query.x_t0[i] = from[i]->x_t0[pair[i]];
    query.x_t1[i] = from[i]->x_t1[pair[i]];
  }
  return query;
}

ccd::FilterInput filter_input(const CcdBatch& batch, const CcdOptions& options) {
  ccd::FilterInput in{.vertex_face = batch.kind == CcdKind::vertex_face,
                      .begin = batch.interval.t0,
                      .end = batch.interval.t1,
                      .min_separation = options.min_separation};
  const auto from = sources(batch);
  for (int i = 0; i < 4; ++i) {
    in.x_t0[i] = reinterpret_cast<const double*>(from[i]->x_t0.data());
    in.x_t1[i] = reinterpret_cast<const double*>(from[i]->x_t1.data());
  }
  return in;
}

}  // namespace

std::span<const CcdHit> CcdBatchSolver::solve(const CcdBatch& batch) {
  assert(batch.intervals.empty() || batch.intervals.size() == batch.pairs.size());
  hits_.clear();
  ccd::FilterInput in = filter_input(batch, options_);
  std::array<std::uint32_t, ccd::kFilterBlock> survivors;
  for (std::size_t begin = 0; begin < batch.pairs.size(); begin += ccd::kFilterBlock) {
    in.count = std::min(ccd::kFilterBlock, batch.pairs.size() - begin);
    in.pairs = reinterpret_cast<const std::uint32_t(*)[4]>(batch.pairs.data() + begin);
    if (!batch.intervals.empty()) in.intervals = reinterpret_cast<const double*>(batch.intervals.data() + begin);
    const std::size_t left = ccd::filter(in, survivors.data());
    for (std::size_t i = 0; i < left; ++i) {
      const std::size_t pair = begin + survivors[i];
      const Interval interval = batch.intervals.empty() ? batch.interval : batch.intervals[pair];
      const CcdResult r = ccd::solve(batch.kind, gather(batch, batch.pairs[pair]), options_, interval);
      if (r.status != CcdStatus::none) hits_.push_back({static_cast<std::uint32_t>(pair), r});
    }
  }
  return hits_;
}

}  // namespace pliant
