// What the regions of an interrupted search are made of, for those who answer them. Internal to world/.
#pragma once

#include <map>

#include "pliant/detect/detector.h"
#include "pliant/response/flat_step.h"
#include "pliant/response/pair_response.h"

namespace pliant {

class SphereTreeDetector;

// Of one detection after the other. Each region, and each vertex, is looked at once in a short step.
class RegionSides {
 public:
  explicit RegionSides(const Detector& detector);  // outlives it

  // Pairs of the cut that are of different bodies and whose spheres overlap, at x_t0. Valid until the next call.
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
  };
  void begin(const Step& step, const FlatStep& flat);
  const Shape& shape_of(const Feature& region);
  const RegionSide& side_of(const Feature& region);
  RegionSide make_side(const Feature& region);
  const CarriedPoint& carried(BodyId body, VertexId v);  // without its normal
  const CarriedPoint& with_normal(BodyId body, VertexId v);
  Vec3 face_normal(BodyId body, FaceId face);  // as long as twice its area
  std::uint32_t nearest_row(const Feature& region, const RegionSide& side) const;

  const Detector& detector_;
  const SphereTreeDetector* spheres_;  // null: of another method
  const Step* step_ = nullptr;
  const FlatStep* flat_ = nullptr;
  std::uint32_t stamp_ = 0;
  std::vector<Points> points_;  // by body
  std::map<Feature, Shape> shapes_;
  std::map<Feature, RegionSide> sides_;
};

}  // namespace pliant
