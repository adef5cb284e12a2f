#include "pliant/io/region_files.h"

#include <cmath>
#include <vector>

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/vtk_xml_writer.h"

namespace pliant {
namespace {

void append_region_colour(std::string& bytes, std::uint32_t region) {
  for (const std::uint8_t c : region_colour(region)) bytes += static_cast<char>(c);
}

std::string format_region_ply(const TriangleMesh& mesh, std::span<const std::uint32_t> region_of_face) {
  std::vector<std::uint32_t> region_of_vertex(mesh.vertex_count(), 0);
  for (std::size_t f = mesh.face_count(); f-- > 0;)
    for (const VertexId v : mesh.triangles()[f]) region_of_vertex[v.index()] = region_of_face[f];
  const std::string colour = "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  std::string bytes = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(mesh.vertex_count()) +
                      "\nproperty double x\nproperty double y\nproperty double z\n" + colour + "element face " +
                      std::to_string(mesh.face_count()) + "\nproperty list uchar int vertex_indices\n" + colour +
                      "property int region\nend_header\n";
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    for (int axis = 0; axis < 3; ++axis) append_little(bytes, mesh.positions()[v][axis]);
    append_region_colour(bytes, region_of_vertex[v]);
  }
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    bytes += '\3';
    for (const VertexId v : mesh.triangles()[f]) append_little(bytes, static_cast<std::int32_t>(v.value));
    append_region_colour(bytes, region_of_face[f]);
    append_little(bytes, static_cast<std::int32_t>(region_of_face[f]));
  }
  return bytes;
}

std::string format_region_vtk(const TriangleMesh& mesh, std::span<const std::uint32_t> region_of_face, bool polygons) {
  std::vector<std::int64_t> corners, ends;
  std::vector<std::int32_t> regions;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    for (const VertexId v : mesh.triangles()[f]) corners.push_back(v.value);
    ends.push_back(static_cast<std::int64_t>(corners.size()));
    regions.push_back(static_cast<std::int32_t>(region_of_face[f]));
  }
  const std::string points = "NumberOfPoints=\"" + std::to_string(mesh.vertex_count()) + "\" ";
  const std::string cells = std::to_string(mesh.face_count()) + "\"";
  VtkXmlWriter out(polygons ? "PolyData" : "UnstructuredGrid", Encoding::binary);
  out.open("Piece",
           polygons ? points + "NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"" + cells
                    : points + "NumberOfCells=\"" + cells);
  out.positions(mesh.positions());
  out.open(polygons ? "Polys" : "Cells");
  out.array<std::int64_t>("connectivity", 1, corners);
  out.array<std::int64_t>("offsets", 1, ends);
  if (!polygons) out.array<std::uint8_t>("types", 1, std::vector<std::uint8_t>(mesh.face_count(), 5));
  out.close();
  out.open("CellData", "Scalars=\"region\"");
  out.array<std::int32_t>("region", 1, regions);
  return out.finish();
}

}  // namespace

// Hues go around by the golden section, so that those of any few neighbours are far apart; three tones.
std::array<std::uint8_t, 3> region_colour(std::uint32_t region) {
  constexpr double kGolden = 0.6180339887498949;
  double whole = 0;
  const double hue = std::modf(0.1 + kGolden * region, &whole);
  const double light = region % 3 == 0 ? 0.95 : region % 3 == 1 ? 0.8 : 0.65;
  std::array<std::uint8_t, 3> colour{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double away = std::abs(std::modf(hue + static_cast<double>(i) / 3, &whole) * 6 - 3);
    const double tone = std::min(1.0, std::max(0.0, away - 1));
    colour[i] = static_cast<std::uint8_t>(255 * light * (0.35 + 0.65 * tone));
  }
  return colour;
}

std::string format_regions(const TriangleMesh& mesh, std::span<const std::uint32_t> region_of_face, MeshFormat format) {
  if (format == MeshFormat::ply) return format_region_ply(mesh, region_of_face);
  if (format == MeshFormat::vtp || format == MeshFormat::vtu)
    return format_region_vtk(mesh, region_of_face, format == MeshFormat::vtp);
  throw Error("only PLY, VTP and VTU files hold the regions of a mesh", "name the output regions.ply");
}

}  // namespace pliant
