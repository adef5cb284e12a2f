// Legacy VTK 3.0, which every reader knows.
#include <limits>

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/decimal.h"
#include "pliant/io/vtk_cells.h"

namespace pliant {
namespace {

class VtkOutput {
 public:
  explicit VtkOutput(bool is_binary) : is_binary_(is_binary) {}

  void line(const std::string& text) {
    if (!bytes_.empty() && bytes_.back() != '\n') bytes_ += '\n';
    bytes_ += text;
    bytes_ += '\n';
  }
  template <class T>
  void number(T value) {
    if (is_binary_) return append(bytes_, value, std::endian::big);
    if constexpr (std::is_floating_point_v<T>) append_decimal(bytes_, value);
    else append_integer(bytes_, static_cast<std::uint64_t>(value));
    bytes_ += ' ';
  }
  void end_row() {
    if (!is_binary_) bytes_.back() = '\n';
  }
  // Some readers ask for a line end after binary data.
  void end_data() {
    if (is_binary_) bytes_ += '\n';
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
  bool is_binary_;
};

}  // namespace

std::string format_vtk(const TetMesh& mesh, Encoding encoding) {
  if (mesh.tet_count() > std::numeric_limits<std::int32_t>::max() / 5)
    throw Error("the mesh has more tetrahedra than legacy VTK can count", "write .vtu");
  VtkOutput out(encoding == Encoding::binary);
  out.line("# vtk DataFile Version 3.0");
  out.line("tetrahedra");
  out.line(encoding == Encoding::binary ? "BINARY" : "ASCII");
  out.line("DATASET UNSTRUCTURED_GRID");
  out.line("POINTS " + std::to_string(mesh.vertex_count()) + " double");
  for (const Vec3& p : mesh.positions()) {
    for (int axis = 0; axis < 3; ++axis) out.number(p[axis]);
    out.end_row();
  }
  out.end_data();
  out.line("CELLS " + std::to_string(mesh.tet_count()) + " " + std::to_string(5 * mesh.tet_count()));
  for (const Tet& tet : mesh.tets()) {
    out.number(std::int32_t{4});
    for (const VertexId v : tet) out.number(static_cast<std::int32_t>(v.value));
    out.end_row();
  }
  out.end_data();
  out.line("CELL_TYPES " + std::to_string(mesh.tet_count()));
  for (std::size_t t = 0; t < mesh.tet_count(); ++t) {
    out.number(std::int32_t{kVtkTet});
    out.end_row();
  }
  out.end_data();
  return out.take();
}

}  // namespace pliant
