#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/response/flat_step.h"
#include "pliant/response/penalty.h"

namespace pliant {
namespace {

// A pair of regions: rows of the vertices that it pushes, those of b with negative weights.
struct RegionSpring {
  std::vector<std::uint32_t> row;
  std::vector<double> weight;
  const RegionOverlap* pair = nullptr;
  double depth = 0;  // m, that counts
};

// How much of what is pushed a full overlap is worth. More than
// this throws bodies off each other that are near, before their triangles meet; less lets them sink into each other.
constexpr double kFullOverlap = 0.5;

double spread(const FlatStep& flat, const std::vector<std::uint32_t>& row, std::size_t first, std::size_t last) {
  Vec3 mean = Vec3::Zero();
  for (std::size_t i = first; i < last; ++i) mean += flat.x_t0[row[i]] / static_cast<double>(last - first);
  double most = 0;
  for (std::size_t i = first; i < last; ++i) most = std::max(most, (flat.x_t0[row[i]] - mean).norm());
  return most;
}

// Coarse spheres overlap deeply: the overlap counts as a fraction of their size, times the size of what is pushed, so
// that forces do not grow with how early the search was interrupted.
RegionSpring spring_of(const FlatStep& flat, const RegionOverlap& pair) {
  RegionSpring spring;
  spring.pair = &pair;
  for (const auto& [vertices, body, sign] :
       {std::tuple(&pair.a, pair.contact.a.body, 1.0), std::tuple(&pair.b, pair.contact.b.body, -1.0)})
    for (const VertexId v : *vertices) {
      spring.row.push_back(flat.slot(body, v));
      spring.weight.push_back(sign / static_cast<double>(vertices->size()));
    }
  const double local =
      std::max(spread(flat, spring.row, 0, pair.a.size()), spread(flat, spring.row, pair.a.size(), spring.row.size()));
  spring.depth = std::min(pair.contact.depth, kFullOverlap * local * pair.contact.depth / pair.size);
  return spring;
}

std::vector<RegionSpring> region_springs(const FlatStep& flat, std::span<const RegionOverlap> regions) {
  std::vector<RegionSpring> springs;
  for (const RegionOverlap& pair : regions) {
    if (!(pair.contact.depth > 0) || pair.a.empty() || pair.b.empty() || !(pair.size > 0)) continue;
    springs.push_back(spring_of(flat, pair));
  }
  return springs;
}

}  // namespace

void Penalty::add_region_forces(const Step&, const FlatStep& flat, std::span<const RegionOverlap> regions,
                                std::span<Vec3> forces, std::vector<Impact>& impacts) const {
  const std::vector<RegionSpring> springs = region_springs(flat, regions);
  std::vector<std::uint32_t> count(flat.size(), 0);
  for (const RegionSpring& spring : springs)
    for (const std::uint32_t row : spring.row) ++count[row];
  std::vector<Vec3> received(settings_.averaged ? flat.size() : 0, Vec3::Zero());
  const double omega = std::numbers::pi / (2 * settings_.seconds);
  for (const RegionSpring& spring : springs) {
    double mobility = 0;
    Vec3 v = Vec3::Zero();
    for (std::size_t i = 0; i < spring.row.size(); ++i) {
      // A vertex lends each of its springs an equal part of its mass, as in add_forces(); when forces are averaged it
      // lends all of it to each.
      const double shared = settings_.averaged ? 1 : count[spring.row[i]];
      mobility += spring.weight[i] * spring.weight[i] * flat.inverse_mass[spring.row[i]] * shared;
      v += spring.weight[i] * flat.v_t1[spring.row[i]];
    }
    if (!(mobility > 0)) continue;
    const Contact& contact = spring.pair->contact;
    const double approach = -contact.normal.dot(v);
    const double push = std::max(0.0, omega * (omega * spring.depth + 2 * settings_.damping * approach) / mobility);
    const Vec3 force = push * contact.normal;
    if (force == Vec3::Zero()) continue;
    for (std::size_t i = 0; i < spring.row.size(); ++i)
      (settings_.averaged ? received[spring.row[i]] : forces[spring.row[i]]) += spring.weight[i] * force;
    impacts.push_back({contact, force * flat.seconds});
  }
  for (std::size_t i = 0; i < received.size(); ++i)
    if (count[i] > 0) forces[i] += received[i] / count[i];
}

}  // namespace pliant
