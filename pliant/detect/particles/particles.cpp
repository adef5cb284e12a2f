#include "pliant/detect/particles/particles.h"

#include <algorithm>
#include <cmath>

#include "pliant/detect/overlay.h"
#include "pliant/detect/particles/nomination.h"
#include "pliant/detect/particles/particle_count.h"
#include "pliant/detect/particles/witnesses.h"
#include "pliant/detect/still/clear_fans.h"

namespace pliant {
namespace {

constexpr std::size_t kPairsAtOnce = 32;

bool is_limited(const Budget& budget) { return budget.deadline() || budget.operation_limit(); }

// An eighth of what there is, for work that only prepares the rest.
Budget eighth_of(const Budget& budget) {
  Budget part = budget.without_progress();
  if (const auto operations = budget.operation_limit()) part = part & Budget::operations(*operations / 8);
  if (const auto deadline = budget.deadline()) {
    const auto now = budget.now();
    part = part & Budget::until(now + (*deadline - now) / 8);
  }
  return part;
}

}  // namespace

// ---- bodies ----

void ParticleDetector::body_removed(BodyId body) {
  if (body.index() < bodies_.size()) bodies_[body.index()].reset();
  if (body.index() < free_.size()) free_[body.index()] = {};
  counts_known_ = false;
}

void ParticleDetector::forget_time(double) {
  free_.clear();
  for (const auto& body : bodies_)
    if (body) body->start_again();
}

std::vector<std::uint32_t> ParticleDetector::region_counts(const StillQuery& query) const {
  if (own_.regions > 0) return std::vector<std::uint32_t>(query.bodies.size(), own_.regions);
  if (is_paper()) {
    std::vector<PosedMesh> bodies;
    for (const StillBody& body : query.bodies) bodies.emplace_back(*body.mesh);
    return particle_counts(bodies, own_);
  }
  std::vector<std::uint32_t> counts;
  for (const StillBody& body : query.bodies) {
    const double root = std::sqrt(static_cast<double>(body.mesh->face_count()));
    counts.push_back(static_cast<std::uint32_t>(std::clamp(std::round(own_.regions_per_root * root), 1.0, 65536.0)));
  }
  return counts;
}

bool ParticleDetector::make_missing(const StillQuery& query, BudgetState& state) {
  if (!counts_known_) count_regions(query);
  while (!unmade_.empty() && bodies_[unmade_.back().index()]->make(state)) unmade_.pop_back();
  return unmade_.empty();
}

void ParticleDetector::count_regions(const StillQuery& query) {
  unmade_.clear();
  const std::vector<std::uint32_t> counts = region_counts(query);
  for (std::size_t b = 0; b < query.bodies.size(); ++b) {
    const BodyId id = query.bodies[b].id;
    bodies_.resize(std::max(bodies_.size(), id.index() + 1));
    std::unique_ptr<BodyRegions>& regions = bodies_[id.index()];
    if (!regions || regions->asked() != counts[b])
      regions = std::make_unique<BodyRegions>(
          body(id).mesh, counts[b], own_, is_paper() ? RegionFaces::touching : RegionFaces::owned, settings().threads);
    unmade_.push_back(id);
  }
  counts_known_ = true;
}

void ParticleDetector::follow(const StillQuery& query, Counters& counters) {
  for (const StillBody& body : query.bodies) {
    const BodyRegions::Changes changes = regions_of(body).follow(body);
    counters.add("regions", regions_of(body).table().count());
    counters.add("repartitions", changes.finished ? 1 : 0);
  }
}

std::vector<RegionTable*> ParticleDetector::tables(const StillQuery& query) {
  std::vector<RegionTable*> tables;
  for (const StillBody& body : query.bodies)
    tables.push_back(is_free() ? &free_[body.id.index()].table : &regions_of(body).table());
  return tables;
}

StillFindings ParticleDetector::search(const StillQuery& query, BudgetState& state, Goal goal) {
  if (!make_missing(query, state)) return leave_whole_bodies(query);
  Counters counters;
  follow(query, counters);
  StillFindings findings = is_paper() ? search_as_printed(query, state, goal) : search_safely(query, state, goal);
  counters.merge(findings.counters);
  findings.counters = std::move(counters);
  return findings;
}

// Of a surface that is not cut yet nothing is known but where it is.
StillFindings ParticleDetector::leave_whole_bodies(const StillQuery& query) const {
  StillFindings findings;
  findings.statistical = is_paper();
  findings.interrupted = true;
  std::vector<Aabb> boxes;
  for (const StillBody& body : query.bodies) boxes.push_back(Aabb::of_points(body.frame.positions()));
  for (const BodyPair pair : overlapping_body_pairs(boxes, [&](std::uint32_t a, std::uint32_t b) {
         return wants(query, {a, b}) && !(is_paper() && a == b);
       }))
    findings.unresolved.push_back(whole_bodies(query.bodies[pair.a], query.bodies[pair.b]));
  return findings;
}

// ---- the exact tests ----

UnresolvedPair ParticleDetector::unresolved(const StillQuery& query, const RegionPair& pair) const {
  const StillBody& a = query.bodies[pair.bodies.a];
  const StillBody& b = query.bodies[pair.bodies.b];
  return unresolved_pair(region_feature(a.id, pair.a + 1), table_of(a.id).node(pair.a).box(),
                         region_feature(b.id, pair.b + 1), table_of(b.id).node(pair.b).box());
}

namespace {

// In paper mode a face at the border of a region is in several, so that a pair of faces can be in several pairs of
// regions: it belongs to the first of them.
class FirstPairs {
 public:
  FirstPairs(const StillQuery& query, std::span<const RegionPair> pairs, std::span<const Partition* const> partitions)
      : query_(query), partitions_(partitions) {
    for (std::uint32_t i = 0; i < pairs.size(); ++i) order_.push_back({pairs[i], i});
    std::sort(order_.begin(), order_.end());
  }

