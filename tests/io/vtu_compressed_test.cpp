// Compressed VTK files as VTK itself writes them, and such as claim more than they may take.
#include <zlib.h>

#include "pliant/io/byte_reader.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/shapes.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

std::string deflated(const std::string& bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string stream(size, '\0');
  EXPECT_EQ(::compress(reinterpret_cast<Bytef*>(stream.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                       bytes.size()),
            Z_OK);
  stream.resize(size);
  return stream;
}

// Count, size of a block, size of the last one (0: as the others), compressed sizes; then the blocks.
std::string blocks(const std::vector<std::string>& streams, std::uint32_t block_size, std::uint32_t last_size) {
  std::string bytes;
  for (const std::size_t word : {streams.size(), std::size_t{block_size}, std::size_t{last_size}})
    append_little(bytes, static_cast<std::uint32_t>(word));
  for (const std::string& stream : streams) append_little(bytes, static_cast<std::uint32_t>(stream.size()));
  for (const std::string& stream : streams) bytes += stream;
  return bytes;
}

template <class T>
std::string array_of(const std::vector<T>& values) {
  constexpr std::size_t kBlock = 32768;  // as VTK has it
  std::string bytes;
  for (const T value : values) append_little(bytes, value);
  std::vector<std::string> streams;
  for (std::size_t at = 0; at < bytes.size(); at += kBlock) streams.push_back(deflated(bytes.substr(at, kBlock)));
  return blocks(streams, kBlock, static_cast<std::uint32_t>(bytes.size() % kBlock));
}

// A surface of triangles whose arrays are as given, appended raw.
struct Vtp {
  std::string points, connectivity, offsets;
  std::size_t point_count = 3;
  std::string polygon_count = "1";

  std::string text() const {
    const auto array = [](const char* type, const char* name, std::size_t offset) {
      return std::string("<DataArray type=\"") + type + "\" Name=\"" + name + "\" format=\"appended\" offset=\"" +
             std::to_string(offset) + "\"/>";
    };
    return "<VTKFile type=\"PolyData\" compressor=\"vtkZLibDataCompressor\"><PolyData><Piece NumberOfPoints=\"" +
           std::to_string(point_count) + "\"" +
           (polygon_count.empty() ? "" : " NumberOfPolys=\"" + polygon_count + "\"") + "><Points>" +
           array("Float32", "p", 0) + "</Points><Polys>" + array("Int64", "connectivity", points.size()) +
           array("Int64", "offsets", points.size() + connectivity.size()) +
           "</Polys></Piece></PolyData><AppendedData encoding=\"raw\">_" + points + connectivity + offsets +
           "</AppendedData></VTKFile>";
  }
};

// One triangle.
Vtp small() {
  return {array_of<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}), array_of<std::int64_t>({0, 1, 2}), array_of<std::int64_t>({3})};
}

std::string message(const Vtp& file) {
  return error_of([&] { parse_mesh(file.text(), "t.vtp"); }).what();
}

// 64 MB of zeros in less than 100 kB.
std::string zeros() {
  constexpr std::size_t kBlock = 1 << 20;
  return blocks(std::vector<std::string>(64, deflated(std::string(kBlock, '\0'))), kBlock, 0);
}

TEST(VtuCompressed, ReadsAGridOfManyBlocks) {
  const MeshPtr grid = make_grid({.columns = 200, .rows = 150});
  std::vector<float> points;
  for (const Vec3& p : grid->positions())
    for (int axis = 0; axis < 3; ++axis) points.push_back(static_cast<float>(p[axis]));
  std::vector<std::int64_t> connectivity, offsets;
  for (const Triangle& t : grid->triangles()) {
    for (const VertexId v : t) connectivity.push_back(v.value);
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  }
  for (const std::string& count : {std::to_string(grid->face_count()), std::string()}) {
    const Vtp file{array_of(points), array_of(connectivity), array_of(offsets), grid->vertex_count(), count};
    const MeshPtr mesh = parse_mesh(file.text(), "t.vtp").mesh;
    EXPECT_TRUE(same_triangles(*mesh, *grid));
    EXPECT_EQ(mesh->positions().back(), Vec3(0.5, 0.5, 0));
  }
}

TEST(VtuCompressed, RefusesMoreThanAPieceHasAUseFor) {
  Vtp points = small(), connectivity = small(), offsets = small();
  points.points = zeros();
  EXPECT_TRUE(says(message(points), "claims 16777216 numbers, where its piece has a use for 9"));
  connectivity.connectivity = zeros();
  EXPECT_TRUE(says(message(connectivity), "claims 8388608 numbers, where its piece has a use for 3"));
  offsets.offsets = zeros();
  EXPECT_TRUE(says(message(offsets), "claims 8388608 numbers, where its piece has a use for 1"));
}

// However many points the piece claims.
TEST(VtuCompressed, RefusesToGrowBeyondMeasure) {
  Vtp file = small();
  file.points = zeros();
  file.point_count = (64 << 20) / 12 + 1;
  EXPECT_TRUE(says(message(file), "more than 64 times the size of the file"));
  file.points = blocks({deflated(std::string(9, '\0'))}, 0xffffffff, 0xfffffff0);
  file.point_count = 0xfffffff0u / 12;
  EXPECT_TRUE(says(message(file), "more than 64 times the size of the file"));
}

TEST(VtuCompressed, RefusesBlocksThatGiveMoreOrLessThanTheySay) {
  for (const std::uint32_t size : {35u, 37u}) {
    Vtp file = small();
    file.point_count = 5;
    file.points = blocks({deflated(std::string(36, '\0'))}, size, 0);
    EXPECT_TRUE(says(message(file), "compressed data is damaged")) << size;
  }
}

}  // namespace
}  // namespace pliant
