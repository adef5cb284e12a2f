#include "pliant/io/polygon_builder.h"

#include <algorithm>

#include "pliant/core/error.h"
#include "pliant/io/triangulate.h"
#include "pliant/mesh/points.h"

namespace pliant {
namespace {

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

void PolygonBuilder::add_polygon(std::span<const std::uint32_t> corners) {
  if (corners.size() == 3) return add_triangle({VertexId(corners[0]), VertexId(corners[1]), VertexId(corners[2])});
  others_.push_back({triangles_.size(), corners_.size(), corners.size()});
  corners_.insert(corners_.end(), corners.begin(), corners.end());
}

void PolygonBuilder::begin_part(std::string_view name) {
  if (!part_starts_.empty() && part_starts_.back().face == face_count()) part_starts_.pop_back();  // an empty part
  part_starts_.push_back({std::string(name), face_count()});
}

std::size_t PolygonBuilder::cut(const Other& polygon, std::vector<Triangle>& out) {
  const std::span<const std::uint32_t> ids(corners_.data() + polygon.first_corner, polygon.corner_count);
  if (ids.size() < 3) {
    ++too_small_;
    return 0;
  }
  std::vector<Vec3> points;
  points.reserve(ids.size());
  for (const std::uint32_t id : ids) points.push_back(positions[id]);
  const Triangulation cut = triangulate_polygon(points, work_per_corner);
  for (const auto& [a, b, c] : cut.triangles) out.push_back({VertexId(ids[a]), VertexId(ids[b]), VertexId(ids[c])});
  if (cut.out_of_work) ++out_of_work_;
  else if (cut.fanned) ++fanned_;
  return cut.triangles.size();
}

// Merges the cut polygons back between the triangles, in the file's order.
void PolygonBuilder::cut_polygons(MeshOrigin& origin) {
  std::vector<Triangle> merged;
  merged.reserve(triangles_.size() + corners_.size());
  origin.polygon_of_face.reserve(triangles_.size() + corners_.size());
  std::size_t taken = 0;
  std::uint32_t face = 0;
  const auto take_triangles = [&](std::size_t until) {
    merged.insert(merged.end(), triangles_.begin() + static_cast<std::ptrdiff_t>(taken),
                  triangles_.begin() + static_cast<std::ptrdiff_t>(until));
    for (; taken < until; ++taken) origin.polygon_of_face.push_back(face++);
  };
  for (const Other& polygon : others_) {
    take_triangles(polygon.triangles_before);
    origin.polygon_of_face.insert(origin.polygon_of_face.end(), cut(polygon, merged), face++);
  }
  take_triangles(triangles_.size());
  triangles_ = std::move(merged);
}

// Part starts count the file's faces; parts count triangles.
std::vector<MeshPart> PolygonBuilder::finish_parts(std::span<const std::uint32_t> polygon_of_face) const {
  const auto triangle_at = [&](std::size_t face) {
    if (polygon_of_face.empty()) return static_cast<std::uint32_t>(face);
    const auto first = std::lower_bound(polygon_of_face.begin(), polygon_of_face.end(), face);
    return static_cast<std::uint32_t>(first - polygon_of_face.begin());
  };
  std::vector<MeshPart> parts;
  for (std::size_t i = 0; i < part_starts_.size(); ++i) {
    const std::uint32_t first = triangle_at(part_starts_[i].face);
    const std::uint32_t last = i + 1 < part_starts_.size() ? triangle_at(part_starts_[i + 1].face)
                                                           : static_cast<std::uint32_t>(triangles_.size());
    if (!part_starts_[i].name.empty() && last > first) parts.push_back({part_starts_[i].name, first, last - first});
  }
  return parts;
}

std::string PolygonBuilder::short_faces() const {
  return counted(too_small_, "face", "faces") + " with fewer than three corners";
}

void PolygonBuilder::refuse_empty(const std::string& name) const {
  const std::string remedy = "export a surface of triangles or polygons (`pliant check --points` takes points)";
  if (too_small_ == 0) throw Error(ErrorPlace{.file = name}, "the file has no faces", remedy);
  throw Error(ErrorPlace{.file = name, .line = short_face_line}, "the file has no faces but " + short_faces(),
              "is it cut short? " + remedy);
}

MeshFile PolygonBuilder::build_points(MeshOrigin origin) {
  warnings.push_back("no faces: " + counted(positions.size(), "vertex is a point", "vertices are points"));
  return {make_points(std::move(positions), std::move(origin)), std::move(dropped), std::move(warnings)};
}

MeshFile PolygonBuilder::build(const std::string& name, Checks checks) {
  if (face_count() >= FaceId::kNone)
    throw Error(ErrorPlace{.file = name}, "the file has more faces than 32-bit indices can name", "split it");
  MeshOrigin origin{.name = name};
  if (!others_.empty()) cut_polygons(origin);
  const bool are_points = faces == Faces::optional && too_small_ == 0 && !positions.empty();
  if (triangles_.empty() && are_points) return build_points(std::move(origin));
  if (triangles_.empty()) refuse_empty(name);
  origin.parts = finish_parts(origin.polygon_of_face);
  if (too_small_ > 0)
    warnings.push_back(short_faces() + (too_small_ == 1 ? " is left out" : " are left out") +
                       (short_face_line ? ": see line " + std::to_string(*short_face_line) : ""));
  if (fanned_ > 0)
    warnings.push_back(fanned_ == 1 ? "1 polygon crosses itself or is degenerate, and was cut as a fan of triangles"
                                    : std::to_string(fanned_) +
                                          " polygons cross themselves or are degenerate, and "
                                          "were cut as fans of triangles");
  if (out_of_work_ > 0)
    warnings.push_back(out_of_work_ == 1
                           ? "1 polygon takes too much work to be cut cleanly, and was cut as a fan of triangles"
                           : std::to_string(out_of_work_) +
                                 " polygons take too much work to be cut cleanly, and were "
                                 "cut as fans of triangles");
  MeshPtr mesh =
      checks == Checks::done
          ? std::make_shared<const TriangleMesh>(TriangleMesh::AlreadyChecked(), std::move(positions),
                                                 std::move(triangles_), std::move(origin))
          : std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles_), std::move(origin));
  return {std::move(mesh), std::move(dropped), std::move(warnings)};
}

}  // namespace pliant
