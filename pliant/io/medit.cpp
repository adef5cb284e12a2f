// Medit .mesh (INRIA; also Gmsh, TetGen, mmg, fTetWild): keywords, each with a count and as many rows of 1-based
// indices.
#include <array>
#include <cmath>
#include <optional>

#include "pliant/io/cells.h"
#include "pliant/io/decimal.h"
#include "pliant/io/text_scanner.h"

namespace pliant {
namespace {

class MeditReader {
 public:
  MeditReader(std::string_view text, const std::string& name) : scan_(text, name) {}

  Cells read() {
    skip();
    if (scan_.word() != "MeshVersionFormatted")
      scan_.fail_at(0, "not a Medit mesh", "it must begin with MeshVersionFormatted; binary .meshb is not supported");
    read_integer("a version");
    for (skip(); !scan_.at_end(); skip()) {
      const std::string keyword(scan_.word());
      if (keyword == "End") break;
      read_section(keyword);
    }
    return std::move(cells_);
  }

 private:
  void read_section(const std::string& keyword) {
    if (keyword == "Dimension") read_dimension();
    else if (keyword == "Vertices") read_vertices();
    else if (keyword == "Triangles") read_cells(3, "triangle");
    else if (keyword == "Quadrilaterals") read_cells(4, "quadrilateral");
    else if (keyword == "Tetrahedra") read_cells(4, "tetrahedron");
    else skip_section(keyword);
  }

  void read_dimension() {
    if (read_integer("a dimension") != 3)
      scan_.fail("the mesh is not three-dimensional", "export it with three coordinates");
  }

  void read_vertices() {
    const std::uint64_t count = read_count(4);
    reserve_large(cells_.positions, count);
    for (std::uint64_t i = 0; i < count; ++i) {
      Vec3 position;
      for (int axis = 0; axis < 3; ++axis) {
        skip();
        const std::optional<double> value = scan_.number();
        if (!value || !std::isfinite(*value))
          scan_.fail(value ? "a coordinate is not a finite number" : "expected a coordinate, found " + scan_.found(),
                     "a vertex is three finite numbers and a reference", "vertex " + std::to_string(i + 1));
        position[axis] = *value;
      }
      read_integer("a reference");
      cells_.positions.push_back(position);
    }
  }

  void read_cells(std::size_t corner_count, const char* kind) {
    const std::uint64_t count = read_count(corner_count + 1);
    std::array<std::uint32_t, 4> corners{};
    for (std::uint64_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < corner_count; ++k) corners[k] = read_vertex_index(kind, i);
      read_integer("a reference");
      if (kind == std::string_view("tetrahedron")) cells_.add_tet(corners);
      else cells_.add_polygon({corners.data(), corner_count});
    }
  }

  // The format lets cells stand before the vertices; nobody writes them so.
  std::uint32_t read_vertex_index(const char* kind, std::uint64_t cell) {
    const std::int64_t index = read_integer("a vertex index");
    if (index < 1 || static_cast<std::uint64_t>(index) > cells_.positions.size())
      scan_.fail("vertex index " + std::to_string(index) + " is out of range",
                 std::to_string(cells_.positions.size()) + " vertices stand before it",
                 std::string(kind) + " " + std::to_string(cell + 1));
    return static_cast<std::uint32_t>(index - 1);
  }

  // Edges, corners, normals, ...: numbers up to the next keyword.
  void skip_section(const std::string& keyword) {
    if (keyword.empty() || static_cast<unsigned char>((keyword[0] | 0x20) - 'a') >= 26)
      scan_.fail("expected a keyword, found '" + keyword.substr(0, 24) + "'", "the file is damaged");
    const std::string section = "section '" + keyword.substr(0, 40) + "'";
    if (keyword == "Hexahedra" || keyword == "Prisms" || keyword == "Pyramids") cells_.leave_out(keyword);
    else cells_.drop(section);
    for (skip(); !scan_.at_end() && static_cast<unsigned char>((scan_.peek() | 0x20) - 'a') >= 26; skip()) scan_.word();
  }

  // A row takes at least two bytes per value; so a count that the file cannot hold is refused before any memory is
  // taken.
  std::uint64_t read_count(std::size_t values_per_row) {
    const std::int64_t count = read_integer("a count");
    if (count < 0 || static_cast<std::uint64_t>(count) > (scan_.remaining() + 1) / (2 * values_per_row))
      scan_.fail("a section claims " + std::to_string(count) + " entries, more than the file has room for",
                 "the file is truncated or damaged");
    return static_cast<std::uint64_t>(count);
  }

  std::int64_t read_integer(const char* what) {
    skip();
    const std::optional<std::int64_t> value = scan_.integer();
    if (!value || !scan_.at_token_end())
      scan_.fail(std::string("expected ") + what + ", found " + scan_.found(), "the file is truncated or damaged");
    return *value;
  }

  void skip() { scan_.skip_space('#'); }

  TextScanner scan_;
  Cells cells_;
};

template <std::size_t count>
void append_cell(std::string& text, const std::array<VertexId, count>& corners) {
  for (const VertexId v : corners) {
    append_integer(text, v.value + std::uint64_t{1});
    text += ' ';
  }
  text += "0\n";
}

}  // namespace

Cells parse_medit(std::string_view text, const std::string& name) { return MeditReader(text, name).read(); }

std::string format_medit(const TetMesh& mesh) {
  std::string text = "MeshVersionFormatted 2\nDimension 3\nVertices\n" + std::to_string(mesh.vertex_count()) + "\n";
  for (const Vec3& p : mesh.positions()) {
    for (int axis = 0; axis < 3; ++axis) {
      append_decimal(text, p[axis]);
      text += ' ';
    }
    text += "0\n";
  }
  text += "Tetrahedra\n" + std::to_string(mesh.tet_count()) + "\n";
  for (const Tet& tet : mesh.tets()) append_cell(text, tet);
  return text + "End\n";
}

}  // namespace pliant
