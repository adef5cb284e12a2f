#include <limits>

#include "pliant/core/error.h"
#include "pliant/io/byte_reader.h"
#include "pliant/io/cells.h"
#include "pliant/io/decimal.h"

namespace pliant {
namespace {

constexpr std::int32_t kTetType = 4;

// Numbers with a blank or line end behind each in text, and bare in binary.
class GmshOutput {
 public:
  explicit GmshOutput(bool is_binary) : is_binary_(is_binary) {}

  void keyword(const char* name) {
    if (!bytes_.empty() && bytes_.back() != '\n') bytes_ += '\n';
    bytes_ += name;
    bytes_ += '\n';
  }
  void line(const std::string& text) { bytes_ += text + "\n"; }
  template <class T>
  void number(T value) {
    if (is_binary_) {
      append_little(bytes_, value);
      return;
    }
    if constexpr (std::is_floating_point_v<T>) append_decimal(bytes_, value);
    else append_integer(bytes_, static_cast<std::uint64_t>(value));
    bytes_ += ' ';
  }
  void end_row() {
    if (!is_binary_) bytes_.back() = '\n';
  }
  void position(const Vec3& p) {
    for (int axis = 0; axis < 3; ++axis) number(p[axis]);
    end_row();
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
  bool is_binary_;
};

void write_format(GmshOutput& out, const char* version, bool is_binary) {
  out.keyword("$MeshFormat");
  out.line(std::string(version) + (is_binary ? " 1 8" : " 0 8"));
  if (is_binary) out.number(std::int32_t{1});
  out.keyword("$EndMeshFormat");
}

std::string format_2(const TetMesh& mesh, bool is_binary) {
  GmshOutput out(is_binary);
  write_format(out, "2.2", is_binary);
  out.keyword("$Nodes");
  out.line(std::to_string(mesh.vertex_count()));
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    out.number(static_cast<std::int32_t>(v + 1));
    out.position(mesh.positions()[v]);
  }
  out.keyword("$EndNodes");
  out.keyword("$Elements");
  out.line(std::to_string(mesh.tet_count()));
  if (is_binary) {
    for (const std::int32_t value : {kTetType, static_cast<std::int32_t>(mesh.tet_count()), std::int32_t{2}})
      out.number(value);
  }
  for (std::size_t t = 0; t < mesh.tet_count(); ++t) {
    out.number(static_cast<std::int32_t>(t + 1));
    if (!is_binary) {
      for (const std::int32_t value : {kTetType, std::int32_t{2}}) out.number(value);
    }
    for (int tag = 0; tag < 2; ++tag) out.number(std::int32_t{1});  // physical group and entity
    for (const VertexId v : mesh.tets()[t]) out.number(static_cast<std::int32_t>(v.value + 1));
    out.end_row();
  }
  out.keyword("$EndElements");
  return out.take();
}

void write_counts_4(GmshOutput& out, std::uint64_t count) {
  for (const std::uint64_t value : {std::uint64_t{1}, count, std::uint64_t{1}, count})
    out.number(value);  // blocks, all, tags from, to
  out.end_row();
}

void write_block_4(GmshOutput& out, std::int32_t third, std::uint64_t count) {
  for (const std::int32_t value : {std::int32_t{3}, std::int32_t{1}, third}) out.number(value);  // dimension, entity
  out.number(count);
  out.end_row();
}

std::string format_4(const TetMesh& mesh, bool is_binary) {
  GmshOutput out(is_binary);
  write_format(out, "4.1", is_binary);
  out.keyword("$Nodes");
  write_counts_4(out, mesh.vertex_count());
  write_block_4(out, 0, mesh.vertex_count());
  for (std::uint64_t v = 1; v <= mesh.vertex_count(); ++v) {
    out.number(v);
    out.end_row();
  }
  for (const Vec3& p : mesh.positions()) out.position(p);
  out.keyword("$EndNodes");
  out.keyword("$Elements");
  write_counts_4(out, mesh.tet_count());
  write_block_4(out, kTetType, mesh.tet_count());
  for (std::uint64_t t = 0; t < mesh.tet_count(); ++t) {
    out.number(t + 1);
    for (const VertexId v : mesh.tets()[t]) out.number(std::uint64_t{v.value} + 1);
    out.end_row();
  }
  out.keyword("$EndElements");
  return out.take();
}

}  // namespace

std::string format_gmsh(const TetMesh& mesh, Encoding encoding, GmshVersion version) {
  const bool is_binary = encoding == Encoding::binary;
  if (version == GmshVersion::v4_1) return format_4(mesh, is_binary);
  if (mesh.vertex_count() >= std::numeric_limits<std::int32_t>::max())
    throw Error("the mesh has more vertices than version 2.2 can number", "write version 4.1");
  return format_2(mesh, is_binary);
}

}  // namespace pliant
