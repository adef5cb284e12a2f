// Gmsh .msh 2.2 and 4.1, text and binary. Layouts: Gmsh reference manual, "MSH file format" and "legacy formats".
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "pliant/io/cells.h"
#include "pliant/io/mixed_stream.h"

namespace pliant {
namespace {

// What the cells of a type are to us. The corners of curved ones come first.
struct GmshCellType {
  int id;
  std::size_t node_count;
  std::size_t corner_count;  // 3 and 4: polygons or tetrahedra; 0: left out
  bool is_tet;
  const char* name;
};
constexpr std::array<GmshCellType, 33> kCellTypes = {{
    {1, 2, 0, false, "lines"},
    {2, 3, 3, false, "triangles"},
    {3, 4, 4, false, "quadrangles"},
    {4, 4, 4, true, "tetrahedra"},
    {5, 8, 0, false, "hexahedra"},
    {6, 6, 0, false, "prisms"},
    {7, 5, 0, false, "pyramids"},
    {8, 3, 0, false, "lines"},
    {9, 6, 3, false, "curved triangles"},
    {10, 9, 4, false, "curved quadrangles"},
    {11, 10, 4, true, "curved tetrahedra"},
    {12, 27, 0, false, "hexahedra"},
    {13, 18, 0, false, "prisms"},
    {14, 14, 0, false, "pyramids"},
    {15, 1, 0, false, "points"},
    {16, 8, 4, false, "curved quadrangles"},
    {17, 20, 0, false, "hexahedra"},
    {18, 15, 0, false, "prisms"},
    {19, 13, 0, false, "pyramids"},
    {20, 9, 3, false, "curved triangles"},
    {21, 10, 3, false, "curved triangles"},
    {22, 12, 3, false, "curved triangles"},
    {23, 15, 3, false, "curved triangles"},
    {24, 15, 3, false, "curved triangles"},
    {25, 21, 3, false, "curved triangles"},
    {26, 4, 0, false, "lines"},
    {27, 5, 0, false, "lines"},
    {28, 6, 0, false, "lines"},
    {29, 20, 4, true, "curved tetrahedra"},
    {30, 35, 4, true, "curved tetrahedra"},
    {31, 56, 4, true, "curved tetrahedra"},
    {92, 64, 0, false, "hexahedra"},
    {93, 125, 0, false, "hexahedra"},
}};

const GmshCellType* find_type(std::int64_t id) {
  for (const GmshCellType& type : kCellTypes) {
    if (type.id == id) return &type;
  }
  return nullptr;
}

// Node tags, which need not be 1, 2, 3, ..., to indices in the list of positions.
class NodeTags {
 public:
  void add(std::int64_t tag) {
    sequential_ = sequential_ && tag == static_cast<std::int64_t>(tags_.size()) + 1;
    tags_.push_back({tag, static_cast<std::uint32_t>(tags_.size())});
  }
  // Call when all are added. Returns a tag that occurs twice, if there is one.
  std::optional<std::int64_t> sort() {
    if (sequential_) return std::nullopt;
    std::sort(tags_.begin(), tags_.end());
    for (std::size_t i = 1; i < tags_.size(); ++i) {
      if (tags_[i].tag == tags_[i - 1].tag) return tags_[i].tag;
    }
    return std::nullopt;
  }
  std::optional<std::uint32_t> find(std::int64_t tag) const {
    if (sequential_) {
      if (tag < 1 || static_cast<std::uint64_t>(tag) > tags_.size()) return std::nullopt;
      return static_cast<std::uint32_t>(tag - 1);
    }
    const auto found = std::lower_bound(tags_.begin(), tags_.end(), Entry{tag, 0});
    return found != tags_.end() && found->tag == tag ? std::optional(found->index) : std::nullopt;
  }

 private:
  struct Entry {
    std::int64_t tag;
    std::uint32_t index;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> tags_;
  bool sequential_ = true;
};

class GmshReader {
 public:
  GmshReader(std::string_view bytes, const std::string& name) : stream_(bytes, name) {}

  Cells read() {
    read_format();
    for (next_section(); !section_.empty(); next_section()) {
      if (section_ == "$Nodes") version_4_ ? read_nodes_4() : read_nodes_2();
      else if (section_ == "$Elements") version_4_ ? read_elements_4() : read_elements_2();
      else skip_section();
    }
    if (!has_nodes_) stream_.fail("the file has no $Nodes", MixedStream::kDamaged);
    return std::move(cells_);
  }

 private:
  TextScanner& text() { return stream_.text(); }

