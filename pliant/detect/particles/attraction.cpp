#include "pliant/detect/particles/attraction.h"

#include <algorithm>
#include <cmath>

#include "pliant/mesh/topology.h"

namespace pliant {

EdgeLengths edge_lengths(const PosedMesh& mesh) {
  EdgeLengths lengths;
  for (const Edge& e : mesh.mesh->topology().edges()) {
    const double length = (mesh.positions[e[0].index()] - mesh.positions[e[1].index()]).norm();
    lengths.sum += length;
    lengths.longest = std::max(lengths.longest, length);
  }
  lengths.count = mesh.mesh->topology().edges().size();
  return lengths;
}

double collision_distance(const EdgeLengths& a, const EdgeLengths& b, const ParticleSettings& settings) {
  if (settings.collision_distance > 0) return settings.collision_distance;
  // Rounded up: exactly as far apart as that is near enough.
  if (settings.longest_edge) return (a.longest + b.longest) / std::sqrt(3.0) * (1 + 1e-12);
  return (a.sum + b.sum) / static_cast<double>(std::max<std::size_t>(1, a.count + b.count));
}

Attraction::Attraction(std::span<WalkingBody> bodies, std::span<const SeeingPair> pairs,
                       std::span<const double> repulsion)
    : bodies_(bodies), seen_(bodies.size()), repulsion_(repulsion) {
  for (const SeeingPair& pair : pairs) {
    const double reach_sq = pair.reach * pair.reach;
    const double least = 1e-9 * pair.reach;
    seen_[pair.bodies.a].push_back({pair.bodies.b, reach_sq, least * least});
    seen_[pair.bodies.b].push_back({pair.bodies.a, reach_sq, least * least});
  }
}

double Attraction::operator()(std::uint32_t body, std::uint32_t particle, const Vec3& p) const {
  double sum = 0;
  for (const Seen& seen : seen_[body]) sum += bodies_[seen.body].cloud.pull_on(p, seen.reach_sq, seen.least_sq);
  if (repulsion_.empty()) return sum;
  ParticleCloud& own = bodies_[body].cloud;
  const Vec3 at = own[particle];
  own.take_away(particle);
  const double reach = repulsion_[body], least = 1e-9 * reach;
  sum -= own.pull_on(p, reach * reach, least * least);
  own.set(particle, at);
  return sum;
}

}  // namespace pliant
