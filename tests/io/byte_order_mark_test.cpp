// Text files that begin with a UTF-8 byte order mark, as many Windows programs write them, are what they are without.
#include "pliant/io/file.h"
#include "pliant/io/pvd.h"
#include "pliant/io/tet_file.h"
#include "pliant/io/text_scanner.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

const std::string kMark(kByteOrderMark);

MeshPtr two_triangles() {
  return std::make_shared<const TriangleMesh>(
      std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
      std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}, {VertexId(0), VertexId(2), VertexId(3)}});
}

TetMeshPtr one_tet() {
  return std::make_shared<const TetMesh>(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                         std::vector<Tet>{{VertexId(0), VertexId(1), VertexId(2), VertexId(3)}});
}

// By its content alone where that tells, by its name, and as a file.
void expect_same_surface(const std::string& name, MeshFormat format, const std::string& bytes) {
  const TemporaryFolder folder;
  write_file(folder / name, kMark + bytes);
  const MeshPtr plain = parse_mesh(bytes, name, {.format = format}).mesh;
  for (const MeshPtr& marked :
       {parse_mesh(kMark + bytes, name).mesh, parse_mesh(kMark + bytes, "unnamed", {.format = format}).mesh,
        read_mesh(folder / name)}) {
    EXPECT_TRUE(same_positions(plain->positions(), marked->positions())) << name;
    EXPECT_TRUE(same_triangles(*plain, *marked)) << name;
  }
  EXPECT_EQ(parse_mesh(bytes, name).dropped, parse_mesh(kMark + bytes, name).dropped) << name;
}

std::string text_of(MeshFormat format) {
  return format_mesh(*two_triangles(), {.format = format, .encoding = Encoding::text});
}

TEST(ByteOrderMark, IsSkippedInObj) { expect_same_surface("a.obj", MeshFormat::obj, text_of(MeshFormat::obj)); }

// Files that were put together by appending one to the other have a mark between them.
TEST(ByteOrderMark, IsSkippedAtTheStartOfAnyLineOfAnObj) {
  const MeshFile file = parse_mesh("v 0 0 0\n" + kMark + "v 1 0 0\nv 0 1 0\n" + kMark + "f 1 2 3\n", "a.obj");
  EXPECT_EQ(file.mesh->vertex_count(), 3u);
  EXPECT_EQ(file.mesh->face_count(), 1u);
  EXPECT_TRUE(file.dropped.empty());
}

TEST(ByteOrderMark, IsSkippedInOff) { expect_same_surface("a.off", MeshFormat::off, text_of(MeshFormat::off)); }

TEST(ByteOrderMark, IsSkippedInTextAndBinaryPly) {
  expect_same_surface("a.ply", MeshFormat::ply, text_of(MeshFormat::ply));
  expect_same_surface("a.ply", MeshFormat::ply, format_mesh(*two_triangles(), {.format = MeshFormat::ply}));
}

TEST(ByteOrderMark, IsSkippedInTextStl) { expect_same_surface("a.stl", MeshFormat::stl, text_of(MeshFormat::stl)); }

TEST(ByteOrderMark, IsSkippedInVtpAndVtu) {
  expect_same_surface("a.vtp", MeshFormat::vtp, text_of(MeshFormat::vtp));
  expect_same_surface("a.vtu", MeshFormat::vtu, text_of(MeshFormat::vtu));
}

TEST(ByteOrderMark, IsSkippedInGltf) {
  const TemporaryFolder folder;
  write_mesh(folder / "a.gltf", *two_triangles());
  const std::string plain(read_file(folder / "a.gltf").view());
  write_file(folder / "a.gltf", kMark + plain);
  EXPECT_TRUE(same_triangles(*read_mesh(folder / "a.gltf"), *two_triangles()));
}

TEST(ByteOrderMark, IsSkippedInTetrahedralFiles) {
  for (const MeshFormat format : {MeshFormat::medit, MeshFormat::gmsh, MeshFormat::vtk, MeshFormat::vtu}) {
    for (const Encoding encoding : {Encoding::text, Encoding::binary}) {
      const std::string bytes = format_tets(*one_tet(), {.format = format, .encoding = encoding});
      const TetMeshPtr marked = parse_tets(kMark + bytes, "unnamed").mesh;
      EXPECT_EQ(marked->tet_count(), 1u);
      EXPECT_TRUE(same_positions(marked->positions(), one_tet()->positions()));
    }
  }
}

TEST(ByteOrderMark, IsSkippedInBothFilesOfTetgen) {
  const TemporaryFolder folder;
  write_tets(folder / "a.node", *one_tet());
  for (const char* name : {"a.node", "a.ele"})
    write_file(folder / name, kMark + std::string(read_file(folder / name).view()));
  EXPECT_EQ(read_tets(folder / "a.node")->tet_count(), 1u);
}

TEST(ByteOrderMark, IsSkippedInPvd) {
  const std::vector<PvdEntry> entries = {{0, "a.vtp"}, {1, "b.vtp"}};
  EXPECT_EQ(parse_pvd(kMark + format_pvd(entries), "a.pvd").size(), 2u);
}

TEST(ByteOrderMark, CountsInOffsetsAndLeavesLinesAsTheyAre) {
  const std::string text = kMark + "one\ntwo";
  TextScanner scan(text, "t");
  EXPECT_EQ(scan.offset(), 3u);
  EXPECT_EQ(scan.word(), "one");
  scan.skip_space();
  EXPECT_TRUE(says(error_of([&] { scan.fail("bad"); }).what(), "t:2"));
}

}  // namespace
}  // namespace pliant
