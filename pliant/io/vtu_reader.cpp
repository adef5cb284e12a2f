// VTK's XML files with cells: .vtu (unstructured grids) and .vtp (polygonal data), with numbers as text, base64 or
// appended, plain or compressed by zlib. Layout: VTK user's guide, "XML file formats"; VTK wiki, "VTK XML Formats".
#include <algorithm>
#include <array>
#include <optional>

#include "pliant/io/inflate.h"
#include "pliant/io/vtk_cells.h"
#include "pliant/io/vtk_xml_arrays.h"
#include "pliant/io/xml_scanner.h"

namespace pliant {
namespace {

constexpr const char* kDamaged = VtkXmlArrays::kDamaged;

constexpr std::uint64_t kAnyCount = std::uint64_t{1} << 60;

// One list of cells: of an unstructured grid, or of one kind of polygonal data.
struct CellArrays {
  std::optional<VtkXmlArray> connectivity, offsets, types;
};

struct Piece {
  std::uint64_t point_count = 0, cell_count = 0;
  std::optional<VtkXmlArray> points;
  CellArrays cells, polygons, strips;
  // How many cells of each kind there are; where the file does not say it, any number.
  std::uint64_t most_polygons = kAnyCount, most_strips = kAnyCount;
};

class VtuReader {
 public:
  VtuReader(std::string_view bytes, const std::string& name)
      : xml_(bytes, name), arrays_(file_, xml_.scan(), bytes.size()) {}

  Cells read() {
    read_file_tag();
    bool is_whole = false;
    while (const std::optional<XmlTag> tag = xml_.next()) {
      if (!tag->is_end && tag->name == "AppendedData") {
        read_appended(*tag);
        is_whole = ends_as_files_do(scan().rest());
        break;
      }
      is_whole = tag->is_end && tag->name == "VTKFile";
      read_tag(*tag);
    }
    if (!is_whole) scan().fail("the file does not end with </VTKFile>", kDamaged);
    for (const Piece& piece : pieces_) add_piece(piece);
    return std::move(cells_);
  }

 private:
  TextScanner& scan() { return xml_.scan(); }

  // Behind appended data, which are no text.
  static bool ends_as_files_do(std::string_view rest) {
    constexpr std::size_t kMostBehindIt = 1000;  // blanks, a comment
    return rest.substr(rest.size() - std::min(rest.size(), kMostBehindIt)).find("</VTKFile>") != std::string_view::npos;
  }

  void read_file_tag() {
    const std::optional<XmlTag> tag = xml_.next();
    if (!tag || tag->name != "VTKFile") scan().fail_at(0, "not a VTK file", "its first tag must be VTKFile");
    const std::string_view type = (*tag)["type"];
    is_polydata_ = type == "PolyData";
    if (!is_polydata_ && type != "UnstructuredGrid")
      scan().fail("a file of type '" + std::string(type.substr(0, 40)) + "' holds no mesh",
                  "export an UnstructuredGrid or PolyData");
    if ((*tag)["byte_order"] == "BigEndian") file_.order = std::endian::big;
    file_.long_headers = (*tag)["header_type"] == "UInt64";
    const std::string_view compressor = (*tag)["compressor"];
    file_.is_compressed = !compressor.empty();
    if (file_.is_compressed && compressor != "vtkZLibDataCompressor")
      scan().fail("the data are compressed by " + std::string(compressor.substr(0, 40)),
                  "choose zlib, or no compression, when you export");
    if (file_.is_compressed && !can_inflate())
      scan().fail("the data are compressed, which this build of Pliant cannot read: it has no zlib",
                  "export the file without compression");
  }

  void read_tag(const XmlTag& tag) {
    if (tag.is_end) {
      if (tag.name == section_) section_ = {};
    } else if (tag.name == "Piece") {
      pieces_.emplace_back();
      pieces_.back().point_count = count(tag, "NumberOfPoints");
      pieces_.back().cell_count = is_polydata_ ? 0 : count(tag, "NumberOfCells");
      if (!tag["NumberOfPolys"].empty()) pieces_.back().most_polygons = count(tag, "NumberOfPolys");
      if (!tag["NumberOfStrips"].empty()) pieces_.back().most_strips = count(tag, "NumberOfStrips");
    } else if (tag.name == "DataArray" && !section_.empty()) {
      read_array(tag);
    } else if (section_.empty() && !tag.is_empty) {
      for (const std::string_view known :
           {"Points", "Cells", "Polys", "Strips", "Lines", "Verts", "PointData", "CellData", "FieldData"}) {
        if (tag.name == known) section_ = known;
      }
    }
  }

  std::uint64_t count(const XmlTag& tag, std::string_view attribute) {
    TextScanner number(tag[attribute], "");
    const std::optional<std::int64_t> value = number.integer();
    if (!value || *value < 0) scan().fail("a piece has no proper " + std::string(attribute), kDamaged);
    return static_cast<std::uint64_t>(*value);
  }