  // Keywords are text in binary files too.
  void next_section() {
    text().skip_space();
    section_ = text().word();
    if (!section_.empty() && (section_[0] != '$' || section_.substr(0, 4) == "$End"))
      stream_.fail("expected a section such as $Nodes", MixedStream::kDamaged);
  }
  void end_section(std::string_view end) {
    text().skip_space();
    if (text().word() != end) stream_.fail("expected " + std::string(end), MixedStream::kDamaged);
  }
  // To the number after the line of the keyword.
  void begin_data() { text().skip_line(); }

  void skip_section() {
    const std::string end = "$End" + std::string(section_.substr(1));
    if (section_ == "$PhysicalNames") cells_.drop("physical groups");
    else if (section_ != "$Entities" && section_ != "$Comments")
      cells_.drop("section '" + std::string(section_.substr(0, 40)) + "'");
    const std::size_t found = text().rest().find(end);
    if (found == std::string_view::npos)
      stream_.fail("the file ends inside a section: there is no " + end, MixedStream::kDamaged);
    text().advance(found + end.size());
  }

  void read_format() {
    text().skip_space();
    if (text().word() != "$MeshFormat") text().fail_at(0, "not a Gmsh file", "it must begin with $MeshFormat");
    const double version = stream_.next<double>("a version");
    if (version != 2.2 && version != 4.1)
      stream_.fail("this version of the Gmsh format is not supported",
                   "save it as version 4.1 or 2.2 (Mesh.MshFileVersion)");
    version_4_ = version == 4.1;
    const auto is_binary = stream_.next<std::int32_t>("a file type");
    const auto size = stream_.next<std::int32_t>("a size");
    if (size != 8) stream_.fail("the numbers have " + std::to_string(size) + " bytes", "save it with 8-byte numbers");
    if (is_binary == 1) {
      begin_data();
      stream_.set_binary(std::endian::little);
      const auto one = stream_.next<std::uint32_t>("the header");
      if (one == 0x01000000) stream_.set_binary(std::endian::big);
      else if (one != 1) stream_.fail("the byte order cannot be told", MixedStream::kDamaged);
    }
    end_section("$EndMeshFormat");
  }

  void begin_nodes() {
    if (has_nodes_) stream_.fail("the file has two sections $Nodes", MixedStream::kDamaged);
    has_nodes_ = true;
    begin_data();
  }
  void end_nodes() {
    if (const std::optional<std::int64_t> twice = tags_.sort())
      stream_.fail("node " + std::to_string(*twice) + " is given twice", MixedStream::kDamaged);
    end_section("$EndNodes");
  }

  // The count of a section of version 2.2 is text, even in binary files.
  std::uint64_t read_text_count() {
    const std::optional<std::int64_t> count = text().integer();
    if (!count || *count < 0) stream_.fail("expected a count, found " + text().found(), MixedStream::kDamaged);
    text().skip_line();
    return static_cast<std::uint64_t>(*count);
  }

  void read_nodes_2() {
    begin_nodes();
    const std::uint64_t count = read_text_count();
    stream_.require_room(count, stream_.room_for(4 + 24, 4), "nodes");
    reserve_large(cells_.positions, count);
    for (std::uint64_t i = 0; i < count; ++i) {
      tags_.add(stream_.next<std::int32_t>("a node number"));
      read_position();
    }
    end_nodes();
  }

  void read_nodes_4() {
    begin_nodes();
    const auto block_count = stream_.next<std::uint64_t>("a count");
    for (int i = 0; i < 3; ++i) stream_.next<std::uint64_t>("a count");  // of all nodes; their smallest and largest tag
    for (std::uint64_t block = 0; block < block_count; ++block) {
      const auto dimension = stream_.next<std::int32_t>("a dimension");
      stream_.next<std::int32_t>("an entity");
      const auto parametric = stream_.next<std::int32_t>("a flag");
      const auto count = stream_.next<std::uint64_t>("a count");
      stream_.require_room(count, stream_.room_for(8 + 24, 4), "nodes");
      if (dimension < 0 || dimension > 3) stream_.fail("an entity has no dimension", MixedStream::kDamaged);
      for (std::uint64_t i = 0; i < count; ++i) tags_.add(stream_.next<std::int64_t>("a node number"));
      for (std::uint64_t i = 0; i < count; ++i) {
        read_position();
        for (int extra = 0; parametric != 0 && extra < dimension; ++extra) stream_.next<double>("a parameter");
      }
    }
    end_nodes();
  }

