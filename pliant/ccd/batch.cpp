#include "pliant/ccd/batch.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "pliant/ccd/filter.h"
#include "pliant/ccd/float_vertex.h"
#include "pliant/ccd/solve.h"

namespace pliant {
namespace {

static_assert(offsetof(Interval, t0) == 0 && offsetof(Interval, t1) == sizeof(double));
static_assert(sizeof(Interval) % sizeof(double) == 0 && sizeof(CcdPair) == 4 * sizeof(std::uint32_t));

// Which vertices the four points of a pair index.
std::array<const CcdVertices*, 4> sources(const CcdBatch& batch) {
  return {batch.first, batch.kind == CcdKind::vertex_face ? batch.second : batch.first, batch.second, batch.second};
}

CcdQuery gather(const CcdBatch& batch, const CcdPair& pair) {
  const auto from = sources(batch);
  CcdQuery query;
  for (int i = 0; i < 4; ++i) {
    query.x_t0[i] = from[i]->x_t0()[pair[i]];
    query.x_t1[i] = from[i]->x_t1()[pair[i]];
  }
  return query;
}

ccd::FilterInput filter_input(const CcdBatch& batch, const CcdOptions& options) {
  ccd::FilterInput in{.vertex_face = batch.kind == CcdKind::vertex_face,
                      .interval_stride = sizeof(Interval) / sizeof(double),
                      .begin = batch.interval.t0,
                      .end = batch.interval.t1,
                      .min_separation = options.min_separation};
  const auto from = sources(batch);
  for (int i = 0; i < 4; ++i) in.vertices[i] = from[i]->floats();
  return in;
}

}  // namespace

void CcdVertices::assign(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Threads threads) {
  assert(x_t0.size() == x_t1.size());
  x_t0_ = x_t0;
  x_t1_ = x_t1;
  floats_.resize(x_t0.size());
  parallel_for(threads, floats_.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) floats_[i] = ccd::float_vertex(x_t0[i], x_t1[i]);
  });
}

std::span<const CcdHit> CcdBatchSolver::solve(const CcdBatch& batch, const FunctionRef<bool()>* go_on) {
  // What the filters leave takes from 100 ns to a millisecond each.
  constexpr std::size_t kAskEvery = 16;
  assert(batch.intervals.empty() || batch.intervals.size() == batch.pairs.size());
  hits_.clear();
  finished_ = false;
  ccd::FilterInput in = filter_input(batch, options_);
  std::array<std::uint32_t, ccd::kFilterBlock> survivors;
  for (std::size_t begin = 0; begin < batch.pairs.size(); begin += ccd::kFilterBlock) {
    in.count = std::min(ccd::kFilterBlock, batch.pairs.size() - begin);
    in.pairs = reinterpret_cast<const std::uint32_t(*)[4]>(batch.pairs.data() + begin);
    if (!batch.intervals.empty()) in.intervals = reinterpret_cast<const double*>(batch.intervals.data() + begin);
    const std::size_t left = ccd::filter(in, survivors.data());
    for (std::size_t i = 0; i < left; ++i) {
      if (go_on && i % kAskEvery == 0 && !(*go_on)()) return hits_;
      const std::size_t pair = begin + survivors[i];
      const Interval interval = batch.intervals.empty() ? batch.interval : batch.intervals[pair];
      const CcdResult r = ccd::solve(batch.kind, gather(batch, batch.pairs[pair]), options_, interval);
      if (r.status != CcdStatus::none) hits_.push_back({static_cast<std::uint32_t>(pair), r});
    }
  }
  finished_ = true;
  return hits_;
}

}  // namespace pliant
