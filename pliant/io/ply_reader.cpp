// PLY: text and both binary byte orders, any scalar types, polygons and triangle strips; what is not known is stepped
// over.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "pliant/io/decode_reals.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/ply_header.h"
#include "pliant/io/ply_reader.h"
#include "pliant/io/ply_sources.h"
#include "pliant/io/polygon_builder.h"

namespace pliant {
namespace {

std::string kind_of_property(const std::string& element, const std::string& name) {
  static const std::set<std::string> normals = {"nx", "ny", "nz"};
  static const std::set<std::string> colours = {"red", "green", "blue", "alpha", "r", "g", "b", "a"};
  static const std::set<std::string> texture = {"u", "v", "s", "t", "texture_u", "texture_v", "texcoord", "texnumber"};
  if (normals.count(name)) return "normals";
  if (colours.count(name)) return element == "vertex" ? "vertex colours" : "face colours";
  if (texture.count(name)) return "texture coordinates";
  return element + " property '" + name + "'";
}

template <class Source>
class PlyBody {
 public:
  PlyBody(Source source, const PlyHeader& header, const std::string& name, Faces faces)
      : source_(std::move(source)), header_(header), name_(name) {
    builder_.faces = faces;
    const PlyElement* vertices = header.find("vertex");
    vertex_count_ = vertices ? vertices->count : 0;
  }

  MeshFile read() {
    bool has_vertices = false;
    for (const PlyElement& element : header_.elements) {
      if (element.properties.empty()) continue;  // takes no room in the file, whatever its count
      require_count_fits(element);
      if (element.name == "vertex" && !has_vertices) {
        read_vertices(element);
        has_vertices = true;
      } else if (element.name == "face") {
        read_faces(element);
      } else if (element.name == "tristrips") {
        read_strips(element);
      } else {
        skip_element(element);
      }
    }
    if (!has_vertices) source_.fail("the file has no vertices", "a mesh needs an element 'vertex' with x, y, z");
    builder_.dropped.assign(dropped_.begin(), dropped_.end());
    return builder_.build(name_, PolygonBuilder::Checks::done);
  }

 private:
  void require_count_fits(const PlyElement& element) {
    const std::uint64_t most = source_.most_elements(element);
    if (element.count > most)
      source_.fail("the header claims " + std::to_string(element.count) + " of element '" + element.name +
                       "', but the file has room for at most " + std::to_string(most),
                   kPlyTruncated);
  }

  void read_vertices(const PlyElement& element) {
    const std::array<int, 3> axes = {element.find("x"), element.find("y"), element.find("z")};
    for (const int axis : axes) {
      if (axis < 0 || element.properties[static_cast<std::size_t>(axis)].is_list)
        source_.fail("the vertices have no x, y, z", "export positions as scalar properties x, y, z");
    }
    for (const PlyProperty& property : element.properties) {
      if (property.name != "x" && property.name != "y" && property.name != "z")
        dropped_.insert(kind_of_property("vertex", property.name));
    }
    builder_.reserve_positions(element.count);
    if (read_packed_vertices(element, axes)) return;
    while (builder_.positions.size() < element.count) builder_.positions.push_back(read_vertex(element, axes));
  }

  Vec3 read_vertex(const PlyElement& element, const std::array<int, 3>& axes) {
    Vec3 position;
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      const auto axis = std::find(axes.begin(), axes.end(), static_cast<int>(i)) - axes.begin();
      if (axis < 3) position[axis] = source_.real(property.type);
      else skip_property(property);
    }
    if (!position.allFinite()) fail_vertex(builder_.positions.size());
    return position;
  }

  // Fixed-size binary vertices whose coordinates are all float or all double: without a decision per value.
  bool read_packed_vertices(const PlyElement& element, const std::array<int, 3>& axes) {
    if constexpr (std::is_same_v<Source, PlyBytes>) {
      const PlyType type = element.properties[static_cast<std::size_t>(axes[0])].type;
      if (element.has_lists()) return false;
      for (const int axis : axes) {
        if (element.properties[static_cast<std::size_t>(axis)].type != type) return false;
      }
      const bool little = source_.order() == std::endian::little;
      if (type == PlyType::float32)
        little ? read_packed<float, std::endian::little>(element, axes)
               : read_packed<float, std::endian::big>(element, axes);
      else if (type == PlyType::float64)
        little ? read_packed<double, std::endian::little>(element, axes)
               : read_packed<double, std::endian::big>(element, axes);
      else return false;
      return true;
    }
    return false;
  }

