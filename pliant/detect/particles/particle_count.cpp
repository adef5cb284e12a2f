#include "pliant/detect/particles/particle_count.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "pliant/bounds/aabb.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/vertex_graph.h"

namespace pliant {
namespace {

constexpr std::uint32_t kNobody = 0xffffffffu;

// Parts of the surface by vertex; parts without critical vertices first, then these.
class PartFinder {
 public:
  PartFinder(const TriangleMesh& mesh, const VertexGraph& graph, std::span<const std::uint8_t> critical)
      : mesh_(mesh), graph_(graph) {
    std::vector<std::uint32_t> label(mesh.vertex_count(), 0);
    for (std::size_t v = 0; v < label.size(); ++v)
      if (critical[v]) label[v] = static_cast<std::uint32_t>(v) + 1;  // each on its own
    const GraphParts pieces = graph_parts(mesh, graph, label);
    std::vector<std::uint32_t> number(pieces.count, kNobody);
    part_.assign(mesh.vertex_count(), kNobody);
    for (std::size_t v = 0; v < label.size(); ++v) {
      if (critical[v] || graph[mesh.welded(VertexId(v))].empty()) continue;
      std::uint32_t& n = number[pieces.part_of_vertex[v]];
      if (n == kNobody) n = count_++;
      part_[v] = n;
    }
  }

  std::vector<std::uint32_t> find() {
    if (count_ == 0) {
      std::fill(part_.begin(), part_.end(), 0);
      return part_;
    }
    give_back_critical();
    merge_small();
    return part_;
  }

 private:
  // Breadth first from all parts at once.
  void give_back_critical() {
    std::vector<VertexId> open;
    for (std::size_t v = 0; v < part_.size(); ++v)
      if (part_[v] != kNobody) open.emplace_back(v);
    for (std::size_t next = 0; next < open.size(); ++next) {
      const VertexId from = open[next];
      for (const VertexId to : graph_[mesh_.welded(from)]) {
        if (part_[to.index()] != kNobody) continue;
        part_[to.index()] = part_[from.index()];
        open.push_back(to);
      }
    }
    for (std::size_t v = 0; v < part_.size(); ++v) {
      if (part_[v] == kNobody) part_[v] = part_[mesh_.welded(VertexId(v)).index()];
      if (part_[v] == kNobody) part_[v] = 0;
    }
  }

  void merge_small() {
    std::vector<std::size_t> size(count_, 0);
    for (const std::uint32_t p : part_) ++size[p];
    std::vector<std::map<std::uint32_t, std::size_t>> edges(count_);
    for (std::size_t v = 0; v < part_.size(); ++v)
      for (const VertexId to : graph_[VertexId(v)])
        if (part_[to.index()] != part_[v]) ++edges[part_[v]][part_[to.index()]];
    const auto largest = static_cast<std::uint32_t>(std::max_element(size.begin(), size.end()) - size.begin());
    const auto is_small = [&](std::uint32_t p) { return p != largest && size[p] * 100 < part_.size(); };
    std::vector<std::uint32_t> into(count_);
    for (std::uint32_t p = 0; p < count_; ++p) {
      into[p] = p;
      if (!is_small(p)) continue;
      into[p] = largest;
      std::size_t most = 0;
      for (const auto& [other, shared] : edges[p])
        if (!is_small(other) && shared > most) most = shared, into[p] = other;
    }
    for (std::uint32_t& p : part_) p = into[p];
  }

