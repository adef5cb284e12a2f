// Legacy VTK (.vtk), versions 1 to 5.1: unstructured grids and polygonal data, text and binary (big-endian).
// Layout: VTK user's guide, "VTK file formats".
#include <array>
#include <cmath>

#include "pliant/io/mixed_stream.h"
#include "pliant/io/vtk_cells.h"

namespace pliant {
namespace {

enum class Kind { real, integer };
struct NumberType {
  std::string_view name;
  Kind kind;
  std::size_t size;
};
constexpr std::array<NumberType, 13> kTypes = {{{"float", Kind::real, 4},
                                                {"double", Kind::real, 8},
                                                {"char", Kind::integer, 1},
                                                {"unsigned_char", Kind::integer, 1},
                                                {"short", Kind::integer, 2},
                                                {"unsigned_short", Kind::integer, 2},
                                                {"int", Kind::integer, 4},
                                                {"unsigned_int", Kind::integer, 4},
                                                {"long", Kind::integer, 8},
                                                {"unsigned_long", Kind::integer, 8},
                                                {"vtktypeint64", Kind::integer, 8},
                                                {"vtktypeuint64", Kind::integer, 8},
                                                {"vtkidtype", Kind::integer, 4}}};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return result;
}

// Cells as lists of points, before their types are known.
struct CellLists {
  std::vector<std::uint64_t> ends;  // of each cell's points
  std::vector<std::uint32_t> points;

  std::size_t size() const { return ends.size(); }
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    const std::uint64_t start = i == 0 ? 0 : ends[i - 1];
    return {points.data() + start, static_cast<std::size_t>(ends[i] - start)};
  }
};

class VtkReader {
 public:
  VtkReader(std::string_view bytes, const std::string& name) : stream_(bytes, name) {}

  Cells read() {
    read_header();
    while (!done_ && !at_end()) {
      const std::string keyword = word();
      read_section(keyword);
    }
    if (lists_.size() > 0) fail("the cells have no CELL_TYPES");
    return std::move(cells_);
  }

 private:
  TextScanner& text() { return stream_.text(); }
  [[noreturn]] void fail(const std::string& problem, const std::string& element = {}) {
    stream_.fail(problem, MixedStream::kDamaged, element);
  }
  bool at_end() {
    text().skip_space();
    return text().at_end();
  }
  // Keywords and their counts are text in binary files too.
  std::string word() {
    text().skip_space();
    return lower(text().word().substr(0, 40));
  }
  std::uint64_t count() {
    text().skip_blanks();
    const std::optional<std::int64_t> value = text().integer();
    if (!value || *value < 0 || !text().at_token_end()) fail("expected a count, found " + text().found());
    return static_cast<std::uint64_t>(*value);
  }
  const NumberType& type() {
    const std::string name = word();
    for (const NumberType& known : kTypes) {
      if (known.name == name) return known;
    }
    fail("numbers of type '" + name + "' are not known");
  }

  void read_header() {
    if (text().rest().substr(0, 5) != "# vtk")
      text().fail_at(0, "not a legacy VTK file", "it must begin with '# vtk DataFile Version'");
    text().skip_line();
    text().skip_line();  // the title
    const std::string encoding = word();
    if (encoding == "binary") binary_ = true;
    else if (encoding != "ascii") fail("the third line is neither ASCII nor BINARY");
    if (word() != "dataset") fail("expected DATASET, found " + text().found());
    const std::string dataset = word();
    if (dataset != "unstructured_grid" && dataset != "polydata")
      stream_.fail("a dataset of type '" + dataset + "' holds no mesh",
                   "export an unstructured grid or polygonal data");
  }

  void read_section(const std::string& keyword) {
    if (keyword == "points") return read_points();
    if (keyword == "cells") return read_cells();
    if (keyword == "cell_types") return read_types();
    if (keyword == "polygons") return read_list(kVtkPolygon);
    if (keyword == "triangle_strips") return read_list(kVtkStrip);
    if (keyword == "vertices") return read_list(1);
    if (keyword == "lines") return read_list(4);
    if (keyword == "field") return skip_field();
    if (keyword == "metadata") return skip_metadata();
    if (keyword != "point_data" && keyword != "cell_data") fail("unknown keyword '" + printable(keyword) + "'");
    cells_.drop("point and cell data");  // the last thing in a file
    done_ = true;
  }

  static std::string printable(std::string text) {
    for (char& c : text) c = c >= ' ' && c <= '~' ? c : '?';
    return text;
  }

  // Data begin on the line after their keyword.
  void begin_data() {
    text().skip_line();
    if (binary_) stream_.set_binary(std::endian::big);
  }

  double real(const NumberType& type) {
    if (type.kind == Kind::integer) return static_cast<double>(integer(type));
    return type.size == 4 ? stream_.next<float>("a coordinate") : stream_.next<double>("a coordinate");
  }
  // A number of one or two bytes is only ever a coordinate or stepped over; its sign does not matter here.
  std::int64_t integer(const NumberType& type) {
    switch (type.size) {
      case 1:
        return stream_.next<std::int8_t>("a number");
      case 2:
        return stream_.next<std::int16_t>("a number");
      case 4:
        return stream_.next<std::int32_t>("a number");
      default:
        return stream_.next<std::int64_t>("a number");
    }
  }