  void read_array(const XmlTag& tag) {
    VtkXmlArray array{.type = tag["type"],
                      .format = tag["format"],
                      .text = tag.is_empty ? std::string_view() : xml_.text(),
                      .place = scan().offset()};
    if (array.format == "appended") array.offset = count(tag, "offset");
    if (section_ == "PointData" || section_ == "CellData" || section_ == "FieldData")
      cells_.drop("point and cell data");
    if (section_ == "Lines" || section_ == "Verts" || pieces_.empty()) return;
    Piece& piece = pieces_.back();
    if (section_ == "Points") piece.points = array;
    CellArrays* lists = section_ == "Cells"    ? &piece.cells
                        : section_ == "Polys"  ? &piece.polygons
                        : section_ == "Strips" ? &piece.strips
                                               : nullptr;
    if (!lists) return;
    if (tag["Name"] == "connectivity") lists->connectivity = array;
    else if (tag["Name"] == "offsets") lists->offsets = array;
    else if (tag["Name"] == "types") lists->types = array;
  }

  // The data begin behind an underscore.
  void read_appended(const XmlTag& tag) {
    const std::string_view rest = scan().rest();
    const std::size_t start = rest.find('_');
    if (start == std::string_view::npos) scan().fail("the appended data are missing", kDamaged);
    arrays_.set_appended(rest.substr(start + 1), tag["encoding"] == "base64");
  }

  void add_piece(const Piece& piece) {
    const std::size_t base = cells_.positions.size();
    if (piece.point_count == 0) return;
    if (!piece.points) scan().fail("a piece has no points", kDamaged);
    const std::vector<double> coordinates =
        arrays_.read_reals(*piece.points, 3 * std::min(piece.point_count, kAnyCount));
    if (coordinates.size() / 3 < piece.point_count)
      arrays_.fail(*piece.points, "a piece has fewer points than it claims");
    for (std::size_t i = 0; i < piece.point_count; ++i) {
      const Vec3 position(coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]);
      if (!position.allFinite())
        arrays_.fail(*piece.points, "a coordinate is not a finite number", "repair or remove the point",
                     "vertex " + std::to_string(base + i));
      cells_.positions.push_back(position);
    }
    if (!is_polydata_) {
      if (piece.cell_count > 0) add_cells(piece.cells, base, std::nullopt, piece.cell_count);
      return;
    }
    if (piece.polygons.offsets) add_cells(piece.polygons, base, kVtkPolygon, piece.most_polygons);
    if (piece.strips.offsets) add_cells(piece.strips, base, kVtkStrip, piece.most_strips);
  }

  // Cells of one type, at most `most` of them; or, without a type, exactly so many of several.
  void add_cells(const CellArrays& lists, std::size_t base, std::optional<int> type, std::uint64_t most) {
    if (!lists.connectivity || !lists.offsets || (!type && !lists.types))
      scan().fail("a piece has no connectivity, offsets or types", kDamaged);
    const std::vector<std::int64_t> ends = arrays_.read_integers(*lists.offsets, most);
    const std::vector<std::int64_t> types =
        type ? std::vector<std::int64_t>() : arrays_.read_integers(*lists.types, most);
    if (!type && (ends.size() < most || types.size() < most))
      arrays_.fail(*lists.offsets, "a piece has fewer cells than it claims");
    const std::size_t count = type ? ends.size() : static_cast<std::size_t>(most);
    const std::int64_t corner_count = count == 0 ? 0 : std::max<std::int64_t>(ends[count - 1], 0);
    const std::vector<std::int64_t> points =
        arrays_.read_integers(*lists.connectivity, static_cast<std::uint64_t>(corner_count));
    std::vector<std::uint32_t> corners;
    std::int64_t start = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string element = "cell " + std::to_string(i);
      if (ends[i] < start || static_cast<std::uint64_t>(ends[i]) > points.size())
        arrays_.fail(*lists.offsets, "the offsets of the cells do not go up", kDamaged, element);
      corners.clear();
      for (; start < ends[i]; ++start) {
        const std::int64_t point = points[static_cast<std::size_t>(start)];
        if (point < 0 || static_cast<std::uint64_t>(point) >= cells_.positions.size() - base)
          arrays_.fail(*lists.connectivity, "point " + std::to_string(point) + " does not exist",
                       "the piece has " + std::to_string(cells_.positions.size() - base) + " points", element);
        corners.push_back(static_cast<std::uint32_t>(base + static_cast<std::size_t>(point)));
      }
      const std::int64_t kind = type ? *type : types[i];
      const int known = kind >= 0 && kind < 256 ? static_cast<int>(kind) : 255;
      if (!add_vtk_cell(cells_, known, corners))
        arrays_.fail(*lists.offsets, "a cell has too few points for its type", kDamaged, element);
    }
  }

  XmlScanner xml_;
  VtkXmlEncoding file_;
  bool is_polydata_ = false;
  VtkXmlArrays arrays_;
  std::string_view section_;
  std::vector<Piece> pieces_;
  Cells cells_;
};

}  // namespace

Cells parse_vtu(std::string_view bytes, const std::string& name) { return VtuReader(bytes, name).read(); }

}  // namespace pliant
