// Wavefront OBJ: v, f, o, g; everything else is left out and reported.
#include <array>
#include <bitset>
#include <cmath>

#include "pliant/io/mesh_file.h"
#include "pliant/io/polygon_builder.h"
#include "pliant/io/text_scanner.h"

namespace pliant {
namespace {

enum Dropped : std::size_t { kTexture, kNormals, kColours, kMaterials, kLines, kPoints, kSmoothing, kCurves, kUnknown };
constexpr std::array<const char*, 9> kDroppedNames = {"texture coordinates",
                                                      "normals",
                                                      "vertex colours",
                                                      "materials",
                                                      "lines",
                                                      "points",
                                                      "smoothing groups",
                                                      "free-form curves and surfaces",
                                                      "unknown statements"};

Dropped kind_of_statement(std::string_view keyword) {
  struct Entry {
    std::string_view keyword;
    Dropped kind;
  };
  constexpr std::array<Entry, 30> kKnown = {
      {{"mtllib", kMaterials},   {"usemtl", kMaterials}, {"usemap", kMaterials},
       {"maplib", kMaterials},   {"l", kLines},          {"p", kPoints},
       {"s", kSmoothing},        {"mg", kSmoothing},     {"vp", kCurves},
       {"deg", kCurves},         {"bmat", kCurves},      {"step", kCurves},
       {"cstype", kCurves},      {"curv", kCurves},      {"curv2", kCurves},
       {"surf", kCurves},        {"parm", kCurves},      {"trim", kCurves},
       {"hole", kCurves},        {"scrv", kCurves},      {"sp", kCurves},
       {"end", kCurves},         {"con", kCurves},       {"ctech", kCurves},
       {"stech", kCurves},       {"bevel", kSmoothing},  {"c_interp", kSmoothing},
       {"d_interp", kSmoothing}, {"lod", kSmoothing},    {"shadow_obj", kMaterials}}};
  for (const Entry& entry : kKnown) {
    if (entry.keyword == keyword) return entry.kind;
  }
  return kUnknown;
}

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& name, Faces faces) : scan_(text, name), name_(name) {
    builder_.faces = faces;
    builder_.reserve_positions(text.size() / kBytesPerVertex);
    builder_.reserve_triangles(text.size() / kBytesPerTriangle);
  }

  MeshFile read() {
    for (; !scan_.at_end(); scan_.skip_line()) read_statement();
    require_forward_references_met();
    for (std::size_t kind = 0; kind < kDroppedNames.size(); ++kind) {
      if (dropped_[kind]) report_dropped(static_cast<Dropped>(kind));
    }
    return builder_.build(name_);
  }

 private:
  struct Statement {
    std::size_t offset = 0;
    std::string_view keyword;
  };

  // First guesses for the arrays, on the small side of what files have per vertex (with its two triangles) and
  // triangle.
  static constexpr std::size_t kBytesPerVertex = 128;
  static constexpr std::size_t kBytesPerTriangle = 64;

  // What may have been meant as a part of the surface is worth a warning.
  void report_dropped(Dropped kind) {
    const std::string name = kDroppedNames[kind];
    if (kind != kUnknown && kind != kCurves) return builder_.dropped.push_back(name);
    builder_.warnings.push_back(name + " are left out: the first, '" + std::string(first_[kind].keyword) +
                                "', stands in line " + std::to_string(scan_.line_at(first_[kind].offset)));
  }

  // Leaves the cursor within the statement's (last) line.
  void read_statement() {
    scan_.skip_blanks();
    if (scan_.next_is('v', ' ') || scan_.next_is('v', '\t')) read_vertex();
    else if (scan_.next_is('f', ' ') || scan_.next_is('f', '\t')) read_face();
    else if (!scan_.at_line_end()) read_other_statement();
  }

  void read_vertex() {
    scan_.advance(1);
    Vec3 position;
    for (int axis = 0; axis < 3; ++axis) position[axis] = read_coordinate();
    builder_.positions.push_back(position);
    if (!scan_.at_line_end()) read_vertex_extras();
  }

  double read_coordinate() {
    scan_.skip_blanks();
    const std::optional<double> value = scan_.number();
    if (!value) fail_vertex("expected a coordinate, found " + scan_.found());
    if (!std::isfinite(*value)) fail_vertex("a coordinate is not a finite number");
    return *value;
  }

  // A weight, used only by free-form surfaces, or a colour of three or four numbers, or both.
  void read_vertex_extras() {
    int count = 0;
    for (; !scan_.at_line_end(); ++count) {
      if (!scan_.number()) fail_vertex("expected a number, found " + scan_.found());
    }
    if (count > 5) fail_vertex("too many numbers for one vertex");
    if (count > 1) dropped_.set(kColours);
  }

  [[noreturn]] void fail_vertex(const std::string& problem) {
    scan_.fail(problem, "a vertex is three finite numbers", "vertex " + std::to_string(builder_.positions.size() + 1));
  }

