#include "pliant/bodies/gas_layout.h"

#include <algorithm>
#include <numeric>

#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// The faces (v, a, b) around a vertex, put end to end: each fan goes back to where it began, and the vertex itself
// stands after it, so that what the kernel adds up between fans is nothing.
std::vector<std::uint32_t> fans_around(const TriangleMesh& mesh, VertexId v) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> faces;
  for (const FaceId f : mesh.topology().faces_of_vertex(v)) {
    const Triangle& t = mesh.triangle(f);
    for (std::size_t i = 0; i < 3; ++i)
      if (t[i] == v) faces.emplace_back(t[(i + 1) % 3].value, t[(i + 2) % 3].value);
  }
  std::vector<std::uint32_t> ring;
  while (!faces.empty()) {
    const std::uint32_t begin = faces.front().first;
    std::uint32_t at = begin;
    const auto next_face = [&] {
      return std::find_if(faces.begin(), faces.end(), [&](const auto& face) { return face.first == at; });
    };
    for (auto next = next_face(); next != faces.end(); next = next_face()) {
      ring.push_back(at);
      at = next->second;
      faces.erase(next);
    }
    if (faces.empty() && ring.front() == begin) break;
    ring.push_back(at);
    ring.push_back(v.value);
  }
  return ring;
}

}  // namespace

std::vector<GasLayout::Neighbours> GasLayout::neighbours_of(const TriangleMesh& mesh, std::span<const GasSpring> edges,
                                                            std::span<const GasSpring> others) {
  std::vector<Neighbours> all(mesh.vertex_count());
  for (std::uint32_t v = 0; v < all.size(); ++v) {
    for (const std::uint32_t near : fans_around(mesh, VertexId(v))) all[v].ring.push_back({near});
    for (const EdgeId e : mesh.topology().edges_of_vertex(VertexId(v))) {
      const GasSpring& spring = edges[e.index()];
      const std::uint32_t far = spring.a == v ? spring.b : spring.a;
      const auto entry = std::find_if(all[v].ring.begin(), all[v].ring.end(),
                                      [far](const Entry& one) { return one.neighbour == far; });
      *entry = {far, spring.length, spring.stiffness};
    }
  }
  for (const GasSpring& spring : others) {
    all[spring.a].others.push_back({spring.b, spring.length, spring.stiffness});
    all[spring.b].others.push_back({spring.a, spring.length, spring.stiffness});
  }
  return all;
}

GasLayout::GasLayout(const TriangleMesh& mesh, std::span<const GasSpring> edges, std::span<const GasSpring> others,
                     double damping)
    : node_of_(mesh.vertex_count()), vertex_of_(mesh.vertex_count()), damping_(damping) {
  const std::vector<Neighbours> all = neighbours_of(mesh, edges, others);
  std::iota(vertex_of_.begin(), vertex_of_.end(), 0);
  std::stable_sort(vertex_of_.begin(), vertex_of_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(all[a].ring.size(), all[a].others.size()) < std::pair(all[b].ring.size(), all[b].others.size());
  });
  for (std::uint32_t node = 0; node < vertex_of_.size(); ++node) node_of_[vertex_of_[node]] = node;
  while (vertex_of_.size() % gas::kLanes != 0) vertex_of_.push_back(static_cast<std::uint32_t>(all.size()));
  for (std::size_t block = 0; block < vertex_of_.size() / gas::kLanes; ++block) add_block(all, block);
  first_.push_back(static_cast<std::uint32_t>(neighbour_.size() / gas::kLanes));
}

// Shorter rings end with their first vertex again, which adds no face.
void GasLayout::add_block(std::span<const Neighbours> all, std::size_t block) {
  const std::size_t begin = block * gas::kLanes;
  std::size_t ring = 1, others = 0;
  const auto of_lane = [&](std::size_t lane) {
    const std::uint32_t vertex = vertex_of_[begin + lane];
    return vertex < all.size() ? &all[vertex] : nullptr;
  };
  for (std::size_t lane = 0; lane < gas::kLanes; ++lane)
    if (const Neighbours* one = of_lane(lane)) {
      ring = std::max(ring, one->ring.size());
      others = std::max(others, one->others.size());
    }
  first_.push_back(static_cast<std::uint32_t>(neighbour_.size() / gas::kLanes));
  ring_.push_back(static_cast<std::uint32_t>(ring));
  for (std::size_t e = 0; e < ring + others; ++e)
    for (std::size_t lane = 0; lane < gas::kLanes; ++lane) {
      const auto self = static_cast<std::uint32_t>(begin + lane);
      Entry entry{self};
      if (const Neighbours* one = of_lane(lane)) {
        if (e < one->ring.size()) entry = one->ring[e];
        else if (e < ring) entry = {one->ring.front().neighbour};
        else if (e - ring < one->others.size()) entry = one->others[e - ring];
        else entry = {vertex_of_[self]};
        entry.neighbour = node_of_[entry.neighbour];
      }
      neighbour_.push_back(entry.neighbour);
      length_.push_back(entry.length);
      stiffness_.push_back(entry.stiffness);
    }
}

gas::GasArrays GasLayout::arrays() const {
  return {first_.data(), ring_.data(), neighbour_.data(), length_.data(), stiffness_.data(), ring_.size(), damping_};
}

std::vector<double> GasLayout::pack(std::span<const Vec3> x, std::span<const Vec3> v,
                                    std::span<const double> inverse_masses) const {
  std::vector<double> nodes(vertex_of_.size() * gas::kNode, 0);
  pack(x, v, inverse_masses, nodes);
  return nodes;
}

GasLayout::Same GasLayout::pack(std::span<const Vec3> x, std::span<const Vec3> v,
                                std::span<const double> inverse_masses, std::span<double> nodes) const {
  Same same;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double* const node = nodes.data() + gas::kNode * node_of_[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      same.positions = same.positions && node[k] == x[i][axis];
      same.velocities = same.velocities && node[gas::kVector + k] == v[i][axis];
      node[k] = x[i][axis];
      node[gas::kVector + k] = v[i][axis];
    }
    node[3] = inverse_masses[i];
  }
  return same;
}

}  // namespace pliant