  bool is_first(const FaceHit& hit, std::uint32_t number) const {
    for (const VertexId v : query_.bodies[hit.body_a].mesh->triangle(hit.face_a))
      for (const VertexId w : query_.bodies[hit.body_b].mesh->triangle(hit.face_b)) {
        const RegionPair pair{{hit.body_a, hit.body_b},
                              partitions_[hit.body_a]->region_of_vertex[v.index()],
                              partitions_[hit.body_b]->region_of_vertex[w.index()]};
        const auto found = std::lower_bound(order_.begin(), order_.end(), Numbered{pair, 0});
        if (found != order_.end() && found->pair == pair && found->number < number) return false;
      }
    return true;
  }

 private:
  struct Numbered {
    RegionPair pair;
    std::uint32_t number;
    friend auto operator<=>(const Numbered&, const Numbered&) = default;
  };
  const StillQuery& query_;
  std::span<const Partition* const> partitions_;
  std::vector<Numbered> order_;
};

}  // namespace

void ParticleDetector::test_regions(const StillQuery& query, std::span<const RegionPair> pairs, BudgetState& state,
                                    Goal goal, StillFindings& findings) {
  const std::vector<RegionTable*> all = tables(query);
  std::vector<std::vector<std::uint8_t>> clear(query.bodies.size());
  for (std::size_t b = 0; b < all.size(); ++b) all[b]->prepare_faces(query.bodies[b]);
  for (const RegionPair& pair : pairs) {
    all[pair.bodies.a]->fit_faces(pair.a, query.bodies[pair.bodies.a]);
    all[pair.bodies.b]->fit_faces(pair.b, query.bodies[pair.bodies.b]);
    if (pair.bodies.a == pair.bodies.b && clear[pair.bodies.a].empty())
      clear[pair.bodies.a] = clear_fans(query.bodies[pair.bodies.a], settings().threads);
  }
  std::vector<const Partition*> partitions;
  for (const StillBody& body : query.bodies)
    partitions.push_back(is_free() ? &free_[body.id.index()].areas : &regions_of(body).regions().partition);
  const FirstPairs first(query, is_paper() ? pairs : std::span<const RegionPair>(), partitions);
  const std::vector<std::span<const std::uint8_t>> clear_of(clear.begin(), clear.end());
  const RegionTests tests(query, all, clear_of);
  const std::vector<std::span<const RegionPair>> runs = cut_into_runs(pairs, kPairsAtOnce);
  std::vector<std::size_t> tested(runs.size(), 0);
  SearchTasks tasks(state, settings().threads);
  auto found = tasks.run(runs.size(), goal == Goal::any, [&](std::size_t i, BudgetMeter& meter) {
    if (!is_paper()) return tests.run(runs[i], meter, tested[i], nullptr);
    return tests.run(runs[i], meter, tested[i],
                     [&](const RegionPair& pair, std::vector<FaceHit>& hits, std::size_t before) {
                       const auto number = static_cast<std::uint32_t>(&pair - pairs.data());
                       const auto own = hits.begin() + static_cast<std::ptrdiff_t>(before);
                       const auto is_known = [&](const FaceHit& hit) { return !first.is_first(hit, number); };
                       hits.erase(std::remove_if(own, hits.end(), is_known), hits.end());
                     });
  });
  for (std::size_t i = 0; i < runs.size(); ++i) {
    findings.add(std::move(found[i]));
    if (tasks.over()) continue;
    for (const RegionPair& pair : runs[i].subspan(tested[i])) findings.unresolved.push_back(unresolved(query, pair));
  }
  findings.counters.add("region_pairs", pairs.size());
}

// ---- safe mode ----

// Those of different bodies by the distance of their particles, then those within a body.
void ParticleDetector::order_by_witnesses(const StillQuery& query, std::vector<RegionPair>& pairs, BudgetMeter& meter,
                                          Counters& counters) {
  std::vector<BodyRegions*> regions;
  for (const StillBody& body : query.bodies) regions.push_back(&regions_of(body));
  std::vector<WalkingBody> walking = walking_bodies(query, regions);
  const WitnessForce force(walking, pairs);
  const WalkResult walked = Relaxation(std::span(walking), force, walk_limits(regions, own_), meter).run();
  counters.add("sweeps", walked.sweeps);
  counters.add("particle_moves", walked.moves);
  for (RegionPair& pair : pairs) {
    pair.distance_sq = std::numeric_limits<double>::infinity();
    if (pair.bodies.a == pair.bodies.b) continue;
    const double d = (walking[pair.bodies.a].cloud[pair.a] - walking[pair.bodies.b].cloud[pair.b]).squaredNorm();
    if (!std::isnan(d)) pair.distance_sq = d;
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const RegionPair& x, const RegionPair& y) { return x.distance_sq < y.distance_sq; });
}

