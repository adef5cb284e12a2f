#include "pliant/detect/particles/body_regions.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// The longest route along edges between two of some vertices, from below: in every connected part from the first of
// them to the farthest one, and on from there to the one farthest from that.
class RouteFinder {
 public:
  RouteFinder(const VertexGraph& graph, std::span<const VertexId> vertices)
      : graph_(graph), steps_(graph.size(), kNotReached), is_end_(graph.size(), 0) {
    for (const VertexId v : vertices) is_end_[v.index()] = 1;
  }

  int longest(std::span<const VertexId> vertices) {
    int longest = 0;
    for (const VertexId v : vertices) {
      if (!is_end_[v.index()]) continue;  // in a part that was looked at
      const VertexId far = farthest_from(v);
      longest = std::max(longest, steps_[far.index()]);
      clear();
      longest = std::max(longest, steps_[farthest_from(far).index()]);
      for (const VertexId seen : open_) is_end_[seen.index()] = 0;
      clear();
    }
    return longest;
  }

 private:
  static constexpr int kNotReached = -1;

  VertexId farthest_from(VertexId start) {
    VertexId farthest = start;
    open_.assign(1, start);
    steps_[start.index()] = 0;
    for (std::size_t next = 0; next < open_.size(); ++next) {
      const VertexId from = open_[next];
      if (is_end_[from.index()] && steps_[from.index()] > steps_[farthest.index()]) farthest = from;
      for (const VertexId to : graph_[from])
        if (steps_[to.index()] == kNotReached) {
          steps_[to.index()] = steps_[from.index()] + 1;
          open_.push_back(to);
        }
    }
    return farthest;
  }
  void clear() {
    for (const VertexId v : open_) steps_[v.index()] = kNotReached;
  }

  const VertexGraph& graph_;
  std::vector<int> steps_;
  std::vector<std::uint8_t> is_end_;
  std::vector<VertexId> open_;
};

double largest_distance(std::span<const Vec3> positions, std::span<const VertexId> vertices) {
  double largest_sq = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      largest_sq =
          std::max(largest_sq, (positions[vertices[i].index()] - positions[vertices[j].index()]).squaredNorm());
  return std::sqrt(largest_sq);
}

VertexId nearest_to_mean(std::span<const Vec3> positions, std::span<const VertexId> vertices) {
  Vec3 mean = Vec3::Zero();
  for (const VertexId v : vertices) mean += positions[v.index()] / static_cast<double>(vertices.size());
  VertexId best = vertices[0];
  for (const VertexId v : vertices)
    if ((positions[v.index()] - mean).squaredNorm() < (positions[best.index()] - mean).squaredNorm()) best = v;
  return best;
}

void list_region_vertices(const TriangleMesh& mesh, Regions& regions) {
  const std::uint32_t count = regions.partition.region_count;
  const auto& region_of = regions.partition.region_of_vertex;
  regions.first.assign(count + 1, 0);
  for (std::size_t v = 0; v < region_of.size(); ++v)
    if (mesh.welded(VertexId(v)) == VertexId(v)) ++regions.first[region_of[v] + 1];
  for (std::uint32_t r = 0; r < count; ++r) regions.first[r + 1] += regions.first[r];
  regions.vertices.resize(regions.first[count]);
  std::vector<std::uint32_t> next(regions.first.begin(), regions.first.end() - 1);
  for (std::size_t v = 0; v < region_of.size(); ++v)
    if (mesh.welded(VertexId(v)) == VertexId(v)) regions.vertices[next[region_of[v]]++] = VertexId(v);
}

// Along edges of the region, always to the neighbour farthest ahead, until none is ahead: how long the way was.
double length_of_walk(const PosedMesh& posed, const VertexGraph& graph, const Regions& regions, VertexId from,
                      const Vec3& direction) {
  const auto& region_of = regions.partition.region_of_vertex;
  double length = 0;
  const std::size_t most = regions.of(region_of[from.index()]).size();  // rounding could lead around in a circle
  for (std::size_t k = 0; k < most; ++k) {
    VertexId best = from;
    double farthest = 0;
    for (const VertexId to : graph[from]) {
      if (region_of[to.index()] != region_of[from.index()]) continue;
      const double ahead = (posed.positions[to.index()] - posed.positions[from.index()]).dot(direction);
      if (ahead > farthest) farthest = ahead, best = to;
    }
    if (best == from) break;
    length += (posed.positions[best.index()] - posed.positions[from.index()]).norm();
    from = best;
  }
  return length;
}

