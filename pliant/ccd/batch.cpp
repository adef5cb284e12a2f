#include "pliant/ccd/batch.h"

namespace pliant {
namespace {

CcdQuery gather(const CcdBatch& batch, const CcdPair& p) {
  const CcdPositions &a = batch.first, &b = batch.second;
  const CcdPositions& second = batch.kind == CcdKind::vertex_face ? b : a;
  return {{a.x_t0[p[0]], second.x_t0[p[1]], b.x_t0[p[2]], b.x_t0[p[3]]},
          {a.x_t1[p[0]], second.x_t1[p[1]], b.x_t1[p[2]], b.x_t1[p[3]]}};
}

}  // namespace

std::span<const CcdHit> CcdBatchSolver::solve(const CcdBatch& batch) {
  hits_.clear();
  for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
    const Interval interval = batch.intervals.empty() ? batch.interval : batch.intervals[i];
    const CcdResult r = pair_ccd(batch.kind, gather(batch, batch.pairs[i]), options_, interval);
    if (r.status != CcdStatus::none) hits_.push_back({static_cast<std::uint32_t>(i), r});
  }
  return hits_;
}

}  // namespace pliant
