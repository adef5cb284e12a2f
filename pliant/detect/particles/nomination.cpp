#include "pliant/detect/particles/nomination.h"

#include <algorithm>
#include <cmath>

#include "pliant/detect/particles/restarts.h"

namespace pliant {
namespace {

PosedMesh posed(const StillBody& body) {
  PosedMesh mesh;  // its frame was looked at when it was made
  mesh.mesh = body.mesh;
  mesh.positions = body.frame.positions();
  return mesh;
}

// The largest distance of a vertex from the centre of its region.
double widest_region(const Regions& regions, std::span<const Vec3> positions) {
  double widest_sq = 0;
  for (std::uint32_t r = 0; r < regions.table.count(); ++r)
    for (const VertexId v : regions.of(r))
      widest_sq = std::max(widest_sq, (positions[v.index()] - positions[regions.centre[r].index()]).squaredNorm());
  return std::sqrt(widest_sq);
}

}  // namespace

std::vector<WalkingBody> walking_bodies(const StillQuery& query, std::span<BodyRegions* const> regions) {
  std::vector<WalkingBody> walking;
  for (std::size_t b = 0; b < query.bodies.size(); ++b) {
    walking.push_back({&regions[b]->graph(),
                       query.bodies[b].frame.positions(),
                       regions[b]->regions().partition.region_of_vertex,
                       &regions[b]->particles(),
                       {}});
    walking.back().place();
  }
  return walking;
}

WalkLimits walk_limits(std::span<BodyRegions* const> regions, const ParticleSettings& settings) {
  WalkLimits limits{settings.relaxed_fraction, std::max(1, settings.most_sweeps), settings.synchronous};
  if (settings.most_sweeps == 0)
    for (const BodyRegions* body : regions)
      limits.most_sweeps = std::max(limits.most_sweeps, body->regions().longest_route);
  return limits;
}

Nomination::Nomination(const StillQuery& query, std::span<BodyRegions* const> regions, std::span<FreeBody* const> free,
                       const ParticleSettings& settings)
    : regions_(regions), settings_(settings), walking_(walking_bodies(query, regions)) {
  for (const StillBody& body : query.bodies) edges_.push_back(edge_lengths(posed(body)));
  for (std::size_t b = 0; b < regions.size(); ++b)
    widest_.push_back(widest_region(regions[b]->regions(), query.bodies[b].frame.positions()));
  for (std::size_t b = 0; b < free.size(); ++b) {
    repulsion_.push_back(settings.reach > 0 ? settings.reach : regions[b]->regions().reach);
    walking_[b].region_of_vertex = {};
    walking_[b].particles = &free[b]->particles;
    walking_[b].place();
  }
}

double Nomination::collision(BodyPair bodies) const {
  return collision_distance(edges_[bodies.a], edges_[bodies.b], settings_);
}

// The paper gives each body a reach and does not say which of two counts. The smaller: with that of a large body all
// its particles draw those of a small one, and the many far ones outweigh the few at the place of contact. But never
// less than it takes from the centre of a region to that of any region that can touch it, or two particles would be
// blind to a contact of their own regions; and farther than the distance that counts as near.
double Nomination::reach(BodyPair bodies) const {
  if (settings_.reach > 0) return std::max(settings_.reach, 2 * collision(bodies));
  // The predecessor's charges are not said to end anywhere: as far as any particle of the two may see.
  if (!repulsion_.empty())
    return std::max({regions_[bodies.a]->regions().reach, regions_[bodies.b]->regions().reach, 2 * collision(bodies)});
  return std::max({std::min(regions_[bodies.a]->regions().reach, regions_[bodies.b]->regions().reach),
                   widest_[bodies.a] + widest_[bodies.b], 2 * collision(bodies)});
}

// A tree over the bodies, with boxes grown by how far any particle sees, leaves only near ones to be looked at.
void Nomination::look_around(FunctionRef<bool(std::uint32_t, std::uint32_t)> wanted) {
  double farthest = 2 * settings_.collision_distance;
  for (std::size_t b = 0; b < regions_.size(); ++b)
    farthest =
        std::max({farthest, regions_[b]->regions().reach, 2 * widest_[b], 4 * edges_[b].longest, settings_.reach});
  std::vector<Aabb> boxes;
  for (const BodyRegions* body : regions_) boxes.push_back(grown(body->table().bounds(), farthest / 2));
  const auto others = [&](std::uint32_t a, std::uint32_t b) { return a != b && wanted(a, b); };
  for (const BodyPair bodies : overlapping_body_pairs(boxes, others))
    seeing_.push_back({bodies, reach(bodies), collision(bodies)});
}

WalkResult Nomination::walk(BudgetMeter& meter) {
  const Attraction force(walking_, seeing_, repulsion_);
  return Relaxation(std::span(walking_), force, walk_limits(regions_, settings_), meter).run();
}

void Nomination::nominate() {
  for (const SeeingPair& pair : seeing_) nominate(pair);
}

void Nomination::nominate(const SeeingPair& pair) {
  const ParticleCloud& a = walking_[pair.bodies.a].cloud;
  const ParticleCloud& b = walking_[pair.bodies.b].cloud;
  const double limit_sq = pair.collision_distance * pair.collision_distance;
  for (std::uint32_t i = 0; i < a.size(); ++i)
    for (std::uint32_t j = 0; j < b.size(); ++j) {
      const double d = (a[i] - b[j]).squaredNorm();
      if (d < limit_sq || d == 0) pairs_.push_back({pair.bodies, i, j, d});
    }
}

std::uint64_t Nomination::restart_others(BudgetMeter& meter) {
  std::uint64_t restarted = 0;
  std::vector<const RegionTable*> tables;
  for (const BodyRegions* body : regions_) tables.push_back(&body->table());
  const std::vector<RegionPair> known = pairs_;
  for (const SeeingPair& pair : seeing_) {
    std::vector<RegionPair> overlapping;
    if (!overlapping_regions(tables, pair.bodies, meter, overlapping)) break;
    const double limit_sq = pair.collision_distance * pair.collision_distance;
    for (RegionPair& p : overlapping) {
      if (std::binary_search(known.begin(), known.end(), p)) continue;
      if (!meter.spend(1)) return restarted;
      ++restarted;
      p.distance_sq =
          restart({walking_[p.bodies.a], regions_[p.bodies.a]->regions(), p.a},
                  {walking_[p.bodies.b], regions_[p.bodies.b]->regions(), p.b}, settings_.restarts, limit_sq);
      if (p.distance_sq < limit_sq || p.distance_sq == 0) pairs_.push_back(p);
    }
  }
  return restarted;
}

std::vector<RegionPair> Nomination::pairs() const {
  std::vector<RegionPair> ordered = pairs_;
  std::sort(ordered.begin(), ordered.end(), [](const RegionPair& x, const RegionPair& y) {
    return x.distance_sq != y.distance_sq ? x.distance_sq < y.distance_sq : x < y;
  });
  return ordered;
}

}  // namespace pliant
