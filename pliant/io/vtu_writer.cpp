// VTK's XML files of tetrahedra and of triangles.
#include "pliant/io/cells.h"
#include "pliant/io/mesh_writers.h"
#include "pliant/io/vtk_cells.h"
#include "pliant/io/vtk_xml_writer.h"

namespace pliant {
namespace {

// Corners of cells that all have as many.
template <class Cell>
std::vector<std::int64_t> connectivity_of(std::span<const Cell> cells) {
  std::vector<std::int64_t> corners;
  corners.reserve(cells.size() * std::tuple_size_v<Cell>);
  for (const Cell& cell : cells) {
    for (const VertexId v : cell) corners.push_back(v.value);
  }
  return corners;
}

std::vector<std::int64_t> cell_ends(std::size_t count, std::int64_t corners) {
  std::vector<std::int64_t> ends(count);
  for (std::size_t i = 0; i < count; ++i) ends[i] = static_cast<std::int64_t>(i + 1) * corners;
  return ends;
}

// What both kinds of file give for cells.
template <class Cell>
void add_cells(VtkXmlWriter& out, std::span<const Cell> cells) {
  out.array<std::int64_t>("connectivity", 1, connectivity_of(cells));
  out.array<std::int64_t>("offsets", 1, cell_ends(cells.size(), std::tuple_size_v<Cell>));
}

template <class Cell>
std::string format_grid(std::span<const Vec3> positions, std::span<const Cell> cells, std::uint8_t type,
                        const MeshWriteOptions& options) {
  VtkXmlWriter out("UnstructuredGrid", options.encoding);
  out.open("Piece", "NumberOfPoints=\"" + std::to_string(positions.size()) + "\" NumberOfCells=\"" +
                        std::to_string(cells.size()) + "\"");
  out.positions(positions, options.precision);
  out.open("Cells");
  add_cells(out, cells);
  out.array<std::uint8_t>("types", 1, std::vector<std::uint8_t>(cells.size(), type));
  return out.finish();
}

}  // namespace

std::string format_vtu(std::span<const Vec3> positions, std::span<const Tet> tets, Encoding encoding) {
  return format_grid(positions, tets, kVtkTet, {.encoding = encoding});
}

std::string format_vtu(const SurfaceView& surface, Encoding encoding, Precision precision) {
  return format_grid(surface.positions, surface.triangles, kVtkTriangle,
                     {.encoding = encoding, .precision = precision});
}

std::string format_vtp(const SurfaceView& surface, Encoding encoding, Precision precision) {
  VtkXmlWriter out("PolyData", encoding);
  out.open("Piece", "NumberOfPoints=\"" + std::to_string(surface.positions.size()) +
                        "\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"" +
                        std::to_string(surface.triangles.size()) + "\"");
  out.positions(surface.positions, precision);
  out.open("Polys");
  add_cells(out, surface.triangles);
  return out.finish();
}

}  // namespace pliant
