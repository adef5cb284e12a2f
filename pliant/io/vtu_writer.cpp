#include "pliant/io/vtk_cells.h"
#include "pliant/io/vtk_xml_writer.h"

namespace pliant {

std::string format_vtu(const TetMesh& mesh, Encoding encoding) {
  std::vector<std::int64_t> connectivity, offsets;
  for (const Tet& tet : mesh.tets()) {
    for (const VertexId v : tet) connectivity.push_back(v.value);
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  }
  const std::vector<std::uint8_t> types(mesh.tet_count(), std::uint8_t{kVtkTet});
  VtkXmlWriter out("UnstructuredGrid", encoding);
  out.open("Piece", "NumberOfPoints=\"" + std::to_string(mesh.vertex_count()) + "\" NumberOfCells=\"" +
                        std::to_string(mesh.tet_count()) + "\"");
  out.positions(mesh.positions());
  out.open("Cells");
  out.array<std::int64_t>("connectivity", 1, connectivity);
  out.array<std::int64_t>("offsets", 1, offsets);
  out.array<std::uint8_t>("types", 1, types);
  return out.finish();
}

}  // namespace pliant
