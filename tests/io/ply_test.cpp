#include <bit>

#include "pliant/io/byte_reader.h"
#include "pliant/io/mesh_file.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

MeshFile parse(const std::string& bytes) { return parse_ply(bytes, "t.ply"); }
Error refused(const std::string& bytes) {
  return error_of([&] { parse(bytes); });
}

std::string header(const std::string& format, int vertices, int faces,
                   const std::string& index = "list uchar int vertex_indices") {
  return "ply\nformat " + format + " 1.0\ncomment made here\nelement vertex " + std::to_string(vertices) +
         "\nproperty float x\nproperty float y\nproperty float z\nelement face " + std::to_string(faces) +
         "\nproperty " + index + "\nend_header\n";
}
const std::string kText = header("ascii", 4, 2) + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";

std::string triangle_vertices(std::endian order) {
  std::string bytes;
  for (const float value : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 1.f, 0.25f}) append(bytes, value, order);
  return bytes;
}
std::string indices(std::endian order, std::initializer_list<std::int32_t> list) {
  std::string bytes(1, static_cast<char>(list.size()));
  for (const std::int32_t i : list) append(bytes, i, order);
  return bytes;
}
const std::string kBinary = header("binary_little_endian", 3, 1) + triangle_vertices(std::endian::little) +
                            indices(std::endian::little, {0, 1, 2});

TEST(Ply, ReadsText) {
  const MeshFile file = parse(kText);
  EXPECT_EQ(file.mesh->vertex_count(), 4u);
  EXPECT_EQ(file.mesh->face_count(), 2u);
  EXPECT_EQ(file.mesh->position(VertexId(2)), Vec3(1, 1, 0));
  EXPECT_TRUE(file.dropped.empty());
}

TEST(Ply, ReadsBothByteOrdersAlike) {
  const MeshFile big = parse(header("binary_big_endian", 3, 1) + triangle_vertices(std::endian::big) +
                             indices(std::endian::big, {0, 1, 2}));
  const MeshFile little = parse(kBinary);
  EXPECT_TRUE(same_positions(big.mesh->positions(), little.mesh->positions()));
  EXPECT_TRUE(same_triangles(*big.mesh, *little.mesh));
  EXPECT_EQ(big.mesh->position(VertexId(2)), Vec3(1, 1, 0.25));
}

template <class T>
void check_scalar_type(const char* name) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const std::string type(name);
    std::string bytes = "ply\nformat " +
                        std::string(order == std::endian::little ? "binary_little_endian" : "binary_big_endian") +
                        " 1.0\nelement vertex 3\nproperty " + type + " z\nproperty double other\nproperty " + type +
                        " y\nproperty float x\nelement face 1\nproperty list ushort uint vertex_index\nend_header\n";
    for (int i = 0; i < 3; ++i) {
      append(bytes, static_cast<T>(i * 7), order);
      append(bytes, 0.5, order);
      append(bytes, static_cast<T>(i * 3), order);
      append(bytes, 0.25f, order);
    }
    append(bytes, std::uint16_t{3}, order);
    for (const std::uint32_t i : {2u, 1u, 0u}) append(bytes, i, order);
    const MeshFile file = parse(bytes);
    EXPECT_EQ(file.mesh->position(VertexId(2)), Vec3(0.25, 6, 14)) << name;
    EXPECT_EQ(file.dropped, std::vector<std::string>{"vertex property 'other'"});
  }
}

TEST(Ply, ReadsEveryScalarTypeInAnyOrderOfProperties) {
  check_scalar_type<std::int8_t>("char");
  check_scalar_type<std::uint8_t>("uint8");
  check_scalar_type<std::int16_t>("short");
  check_scalar_type<std::uint16_t>("ushort");
  check_scalar_type<std::int32_t>("int");
  check_scalar_type<std::uint32_t>("uint32");
  check_scalar_type<float>("float32");
  check_scalar_type<double>("double");
}

