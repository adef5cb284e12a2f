#include "pliant/detect/brute_force/brute_force.h"

#include "pliant/detect/brute_force/moving_rows.h"
#include "pliant/detect/moving/moving_detector.h"

namespace pliant {

const MethodInfo BruteForceDetector::kInfo{
    .name = "brute-force",
    .answers = "every pair of triangles (moving: of features), one by one: the oracle",
    .guarantee = "exact",
    .paper = "none (it is the definition)",
    .still = true,
    .moving = true};

namespace {

constexpr std::size_t kRows = 16;  // faces of the first body per task

struct Rows {
  BodyPair pair;
  std::uint32_t begin;
  std::uint32_t end;
};

void cut_into_rows(BodyPair pair, std::size_t faces, std::vector<Rows>& rows) {
  for (std::size_t begin = 0; begin < faces; begin += kRows)
    rows.push_back(
        {pair, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::min(faces, begin + kRows))});
}

TaskFindings test_rows(const StillQuery& query, const Rows& rows, BudgetMeter& meter) {
  TaskFindings found;
  const StillPair pair = query.pair(rows.pair.a, rows.pair.b);
  const auto faces_b = static_cast<std::uint32_t>(pair.b().mesh->face_count());
  for (std::uint32_t a = rows.begin; a < rows.end; ++a) {
    for (std::uint32_t b = pair.is_self() ? a + 1 : 0; b < faces_b; ++b) {
      if (!meter.spend()) return found;
      if (query.candidates_only) {
        ++found.candidates;
        continue;
      }
      ++found.triangle_tests;
      const Relation relation = pair.test(FaceId(a), FaceId(b));
      if (relation != Relation::none) found.add({rows.pair.a, rows.pair.b, FaceId(a), FaceId(b), relation});
    }
  }
  found.finished = true;
  return found;
}

}  // namespace

StillFindings BruteForceDetector::search(const StillQuery& query, BudgetState& state, Goal goal) {
  last_segment_ = Interval::instant(query.time);
  std::vector<Rows> rows;
  const auto count = static_cast<std::uint32_t>(query.bodies.size());
  for (std::uint32_t a = 0; a < count; ++a)
    for (std::uint32_t b = a; b < count; ++b)
      if (wants(query, {a, b})) cut_into_rows({a, b}, query.bodies[a].mesh->face_count(), rows);

  SearchTasks tasks(state, settings().threads);
  auto found = tasks.run(rows.size(), goal == Goal::any,
                         [&](std::size_t i, BudgetMeter& meter) { return test_rows(query, rows[i], meter); });

  StillFindings findings;
  std::optional<BodyPair> named;  // rows of one pair stand together
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool finished = found[i].finished;
    findings.add(std::move(found[i]));
    if (finished || tasks.over() || named == rows[i].pair) continue;
    findings.unresolved.push_back(whole_bodies(query.bodies[rows[i].pair.a], query.bodies[rows[i].pair.b]));
    named = rows[i].pair;
  }
  return findings;
}

Report BruteForceDetector::run_moving(SweptGoal goal, const Interval& interval, const Budget& budget,
                                      ContactSink* sink) {
  const auto wants_pair = [this](BodyId a, BodyId b) { return wants_bodies(a, b); };
  MovingRun run({*this, wants_pair, feature_filter(), goal}, budget);
  return run.run(interval, sink, [this](const SweptQuery& query, SearchTasks& tasks) {
    last_segment_ = query.segment;
    return search_moving_rows(query, tasks);
  });
}

Report BruteForceDetector::find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) {
  if (interval.is_instant()) return StillDetector::find_contacts(interval, budget, sink);
  return run_moving(goal_of(settings()), interval, budget, sink);
}

std::optional<bool> BruteForceDetector::find_any(const Interval& interval, const Budget& budget) {
  if (interval.is_instant()) return StillDetector::find_any(interval, budget);
  return any_contact(run_moving(SweptGoal::any, interval, budget, nullptr));
}

std::optional<Region> BruteForceDetector::find_region(BodyId id, std::uint32_t region) const {
  if (region != 0) return std::nullopt;
  std::vector<FaceId> faces;
  for (std::size_t f = 0; f < body(id).mesh->face_count(); ++f) faces.emplace_back(f);
  Aabb box;
  for (const double t : {last_segment_.t0, last_segment_.t1})
    box.add(Aabb::of_points(body(id).motion.positions_at(t).positions()));
  return region_of(std::move(faces), box);
}

}  // namespace pliant
