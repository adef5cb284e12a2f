#include "pliant/detect/moving/candidate_solver.h"

#include <cmath>
#include <vector>

namespace pliant {

namespace {

constexpr std::size_t kSpares = 6;

// Memory of solvers that are gone, for the next ones on the same thread: tasks are many and short, and fresh memory
// would cost them more than their work.
std::vector<CandidateSolver::Memory>& spares() {
  thread_local std::vector<CandidateSolver::Memory> memory;
  return memory;
}

CandidateSolver::Memory memory_for(std::size_t pairs) {
  if (spares().empty())
    return {std::unique_ptr<CcdPair[]>(new CcdPair[pairs]),
            std::unique_ptr<std::uint32_t[]>(new std::uint32_t[2 * pairs])};
  CandidateSolver::Memory memory = std::move(spares().back());
  spares().pop_back();
  return memory;
}

}  // namespace

CandidateSolver::CandidateSolver(const SweptQuery& query, BodyPair pair, EarliestTime& earliest, SweptTaskHits& found,
                                 BudgetState& state)
    : query_(query),
      pair_(pair),
      earliest_(earliest),
      found_(found),
      state_(state),
      solver_(CcdOptions{.min_separation = query.min_separation}) {
  found_.pair = pair;
  open(streams_[0], CcdKind::vertex_face, pair.a, pair.b);
  open(streams_[1], CcdKind::vertex_face, pair.b, pair.a);
  open(streams_[2], CcdKind::edge_edge, pair.a, pair.b);
}

void CandidateSolver::open(Stream& stream, CcdKind kind, std::uint32_t first, std::uint32_t second) {
  stream.owner_ = this;
  stream.filter_ = query_.filter;
  stream.kind_ = kind;
  stream.first_ = &query_.bodies[first];
  stream.second_ = &query_.bodies[second];
  stream.memory_ = memory_for(Stream::kBlock + kRoom);
  stream.buffer_.corners = reinterpret_cast<std::uint32_t(*)[4]>(stream.memory_.corners.get());
  stream.buffer_.features = reinterpret_cast<std::uint32_t(*)[2]>(stream.memory_.features.get());
}

CandidateSolver::~CandidateSolver() {
  for (Stream& stream : streams_)
    if (spares().size() < kSpares) spares().push_back(std::move(stream.memory_));
}

void CandidateSolver::Stream::drop_unwanted() {
  std::size_t kept = checked_;
  for (std::size_t i = checked_; i < buffer_.count; ++i) {
    const std::uint32_t a = buffer_.features[i][0], b = buffer_.features[i][1];
    if (!wanted(a, b)) continue;
    memory_.corners[kept] = memory_.corners[i];
    buffer_.features[kept][0] = a;
    buffer_.features[kept][1] = b;
    ++kept;
  }
  buffer_.count = checked_ = kept;
}

Feature CandidateSolver::Stream::feature_a(std::uint32_t id) const {
  return {first_->id, kind_ == CcdKind::vertex_face ? FeatureKind::vertex : FeatureKind::edge, id};
}

Feature CandidateSolver::Stream::feature_b(std::uint32_t id) const {
  return {second_->id, kind_ == CcdKind::vertex_face ? FeatureKind::face : FeatureKind::edge, id};
}

bool CandidateSolver::Stream::wanted(std::uint32_t a, std::uint32_t b) const {
  return filter_->features(feature_a(a), feature_b(b));
}

void CandidateSolver::flush() {
  for (Stream& stream : streams_) solve(stream);
}

void CandidateSolver::solve(Stream& stream) {
  const std::span<const CcdPair> pairs(stream.memory_.corners.get(), stream.buffer_.count);
  stream.buffer_.count = stream.checked_ = 0;
  if (pairs.empty()) return;
  found_.pair_tests += pairs.size();
  if (query_.goal == SweptGoal::candidates) return;
  const double limit = query_.wants_first_only() ? earliest_.limit() : 1;
  const CcdBatch batch{stream.kind_, &stream.first_->vertices, &stream.second_->vertices, pairs, {0, limit}, {}};
  const auto has_time = [this] { return !(found_.late = found_.late || state_.is_late()); };
  const FunctionRef<bool()> ask(has_time);
  std::size_t kept = 0;
  for (const CcdHit& hit : solver_.solve(batch, &ask)) {
    if (kept++ % 16 == 0 && !has_time()) return;
    keep(stream, hit, limit < 1);
  }
}

void CandidateSolver::keep(const Stream& stream, const CcdHit& found, bool restricted) {
  const std::uint32_t a = stream.buffer_.features[found.pair][0], b = stream.buffer_.features[found.pair][1];
  const auto index_of = [&](const SweptBody& body) { return static_cast<std::uint32_t>(&body - query_.bodies.data()); };
  SweptHit hit{.a = stream.feature_a(a),
               .b = stream.feature_b(b),
               .body_a = index_of(stream.first()),
               .body_b = index_of(stream.second()),
               .result = found.result};
  // The same bits as in a search for all contacts.
  if (restricted) hit.result = pair_ccd(stream.kind_, motion_of(query_, hit).points, solver_.options());
  hit.time = query_.time_at(hit.result.t_lo);
  decide_touch(query_, hit);
  if (query_.last) keep(hit);
  else if (const auto before_end = without_end(query_, hit)) keep(*before_end);
}

void CandidateSolver::keep(const SweptHit& hit) {
  found_.any_certain = found_.any_certain || hit.is_certain();
  const bool all = query_.goal == SweptGoal::all || query_.goal == SweptGoal::any;
  if (all || (query_.goal == SweptGoal::earliest_new && hit.result.initial)) {
    found_.hits.push_back(hit);
    return;
  }
  earliest_.found(hit.result.t_lo);
  if (!found_.best || hit < *found_.best) found_.best = hit;
}

}  // namespace pliant
