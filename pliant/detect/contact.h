// What every detector returns: which features meet, when, where, and how.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "pliant/core/ids.h"
#include "pliant/core/relation.h"
#include "pliant/core/vec3.h"

namespace pliant {

enum class FeatureKind : std::uint8_t { vertex, edge, face, region };

// A part of a body. `id` is a VertexId, EdgeId (mesh topology), FaceId or a region number of the detector.
struct Feature {
  BodyId body;
  FeatureKind kind = FeatureKind::face;
  std::uint32_t id = 0;

  friend constexpr auto operator<=>(const Feature&, const Feature&) = default;
};

constexpr Feature face_feature(BodyId body, FaceId face) { return {body, FeatureKind::face, face.value}; }
constexpr Feature region_feature(BodyId body, std::uint32_t region) { return {body, FeatureKind::region, region}; }

// Where on a feature: weights of its corners, in the order of the mesh. Unused ones are 0; all are 0 for a region.
using Weights = std::array<double, 3>;

enum class ContactKind : std::uint8_t { triangle_triangle, vertex_face, edge_edge, edge_face, region_region };

// In vertex-face and edge-face contacts `a` is the vertex or edge; otherwise the smaller (body, id).
struct Contact {
  double time = 0;  // one unit per frame of the motion
  Feature a;
  Feature b;
  Weights wa{};
  Weights wb{};
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  // unit; moves a away from b; zero where no direction is better than another
  // Of two triangles: the length of the shortest translation that parts them, which is along `normal`; 0 if they only
  // touch or lie in one plane (geometry/parting.h). Of two regions: the overlap of their spheres. Otherwise 0.
  double depth = 0;
  // Of moving features: `touching` if they touch at any time of the segment, `near` if they only come within the
  // minimum separation. Of regions: `possible`.
  Relation relation = Relation::none;
  // They met already when the interval (or the motion's segment) began. With a minimum separation: they were as near
  // then, and do not touch later, or touched already. What is near at the start and touches later has its impact as its
  // contact, which is not initial: nearness excuses nearness, never a touch.
  bool initial = false;

  ContactKind kind() const;
};

const char* to_string(ContactKind kind);

// The order of reports and sinks.
inline bool earlier(const Contact& x, const Contact& y) {
  if (x.time != y.time) return x.time < y.time;
  if (x.a != y.a) return x.a < y.a;
  return x.b < y.b;
}

}  // namespace pliant