double double_face_area(const PosedMesh& posed, FaceId f) {
  return (posed.corner(f, 1) - posed.corner(f, 0)).cross(posed.corner(f, 2) - posed.corner(f, 0)).norm();
}

double rectangle_size(const PosedMesh& posed, const VertexGraph& graph, const Regions& regions, std::uint32_t r) {
  const VertexId centre = regions.centre[r];
  if (!regions.material[r].valid()) return 0;
  Vec3 normal = Vec3::Zero();
  for (const FaceId f : posed.mesh->topology().faces_of_vertex(centre))
    normal += (posed.corner(f, 1) - posed.corner(f, 0)).cross(posed.corner(f, 2) - posed.corner(f, 0));
  normal.normalize();
  const Vec3 edge = posed.positions[regions.material[r].index()] - posed.positions[centre.index()];
  const Vec3 x = (edge - edge.dot(normal) * normal).normalized();
  const Vec3 y = normal.cross(x);
  const auto walk = [&](const Vec3& direction) { return length_of_walk(posed, graph, regions, centre, direction); };
  return (walk(x) + walk(-x)) * (walk(y) + walk(-y));
}

}  // namespace

Regions make_regions(const PosedMesh& posed, const VertexGraph& graph, Partition partition, RegionFaces which) {
  const TriangleMesh& mesh = *posed.mesh;
  Regions regions;
  regions.table = RegionTable(mesh, partition, which);
  regions.partition = std::move(partition);
  list_region_vertices(mesh, regions);
  for (std::uint32_t r = 0; r < regions.partition.region_count; ++r) {
    const VertexId centre = nearest_to_mean(posed.positions, regions.of(r));
    regions.centre.push_back(centre);
    VertexId material;
    for (const VertexId to : graph[centre])
      if (!material.valid() && regions.partition.region_of_vertex[to.index()] == r) material = to;
    regions.material.push_back(material);
  }
  if (which == RegionFaces::touching) regions.reach = largest_distance(posed.positions, regions.centre);
  regions.longest_route = RouteFinder(graph, regions.centre).longest(regions.centre) + 1;
  return regions;
}

double region_size(const PosedMesh& posed, const VertexGraph& graph, const Regions& regions, std::uint32_t region,
                   bool true_area) {
  if (!true_area) return rectangle_size(posed, graph, regions, region);
  double sum = 0;
  for (const std::uint32_t f : regions.table.faces_of(region)) sum += 0.5 * double_face_area(posed, FaceId(f));
  return sum;
}

double surface_area(const PosedMesh& posed) {
  double sum = 0;
  for (std::size_t f = 0; f < posed.mesh->face_count(); ++f) sum += 0.5 * double_face_area(posed, FaceId(f));
  return sum;
}

BodyRegions::BodyRegions(MeshPtr mesh, std::uint32_t count, const ParticleSettings& settings, RegionFaces which,
                         Threads threads)
    : mesh_(std::move(mesh)),
      count_(count),
      settings_(settings),
      which_(which),
      threads_(threads),
      graph_(vertex_graph(*mesh_)),
      job_(std::in_place, mesh_, count, partition_settings()) {}

// Of the body at rest, so that regions do not depend on the frame that is asked about first.
bool BodyRegions::make(BudgetState& state) {
  if (is_made_) return true;
  while (!state.is_late())
    if (!job_->step()) {
      first_ = job_->finish();
      job_.reset();
      adopt(make_regions(mesh_, graph_, first_, which_));
      measure_rest();
      is_made_ = true;
      return true;
    }
  return false;
}

void BodyRegions::measure_rest() {
  if (!settings_.repartition) return;
  frames_since_ = settings_.repartition_gap;
  for (std::uint32_t r = 0; r < regions_.table.count(); ++r)
    largest_size_ = std::max(largest_size_, region_size(mesh_, graph_, regions_, r, settings_.true_area));
  rest_area_ = surface_area(mesh_);
}

PartitionSettings BodyRegions::partition_settings() const {
  PartitionSettings settings;
  settings.normal_weight = settings_.normal_weight;
  settings.split = settings_.split;
  // Boxes are as good after a third of the iterations; where particles walk, regions of equal size count.
  settings.stop = settings_.stop > 0 ? settings_.stop : which_ == RegionFaces::owned ? 0.05 : 1e-3;
  settings.as_printed = settings_.printed_split;
  settings.connected = which_ == RegionFaces::touching;  // boxes do not mind, and more regions are slower
  settings.threads = threads_;
  return settings;
}

