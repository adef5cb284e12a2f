#include "pliant/mesh/partition.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "pliant/core/error.h"
#include "pliant/mesh/quantiser.h"
#include "pliant/mesh/vertex_graph.h"

namespace pliant {
namespace {

void require_attributes(const TriangleMesh& mesh, const PartitionSettings& settings) {
  for (const VertexAttribute& attribute : settings.attributes) {
    if (attribute.size == 0 || attribute.values.size() != attribute.size * mesh.vertex_count())
      throw Error("a vertex attribute has " + std::to_string(attribute.values.size()) + " numbers for " +
                      std::to_string(mesh.vertex_count()) + " vertices",
                  "give `size` numbers for each vertex");
    const auto finite = [](double x) { return std::isfinite(x); };
    if (!std::all_of(attribute.values.begin(), attribute.values.end(), finite) || !std::isfinite(attribute.weight))
      throw Error("a vertex attribute is not finite", "leave it out, or give it a number everywhere");
  }
}

// Positions such that their centroid is the origin and their bounding sphere around it has diameter 1.
std::vector<Vec3> normalised(std::span<const Vec3> positions) {
  double largest = 0;
  for (const Vec3& p : positions) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  std::vector<Vec3> x(positions.begin(), positions.end());
  if (largest == 0) return x;
  Vec3 centroid = Vec3::Zero();
  for (Vec3& p : x) centroid += p /= largest;  // first of all of size 1: no square overflows
  centroid /= static_cast<double>(x.size());
  double radius = 0;
  for (Vec3& p : x) radius = std::max(radius, (p -= centroid).norm());
  if (radius > 0)
    for (Vec3& p : x) p /= 2 * radius;
  return x;
}

struct Vectors {
  std::vector<double> numbers;
  std::size_t size;
};

// Of the vertices that are not copies of others, in their order.
Vectors vectors_of(const PosedMesh& posed, const PartitionSettings& settings) {
  const TriangleMesh& mesh = *posed.mesh;
  const std::vector<Vec3> x = settings.as_printed ? std::vector<Vec3>(posed.positions.begin(), posed.positions.end())
                                                  : normalised(posed.positions);
  const std::vector<Vec3> normals = vertex_normals(posed);
  const double normal_weight = settings.as_printed ? 1 : settings.normal_weight;
  Vectors vectors{{}, 6};
  for (const VertexAttribute& attribute : settings.attributes) vectors.size += attribute.size;
  vectors.numbers.reserve(vectors.size * mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.welded(VertexId(v)) != VertexId(v)) continue;
    for (int i = 0; i < 3; ++i) vectors.numbers.push_back(x[v][i]);
    for (int i = 0; i < 3; ++i) vectors.numbers.push_back(normal_weight * normals[v][i]);
    for (const VertexAttribute& attribute : settings.attributes)
      for (std::size_t i = 0; i < attribute.size; ++i)
        vectors.numbers.push_back(attribute.weight * attribute.values[v * attribute.size + i]);
  }
  return vectors;
}

QuantiserSettings quantiser_settings(const PartitionSettings& settings) {
  return {.split_rule = settings.as_printed ? CellSplit::multiplicative : CellSplit::principal,
          .split = settings.split,
          .stop = settings.stop,
          .most_iterations = settings.most_iterations,
          .exhaustive = settings.exhaustive,
          .threads = settings.threads};
}

// Labels of vertices that are not copies, in their order, spread over all vertices.
std::vector<std::uint32_t> spread_over_copies(const TriangleMesh& mesh, std::span<const std::uint32_t> labels) {
  std::vector<std::uint32_t> all(mesh.vertex_count());
  std::size_t next = 0;
  for (std::size_t v = 0; v < all.size(); ++v) {
    const VertexId one = mesh.welded(VertexId(v));  // the smallest, hence labelled before its copies
    all[v] = one == VertexId(v) ? labels[next++] : all[one.index()];
  }
  return all;
}

// Makes regions connected: of the pieces of each the largest stays, the others go to their neighbours.
class Connector {
 public:
  Connector(const TriangleMesh& mesh, const VertexGraph& graph, Partition& regions)
      : mesh_(mesh), graph_(graph), regions_(regions), pieces_(graph_parts(mesh, graph, regions.region_of_vertex)) {
    size_.assign(pieces_.count, 0);
    region_.assign(pieces_.count, 0);
    settled_.assign(pieces_.count, 0);
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
      const std::uint32_t piece = pieces_.part_of_vertex[v];
      region_[piece] = regions.region_of_vertex[v];
      // Vertices of no face are nobody's way: they stay where they are.
      if (graph[mesh.welded(VertexId(v))].empty()) settled_[piece] = 1;
      else ++size_[piece];
    }
  }