  template <class Real, std::endian order>
  void read_packed(const PlyElement& element, const std::array<int, 3>& axes) {
    std::array<std::size_t, 3> offsets{};
    for (std::size_t k = 0; k < 3; ++k) {
      for (int i = 0; i < axes[k]; ++i) offsets[k] += size_of(element.properties[static_cast<std::size_t>(i)].type);
    }
    const std::size_t stride = element.least_size();
    const bool has_only_positions = stride == 3 * sizeof(Real) && axes == std::array{0, 1, 2};
    builder_.positions.resize(element.count);
    for (std::size_t done = 0; done < element.count;) {
      const ByteWindow::Records records = source_.bytes().peek_records(stride, element.count - done, "the vertices");
      Vec3* to = builder_.positions.data() + done;
      const bool finite = has_only_positions ? decode_reals<Real, order>(records.data, 3 * records.count, to->data())
                                             : decode_positions<Real, order>(records, {stride, offsets}, to);
      done += records.count;
      if (!finite) fail_first_not_finite();
      source_.bytes().take(records.count * stride, "the vertices");
    }
  }

  // Where x, y and z stand among other properties.
  struct VertexLayout {
    std::size_t stride;
    std::array<std::size_t, 3> offsets;
  };
  // Returns whether all are finite.
  template <class Real, std::endian order>
  static bool decode_positions(const ByteWindow::Records& records, const VertexLayout& layout, Vec3* to) {
    bool finite = true;
    const char* at = records.data;
    for (std::size_t i = 0; i < records.count; ++i, at += layout.stride) {
      for (std::size_t k = 0; k < 3; ++k)
        finite &= decode_reals<Real, order>(at + layout.offsets[k], 1, to[i].data() + k);
    }
    return finite;
  }

  [[noreturn]] void fail_first_not_finite() {
    std::size_t vertex = 0;
    while (builder_.positions[vertex].allFinite()) ++vertex;
    fail_vertex(vertex);
  }

  [[noreturn]] void fail_vertex(std::size_t vertex) {
    source_.fail("a coordinate is not a finite number", "repair or remove the vertex",
                 "vertex " + std::to_string(vertex));
  }

  const PlyProperty& index_list(const PlyElement& element) {
    int found = element.find("vertex_indices");
    if (found < 0) found = element.find("vertex_index");
    if (found < 0 || !element.properties[static_cast<std::size_t>(found)].is_list)
      source_.fail("element '" + element.name + "' has no list of vertex indices",
                   "export faces as a list property vertex_indices");
    for (int i = 0; i < static_cast<int>(element.properties.size()); ++i) {
      if (i != found) dropped_.insert(kind_of_property("face", element.properties[static_cast<std::size_t>(i)].name));
    }
    return element.properties[static_cast<std::size_t>(found)];
  }

  void read_faces(const PlyElement& element) {
    const PlyProperty& list = index_list(element);
    builder_.reserve_triangles(element.count);
    for (std::uint64_t face = 0; face < element.count; ++face) {
      if (face += read_plain_triangles(element, element.count - face); face == element.count) return;
      for (const PlyProperty& property : element.properties) {
        if (&property != &list) {
          skip_property(property);
          continue;
        }
        read_indices(list);
        for (const std::int64_t index : indices_) require_in_range(index, face);
        corners_.assign(indices_.begin(), indices_.end());
        builder_.add_polygon(corners_);
      }
    }
  }

  // A run of triangles in the commonest layout, a byte that says 3 and three 32-bit indices; stops at anything else.
  std::uint64_t read_plain_triangles(const PlyElement& element, std::uint64_t most) {
    if constexpr (std::is_same_v<Source, PlyBytes>) {
      const PlyProperty& list = element.properties[0];
      if (element.properties.size() != 1 || size_of(list.count_type) != 1 || size_of(list.type) != 4) return 0;
      return source_.order() == std::endian::little ? read_triangles<std::endian::little>(most)
                                                    : read_triangles<std::endian::big>(most);
    }
    return 0;
  }

  // How many there are before something else. A decision a triangle would take longer than the decoding, so the whole
  // block is looked at first.
  template <std::endian order>
  static std::size_t decode_triangles(const char* from, std::span<Triangle> to, std::uint32_t limit) {
    constexpr std::size_t kSize = 13;
    int other_count = 0;
    std::array<std::uint32_t, 3> greatest{};  // one a corner: a single one would be a chain of comparisons
    const char* at = from;
    for (Triangle& triangle : to) {
      other_count |= *at ^ 3;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto index = load<std::uint32_t>(at + 1 + 4 * k, order);
        greatest[k] = std::max(greatest[k], index);
        triangle[k] = VertexId(index);
      }
      at += kSize;
    }
    if (other_count == 0 && std::max({greatest[0], greatest[1], greatest[2]}) < limit) return to.size();
    const auto is_plain = [&](std::size_t i) {
      const Triangle& t = to[i];
      return from[i * kSize] == 3 && t[0].value < limit && t[1].value < limit && t[2].value < limit;
    };
    std::size_t count = 0;
    while (is_plain(count)) ++count;
    return count;
  }