  const TriangleMesh& mesh_;
  const VertexGraph& graph_;
  std::vector<std::uint32_t> part_;
  std::uint32_t count_ = 0;
};

// Ritter's sphere ("An efficient bounding sphere", 1990): a few per cent larger than the smallest one.
PartSphere sphere_around(const std::vector<Vec3>& points) {
  const auto farthest_from = [&](const Vec3& from) {
    const Vec3* best = &points[0];
    for (const Vec3& p : points)
      if ((p - from).squaredNorm() > (*best - from).squaredNorm()) best = &p;
    return *best;
  };
  const Vec3 a = farthest_from(points[0]), b = farthest_from(a);
  PartSphere sphere{0.5 * a + 0.5 * b, 0.5 * (b - a).norm(), points.size()};
  for (const Vec3& p : points) {
    const double distance = (p - sphere.centre).norm();
    if (!(distance > sphere.radius)) continue;
    const double radius = 0.5 * sphere.radius + 0.5 * distance;
    sphere.centre += (distance - radius) / distance * (p - sphere.centre);
    sphere.radius = radius;
  }
  return sphere;
}

}  // namespace

double shadow_ratio(double large, double small) {
  const double sine = small / (large + small);  // sine of half the angle that a sphere is seen under
  const double root = std::sqrt(large / (large + small) * ((large + small + small) / (large + small)));
  return 2 * (1 + root) / (sine * sine);
}

std::uint32_t touching_spheres(double large, double small) {
  if (std::abs(large - small) <= 1e-6 * large) return 12;
  return static_cast<std::uint32_t>(std::min(shadow_ratio(large, small), 4e9));
}

std::vector<std::uint8_t> critical_vertices(const PosedMesh& posed, double degrees) {
  const std::vector<Vec3> normals = vertex_normals(posed);
  const VertexGraph graph = vertex_graph(*posed.mesh);
  const double limit = sin_cos(degrees * kPi / 180).cos;
  std::vector<std::uint8_t> critical(posed.positions.size(), 0);
  for (std::size_t v = 0; v < critical.size(); ++v)
    for (const VertexId to : graph[VertexId(v)]) {
      const bool both = !normals[v].isZero(0) && !normals[to.index()].isZero(0);
      if (both && normals[v].dot(normals[to.index()]) < limit) critical[v] = 1;
    }
  return critical;
}

std::vector<PartSphere> part_spheres(const PosedMesh& posed, double critical_angle) {
  if (posed.positions.empty()) return {};
  const VertexGraph graph = vertex_graph(*posed.mesh);
  const std::vector<std::uint8_t> critical = critical_vertices(posed, critical_angle);
  const std::vector<std::uint32_t> part = PartFinder(*posed.mesh, graph, critical).find();
  std::map<std::uint32_t, std::vector<Vec3>> points;
  for (std::size_t v = 0; v < part.size(); ++v) points[part[v]].push_back(posed.positions[v]);
  std::vector<PartSphere> spheres;
  spheres.reserve(points.size());
  for (const auto& [number, of_part] : points) spheres.push_back(sphere_around(of_part));
  return spheres;
}

std::vector<std::uint32_t> particle_counts(std::span<const PosedMesh> bodies, const ParticleSettings& settings) {
  std::vector<std::vector<PartSphere>> parts;
  Aabb scene;
  double smallest = std::numeric_limits<double>::infinity();
  for (const PosedMesh& body : bodies) {
    parts.push_back(part_spheres(body, settings.critical_angle));
    scene.add(Aabb::of_points(body.positions));
    for (const PartSphere& part : parts.back()) smallest = std::min(smallest, part.radius);
  }
  smallest = std::max(smallest, 1e-3 * scene.diagonal());
  std::vector<std::uint32_t> counts;
  for (const std::vector<PartSphere>& of_body : parts) {
    std::uint64_t sum = 0;
    for (const PartSphere& part : of_body) {
      const std::uint32_t touching = smallest > 0 && std::isfinite(smallest) && std::isfinite(part.radius)
                                         ? touching_spheres(std::max(part.radius, smallest), smallest)
                                         : 1;
      sum += std::max(settings.least_regions, std::min(touching, settings.most_regions));
    }
    if (settings.count_bodies) sum = std::min<std::uint64_t>(sum, std::max<std::size_t>(1, bodies.size() - 1));
    counts.push_back(static_cast<std::uint32_t>(std::clamp<std::uint64_t>(sum, 1, 1 << 16)));
  }
  return counts;
}

}  // namespace pliant