  void run() {
    settle_largest();
    list_edges();
    while (true) {
      if (settle_neighbours()) continue;
      const std::uint32_t left = largest_open();
      if (left == kNone) break;
      region_[left] = regions_.region_count++;
      settled_[left] = 1;
      ++regions_.added;
    }
    for (std::size_t v = 0; v < mesh_.vertex_count(); ++v)
      regions_.region_of_vertex[v] = region_[pieces_.part_of_vertex[v]];
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  void settle_largest() {
    std::vector<std::uint32_t> largest(regions_.region_count, kNone);
    for (std::uint32_t p = 0; p < pieces_.count; ++p) {
      if (size_[p] == 0) continue;
      std::uint32_t& best = largest[region_[p]];
      if (best == kNone || size_[p] > size_[best]) best = p;
    }
    for (const std::uint32_t p : largest)
      if (p != kNone) settled_[p] = 1;
  }

  // How many edges lead from each piece that is not settled to others.
  void list_edges() {
    edges_.resize(pieces_.count);
    for (std::size_t v = 0; v < mesh_.vertex_count(); ++v) {
      const std::uint32_t from = pieces_.part_of_vertex[v];
      if (settled_[from]) continue;
      for (const VertexId to : graph_[VertexId(v)])
        if (pieces_.part_of_vertex[to.index()] != from) ++edges_[from][pieces_.part_of_vertex[to.index()]];
    }
  }

  bool settle_neighbours() {
    bool any = false;
    for (std::uint32_t p = 0; p < pieces_.count; ++p) {
      if (settled_[p]) continue;
      std::map<std::uint32_t, std::uint32_t> shared;  // edges by region
      for (const auto& [other, count] : edges_[p])
        if (settled_[other]) shared[region_[other]] += count;
      if (shared.empty()) continue;
      const auto most = std::max_element(shared.begin(), shared.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      region_[p] = most->first;
      settled_[p] = 1;
      any = true;
    }
    return any;
  }

  std::uint32_t largest_open() const {
    std::uint32_t best = kNone;
    for (std::uint32_t p = 0; p < pieces_.count; ++p)
      if (!settled_[p] && (best == kNone || size_[p] > size_[best])) best = p;
    return best;
  }

  const TriangleMesh& mesh_;
  const VertexGraph& graph_;
  Partition& regions_;
  GraphParts pieces_;
  std::vector<std::uint32_t> size_;
  std::vector<std::uint32_t> region_;
  std::vector<std::uint8_t> settled_;
  std::vector<std::map<std::uint32_t, std::uint32_t>> edges_;
};

}  // namespace

std::uint32_t Partition::region_of_face(const TriangleMesh& mesh, FaceId face) const {
  const Triangle& t = mesh.triangle(face);
  const auto region = [&](std::size_t i) { return region_of_vertex[t[i].index()]; };
  return region(1) == region(2) ? region(1) : region(0);
}

PartitionJob::PartitionJob(const PosedMesh& mesh, std::uint32_t regions, const PartitionSettings& settings)
    : mesh_(mesh.mesh), settings_(settings), asked_(regions) {
  if (regions == 0) throw Error("a partition needs at least one region", "ask for 1 or more");
  require_attributes(*mesh.mesh, settings);
  Vectors vectors = vectors_of(mesh, settings);
  quantiser_ =
      std::make_unique<Quantiser>(std::move(vectors.numbers), vectors.size, regions, quantiser_settings(settings));
}

PartitionJob::~PartitionJob() = default;
PartitionJob::PartitionJob(PartitionJob&&) noexcept = default;
PartitionJob& PartitionJob::operator=(PartitionJob&&) noexcept = default;

bool PartitionJob::step() { return quantiser_->step(); }

Partition PartitionJob::finish() {
  quantiser_->run();
  Partition result;
  result.region_of_vertex = spread_over_copies(*mesh_, quantiser_->cell_of_vector());
  result.region_count = result.region_of_vertex.empty() ? 0 : quantiser_->cell_count();
  result.asked = asked_;
  result.empty_cells = quantiser_->empty_cells();
  result.distortions = quantiser_->distortions();
  if (settings_.connected) Connector(*mesh_, vertex_graph(*mesh_), result).run();
  return result;
}

Partition partition(const PosedMesh& mesh, std::uint32_t regions, const PartitionSettings& settings) {
  return PartitionJob(mesh, regions, settings).finish();
}

Partition split_regions(const PosedMesh& mesh, const Partition& before, std::span<const std::uint32_t> regions,
                        const PartitionSettings& settings) {
  const Vectors all = vectors_of(mesh, settings);
  // By vertex that is no copy; which of them each vector belongs to.
  std::vector<std::uint32_t> labels;
  for (std::size_t v = 0; v < before.region_of_vertex.size(); ++v)
    if (mesh.mesh->welded(VertexId(v)) == VertexId(v)) labels.push_back(before.region_of_vertex[v]);
  Partition after = before;
  for (const std::uint32_t region : regions) {
    std::vector<std::size_t> own;
    std::vector<double> numbers;
    for (std::size_t m = 0; m < labels.size(); ++m) {
      if (labels[m] != region) continue;
      own.push_back(m);
      numbers.insert(numbers.end(), all.numbers.begin() + static_cast<std::ptrdiff_t>(m * all.size),
                     all.numbers.begin() + static_cast<std::ptrdiff_t>((m + 1) * all.size));
    }
    if (own.empty()) continue;
    Quantiser halves(std::move(numbers), all.size, 2, quantiser_settings(settings));
    halves.run();
    if (halves.cell_count() < 2) continue;
    for (std::size_t k = 0; k < own.size(); ++k)
      if (halves.cell_of_vector()[k] == 1) labels[own[k]] = after.region_count;
    ++after.region_count;
  }
  after.region_of_vertex = spread_over_copies(*mesh.mesh, labels);
  after.asked = after.region_count;
  if (settings.connected) Connector(*mesh.mesh, vertex_graph(*mesh.mesh), after).run();
  return after;
}

}  // namespace pliant
