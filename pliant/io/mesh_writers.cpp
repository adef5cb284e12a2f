#include "pliant/io/mesh_writers.h"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/decimal.h"

namespace pliant {
namespace {

float to_float(double value) {
  const auto rounded = static_cast<float>(value);
  if (!std::isfinite(rounded))
    throw Error("a coordinate is too large for single precision", "write a format or precision that holds doubles");
  return rounded;
}

void append_point(std::string& text, const Vec3& p, Precision precision = Precision::float64) {
  for (int axis = 0; axis < 3; ++axis) {
    if (axis > 0) text += ' ';
    if (precision == Precision::float64) append_decimal(text, p[axis]);
    else append_decimal(text, to_float(p[axis]));
  }
}

void append_corners(std::string& text, const Triangle& triangle, std::uint32_t first_index) {
  for (const VertexId v : triangle) {
    text += ' ';
    append_integer(text, v.value + std::uint64_t{first_index});
  }
  text += '\n';
}

// Walks the faces with the name of the part each lies in: `enter(name)` where that changes ("" outside of parts).
template <class Enter, class Face>
void for_each_face(const TriangleMesh& mesh, Enter&& enter, Face&& face) {
  const std::vector<MeshPart>& parts = mesh.origin().parts;
  std::size_t part = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    if (part < parts.size() && f == parts[part].first_face) enter(parts[part].name);
    face(mesh.triangles()[f]);
    if (part < parts.size() && f + 1 == std::size_t{parts[part].first_face} + parts[part].face_count) {
      ++part;
      const bool next_follows = part < parts.size() && parts[part].first_face == f + 1;
      if (!next_follows && f + 1 < mesh.face_count()) enter(std::string());
    }
  }
}

// Names must stay on their line.
std::string one_line(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return name;
}

Vec3 unit_normal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = (b - a).cross(c - a).stableNormalized();
  return normal.allFinite() ? normal : Vec3::Zero();
}

std::string format_text_stl(const TriangleMesh& mesh) {
  std::string text;
  std::string solid;
  bool open = false;
  const auto enter = [&](const std::string& name) {
    if (open) text += "endsolid " + solid + "\n";
    solid = one_line(name);
    text += "solid " + solid + "\n";
    open = true;
  };
  for_each_face(mesh, enter, [&](const Triangle& t) {
    if (!open) enter("");
    const Vec3 &a = mesh.position(t[0]), &b = mesh.position(t[1]), &c = mesh.position(t[2]);
    text += "facet normal ";
    append_point(text, unit_normal(a, b, c), Precision::float32);
    text += "\n outer loop\n";
    for (const VertexId v : t) {
      text += "  vertex ";
      append_point(text, mesh.position(v));
      text += '\n';
    }
    text += " endloop\nendfacet\n";
  });
  return text + "endsolid " + solid + "\n";
}

void append_float_point(std::string& bytes, const Vec3& p) {
  for (int axis = 0; axis < 3; ++axis) append_little(bytes, to_float(p[axis]));
}

std::string format_binary_stl(const TriangleMesh& mesh) {
  std::string bytes(80, '\0');
  bytes.reserve(84 + 50 * mesh.face_count());
  bytes.replace(0, 10, "binary STL");  // must not begin with "solid"
  append_little(bytes, static_cast<std::uint32_t>(mesh.face_count()));
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 &a = mesh.position(t[0]), &b = mesh.position(t[1]), &c = mesh.position(t[2]);
    append_float_point(bytes, unit_normal(a, b, c));
    for (const Vec3* p : {&a, &b, &c}) append_float_point(bytes, *p);
    append_little(bytes, std::uint16_t{0});
  }
  return bytes;
}

std::string ply_header(const TriangleMesh& mesh, Encoding encoding, Precision precision) {
  const std::string type = precision == Precision::float64 ? "double" : "float";
  std::string text = "ply\nformat ";
  text += encoding == Encoding::text ? "ascii" : "binary_little_endian";
  text += " 1.0\nelement vertex " + std::to_string(mesh.vertex_count()) + "\n";
  for (const char* axis : {"x", "y", "z"}) text += "property " + type + " " + axis + "\n";
  text +=
      "element face " + std::to_string(mesh.face_count()) + "\nproperty list uchar int vertex_indices\nend_header\n";
  return text;
}

void append_binary_ply(std::string& bytes, const TriangleMesh& mesh, Precision precision) {
  for (const Vec3& p : mesh.positions()) {
    if (precision == Precision::float32) append_float_point(bytes, p);
    else
      for (int axis = 0; axis < 3; ++axis) append_little(bytes, p[axis]);
  }
  for (const Triangle& t : mesh.triangles()) {
    bytes += '\3';
    for (const VertexId v : t) append_little(bytes, v.value);
  }
}

}  // namespace

std::string format_obj(const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3& p : mesh.positions()) {
    text += "v ";
    append_point(text, p);
    text += '\n';
  }
  const auto enter = [&](const std::string& name) { text += "o " + one_line(name) + "\n"; };
  for_each_face(mesh, enter, [&](const Triangle& t) {
    text += 'f';
    append_corners(text, t, 1);
  });
  return text;
}

std::string format_ply(const TriangleMesh& mesh, Encoding encoding, Precision precision) {
  if (mesh.vertex_count() > std::numeric_limits<std::int32_t>::max())
    throw Error("the mesh has more vertices than PLY's 32-bit indices can name", "split it into several meshes");
  std::string bytes = ply_header(mesh, encoding, precision);
  if (encoding == Encoding::binary) {
    append_binary_ply(bytes, mesh, precision);
    return bytes;
  }
  for (const Vec3& p : mesh.positions()) {
    append_point(bytes, p, precision);
    bytes += '\n';
  }
  for (const Triangle& t : mesh.triangles()) {
    bytes += '3';
    append_corners(bytes, t, 0);
  }
  return bytes;
}

std::string format_stl(const TriangleMesh& mesh, Encoding encoding) {
  return encoding == Encoding::text ? format_text_stl(mesh) : format_binary_stl(mesh);
}

std::string format_off(const TriangleMesh& mesh) {
  std::string text = "OFF\n" + std::to_string(mesh.vertex_count()) + " " + std::to_string(mesh.face_count()) + " 0\n";
  for (const Vec3& p : mesh.positions()) {
    append_point(text, p);
    text += '\n';
  }
  for (const Triangle& t : mesh.triangles()) {
    text += '3';
    append_corners(text, t, 0);
  }
  return text;
}

}  // namespace pliant