StillFindings ParticleDetector::search_safely(const StillQuery& query, BudgetState& state, Goal goal) {
  const std::vector<RegionTable*> all = tables(query);
  std::vector<Aabb> boxes;
  boxes.reserve(all.size());
  for (const RegionTable* table : all) boxes.push_back(table->bounds());
  const std::vector<BodyPair> near = overlapping_body_pairs(boxes, [&](std::uint32_t a, std::uint32_t b) {
    return wants(query, {a, b});
  });

  StillFindings findings;
  std::vector<RegionPair> pairs;
  const std::vector<const RegionTable*> looked_at(all.begin(), all.end());
  BudgetMeter meter(state);
  for (const BodyPair bodies : near) {
    const std::size_t before = pairs.size();
    if (overlapping_regions(looked_at, bodies, meter, pairs)) continue;
    pairs.resize(before);
    findings.unresolved.push_back(whole_bodies(query.bodies[bodies.a], query.bodies[bodies.b]));
  }
  std::uint64_t used = meter.used();
  if (goal == Goal::any || own_.always_walk || is_limited(state.budget())) {
    BudgetState part(eighth_of(without_operations(state.budget(), used)));
    BudgetMeter part_meter(part);
    order_by_witnesses(query, pairs, part_meter, findings.counters);
    used += part_meter.used();
  }
  BudgetState rest(without_operations(state.budget(), used));
  test_regions(query, pairs, rest, goal, findings);
  if (rest.stopped()) state.stop(rest.reason());
  return findings;
}

// ---- paper mode ----

