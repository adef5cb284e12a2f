#include "web/wasm/recall.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "pliant/mesh/topology.h"
#include "web/wasm/contact_list.h"

namespace pliant::web {
namespace {

using FeaturePair = std::pair<Feature, Feature>;

std::set<FeaturePair> features_of(const Report& report) {
  std::set<FeaturePair> pairs;
  for (const Contact& contact : report.contacts)
    if (!is_regions(contact)) pairs.emplace(contact.a, contact.b);
  return pairs;
}

// The faces that a feature is on.
std::vector<FaceId> faces_of(const Feature& feature, const TriangleMesh& mesh) {
  const auto copy = [](std::span<const FaceId> faces) { return std::vector<FaceId>(faces.begin(), faces.end()); };
  if (feature.kind == FeatureKind::vertex) return copy(mesh.topology().faces_of_vertex(VertexId(feature.id)));
  if (feature.kind == FeatureKind::edge) return copy(mesh.topology().faces_of_edge(EdgeId(feature.id)));
  return {FaceId(feature.id)};
}

// Which pairs of faces the pairs of regions of a report hold.
class RegionPairs {
 public:
  RegionPairs(const Detector& detector, const Report& report) : detector_(detector) {
    for (const Contact& contact : report.contacts) {
      if (!is_regions(contact)) continue;
      pairs_.insert({number_of(contact.a), number_of(contact.b)});
    }
  }
  bool empty() const { return pairs_.empty(); }
  bool hold(const Contact& contact) const {
    const std::vector<std::uint32_t> a = regions_of(contact.a), b = regions_of(contact.b);
    for (const std::uint32_t x : a)
      for (const std::uint32_t y : b)
        if (pairs_.contains({x, y}) || pairs_.contains({y, x})) return true;
    return false;
  }

 private:
  static std::uint64_t key(BodyId body, FaceId face) { return std::uint64_t{body.value} << 32 | face.value; }

  std::uint32_t number_of(const Feature& region) {
    const auto [at, is_new] = numbers_.emplace(region, static_cast<std::uint32_t>(numbers_.size()));
    if (is_new)
      for (const FaceId face : detector_.region(region.body, region.id).faces)
        of_face_[key(region.body, face)].push_back(at->second);
    return at->second;
  }
  std::vector<std::uint32_t> regions_of(const Feature& feature) const {
    std::vector<std::uint32_t> regions;
    for (const FaceId face : faces_of(feature, *detector_.body(feature.body).mesh)) {
      const auto found = of_face_.find(key(feature.body, face));
      if (found != of_face_.end()) regions.insert(regions.end(), found->second.begin(), found->second.end());
    }
    return regions;
  }

  const Detector& detector_;
  std::map<Feature, std::uint32_t> numbers_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> of_face_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_;
};

}  // namespace

Recall recall_of(const Detector& detector, const Report& report, const Report& exact) {
  const std::set<FeaturePair> known = features_of(report), right = features_of(exact);
  const RegionPairs regions(detector, report);
  Recall result;
  for (const Contact& contact : exact.contacts) {
    if (known.contains({contact.a, contact.b}) || (!regions.empty() && regions.hold(contact))) ++result.found;
    else result.missed.push_back(&contact);
  }
  for (const FeaturePair& pair : known) result.extra += right.contains(pair) ? 0 : 1;
  return result;
}

}  // namespace pliant::web
