// TetGen: vertices in NAME.node, tetrahedra in NAME.ele. Format: TetGen manual, "File formats".
#include <cmath>
#include <optional>

#include "pliant/io/cells.h"
#include "pliant/io/decimal.h"
#include "pliant/io/large_memory.h"
#include "pliant/io/text_scanner.h"

namespace pliant {
namespace {

// One of the two files: a line of counts, then numbered lines. '#' begins a comment.
class TableReader {
 public:
  TableReader(std::string_view text, const std::string& name) : scan_(text, name) {}

  TextScanner& scan() { return scan_; }
  void next_line() { scan_.skip_space('#'); }

  std::int64_t integer(const char* what) {
    scan_.skip_blanks();
    const std::optional<std::int64_t> value = scan_.integer();
    if (!value || !scan_.at_token_end())
      scan_.fail(std::string("expected ") + what + ", found " + scan_.found(), "the file is truncated or damaged");
    return *value;
  }
  // A line has at least so many numbers; a count that the file cannot hold is refused before memory is taken.
  std::uint64_t count(const char* what, std::size_t numbers_per_line) {
    const std::int64_t value = integer(what);
    if (value < 0 || static_cast<std::uint64_t>(value) > scan_.remaining() / (2 * numbers_per_line) + 1)
      scan_.fail("the header claims " + std::to_string(value) + " lines, more than the file has room for",
                 "the file is truncated or damaged");
    return static_cast<std::uint64_t>(value);
  }
  // Lines begin with their number, which goes up by one.
  void require_number(std::int64_t expected) {
    if (integer("a number") != expected)
      scan_.fail("the lines are not numbered one after the other", "number them from 0 or 1");
  }

 private:
  TextScanner scan_;
};

// Returns the number of the first vertex: 0 or 1, on which all indices of the other file depend.
std::int64_t read_nodes(std::string_view text, const std::string& name, Cells& cells) {
  TableReader table(text, name);
  table.next_line();
  const std::uint64_t count = table.count("a count of vertices", 4);
  if (table.integer("a dimension") != 3)
    table.scan().fail("the vertices are not three-dimensional", "export three coordinates");
  if (!table.scan().at_line_end() && table.integer("a count of attributes") > 0) cells.drop("vertex attributes");
  table.scan().skip_line();
  reserve_large(cells.positions, static_cast<std::size_t>(count));
  std::int64_t first = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    table.next_line();
    if (i == 0) first = table.integer("a vertex number");
    else table.require_number(first + static_cast<std::int64_t>(i));
    Vec3 position;
    for (int axis = 0; axis < 3; ++axis) {
      table.scan().skip_blanks();
      const std::optional<double> value = table.scan().number();
      if (!value || !std::isfinite(*value))
        table.scan().fail(
            value ? "a coordinate is not a finite number" : "expected a coordinate, found " + table.scan().found(),
            "a vertex is its number and three finite coordinates",
            "vertex " + std::to_string(first + static_cast<std::int64_t>(i)));
      position[axis] = *value;
    }
    cells.positions.push_back(position);
    table.scan().skip_line();
  }
  if (first != 0 && first != 1)
    table.scan().fail("the vertices are numbered from " + std::to_string(first), "number them from 0 or 1");
  return first;
}

void read_tets(std::string_view text, const std::string& name, std::int64_t first, Cells& cells) {
  TableReader table(text, name);
  table.next_line();
  const std::uint64_t count = table.count("a count of tetrahedra", 5);
  const std::int64_t node_count = table.integer("a count of corners");
  if (node_count != 4 && node_count != 10)
    table.scan().fail("the cells are not tetrahedra", "export tetrahedra of 4 or 10 nodes");
  if (node_count == 10) cells.drop("curvature of tetrahedra");
  if (!table.scan().at_line_end() && table.integer("a count of attributes") > 0) cells.drop("tetrahedron attributes");
  table.scan().skip_line();
  std::array<std::uint32_t, 4> corners{};
  for (std::uint64_t i = 0; i < count; ++i) {
    table.next_line();
    table.integer("a tetrahedron number");
    for (std::uint32_t& corner : corners) {
      const std::int64_t index = table.integer("a vertex number") - first;
      if (index < 0 || static_cast<std::uint64_t>(index) >= cells.positions.size())
        table.scan().fail(
            "vertex " + std::to_string(index + first) + " does not exist",
            "there are " + std::to_string(cells.positions.size()) + ", numbered from " + std::to_string(first),
            "tetrahedron " + std::to_string(i + static_cast<std::uint64_t>(first)));
      corner = static_cast<std::uint32_t>(index);
    }
    cells.add_tet(corners);
    table.scan().skip_line();
  }
}

}  // namespace

Cells parse_tetgen(const TetgenText& text) {
  Cells cells;
  const std::int64_t first = read_nodes(text.node, text.node_name, cells);
  read_tets(text.ele, text.ele_name, first, cells);
  return cells;
}

TetgenFiles format_tetgen(const TetMesh& mesh) {
  std::string node = std::to_string(mesh.vertex_count()) + " 3 0 0\n";
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    append_integer(node, v);
    for (int axis = 0; axis < 3; ++axis) {
      node += ' ';
      append_decimal(node, mesh.positions()[v][axis]);
    }
    node += '\n';
  }
  std::string ele = std::to_string(mesh.tet_count()) + " 4 0\n";
  for (std::size_t t = 0; t < mesh.tet_count(); ++t) {
    append_integer(ele, t);
    for (const VertexId v : mesh.tets()[t]) {
      ele += ' ';
      append_integer(ele, v.value);
    }
    ele += '\n';
  }
  return {std::move(node), std::move(ele)};
}

}  // namespace pliant
