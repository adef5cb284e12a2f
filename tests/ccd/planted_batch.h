// Planted queries (planted.h) as a batch, and what is wrong with an answer to one.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "pliant/ccd/batch.h"
#include "tests/ccd/planted.h"

namespace pliant {

class PlantedBatch {
 public:
  PlantedBatch(CcdKind kind, PlantFamily family, std::size_t count, PlantRandom& random) : kind_(kind) {
    for (std::size_t i = 0; i < count; ++i) add(plant(kind, family, random));
  }

  const std::vector<Planted>& planted() const { return planted_; }

  // One answer a query, the misses included.
  std::vector<CcdResult> solve(CcdBatchSolver& solver, Interval interval = {0, 1}) const {
    const CcdVertices vertices(x_t0_, x_t1_);
    std::vector<CcdResult> answers(planted_.size());
    const auto hits =
        solver.solve({.kind = kind_, .first = &vertices, .second = &vertices, .pairs = pairs_, .interval = interval});
    for (const CcdHit& hit : hits) answers[hit.pair] = hit.result;
    return answers;
  }

 private:
  void add(const Planted& p) {
    const auto first = static_cast<std::uint32_t>(x_t0_.size());
    pairs_.push_back({first, first + 1, first + 2, first + 3});
    x_t0_.insert(x_t0_.end(), p.query.x_t0.begin(), p.query.x_t0.end());
    x_t1_.insert(x_t1_.end(), p.query.x_t1.begin(), p.query.x_t1.end());
    planted_.push_back(p);
  }

  CcdKind kind_;
  std::vector<Planted> planted_;
  std::vector<Vec3> x_t0_, x_t1_;
  std::vector<CcdPair> pairs_;
};

// Empty if the answer is right.
inline std::string disagreement(const Planted& p, const CcdResult& r) {
  if (r.status != (p.collides ? CcdStatus::hit : CcdStatus::none)) return p.collides ? "not a hit" : "not none";
  if (!p.collides) return "";
  if (r.t_lo > p.time) return "t_lo is late: " + std::to_string(r.t_lo - p.time);
  if (r.t_hi < p.time) return "t_hi is early: " + std::to_string(p.time - r.t_hi);
  if (r.t_hi - r.t_lo > 1.01e-10) return "wide: " + std::to_string(r.t_hi - r.t_lo);
  if (r.initial != (p.time == 0)) return r.initial ? "not initial" : "initial";
  if (p.place_known && (std::abs(r.u - p.u) > 1e-4 || std::abs(r.v - p.v) > 1e-4)) {
    return "at (" + std::to_string(r.u) + ", " + std::to_string(r.v) + ")";
  }
  return "";
}

}  // namespace pliant
