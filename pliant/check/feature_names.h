// Features as the user's files name them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pliant/detect/detector.h"

namespace pliant {

// A set of triangles that an interrupted check names as a whole.
struct RegionName {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
  std::uint64_t triangles = 0;
  friend bool operator==(const RegionName&, const RegionName&);
};

// Indices count from 0 and are those of the file that the body came from.
struct FeatureName {
  std::uint32_t body = 0;
  FeatureKind kind = FeatureKind::face;
  std::array<std::uint32_t, 2> index{};  // of the vertex, triangle or region; of an edge's two ends
  std::optional<std::uint32_t> face;     // the polygon that a triangle was cut from, in files of polygons
  std::string part;                      // the group or object that it belongs to; empty: none
  std::array<std::uint32_t, 2>
      local{};  // `index` counted within the part: among its triangles, or the vertices it uses
  std::optional<RegionName> region;
  friend bool operator==(const FeatureName&, const FeatureName&);
};

// Without its part. `detector` holds the body, and knows the feature's region if it is one.
FeatureName name_of(const Feature& feature, const Detector& detector);

// Names features of some bodies, with their parts. Safe to use from one thread.
class FeatureNames {
 public:
  FeatureNames() = default;
  explicit FeatureNames(std::vector<MeshPtr> meshes);  // by BodyId

  // As name_of() does.
  FeatureName of(const Feature& feature, const Detector& detector) const;

 private:
  // Of one mesh: by part, the vertices that its faces use, ascending.
  using PartVertices = std::vector<std::vector<std::uint32_t>>;

  void add_part(FeatureName& name, const Feature& feature) const;
  std::uint32_t local_vertex(std::size_t body, std::size_t part, VertexId vertex) const;

  std::vector<MeshPtr> meshes_;
  mutable std::vector<PartVertices> part_vertices_;  // by body; empty until they are asked for
};

}  // namespace pliant