std::vector<FreeBody*> ParticleDetector::free_bodies(const StillQuery& query) {
  std::vector<FreeBody*> free;
  if (!is_free()) return free;
  for (const StillBody& body : query.bodies) free_.resize(std::max(free_.size(), body.id.index() + 1));
  for (const StillBody& body : query.bodies) {
    const BodyRegions& regions = regions_of(body);
    FreeBody& one = free_[body.id.index()];
    if (one.particles.empty())
      one.particles = random_vertices(*body.mesh, regions.graph(), regions.table().count(),
                                      std::uint64_t{own_.seed} + body.id.value);
    free.push_back(&one);
  }
  return free;
}

StillFindings ParticleDetector::search_as_printed(const StillQuery& query, BudgetState& state, Goal goal) {
  StillFindings findings;
  findings.statistical = true;
  std::vector<BodyRegions*> regions;
  for (const StillBody& body : query.bodies) regions.push_back(&regions_of(body));
  const std::vector<FreeBody*> free = free_bodies(query);
  BudgetMeter meter(state);
  Nomination nomination(query, regions, free, own_);
  nomination.look_around([&](std::uint32_t a, std::uint32_t b) { return wants(query, {a, b}); });
  const WalkResult walked = nomination.walk(meter);
  findings.counters.add("sweeps", walked.sweeps);
  findings.counters.add("particle_moves", walked.moves);
  nomination.nominate();
  findings.counters.add("nominated", nomination.pairs().size());
  if (own_.restarts > 0 && !is_free()) findings.counters.add("restarted", nomination.restart_others(meter));
  for (std::size_t b = 0; b < free.size(); ++b) {
    cut_areas(*free[b], *query.bodies[b].mesh, regions[b]->graph());
    free[b]->table.refit(settings().threads, query.bodies[b].frame.positions());
  }

  const std::vector<RegionPair> pairs = nomination.pairs();
  findings.interrupted = state.stopped();
  if (findings.interrupted) {
    for (const RegionPair& pair : pairs) findings.unresolved.push_back(unresolved(query, pair));
    return findings;
  }
  BudgetState rest(without_operations(state.budget(), meter.used()));
  test_regions(query, pairs, rest, goal, findings);
  if (rest.stopped()) state.stop(rest.reason());
  return findings;
}

// ---- what others may know ----

std::optional<Region> ParticleDetector::find_region(BodyId id, std::uint32_t number) const {
  if (number == 0) return StillDetector::find_region(id, 0);
  if (id.index() >= bodies_.size() || !bodies_[id.index()] || !bodies_[id.index()]->is_made()) return std::nullopt;
  if (is_free() && id.index() >= free_.size()) return std::nullopt;
  const RegionTable& table = table_of(id);
  if (number > table.count()) return std::nullopt;
  std::vector<FaceId> faces;
  for (const std::uint32_t f : table.faces_of(number - 1)) faces.emplace_back(f);
  return region_of(std::move(faces), table.node(number - 1).box());
}

void ParticleDetector::draw(const Report&, detail::Overlay& overlay) const {
  for (const BodyId id : body_ids()) {
    if (id.index() >= bodies_.size() || !bodies_[id.index()] || !bodies_[id.index()]->is_made()) continue;
    if (is_free() && id.index() >= free_.size()) continue;
    const RegionTable& table = table_of(id);
    for (std::uint32_t r = 0; r < table.count(); ++r) overlay.add_box(id, table.node(r).box());
  }
  if (!is_paper()) overlay.join_open_boxes();
}

Division ParticleDetector::division(BodyId id) const {
  Division division;
  if (id.index() >= bodies_.size() || !bodies_[id.index()] || !bodies_[id.index()]->is_made()) return division;
  const bool free = is_free() && id.index() < free_.size();
  const BodyRegions& regions = *bodies_[id.index()];
  const Partition& partition = free ? free_[id.index()].areas : regions.regions().partition;
  for (std::size_t f = 0; f < regions.mesh().face_count(); ++f)
    division.region_of_face.push_back(partition.region_of_face(regions.mesh(), FaceId(f)));
  division.particles = free ? free_[id.index()].particles : regions.particles();
  return division;
}

std::size_t ParticleDetector::bytes() const {
  std::size_t sum = 0;
  for (const auto& body : bodies_) sum += body ? body->bytes() : 0;
  for (const FreeBody& body : free_) sum += body.table.bytes();
  return sum;
}

}  // namespace pliant