TEST(Ply, StepsOverPropertiesAndElementsItDoesNotKnow) {
  const MeshFile file = parse(
      "ply\r\nformat ascii 1.0\r\nobj_info x\r\nelement material 1\r\nproperty list uchar float weights\r\nelement "
      "vertex 3\r\n"
      "property float x\r\nproperty float y\r\nproperty float z\r\nproperty float nx\r\nproperty uchar red\r\n"
      "property list uchar int around\r\nelement face 1\r\nproperty uchar flags\r\nproperty list uchar int "
      "vertex_indices\r\n"
      "property list uchar float texcoord\r\nelement empty 5000000000\r\nend_header\r\n"
      "2 0.5 0.5\r\n0 0 0 1 255 2 7 7\r\n1 0 0 1 255 0\r\n0 1 0 1 255 1 9\r\n7 3 0 1 2 6 0 0 0 0 0 0\r\n");
  EXPECT_EQ(file.mesh->face_count(), 1u);
  EXPECT_EQ(file.dropped,
            (std::vector<std::string>{"element 'material'", "face property 'flags'", "normals", "texture coordinates",
                                      "vertex colours", "vertex property 'around'"}));
}

TEST(Ply, TriangulatesPolygonsAmongTriangles) {
  const auto little = std::endian::little;
  std::string bytes = header("binary_little_endian", 4, 4);
  for (const float value : {0.f, 0.f, 0.f, 4.f, 0.f, 0.f, 1.f, 1.f, 0.f, 0.f, 4.f, 0.f}) append(bytes, value, little);
  bytes +=
      indices(little, {0, 1, 2}) + indices(little, {1, 2, 3, 0}) + indices(little, {0, 1}) + indices(little, {2, 3, 0});
  const MeshFile file = parse(bytes);
  EXPECT_EQ(file.mesh->origin().polygon_of_face, (std::vector<std::uint32_t>{0, 1, 1, 3}));
}

// Large enough to be read in many chunks, none of which ends where a vertex or face does.
TEST(Ply, ReadsBinaryFilesLargerThanItsWindow) {
  constexpr int kVertices = 100'003, kFaces = 90'001;
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    for (const bool has_flag : {false, true}) {
      std::string bytes =
          header(order == std::endian::big ? "binary_big_endian" : "binary_little_endian", kVertices, kFaces);
      if (has_flag) bytes.insert(bytes.find("property float y"), "property uchar flag\n");
      for (int v = 0; v < kVertices; ++v) {
        append(bytes, static_cast<float>(v), order);
        if (has_flag) bytes += '\7';
        append(bytes, static_cast<float>(v % 7), order);
        append(bytes, -static_cast<float>(v), order);
      }
      for (int f = 0; f < kFaces; ++f)
        bytes += f % 1000 == 999 ? indices(order, {f, f + 1, f + 2, f + 3}) : indices(order, {f, f + 1, f + 2});
      const MeshPtr mesh = parse(bytes).mesh;
      ASSERT_EQ(mesh->vertex_count(), kVertices);
      ASSERT_EQ(mesh->face_count(), kFaces + kFaces / 1000);
      for (int v = 0; v < kVertices; ++v) ASSERT_EQ(mesh->position(VertexId(v)), Vec3(v, v % 7, -v));
      for (std::size_t t = 0; t < mesh->face_count(); ++t) {
        const std::uint32_t f = mesh->polygon_in_file(FaceId(t));
        for (const VertexId v : mesh->triangles()[t]) ASSERT_TRUE(v.value >= f && v.value <= f + 3);
      }
      bytes.pop_back();
      EXPECT_THROW(parse(bytes), Error);
    }
  }
}

TEST(Ply, UnrollsTriangleStrips) {
  const MeshFile file = parse(
      "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
      "element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n2 1 0\n9 0 1 "
      "2 3 -1 1 4 3 3\n");
  ASSERT_EQ(file.mesh->face_count(), 3u);
  EXPECT_EQ(file.mesh->triangle(FaceId(1)), (Triangle{VertexId(2), VertexId(1), VertexId(3)}));
  EXPECT_EQ(file.mesh->triangle(FaceId(2)), (Triangle{VertexId(1), VertexId(4), VertexId(3)}));
}

TEST(Ply, RefusesATruncatedFileWhereverItIsCut) {
  for (const std::string& whole : {kText, kBinary}) {
    for (std::size_t size = 0; size + 2 < whole.size(); ++size)
      EXPECT_THROW(parse(whole.substr(0, size)), Error) << size << " bytes of " << whole.size();
  }
}