  void read_face() {
    scan_.advance(1);
    corners_.clear();
    const std::size_t start = scan_.offset();
    while (!scan_.at_line_end()) corners_.push_back(read_corner());
    add_face(start);
  }

  void add_face(std::size_t start) {
    if (corners_.size() < 3 && !builder_.short_face_line) builder_.short_face_line = scan_.line_at(start);
    builder_.add_polygon(corners_);
  }

  // "7", "7/1", "7//3", "7/1/3", "-1": the zero-based index of the vertex; the rest is checked in form only.
  std::uint32_t read_corner() {
    const std::optional<std::int64_t> index = scan_.integer();
    if (!index) fail_corner();
    for (int slashes = 0; scan_.peek() == '/' && slashes < 2; ++slashes) {
      scan_.advance(1);
      scan_.integer();
    }
    if (!scan_.at_token_end()) fail_corner();
    return resolve(*index);
  }

  // A positive index may name a vertex that follows; whether it does is known at the end.
  std::uint32_t resolve(std::int64_t index) {
    const auto count = static_cast<std::int64_t>(builder_.positions.size());
    if (index > count) {
      if (index >= VertexId::kNone) fail_index(index, count);
      if (index > forward_index_) {
        forward_index_ = index;
        forward_offset_ = scan_.offset();
        forward_face_ = builder_.face_count();
      }
    } else if (index < 0) {
      index += count + 1;
      if (index <= 0) fail_index(index - count - 1, count);
    } else if (index == 0) {
      fail_face(scan_.offset(), "vertex index 0 is out of range", "indices of this format start at 1");
    }
    return static_cast<std::uint32_t>(index - 1);
  }

  void require_forward_references_met() {
    const auto count = static_cast<std::int64_t>(builder_.positions.size());
    if (forward_index_ > count)
      fail_face(forward_offset_, "vertex index " + std::to_string(forward_index_) + " is out of range",
                "the file has " + std::to_string(count) + " vertices", forward_face_);
  }

  [[noreturn]] void fail_corner() {
    fail_face(scan_.offset(), "expected a vertex index, found " + scan_.found(),
              "a corner is v, v/vt, v//vn or v/vt/vn");
  }
  [[noreturn]] void fail_index(std::int64_t index, std::int64_t count) {
    fail_face(scan_.offset(), "vertex index " + std::to_string(index) + " is out of range",
              std::to_string(count) + " vertices stand before this line");
  }
  [[noreturn]] void fail_face(std::size_t offset, const std::string& problem, const std::string& remedy) {
    fail_face(offset, problem, remedy, builder_.face_count());
  }
  [[noreturn]] void fail_face(std::size_t offset, const std::string& problem, const std::string& remedy,
                              std::size_t face) {
    scan_.fail_at(offset, problem, remedy, "face " + std::to_string(face + 1));
  }

  void read_other_statement() {
    if (scan_.skip_byte_order_mark()) return read_statement();
    const Statement statement{scan_.offset(), scan_.word()};
    const std::string_view keyword = statement.keyword;
    if (keyword == "vn") return drop(kNormals, statement);
    if (keyword == "vt") return drop(kTexture, statement);
    if (keyword == "v") fail_vertex("expected a coordinate, found " + scan_.found());
    if (keyword == "f") {
      corners_.clear();
      return add_face(statement.offset);
    }
    if (keyword == "o" || keyword == "g") return read_name(keyword == "o" ? object_ : group_);
    for (const char c : keyword) {
      if (static_cast<unsigned char>(c) < ' ') scan_.fail("binary data in a text file", "is this an OBJ file?");
    }
    drop(kind_of_statement(keyword), statement);
  }

  void drop(Dropped kind, const Statement& statement) {
    if (!dropped_[kind]) first_[kind] = statement;
    dropped_.set(kind);
    scan_.skip_continued_lines();
  }

  void read_name(std::string& name) {
    name = scan_.rest_of_line();
    if (&name == &object_) group_.clear();  // groups are listed within objects
    builder_.begin_part(object_.empty() || group_.empty() ? object_ + group_ : object_ + "/" + group_);
  }

  TextScanner scan_;
  const std::string& name_;
  PolygonBuilder builder_;
  std::vector<std::uint32_t> corners_;  // of the face being read
  std::string object_, group_;
  std::bitset<kDroppedNames.size()> dropped_;
  std::array<Statement, kDroppedNames.size()> first_;  // of each kind that was dropped
  std::int64_t forward_index_ = 0;                     // the largest index that was not there yet, and where it stood
  std::size_t forward_offset_ = 0;
  std::size_t forward_face_ = 0;
};

}  // namespace

MeshFile parse_obj(std::string_view text, const std::string& name, Faces faces) {
  return ObjReader(text, name, faces).read();
}

}  // namespace pliant
