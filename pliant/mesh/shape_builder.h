// What the generators of shapes share: collecting faces, surfaces of revolution, checking settings.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant::detail {

// Throws Error naming the shape unless the number is fit.
void require_count(const char* shape, const char* what, int count, int least);
void require_size(const char* shape, const char* what, double size);

// How many of them a shape may have: some gigabytes. (32-bit indices would end at 2^32.)
inline constexpr double kMostElements = 0x1p27;
// Throws Error naming the shape and the number, before memory is taken. Counts are doubles so that none overflows.
void require_at_most(const char* shape, double count, const char* what);
// For surfaces, which have hardly more vertices than faces.
inline void require_faces(const char* shape, double count) { require_at_most(shape, count, "triangles"); }

class ShapeBuilder {
 public:
  std::size_t add_vertex(const Vec3& p) {
    positions_.push_back(p);
    return positions_.size() - 1;
  }
  const Vec3& position(std::size_t v) const { return positions_[v]; }
  void add_face(std::size_t a, std::size_t b, std::size_t c) {
    triangles_.push_back({VertexId(a), VertexId(b), VertexId(c)});
  }
  // a, b, c, d counter-clockwise; cut along a-c.
  void add_quad(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    add_face(a, b, c);
    add_face(a, c, d);
  }
  // Closes a ring of `count` vertices, counter-clockwise seen from `apex`.
  void add_fan(std::size_t apex, std::size_t first, std::size_t count);
  // Joins rings of equal size: `next` follows `first` to the left of the direction of the rings.
  void add_band(std::size_t first, std::size_t next, std::size_t count);
  // Everything added since the last part, or the start, is the part `name`.
  void end_part(std::string name);

  void scale(double factor) {
    for (Vec3& p : positions_) p *= factor;
  }

  MeshPtr build(std::string name) &&;

 private:
  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
  std::vector<MeshPart> parts_;
};

// One point of a profile in the half-plane of distance from the z axis and height.
struct ProfilePoint {
  double radius = 0;
  double height = 0;
};

// Turns a profile around the z axis in `segments` equal turns. Going along the profile with the axis to the left, its
// right side is outside. A first or last point of radius 0 is one vertex, a pole.
MeshPtr revolve(std::string name, std::span<const ProfilePoint> profile, int segments);

}  // namespace pliant::detail
