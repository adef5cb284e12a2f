// Where the readers put vertices and faces: collects polygons and parts, triangulates at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/io/large_memory.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Triangles, the common case, are stored as they come; other polygons apart, because they can be cut only when all
// positions are known (a face may name a vertex that the file gives later). Every call that adds a face counts as one
// face of the file, so that polygon_of_face holds the file's own face indices.
class PolygonBuilder {
 public:
  std::vector<Vec3> positions;
  std::vector<std::string> dropped;
  std::vector<std::string> warnings;
  Faces faces = Faces::needed;
  std::size_t work_per_corner = 0;               // of polygons (triangulate_polygon)
  std::optional<std::uint64_t> short_face_line;  // of the first face with fewer than three corners, if it has a line

  void reserve_positions(std::size_t count) { reserve_large(positions, count); }
  void reserve_triangles(std::size_t count) { reserve_large(triangles_, count); }
  void add_triangle(const Triangle& t) { triangles_.push_back(t); }
  void add_triangles(std::span<const Triangle> t) { triangles_.insert(triangles_.end(), t.begin(), t.end()); }
  // Any number of corners; fewer than three are left out of the mesh and reported.
  void add_polygon(std::span<const std::uint32_t> corners);
  // Faces from here on belong to a part of this name; to none if the name is empty.
  void begin_part(std::string_view name);

  std::size_t face_count() const { return triangles_.size() + others_.size(); }  // the file's

  // Call once, with every corner a valid index. Throws Error if no face is left (and they are needed), or a coordinate
  // is not finite; `done` says that the reader has looked at them all.
  enum class Checks { needed, done };
  MeshFile build(const std::string& name, Checks checks = Checks::needed);

 private:
  struct Other {  // a polygon that is not a triangle
    std::size_t triangles_before;
    std::size_t first_corner;
    std::size_t corner_count;
  };
  struct PartStart {
    std::string name;
    std::size_t face;
  };
  void cut_polygons(MeshOrigin& origin);
  std::size_t cut(const Other& polygon, std::vector<Triangle>& out);  // how many triangles came of it
  std::vector<MeshPart> finish_parts(std::span<const std::uint32_t> polygon_of_face) const;

  std::string short_faces() const;
  MeshFile build_points(MeshOrigin origin);
  [[noreturn]] void refuse_empty(const std::string& name) const;

  std::vector<Triangle> triangles_;
  std::vector<Other> others_;
  std::vector<std::uint32_t> corners_;  // of the others
  std::vector<PartStart> part_starts_;
  std::size_t fanned_ = 0;       // cross themselves, or are degenerate
  std::size_t out_of_work_ = 0;  // no clean cut was found within bounds
  std::size_t too_small_ = 0;
};

}  // namespace pliant