TEST(Ply, RefusesCountsThatTheFileCanNotHold) {
  for (const char* format : {"ascii", "binary_little_endian"}) {
    for (const char* counts : {"vertex 5000000000", "face 5000000000", "face 999999999999999999", "other 5000000000"}) {
      std::string bytes = format == std::string("ascii") ? kText : kBinary;
      const std::string line = std::string("element ") + counts;
      const std::string kind = std::string(counts).substr(0, std::string(counts).find(' '));
      if (kind == "other") {
        bytes.replace(bytes.find("end_header"), 0, line + "\nproperty int a\n");
      } else {
        const std::size_t start = bytes.find("element " + kind);
        bytes.replace(start, bytes.find('\n', start) - start, line);
      }
      EXPECT_TRUE(says(refused(bytes).what(), "the header claims")) << format << counts;
    }
  }
}

TEST(Ply, RefusesAListLongerThanTheFile) {
  const std::string bytes = header("binary_little_endian", 3, 1, "list uint int vertex_indices") +
                            triangle_vertices(std::endian::little) + std::string("\xff\xff\xff\x7f", 4);
  EXPECT_TRUE(says(refused(bytes).what(), "a list claims 2147483647 items"));
}

TEST(Ply, RefusesIndicesOutOfRangeByPlaceAndFace) {
  const Error text = refused(header("ascii", 3, 1) + "0 0 0\n1 0 0\n1 1 0\n3 0 1 3\n");
  EXPECT_EQ(text.place().line, 14u);
  EXPECT_EQ(text.place().element, "face 0");
  const Error binary = refused(header("binary_little_endian", 3, 1) + triangle_vertices(std::endian::little) +
                               indices(std::endian::little, {0, -1, 2}));
  EXPECT_TRUE(binary.place().byte.has_value());
  EXPECT_TRUE(says(binary.what(), "index -1 is out of range (the file has 3 vertices)"));
}

TEST(Ply, RefusesCoordinatesThatAreNotFinite) {
  EXPECT_EQ(refused(header("ascii", 3, 1) + "0 0 0\n1 nan 0\n1 1 0\n3 0 1 2\n").place().element, "vertex 1");
  std::string bytes = kBinary;
  const float infinity = std::numeric_limits<float>::infinity();
  std::memcpy(bytes.data() + bytes.find("end_header\n") + 11 + 12, &infinity, 4);
  EXPECT_EQ(refused(bytes).place().element, "vertex 1");
}

TEST(Ply, RefusesDamagedHeaders) {
  EXPECT_TRUE(says(refused("plx\n").what(), "not a PLY file"));
  EXPECT_TRUE(says(refused("ply\nformat ascii 2.0\nend_header\n").what(), "version"));
  EXPECT_TRUE(says(refused("ply\nformat morse 1.0\nend_header\n").what(), "unknown format 'morse'"));
  EXPECT_TRUE(says(refused("ply\nend_header\n").what(), "no format"));
  EXPECT_TRUE(says(refused("ply\nformat ascii 1.0\nproperty float x\nend_header\n").what(), "before any element"));
  EXPECT_TRUE(says(refused("ply\nformat ascii 1.0\nelement vertex -3\nend_header\n").what(), "count"));
  EXPECT_TRUE(says(refused("ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n").what(),
                   "unknown type 'quad'"));
  EXPECT_TRUE(
      says(refused("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n").what(), "no x, y, z"));
  EXPECT_TRUE(says(refused("ply\nformat ascii 1.0\nend_header\n").what(), "no vertices"));
  EXPECT_TRUE(says(refused(header("ascii", 3, 1, "int material") + "0 0 0\n1 0 0\n1 1 0\n7\n").what(),
                   "no list of vertex indices"));
  EXPECT_TRUE(says(refused(header("ascii", 3, 0) + "0 0 0\n1 0 0\n1 1 0\n").what(), "no faces"));
  EXPECT_TRUE(says(refused(header("binary_little_endian", 3, 1, "list float int vertex_indices")).what(), "integer"));
}

}  // namespace
}  // namespace pliant
