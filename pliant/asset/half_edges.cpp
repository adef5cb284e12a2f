#include "pliant/asset/half_edges.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/core/disjoint_sets.h"

namespace pliant {
namespace {

bool runs_upward(std::span<const Triangle> triangles, std::uint32_t h) {
  return start_of(triangles, h) < end_of(triangles, h);
}

VertexId opposite(std::span<const Triangle> triangles, std::uint32_t h) {
  return start_of(triangles, next_half_edge(next_half_edge(h)));
}

// The half-edges of one edge by the angle of their faces around it, seen against its upward direction.
std::vector<std::uint32_t> sorted_around(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                                         std::span<const std::uint32_t> group) {
  VertexId low = start_of(triangles, group[0]), high = end_of(triangles, group[0]);
  if (high < low) std::swap(low, high);
  const Vec3& origin = positions[low.index()];
  const Vec3 axis = (positions[high.index()] - origin).normalized();
  const Vec3 x = axis.unitOrthogonal(), y = axis.cross(x);
  std::vector<std::pair<double, std::uint32_t>> order;
  for (const std::uint32_t h : group) {
    const Vec3 d = positions[opposite(triangles, h).index()] - origin;
    order.emplace_back(std::atan2(d.dot(y), d.dot(x)), h);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> result;
  result.reserve(order.size());
  for (const auto& [angle, h] : order) result.push_back(h);
  return result;
}

// Going round with growing angle, one enters the inside at a face that runs downward and leaves it at one that runs
// upward: brackets, matched around the circle.
void match_around(std::span<const Triangle> triangles, const std::vector<std::uint32_t>& around, Partners& partners) {
  std::vector<std::uint32_t> entered;
  for (std::size_t step = 0; step < 2 * around.size(); ++step) {
    const std::uint32_t h = around[step % around.size()];
    if (partners[h] != kNoPartner) continue;
    if (!runs_upward(triangles, h)) {
      if (step < around.size()) entered.push_back(h);
    } else if (!entered.empty()) {
      partners[h] = entered.back();
      partners[entered.back()] = h;
      entered.pop_back();
    }
  }
}

}  // namespace

EdgeGroups::EdgeGroups(std::span<const Triangle> triangles) {
  struct Key {
    std::uint32_t low, high, half_edge;
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> keys;
  keys.reserve(3 * triangles.size());
  for (std::uint32_t h = 0; h < 3 * triangles.size(); ++h) {
    const std::uint32_t a = start_of(triangles, h).value, b = end_of(triangles, h).value;
    keys.push_back({std::min(a, b), std::max(a, b), h});
  }
  std::sort(keys.begin(), keys.end());
  half_edges_.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool is_new = i == 0 || keys[i].low != keys[i - 1].low || keys[i].high != keys[i - 1].high;
    if (is_new) starts_.push_back(static_cast<std::uint32_t>(i));
    half_edges_.push_back(keys[i].half_edge);
  }
  starts_.push_back(static_cast<std::uint32_t>(keys.size()));
}

Partners find_partners(std::span<const Vec3> positions, std::span<const Triangle> triangles, const EdgeGroups& edges) {
  Partners partners(3 * triangles.size(), kNoPartner);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto group = edges[e];
    if (group.size() == 2 && runs_upward(triangles, group[0]) != runs_upward(triangles, group[1])) {
      partners[group[0]] = group[1];
      partners[group[1]] = group[0];
    } else if (group.size() > 2) {
      match_around(triangles, sorted_around(positions, triangles, group), partners);
    }
  }
  return partners;
}

SurfaceParts find_parts(const Partners& partners) {
  const std::size_t faces = partners.size() / 3;
  DisjointSets sets(faces);
  for (std::uint32_t h = 0; h < partners.size(); ++h)
    if (partners[h] != kNoPartner) sets.unite(h / 3, partners[h] / 3);
  SurfaceParts parts;
  parts.of_face.resize(faces);
  for (std::uint32_t f = 0; f < faces; ++f) {
    const std::uint32_t root = sets.root(f);  // the smallest, so numbered already
    parts.of_face[f] = root == f ? static_cast<std::uint32_t>(parts.count++) : parts.of_face[root];
  }
  return parts;
}

}  // namespace pliant