  void read_position() {
    Vec3 position;
    for (int axis = 0; axis < 3; ++axis) position[axis] = stream_.next<double>("a coordinate");
    if (!position.allFinite())
      stream_.fail("a coordinate is not a finite number", "repair or remove the node",
                   "vertex " + std::to_string(cells_.positions.size()));
    cells_.positions.push_back(position);
  }

  void begin_elements() {
    if (!has_nodes_) stream_.fail("$Elements stands before $Nodes", MixedStream::kDamaged);
    begin_data();
  }

  const GmshCellType& require_type(std::int64_t id) {
    const GmshCellType* type = find_type(id);
    if (!type)
      stream_.fail("elements of type " + std::to_string(id) + " are not known", "export tetrahedra or triangles");
    const std::string name = type->name;
    if (type->corner_count == 0) name == "lines" || name == "points" ? cells_.drop(name) : cells_.leave_out(name);
    else if (type->node_count != type->corner_count) cells_.drop("curvature of " + name);
    return *type;
  }

  template <class Tag>
  void read_element(const GmshCellType& type) {
    corners_.clear();
    for (std::size_t i = 0; i < type.node_count; ++i) {
      const std::int64_t tag = static_cast<std::int64_t>(stream_.next<Tag>("a node number"));
      if (i >= type.corner_count) continue;
      const std::optional<std::uint32_t> index = tags_.find(tag);
      if (!index)
        stream_.fail("node " + std::to_string(tag) + " does not exist",
                     "the file has " + std::to_string(cells_.positions.size()) + " nodes",
                     "element " + std::to_string(element_));
      corners_.push_back(*index);
    }
    ++element_;
    if (type.is_tet) cells_.add_tet(corners_);
    else if (type.corner_count > 0) cells_.add_polygon(corners_);
  }

  void read_elements_2() {
    begin_elements();
    const std::uint64_t count = read_text_count();
    stream_.require_room(count, stream_.room_for(4 + 4, 4), "elements");
    for (std::uint64_t done = 0; done < count;)
      done += stream_.is_binary() ? read_block_2(count - done) : read_line_2();
    end_section("$EndElements");
  }

  std::uint64_t read_line_2() {
    stream_.next<std::int32_t>("an element number");
    const GmshCellType& type = require_type(stream_.next<std::int32_t>("an element type"));
    skip_tags(stream_.next<std::int32_t>("a count of tags"));
    read_element<std::int32_t>(type);
    return 1;
  }

  // Binary elements come in blocks of one type.
  std::uint64_t read_block_2(std::uint64_t most) {
    const GmshCellType& type = require_type(stream_.next<std::int32_t>("an element type"));
    const auto count = stream_.next<std::int32_t>("a count");
    const auto tag_count = stream_.next<std::int32_t>("a count of tags");
    if (count <= 0 || static_cast<std::uint64_t>(count) > most)
      stream_.fail("a block of elements has a wrong count", MixedStream::kDamaged);
    for (std::int32_t i = 0; i < count; ++i) {
      stream_.next<std::int32_t>("an element number");
      skip_tags(tag_count);
      read_element<std::int32_t>(type);
    }
    return static_cast<std::uint64_t>(count);
  }

  void skip_tags(std::int32_t count) {
    if (count < 0) stream_.fail("a count of tags is negative", MixedStream::kDamaged);
    for (std::int32_t i = 0; i < count; ++i) stream_.next<std::int32_t>("a tag");
  }

  void read_elements_4() {
    begin_elements();
    const auto block_count = stream_.next<std::uint64_t>("a count");
    for (int i = 0; i < 3; ++i) stream_.next<std::uint64_t>("a count");  // of all elements; smallest and largest tag
    for (std::uint64_t block = 0; block < block_count; ++block) {
      for (int i = 0; i < 2; ++i) stream_.next<std::int32_t>("an entity");
      const GmshCellType& type = require_type(stream_.next<std::int32_t>("an element type"));
      const auto count = stream_.next<std::uint64_t>("a count");
      stream_.require_room(count, stream_.room_for(8 * (1 + type.node_count), 1 + type.node_count), "elements");
      for (std::uint64_t i = 0; i < count; ++i) {
        stream_.next<std::int64_t>("an element number");
        read_element<std::int64_t>(type);
      }
    }
    end_section("$EndElements");
  }

  MixedStream stream_;
  Cells cells_;
  NodeTags tags_;
  std::string_view section_;
  bool version_4_ = false;
  bool has_nodes_ = false;
  std::uint64_t element_ = 0;
  std::vector<std::uint32_t> corners_;
};

}  // namespace

Cells parse_gmsh(std::string_view bytes, const std::string& name) { return GmshReader(bytes, name).read(); }

}  // namespace pliant
