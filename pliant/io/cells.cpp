#include "pliant/io/cells.h"

#include "pliant/core/error.h"

namespace pliant {

std::vector<std::string> Cells::take_warnings() const {
  std::vector<std::string> warnings;
  for (const std::string& what : left_out_) warnings.push_back(what + " are left out");
  return warnings;
}

TetFile Cells::build_tets(const std::string& name) {
  if (tets.empty())
    throw Error(ErrorPlace{.file = name}, "the file has no tetrahedra", "export a volume mesh of tetrahedra");
  if (polygons_.face_count() > 0) drop("surface cells");
  dropped_.merge(left_out_);
  return {std::make_shared<const TetMesh>(std::move(positions), std::move(tets), name), take_dropped()};
}

MeshFile Cells::build_surface(const std::string& name) {
  if (tets.empty()) {
    polygons_.positions = std::move(positions);
    polygons_.dropped = take_dropped();
    polygons_.warnings = take_warnings();
    return polygons_.build(name);
  }
  if (polygons_.face_count() > 0) drop("surface cells (the boundary of the tetrahedra is used)");
  const TetMesh volume(std::move(positions), std::move(tets), name);
  PolygonBuilder boundary;
  boundary.positions.assign(volume.positions().begin(), volume.positions().end());
  boundary.dropped = take_dropped();
  boundary.warnings = take_warnings();
  boundary.warnings.push_back("the boundary of its " + std::to_string(volume.tet_count()) + " tetrahedra is used");
  for (const Triangle& t : volume.surface()->triangles()) {
    Triangle in_file;
    for (std::size_t i = 0; i < 3; ++i) in_file[i] = volume.surface_vertices()[t[i].index()];
    boundary.add_triangle(in_file);
  }
  return boundary.build(name);
}

}  // namespace pliant
