#include "pliant/asset/fill_holes.h"

#include <Eigen/Geometry>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace pliant {
namespace {

using EdgeSet = std::unordered_set<std::uint64_t>;

// One rim, in the direction in which patches run along it.
struct Rim {
  std::vector<VertexId> vertices;
  std::uint32_t beside = 0;
};

// Cuts ears off one rim.
class EarClipper {
 public:
  EarClipper(const Rim& rim, std::span<const Vec3> positions, EdgeSet& edges)
      : rim_(rim.vertices), positions_(positions), edges_(edges), left_(rim_.size()) {
    const auto count = static_cast<std::uint32_t>(rim_.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      before_.push_back(i == 0 ? count - 1 : i - 1);
      after_.push_back(i + 1 == count ? 0 : i + 1);
    }
    stamp_.assign(count, 0);
    for (std::uint32_t i = 0; i < count; ++i) normal_ += at(i).cross(at(after_[i]));
    for (std::uint32_t i = 0; i < count; ++i) offer(i);
  }

  std::vector<Triangle> clip() {
    std::vector<Triangle> faces;
    while (left_ > 3 && !ears_.empty()) {
      const Ear ear = ears_.top();
      ears_.pop();
      if (ear.stamp != stamp_[ear.tip]) continue;
      const std::uint32_t a = before_[ear.tip], c = after_[ear.tip];
      if (edges_.count(edge_key(rim_[a], rim_[c])) != 0) continue;  // made since the ear was offered
      faces.push_back({rim_[a], rim_[ear.tip], rim_[c]});
      edges_.insert(edge_key(rim_[a], rim_[c]));
      remove(ear.tip);
      offer(a);
      offer(c);
    }
    if (left_ == 3) {
      faces.push_back({rim_[before_[start_]], rim_[start_], rim_[after_[start_]]});
      left_ = 0;
    }
    return faces;
  }

  // What clip() could not close, in order.
  std::vector<VertexId> rest() const {
    std::vector<VertexId> result;
    for (std::uint32_t i = start_, k = 0; k < left_; ++k, i = after_[i]) result.push_back(rim_[i]);
    return result;
  }

 private:
  struct Ear {
    int folds = 0;  // 1: turns against the hole or holds another vertex
    double length = 0;
    std::uint32_t tip = 0;
    std::uint32_t stamp = 0;
    bool operator<(const Ear& other) const {  // the best one is the largest
      if (folds != other.folds) return folds > other.folds;
      if (length != other.length) return length > other.length;
      return tip > other.tip;
    }
  };
  static constexpr std::size_t kMostForContainment = 400;  // looking for vertices in ears takes quadratic time

  Vec3 at(std::uint32_t i) const { return positions_[rim_[i].index()] - positions_[rim_[0].index()]; }

  void remove(std::uint32_t i) {
    after_[before_[i]] = after_[i];
    before_[after_[i]] = before_[i];
    if (start_ == i) start_ = after_[i];
    ++stamp_[i];
    --left_;
  }

  void offer(std::uint32_t tip) {
    const std::uint32_t a = before_[tip], c = after_[tip];
    ++stamp_[tip];
    if (left_ > 3 && edges_.count(edge_key(rim_[a], rim_[c])) != 0) return;
    ears_.push({folds(tip) ? 1 : 0, (at(c) - at(a)).norm(), tip, stamp_[tip]});
  }

  bool folds(std::uint32_t tip) const {
    const Vec3 a = at(before_[tip]), b = at(tip), c = at(after_[tip]);
    if (!((b - a).cross(c - b).dot(normal_) > 0)) return true;
    if (left_ > kMostForContainment) return false;
    for (std::uint32_t i = after_[after_[tip]]; i != before_[tip]; i = after_[i]) {
      const Vec3 p = at(i);
      const bool inside = (b - a).cross(p - a).dot(normal_) > 0 && (c - b).cross(p - b).dot(normal_) > 0 &&
                          (a - c).cross(p - c).dot(normal_) > 0;
      if (inside) return true;
    }
    return false;
  }

  const std::vector<VertexId>& rim_;
  std::span<const Vec3> positions_;
  EdgeSet& edges_;
  std::vector<std::uint32_t> before_, after_, stamp_;
  std::priority_queue<Ear> ears_;
  Vec3 normal_ = Vec3::Zero();
  std::size_t left_;
  std::uint32_t start_ = 0;
};

std::vector<Rim> find_rims(std::span<const Triangle> triangles, const Partners& partners) {
  std::unordered_map<std::uint32_t, std::uint32_t> open_from;  // the half-edge without partner that ends at a vertex
  std::vector<std::uint32_t> open;
  for (std::uint32_t h = 0; h < partners.size(); ++h) {
    if (partners[h] != kNoPartner) continue;
    open.push_back(h);
    open_from.emplace(end_of(triangles, h).value, h);
  }
  std::vector<Rim> rims;
  std::unordered_set<std::uint32_t> done;
  for (const std::uint32_t first : open) {
    if (done.count(first) != 0) continue;
    Rim rim{.beside = first / 3};
    // Patches run along the rim against the faces beside it: from the end of a half-edge to its start.
    for (std::uint32_t h = first; done.insert(h).second;) {
      rim.vertices.push_back(end_of(triangles, h));
      const auto before = open_from.find(start_of(triangles, h).value);
      if (before == open_from.end()) break;
      h = before->second;
    }
    rims.push_back(std::move(rim));
  }
  return rims;
}

// Edges of the surface between vertices of rims: those that a patch must not make again.
EdgeSet edges_between_rims(std::span<const Triangle> triangles, const std::vector<Rim>& rims) {
  std::unordered_set<std::uint32_t> on_rim;
  for (const Rim& rim : rims)
    for (const VertexId v : rim.vertices) on_rim.insert(v.value);
  EdgeSet edges;
  if (on_rim.empty()) return edges;
  for (std::uint32_t h = 0; h < 3 * triangles.size(); ++h) {
    const VertexId a = start_of(triangles, h), b = end_of(triangles, h);
    if (on_rim.count(a.value) != 0 && on_rim.count(b.value) != 0) edges.insert(edge_key(a, b));
  }
  return edges;
}

}  // namespace

HolePatches fill_holes(std::span<const Vec3> positions, std::span<const Triangle> triangles, const Partners& partners) {
  HolePatches patches;
  const std::vector<Rim> rims = find_rims(triangles, partners);
  EdgeSet edges = edges_between_rims(triangles, rims);
  for (const Rim& rim : rims) {
    EarClipper clipper(rim, positions, edges);
    std::vector<Triangle> faces = clipper.clip();
    const std::vector<VertexId> rest = clipper.rest();
    if (!rest.empty()) {
      const VertexId middle(positions.size() + patches.new_positions.size());
      Vec3 sum = Vec3::Zero();
      for (const VertexId v : rest) sum += positions[v.index()];
      patches.new_positions.emplace_back(sum / static_cast<double>(rest.size()));
      for (std::size_t i = 0; i < rest.size(); ++i) faces.push_back({rest[i], rest[(i + 1) % rest.size()], middle});
    }
    patches.triangles.insert(patches.triangles.end(), faces.begin(), faces.end());
    patches.beside.insert(patches.beside.end(), faces.size(), rim.beside);
    ++patches.holes;
  }
  return patches;
}

}  // namespace pliant