  // Decodes into a small block first: appending one by one costs more than the decoding.
  template <std::endian order>
  std::uint64_t read_triangles(std::uint64_t most) {
    constexpr std::size_t kSize = 13;
    ByteWindow& bytes = source_.bytes();
    most = std::min<std::uint64_t>(most, bytes.remaining() / kSize);
    const auto limit = static_cast<std::uint32_t>(std::min<std::uint64_t>(vertex_count_, VertexId::kNone));
    std::array<Triangle, 256> block;
    std::uint64_t taken = 0;
    for (bool plain = true; plain && taken < most;) {
      const std::uint64_t room = std::min<std::uint64_t>(block.size(), most - taken);
      const ByteWindow::Records records = bytes.peek_records(kSize, room, "the faces");
      const std::size_t filled = decode_triangles<order>(records.data, {block.data(), records.count}, limit);
      plain = filled == records.count;  // if not, the general path sees to it
      builder_.add_triangles({block.data(), filled});
      bytes.take(filled * kSize, "the faces");
      taken += filled;
    }
    return taken;
  }

  // Strips of triangles that share two vertices with the one before; -1 ends a strip. Triangles that repeat a vertex
  // only stitch strips together.
  void read_strips(const PlyElement& element) {
    const PlyProperty& list = index_list(element);
    for (std::uint64_t i = 0; i < element.count; ++i) {
      for (const PlyProperty& property : element.properties) {
        if (&property != &list) skip_property(property);
        else add_strip(read_indices(list));
      }
    }
  }

  void add_strip(std::span<const std::int64_t> strip) {
    std::size_t length = 0;  // of the run so far
    for (std::size_t i = 0; i < strip.size(); ++i) {
      length = strip[i] == -1 ? 0 : length + 1;
      if (length == 0) continue;
      require_in_range(strip[i], builder_.face_count());
      if (length < 3) continue;
      const VertexId a(static_cast<std::size_t>(strip[i - 2])), b(static_cast<std::size_t>(strip[i - 1])),
          c(static_cast<std::size_t>(strip[i]));
      if (a == b || b == c || c == a) continue;
      if (length % 2 == 1) builder_.add_triangle({a, b, c});
      else builder_.add_triangle({b, a, c});
    }
  }

  std::span<const std::int64_t> read_indices(const PlyProperty& list) {
    indices_.clear();
    const std::uint64_t count = read_list_count(list);
    for (std::uint64_t i = 0; i < count; ++i) indices_.push_back(source_.integer(list.type));
    return indices_;
  }

  std::uint64_t read_list_count(const PlyProperty& list) {
    const std::int64_t count = source_.integer(list.count_type);
    if (count < 0 || static_cast<std::uint64_t>(count) > source_.most_values(list.type))
      source_.fail("a list claims " + std::to_string(count) + " items, more than the file holds", kPlyTruncated);
    return static_cast<std::uint64_t>(count);
  }

  void require_in_range(std::int64_t index, std::uint64_t face) {
    if (index < 0 || static_cast<std::uint64_t>(index) >= vertex_count_)
      source_.fail("vertex index " + std::to_string(index) + " is out of range",
                   "the file has " + std::to_string(vertex_count_) + " vertices", "face " + std::to_string(face));
  }

  void skip_property(const PlyProperty& property) {
    const std::uint64_t count = property.is_list ? read_list_count(property) : 1;
    for (std::uint64_t i = 0; i < count; ++i) source_.skip(property.type);
  }

  void skip_element(const PlyElement& element) {
    if (element.count > 0) dropped_.insert("element '" + element.name + "'");
    for (std::uint64_t i = 0; i < element.count; ++i) {
      for (const PlyProperty& property : element.properties) skip_property(property);
    }
  }

  Source source_;
  const PlyHeader& header_;
  const std::string& name_;
  PolygonBuilder builder_;
  std::uint64_t vertex_count_ = 0;
  std::vector<std::int64_t> indices_;
  std::vector<std::uint32_t> corners_;
  std::set<std::string> dropped_;
};

}  // namespace

MeshFile read_ply(ByteSource& source, Faces faces) {
  constexpr std::size_t kUsual = std::size_t{1} << 16;
  std::string opening = source.opening(kUsual);
  const bool has_header = opening.find("end_header") + 16 < opening.size();  // with its line end
  if (!has_header) opening = source.opening(std::numeric_limits<std::size_t>::max());
  const PlyHeader header = parse_ply_header(opening, source.name());
  if (header.encoding != PlyEncoding::text)
    return PlyBody(PlyBytes(source, header), header, source.name(), faces).read();
  if (opening.size() < source.size()) opening = source.opening(std::numeric_limits<std::size_t>::max());
  return PlyBody(PlyText(opening, header, source.name()), header, source.name(), faces).read();
}

MeshFile parse_ply(std::string_view bytes, const std::string& name, Faces faces) {
  ViewSource source(bytes, name);
  return read_ply(source, faces);
}

}  // namespace pliant
