// OFF, and its kin with colours, normals or texture coordinates on the vertex lines.
#include <cmath>

#include "pliant/io/mesh_file.h"
#include "pliant/io/polygon_builder.h"
#include "pliant/io/text_scanner.h"

namespace pliant {
namespace {

class OffReader {
 public:
  OffReader(std::string_view text, const std::string& name, Faces faces) : scan_(text, name), name_(name) {
    builder_.faces = faces;
  }

  MeshFile read() {
    read_header();
    read_counts();
    for (std::uint64_t i = 0; i < vertex_count_; ++i) read_vertex(i);
    for (std::uint64_t i = 0; i < face_count_; ++i) read_face(i);
    if (has_face_colours_) builder_.dropped.emplace_back("face colours");
    return builder_.build(name_);
  }

 private:
  // [ST][C][N][4][n]OFF: the letters tell what else stands on a vertex line.
  void read_header() {
    scan_.skip_space('#');
    std::string_view word = scan_.word();
    const auto accept = [&](std::string_view prefix) {
      if (word.substr(0, prefix.size()) != prefix) return false;
      word.remove_prefix(prefix.size());
      return true;
    };
    if (accept("ST")) builder_.dropped.emplace_back("texture coordinates");
    if (accept("C")) builder_.dropped.emplace_back("vertex colours");
    if (accept("N")) builder_.dropped.emplace_back("normals");
    if (word == "4OFF" || word == "nOFF" || word == "4nOFF") fail("the vertices are not three-dimensional");
    if (word != "OFF") scan_.fail_at(0, "not an OFF file", "it must begin with 'OFF'");
    scan_.skip_space('#');
    if (scan_.next_is('B', 'I')) fail("binary OFF is not supported");
  }

  [[noreturn]] void fail(const std::string& problem) {
    scan_.fail(problem, "export three-dimensional text OFF, or PLY");
  }

  void read_counts() {
    vertex_count_ = read_count();
    face_count_ = read_count();
    if (!scan_.at_line_end()) read_count();  // of edges; means nothing, and some writers leave it out
    // A vertex line has three numbers and a face line four, each with a blank or line end; the last may lack its own.
    constexpr std::uint64_t kLeastVertex = 6, kLeastFace = 2;
    const std::uint64_t room = scan_.remaining() + 1;
    if (vertex_count_ > room / kLeastVertex || face_count_ > (room - vertex_count_ * kLeastVertex) / kLeastFace)
      scan_.fail("the header claims " + std::to_string(vertex_count_) + " vertices and " + std::to_string(face_count_) +
                     " faces, more than the file has room for",
                 "the file is truncated or its header is damaged");
    builder_.reserve_positions(vertex_count_);
  }

  std::uint64_t read_count() {
    scan_.skip_space('#');
    const std::optional<std::int64_t> count = scan_.integer();
    if (!count || *count < 0 || !scan_.at_token_end())
      scan_.fail("expected a count, found " + scan_.found(),
                 "'OFF' is followed by the counts of vertices, faces and edges");
    return static_cast<std::uint64_t>(*count);
  }

  void read_vertex(std::uint64_t vertex) {
    scan_.skip_space('#');
    Vec3 position;
    for (int axis = 0; axis < 3; ++axis) {
      scan_.skip_blanks();
      const std::optional<double> value = scan_.number();
      if (!value || !std::isfinite(*value))
        scan_.fail(value ? "a coordinate is not a finite number" : "expected a coordinate, found " + scan_.found(),
                   "a vertex is three finite numbers", "vertex " + std::to_string(vertex));
      position[axis] = *value;
    }
    builder_.positions.push_back(position);
    scan_.skip_line();  // colours, normals, texture coordinates
  }

  void read_face(std::uint64_t face) {
    scan_.skip_space('#');
    const std::int64_t count = read_face_integer(face);
    if (count < 0 || static_cast<std::uint64_t>(count) > scan_.remaining())
      scan_.fail("a face claims " + std::to_string(count) + " corners", "the file is damaged",
                 "face " + std::to_string(face));
    corners_.clear();
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t index = read_face_integer(face);
      if (index < 0 || static_cast<std::uint64_t>(index) >= vertex_count_)
        scan_.fail("vertex index " + std::to_string(index) + " is out of range",
                   "the file has " + std::to_string(vertex_count_) + " vertices", "face " + std::to_string(face));
      corners_.push_back(static_cast<std::uint32_t>(index));
    }
    if (count < 3 && !builder_.short_face_line) builder_.short_face_line = scan_.line_at(scan_.offset());
    builder_.add_polygon(corners_);
    if (!scan_.at_line_end()) has_face_colours_ = true;
    scan_.skip_line();
  }

  std::int64_t read_face_integer(std::uint64_t face) {
    scan_.skip_blanks();
    const std::optional<std::int64_t> value = scan_.integer();
    if (!value || !scan_.at_token_end())
      scan_.fail("expected an integer, found " + scan_.found(), "a face is a count and as many vertex indices",
                 "face " + std::to_string(face));
    return *value;
  }

  TextScanner scan_;
  const std::string& name_;
  PolygonBuilder builder_;
  std::uint64_t vertex_count_ = 0, face_count_ = 0;
  std::vector<std::uint32_t> corners_;
  bool has_face_colours_ = false;
};

}  // namespace

MeshFile parse_off(std::string_view text, const std::string& name, Faces faces) {
  return OffReader(text, name, faces).read();
}

}  // namespace pliant
