#include "pliant/ccd/ccd.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

#include "pliant/ccd/clip_solver.h"
#include "pliant/ccd/exact.h"
#include "pliant/ccd/filter.h"
#include "pliant/ccd/float_vertex.h"
#include "pliant/ccd/min_separation.h"
#include "pliant/ccd/solve.h"

namespace pliant {
namespace ccd {
namespace {

bool all_finite(const CcdQuery& query) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < 4; ++i) sum += query.x_t0[i] * 0.0 + query.x_t1[i] * 0.0;
  return sum == Vec3::Zero();
}

// One query through double, double-double and exact arithmetic, each given only the spans of time that the one before
// could not decide.
class Cascade {
 public:
  Cascade(CcdKind kind, const CcdQuery& query, const CcdOptions& options, Interval interval)
      : kind_(kind),
        query_(query),
        options_(options),
        interval_(interval),
        d_(make_differences<double>(kind, query)),
        iterations_left_(options.max_iterations > 0 ? options.max_iterations : std::numeric_limits<int>::max()) {}

  CcdResult run();

 private:
  template <class Real>
  Scan scan(const Differences<Real>& d, Interval span, ClipLimits limits);
  std::optional<CcdResult> decide(Interval span);
  CcdResult refined(Interval hit);
  std::optional<CcdResult> decide_exactly(Interval span) const;
  bool comes_close(Interval span) const;
  bool has_common_point_at_start() const;
  CcdResult undecided(const Scan& left) const;
  CcdResult result(CcdStatus status, Interval t, bool initial) const;