// Particles start in the middle of their regions.
void BodyRegions::adopt(Regions regions) {
  regions_ = std::move(regions);
  particles_ = regions_.centre;
}

void BodyRegions::start_again() {
  if (!is_made_) return;
  job_.reset();
  frames_since_ = settings_.repartition_gap;
  next_checked_ = 0;
  fitted_ = 0;
  if (is_first_) {
    particles_ = regions_.centre;
    return;
  }
  adopt(make_regions(mesh_, graph_, first_, which_));
  is_first_ = true;
}

std::vector<std::uint32_t> BodyRegions::stretched(const PosedMesh& posed, std::uint32_t begin,
                                                  std::uint32_t end) const {
  constexpr double kSlack = 1 + 1e-6;  // the largest region at rest is as large as itself, up to rounding
  const double times = settings_.stretch > 0 ? settings_.stretch : which_ == RegionFaces::owned ? 2 : 1;
  std::vector<std::uint32_t> large;
  for (std::uint32_t r = begin; r < end; ++r)
    if (region_size(posed, graph_, regions_, r, settings_.true_area) > times * largest_size_ * kSlack)
      large.push_back(r);
  return large;
}

// All regions in every frame where they decide what is found; a few of them in every frame where they do not.
bool BodyRegions::is_stretched(const PosedMesh& posed) {
  constexpr std::uint32_t kFrames = 40;  // a cut costs some hundred searches: it need not come at once
  const std::uint32_t count = regions_.table.count();
  if (which_ == RegionFaces::touching) return !stretched(posed, 0, count).empty();
  const std::uint32_t begin = next_checked_ < count ? next_checked_ : 0;
  next_checked_ = std::min(count, begin + (count + kFrames - 1) / kFrames);
  return !stretched(posed, begin, next_checked_).empty();
}

// As many more regions as there is more surface.
void BodyRegions::start_partition(const PosedMesh& posed) {
  constexpr double kMost = 4096;
  const double growth = rest_area_ > 0 ? std::max(1.0, surface_area(posed) / rest_area_) : 1;
  const double wanted = std::max<double>(count_, std::min(kMost, std::ceil(growth * count_)));
  job_.emplace(posed, static_cast<std::uint32_t>(wanted), partition_settings());
}

// A region that is too large even so is cut in two, until none is.
bool BodyRegions::work_on_partition(const PosedMesh& posed) {
  constexpr int kMostCuts = 8;
  for (int k = 0; k < settings_.repartition_steps; ++k) {
    if (job_->step()) continue;
    Partition next = job_->finish();
    job_.reset();
    adopt(make_regions(posed, graph_, std::move(next), which_));
    for (int cut = 0; cut < kMostCuts; ++cut) {
      const std::vector<std::uint32_t> large = stretched(posed, 0, regions_.table.count());
      if (large.empty()) break;
      adopt(make_regions(posed, graph_, split_regions(posed, regions_.partition, large, partition_settings()), which_));
    }
    is_first_ = false;
    frames_since_ = 0;
    return true;
  }
  return false;
}

BodyRegions::Changes BodyRegions::follow(const StillBody& body) {
  Changes changes;
  if (fitted_ == body.frame.stamp()) return changes;
  fitted_ = body.frame.stamp();
  const std::span<const Vec3> x = body.frame.positions();
  PosedMesh posed;
  posed.mesh = mesh_.get();
  posed.positions = x;  // looked at when the frame was made
  if (settings_.repartition) {
    ++frames_since_;
    if (job_) {
      changes.finished = work_on_partition(posed);
    } else if (frames_since_ >= settings_.repartition_gap) {
      changes.checked = true;
      changes.started = is_stretched(posed);
      if (changes.started) start_partition(posed);
    }
  }
  regions_.table.refit(threads_, x);
  return changes;
}

std::size_t BodyRegions::bytes() const {
  return regions_.table.bytes() + (regions_.vertices.size() + 3 * regions_.centre.size()) * sizeof(VertexId) +
         2 * first_.region_of_vertex.size() * sizeof(std::uint32_t);
}

}  // namespace pliant
