// What the regions of an interrupted search are made of, for those who answer them. Internal to world/.
#pragma once

#include <unordered_map>

#include "pliant/detect/detector.h"
#include "pliant/motion/embedding.h"
#include "pliant/response/flat_step.h"
#include "pliant/response/pair_response.h"

namespace pliant {

class SphereTreeDetector;

// Of one detection after the other. Each region, and each vertex, is looked at once.
class RegionSides {
 public:
  // The detector outlives it. As spheres: sides are nothing but their nearest vertices.
  explicit RegionSides(const Detector& detector, bool as_spheres = false);

  // Pairs of the cut that are of different bodies and whose spheres, and points, overlap, at x_t0. Valid until the next
  // call.
  std::vector<RegionOverlap> overlaps(const Report& found, const Step& step, const FlatStep& flat);

 private:
  // Some of a region's vertices and faces.
  struct Shape {
    std::vector<VertexId> vertices;
    std::vector<FaceId> faces;
    std::size_t vertex_count = 0;  // of the region
  };
  // The vertices of one body that were asked for in this short step.
  struct Points {
    std::vector<CarriedPoint> points;
    std::vector<std::uint32_t> stamps;  // of places
    std::vector<std::uint32_t> normal_stamps;
    std::vector<std::optional<LinkFrame>> frames;  // by triple, of a dense surface
    std::vector<std::uint32_t> frame_stamps;
  };
  // A region as it is now. Normals are there for those that overlap another.
  struct Side {
    RegionSide given;
    std::vector<Vec3> places;    // of its points
    std::vector<Vec3> ways_out;  // as in least_overlap.h, some
    bool has_normals = false;
  };
  struct HashOfRegion {
    std::size_t operator()(const Feature& region) const {
      return std::hash<std::uint64_t>()(std::uint64_t{region.body.value} << 32 | region.id);
    }
  };
  void begin(const Step& step, const FlatStep& flat);
  const Shape& shape_of(const Feature& region);
  Side& side_of(const Feature& region);
  Side make_side(const Feature& region);
  void add_normals(const Feature& region, Side& side);
  CarriedPoint carried_point(const StepBody& body, VertexId v);
  const std::optional<LinkFrame>& frame_of(const StepBody& body, std::uint32_t triple);
  const CarriedPoint& carried(BodyId body, VertexId v);  // without its normal
  const CarriedPoint& with_normal(BodyId body, VertexId v);
  Vec3 face_normal(BodyId body, FaceId face);  // as long as twice its area
  std::uint32_t nearest_row(const Feature& region);

  const Detector& detector_;
  const SphereTreeDetector* spheres_;  // null: of another method
  bool as_spheres_;
  const Step* step_ = nullptr;
  const FlatStep* flat_ = nullptr;
  std::uint32_t stamp_ = 0;
  std::vector<Points> points_;  // by body
  std::unordered_map<Feature, Shape, HashOfRegion> shapes_;
  std::unordered_map<Feature, Side, HashOfRegion> sides_;
};

}  // namespace pliant