  CcdKind kind_;
  const CcdQuery& query_;
  const CcdOptions& options_;
  Interval interval_;
  Differences<double> d_;
  int iterations_left_;
};

template <class Real>
Scan Cascade::scan(const Differences<Real>& d, Interval span, ClipLimits limits) {
  Scan left;
  if (!d.trusted()) {
    left.add_open(span);
    return left;
  }
  limits.time_tolerance = std::max(options_.time_tolerance, limits.narrowest);
  limits.iterations = iterations_left_;
  left = ClipSolver<Real>(kind_, d, limits).scan(span);
  iterations_left_ -= left.iterations;
  return left;
}

CcdResult Cascade::result(CcdStatus status, Interval t, bool initial) const {
  const double middle = t.t0 + 0.5 * t.length();
  // Squares of squares of the differences must neither overflow nor vanish.
  const double size = larger(d_.scale.x, larger(d_.scale.y, d_.scale.z));
  const bool tame = size < 0x1p100 && size > 0x1p-100;
  const Coordinates x = closest(kind_, at(tame ? d_ : make_differences<double>(kind_, rescaled(query_).query), middle));
  return {status, initial, t.t0, t.t1, x.u, x.v};
}

// Proved: at some time of the span a point of each feature is within the distance tolerance of the other. The error of
// that distance is bounded as in min_separation.cpp.
bool Cascade::comes_close(Interval span) const {
  if (!(options_.distance_tolerance > 0) || !d_.trusted()) return false;
  const Triple<double> v = at(d_, span.t0 + 0.5 * span.length());
  const Vector<double> n = between(kind_, v, closest(kind_, v));
  const double noise = 16 * 0x1p-53 * (d_.scale.x + d_.scale.y + d_.scale.z);
  return std::sqrt(dot(n, n)) + noise <= options_.distance_tolerance;
}

// Some spans stay undecided; a certain contact behind them bounds the time of the first.
CcdResult Cascade::undecided(const Scan& left) const {
  const double lo = left.open[0].t0;
  const bool initial = lo == interval_.t0;
  if (left.hit) return result(CcdStatus::hit, {lo, left.hit->t1}, initial);
  return result(CcdStatus::possible, {lo, left.open[left.open_count - 1].t1}, initial);
}

std::optional<CcdResult> Cascade::decide_exactly(Interval span) const {
  const auto t = exact_first_contact(kind_, query_, span, options_.time_tolerance);
  if (!t) return std::nullopt;
  return result(CcdStatus::hit, *t, t->t1 == interval_.t0);
}

// nullopt: no contact in the span.
std::optional<CcdResult> Cascade::decide(Interval span) {
  const auto d = make_differences<DoubleDouble>(kind_, query_);
  const Scan left = scan(d, span, {.narrowest = 0x1p-50, .bisections = options_.exact ? 2 : 16});
  if (left.capped || (left.open_count > 0 && !options_.exact)) return undecided(left);
  for (int i = 0; i < left.open_count; ++i) {
    if (const auto r = decide_exactly(left.open[i])) return r;
  }
  if (!left.hit) return std::nullopt;
  if (options_.exact && left.hit->length() > options_.time_tolerance) return decide_exactly(*left.hit);
  return result(CcdStatus::hit, *left.hit, false);
}

// Seams that open, and sheets laid on each other vertex by vertex, have many of these; without this every one of them
// would go through all stages.
bool Cascade::has_common_point_at_start() const {
  if (interval_.t0 != 0 && interval_.t0 != 1) return false;
  const auto& x = interval_.t0 == 0 ? query_.x_t0 : query_.x_t1;
  if (kind_ == CcdKind::vertex_face) return x[0] == x[1] || x[0] == x[2] || x[0] == x[3];
  return x[0] == x[2] || x[0] == x[3] || x[1] == x[2] || x[1] == x[3];
}

// Spans narrower than 2^-44 of the motion, or more than a few dozen of them, are better left to the next stage.
CcdResult Cascade::run() {
  if (has_common_point_at_start()) return result(CcdStatus::hit, {interval_.t0, interval_.t0}, true);
  const Scan left = scan(d_, interval_, {.narrowest = 0x1p-44, .bisections = 24});
  if (left.capped) return undecided(left);
  for (int i = 0; i < left.open_count; ++i) {
    if (comes_close(left.open[i])) return undecided(left);
    if (const auto r = decide(left.open[i])) {
      if (r->status != CcdStatus::possible) return *r;
      // Behind it, what was left open here still is.
      Scan rest = left;
      rest.open[0] = {r->t_lo, std::max(r->t_hi, left.open[left.open_count - 1].t1)};
      rest.open_count = 1;
      return undecided(rest);
    }
  }
  return left.hit ? refined(*left.hit) : CcdResult{};
}

// A certain contact whose time double arithmetic cannot tell as closely as it should is told by the next stages.
CcdResult Cascade::refined(Interval hit) {
  if (hit.length() > options_.time_tolerance) {
    if (const auto r = decide(hit); r && r->status == CcdStatus::hit) return *r;
  }
  return result(CcdStatus::hit, hit, false);
}

// The filters of batches, on one pair: whatever they reject there, they reject here.
bool filtered_out(CcdKind kind, const CcdQuery& query, const CcdOptions& options, Interval interval) {
  static constexpr std::uint32_t kPair[1][4] = {{0, 1, 2, 3}};
  std::array<FloatVertex, 4> v;
  for (int i = 0; i < 4; ++i) v[i] = float_vertex(query.x_t0[i], query.x_t1[i]);
  std::uint32_t survivor = 0;
  return filter({.vertex_face = kind == CcdKind::vertex_face,
                 .vertices = {v.data(), v.data(), v.data(), v.data()},
                 .pairs = kPair,
                 .count = 1,
                 .begin = interval.t0,
                 .end = interval.t1,
                 .min_separation = options.min_separation},
                &survivor) == 0;
}

}  // namespace

CcdResult solve(CcdKind kind, const CcdQuery& query, const CcdOptions& options, Interval interval) {
  assert(0 <= interval.t0 && interval.t0 <= interval.t1 && interval.t1 <= 1);
  if (!all_finite(query)) return {CcdStatus::possible, true, interval.t0, interval.t1, 0, 0};
  if (options.min_separation > 0) return min_separation_ccd(kind, query, options, interval);
  return Cascade(kind, query, options, interval).run();
}

}  // namespace ccd

CcdResult pair_ccd(CcdKind kind, const CcdQuery& query, const CcdOptions& options, Interval interval) {
  if (ccd::filtered_out(kind, query, options, interval)) return {};
  return ccd::solve(kind, query, options, interval);
}

CcdResult vertex_face_ccd(const CcdQuery& query, const CcdOptions& options, Interval interval) {
  return pair_ccd(CcdKind::vertex_face, query, options, interval);
}

CcdResult edge_edge_ccd(const CcdQuery& query, const CcdOptions& options, Interval interval) {
  return pair_ccd(CcdKind::edge_edge, query, options, interval);
}

}  // namespace pliant
