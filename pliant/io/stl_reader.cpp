// STL, text and binary. Its triangles have corners, not vertices: equal corners are made one vertex.
#include "pliant/io/stl_reader.h"

#include <algorithm>
#include <cmath>

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/polygon_builder.h"
#include "pliant/io/text_scanner.h"
#include "pliant/io/weld.h"

namespace pliant {
namespace {

constexpr std::size_t kHeaderSize = 84;  // 80 bytes of anything, then the count
constexpr std::size_t kFacetSize = 50;   // a normal and three corners of floats, two bytes of attributes

bool starts_with_solid(std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || bytes.size() - start < 5) return false;
  constexpr std::string_view kSolid = "solid";
  return std::equal(kSolid.begin(), kSolid.end(), bytes.begin() + static_cast<std::ptrdiff_t>(start),
                    [](char expected, char c) { return (c | 0x20) == expected; });
}

struct Corners {
  std::vector<Vec3> points;  // three a triangle
  std::vector<std::string> dropped = {"normals"};
  struct Solid {
    std::string name;
    std::size_t first_triangle;
  };
  std::vector<Solid> solids;
};

class TextStlReader {
 public:
  TextStlReader(std::string_view text, const std::string& name) : scan_(text, name) {}

  Corners read() {
    scan_.skip_space();
    while (!scan_.at_end()) {
      read_solid();
      scan_.skip_space();
    }
    return std::move(corners_);
  }

 private:
  void read_solid() {
    expect("solid");
    corners_.solids.push_back({std::string(scan_.rest_of_line()), corners_.points.size() / 3});
    while (!next_is("endsolid")) read_facet();
    scan_.rest_of_line();
  }

  void read_facet() {
    expect("facet");
    expect("normal");
    for (int i = 0; i < 3; ++i) read_number(false);
    expect("outer");
    expect("loop");
    for (int corner = 0; corner < 3; ++corner) {
      expect("vertex");
      Vec3 point;
      for (int axis = 0; axis < 3; ++axis) point[axis] = read_number(true);
      corners_.points.push_back(point);
    }
    expect("endloop");
    expect("endfacet");
  }

  // Normals of degenerate facets are often written as not-a-number; they are not used.
  double read_number(bool must_be_finite) {
    scan_.skip_space();
    const std::optional<double> value = scan_.number();
    if (!value) fail("expected a number, found " + scan_.found());
    if (must_be_finite && !std::isfinite(*value)) fail("a coordinate is not a finite number");
    return *value;
  }

  void expect(std::string_view keyword) {
    if (next_is(keyword)) return;
    fail("expected '" + std::string(keyword) + "', found " + scan_.found());
  }

  // Consumes the keyword, in any case, if it is next.
  bool next_is(std::string_view keyword) {
    scan_.skip_space();
    if (scan_.at_end()) fail("the file ends inside a solid");
    TextScanner ahead = scan_;
    const std::string_view word = ahead.word();
    const bool same = std::equal(word.begin(), word.end(), keyword.begin(), keyword.end(),
                                 [](char a, char b) { return (a | 0x20) == b; });
    if (same) scan_ = ahead;
    return same;
  }

  [[noreturn]] void fail(const std::string& problem) {
    scan_.fail(problem, "the STL file is damaged or truncated", "facet " + std::to_string(corners_.points.size() / 3));
  }

  TextScanner scan_;
  Corners corners_;
};

Corners read_binary(std::string_view bytes, const std::string& name) {
  ByteReader reader(bytes, name);
  reader.take(80, "the header");
  const auto count = reader.take<std::uint32_t>(std::endian::little, "the header");
  if (count > reader.remaining() / kFacetSize)
    reader.fail_at(80,
                   "the header claims " + std::to_string(count) + " triangles, but the file has room for " +
                       std::to_string(reader.remaining() / kFacetSize),
                   "the file is truncated, or is not an STL file: copy or export it again");
  Corners corners;
  corners.points.reserve(std::size_t{3} * count);
  bool has_attributes = false;
  for (std::uint32_t facet = 0; facet < count; ++facet) {
    const std::size_t start = reader.offset();
    const char* at = reader.take(kFacetSize, "the triangles");
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const char* p = at + 12 * (corner + 1);
      const Vec3 point(load_little<float>(p), load_little<float>(p + 4), load_little<float>(p + 8));
      if (!point.allFinite())
        reader.fail_at(start, "a coordinate is not a finite number", "repair or remove the triangle",
                       "facet " + std::to_string(facet));
      corners.points.push_back(point);
    }
    has_attributes = has_attributes || at[48] != 0 || at[49] != 0;
  }
  if (has_attributes) corners.dropped.emplace_back("facet attributes (colours)");
  return corners;
}

MeshFile build(Corners corners, const std::string& name, double weld_tolerance) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() / 4;
  if (corners.points.size() > kMost)
    throw Error(ErrorPlace{.file = name}, "the file has too many triangles", "split it");
  WeldedPoints welded = weld_points(corners.points, weld_tolerance, name);
  PolygonBuilder builder;
  builder.positions = std::move(welded.positions);
  builder.dropped = std::move(corners.dropped);
  builder.reserve_triangles(corners.points.size() / 3);
  auto solid = corners.solids.begin();
  for (std::size_t t = 0; t < corners.points.size() / 3; ++t) {
    for (; solid != corners.solids.end() && solid->first_triangle == t; ++solid) builder.begin_part(solid->name);
    const std::uint32_t* corner = &welded.index_of[3 * t];
    builder.add_triangle({VertexId(corner[0]), VertexId(corner[1]), VertexId(corner[2])});
  }
  return builder.build(name);
}

}  // namespace

// A binary file may begin with "solid" too: its size, when it matches its count, decides first; then whether text
// follows.
StlKind sniff_stl(std::string_view bytes) {
  if (bytes.size() >= kHeaderSize &&
      bytes.size() == kHeaderSize + kFacetSize * std::uint64_t{load_little<std::uint32_t>(bytes.data() + 80)})
    return StlKind::binary;
  if (!starts_with_solid(bytes)) return StlKind::unknown;
  const std::string_view opening = bytes.substr(0, 1024);
  return opening.find('\0') == std::string_view::npos ? StlKind::text : StlKind::binary;
}

MeshFile parse_stl(std::string_view bytes, const std::string& name, double weld_tolerance) {
  const bool is_text = sniff_stl(bytes) == StlKind::text;
  return build(is_text ? TextStlReader(bytes, name).read() : read_binary(bytes, name), name, weld_tolerance);
}

}  // namespace pliant