  void read_points() {
    if (!cells_.positions.empty()) fail("POINTS stands twice");
    const std::uint64_t points = count();
    const NumberType& number = type();
    begin_data();
    stream_.require_room(points, stream_.room_for(3 * number.size, 3), "points");
    reserve_large(cells_.positions, static_cast<std::size_t>(points));
    for (std::uint64_t i = 0; i < points; ++i) {
      Vec3 position;
      // Text floats are read as doubles: rounding them first would only lose digits.
      for (int axis = 0; axis < 3; ++axis)
        position[axis] = binary_ ? real(number) : stream_.next<double>("a coordinate");
      if (!position.allFinite())
        stream_.fail("a coordinate is not a finite number", "repair or remove the point",
                     "vertex " + std::to_string(i));
      cells_.positions.push_back(position);
    }
  }

  // Up to version 4: a list of counts and points. From 5: offsets and points.
  CellLists read_lists() {
    const std::uint64_t first = count(), second = count();
    begin_data();
    const std::string_view ahead = stream_.text().rest();
    if (lower(ahead.substr(0, 7)) == "offsets") return read_offsets(first, second);
    stream_.require_room(second, stream_.room_for(4, 1), "numbers of cells");
    if (first > second) fail("the counts of the cells do not match");
    CellLists lists;
    for (std::uint64_t i = 0; i < first; ++i) {
      const auto size = stream_.next<std::int32_t>("a count of points");
      if (size < 0 || static_cast<std::uint64_t>(size) > second) fail("a cell has a wrong count of points", cell(i));
      for (std::int32_t k = 0; k < size; ++k) lists.points.push_back(point(stream_.next<std::int32_t>("a point"), i));
      lists.ends.push_back(lists.points.size());
    }
    return lists;
  }

  CellLists read_offsets(std::uint64_t offset_count, std::uint64_t point_count) {
    word();
    const NumberType offset_type = type();
    begin_data();
    stream_.require_room(offset_count, stream_.room_for(offset_type.size, 1), "offsets");
    CellLists lists;
    for (std::uint64_t i = 0; i < offset_count; ++i) {
      const std::int64_t end = integer(offset_type);
      const std::uint64_t least = lists.ends.empty() ? 0 : lists.ends.back();
      if (end < 0 || static_cast<std::uint64_t>(end) < least || static_cast<std::uint64_t>(end) > point_count ||
          (i == 0 && end != 0))
        fail("the offsets of the cells do not go up", cell(i));
      if (i > 0) lists.ends.push_back(static_cast<std::uint64_t>(end));
    }
    if (word() != "connectivity") fail("expected CONNECTIVITY");
    const NumberType point_type = type();
    begin_data();
    stream_.require_room(point_count, stream_.room_for(point_type.size, 1), "points of cells");
    for (std::uint64_t i = 0; i < point_count; ++i) lists.points.push_back(point(integer(point_type), i));
    return lists;
  }

  static std::string cell(std::uint64_t index) { return "cell " + std::to_string(index); }

  std::uint32_t point(std::int64_t index, std::uint64_t of) {
    if (index < 0 || static_cast<std::uint64_t>(index) >= cells_.positions.size())
      stream_.fail("point " + std::to_string(index) + " does not exist",
                   std::to_string(cells_.positions.size()) + " points stand before it", cell(of));
    return static_cast<std::uint32_t>(index);
  }

  void read_cells() {
    if (lists_.size() > 0) fail("CELLS stands twice");
    lists_ = read_lists();
  }

  void read_types() {
    const std::uint64_t types = count();
    begin_data();
    if (types != lists_.size())
      fail("there are " + std::to_string(types) + " types for " + std::to_string(lists_.size()) + " cells");
    for (std::uint64_t i = 0; i < types; ++i) add(stream_.next<std::int32_t>("a type of cell"), i, lists_);
    lists_ = {};
  }

  void read_list(int type) {
    const CellLists lists = read_lists();
    for (std::size_t i = 0; i < lists.size(); ++i) add(type, i, lists);
  }

  void add(int type, std::uint64_t index, const CellLists& lists) {
    if (!add_vtk_cell(cells_, type, lists[static_cast<std::size_t>(index)]))
      fail("a cell has too few points for its type", cell(index));
  }

  void skip_field() {
    word();
    const std::uint64_t arrays = count();
    for (std::uint64_t i = 0; i < arrays; ++i) {
      if (at_end()) fail("the file ends inside a field");
      text().word();
      const std::uint64_t components = count(), tuples = count();
      const NumberType& number = type();
      begin_data();
      const std::uint64_t room = stream_.room_for(number.size, 1);
      if (components != 0) stream_.require_room(tuples, room / components, "tuples of a field");
      if (binary_) stream_.skip(static_cast<std::size_t>(components * tuples * number.size), "a field");
      else
        for (std::uint64_t k = 0; k < components * tuples; ++k) word();
    }
    cells_.drop("field data");
  }

  void skip_metadata() {
    text().skip_line();
    while (!text().at_end() && !text().rest_of_line().empty()) text().skip_line();
  }

  MixedStream stream_;
  Cells cells_;
  CellLists lists_;
  bool binary_ = false;
  bool done_ = false;
};

}  // namespace

Cells parse_vtk(std::string_view bytes, const std::string& name) { return VtkReader(bytes, name).read(); }

}  // namespace pliant
