#include "pliant/io/vtk_cells.h"

#include <array>

namespace pliant {
namespace {

// VTK file formats, figures 2 and 3: linear and quadratic cells.
struct CellType {
  int id;
  std::size_t corners;  // the first so many points are its corners
  const char* dropped;  // what is left out of it; null if nothing
};
constexpr std::array<CellType, 4> kTets = {{{kVtkTet, 4, nullptr},
                                            {24, 4, "curvature of tetrahedra"},
                                            {71, 4, "curvature of tetrahedra"},
                                            {78, 4, "curvature of tetrahedra"}}};
constexpr std::array<CellType, 8> kPolygons = {{{kVtkTriangle, 3, nullptr},
                                                {9, 4, nullptr},
                                                {22, 3, "curvature of triangles"},
                                                {23, 4, "curvature of quadrilaterals"},
                                                {28, 4, "curvature of quadrilaterals"},
                                                {34, 3, "curvature of triangles"},
                                                {69, 3, "curvature of triangles"},
                                                {76, 3, "curvature of triangles"}}};

std::string name_of(int type) {
  switch (type) {
    case 0:
      return "empty cells";
    case 1:
    case 2:
      return "points";
    case 3:
    case 4:
    case 21:
      return "lines";
    case 11:
    case 12:
    case 25:
      return "hexahedra";
    case 13:
    case 26:
      return "wedges";
    case 14:
    case 27:
      return "pyramids";
    case 42:
      return "polyhedra";
    default:
      return "cells of type " + std::to_string(type);
  }
}

// Whatever is not known to be empty, a point or a line may be.
bool is_solid(int type) { return type > 4 && type != 21; }

template <std::size_t count>
const CellType* find(const std::array<CellType, count>& types, int id) {
  for (const CellType& type : types) {
    if (type.id == id) return &type;
  }
  return nullptr;
}

void add_strip(Cells& cells, std::span<const std::uint32_t> points) {
  for (std::size_t i = 0; i + 2 < points.size(); ++i) {
    const bool odd = i % 2 == 1;
    cells.add_polygon(std::array{points[i + (odd ? 1 : 0)], points[i + (odd ? 0 : 1)], points[i + 2]});
  }
}

}  // namespace

bool add_vtk_cell(Cells& cells, int type, std::span<const std::uint32_t> points) {
  const CellType* tet = find(kTets, type);
  const CellType* polygon = find(kPolygons, type);
  if (const CellType* known = tet ? tet : polygon) {
    if (points.size() < known->corners) return false;
    if (known->dropped) cells.drop(known->dropped);
    if (tet) cells.add_tet(points);
    else cells.add_polygon(points.first(known->corners));
  } else if (type == kVtkPolygon) {
    cells.add_polygon(points);
  } else if (type == 8) {  // a pixel: a rectangle, its corners row by row
    if (points.size() < 4) return false;
    cells.add_polygon(std::array{points[0], points[1], points[3], points[2]});
  } else if (type == kVtkStrip) {
    add_strip(cells, points);
  } else if (is_solid(type)) {
    cells.leave_out(name_of(type));
  } else {
    cells.drop(name_of(type));
  }
  return true;
}

}  // namespace pliant
