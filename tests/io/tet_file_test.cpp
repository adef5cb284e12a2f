#include "pliant/io/tet_file.h"

#include "pliant/io/file.h"
#include "tests/io/helpers.h"
#include "tests/support/stand_in_data.h"

namespace pliant {
namespace {

const std::string kMedit =
    "MeshVersionFormatted 2\n# c\nDimension\n3\nVertices\n5\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n0 0 -1 7\nTriangles "
    "1\n1 2 3 0\n"
    "Edges 1\n1 2 0\nTetrahedra\n2\n1 2 3 4 0\n1 3 2 5 0\nCorners 2\n1\n2\nEnd\n";

Error refused(const std::string& text, MeshFormat format) {
  return error_of([&] { parse_tets(text, "t.mesh", format); });
}

TetMeshPtr any_tets() {
  const auto count = *rc::gen::inRange<std::size_t>(4, 20);
  const auto positions = *points(finite_double(), count);
  const auto tet_count = *rc::gen::inRange<std::size_t>(1, 20);
  std::vector<Tet> tets;
  for (std::size_t i = 0; i < tet_count; ++i) {
    const auto first = *rc::gen::inRange<std::size_t>(0, count - 3);
    tets.push_back(
        {VertexId(first), VertexId(first + 1), VertexId(first + 2), VertexId(*rc::gen::inRange(first + 3, count))});
  }
  return std::make_shared<const TetMesh>(positions, tets);
}

std::vector<TetWriteOptions> every_way_to_write() {
  std::vector<TetWriteOptions> ways = {{.format = MeshFormat::medit}};
  for (const Encoding encoding : {Encoding::binary, Encoding::text}) {
    ways.push_back({.format = MeshFormat::vtk, .encoding = encoding});
    ways.push_back({.format = MeshFormat::vtu, .encoding = encoding});
    for (const GmshVersion version : {GmshVersion::v2_2, GmshVersion::v4_1})
      ways.push_back({.format = MeshFormat::gmsh, .encoding = encoding, .gmsh_version = version});
  }
  return ways;
}

RC_GTEST_PROP(TetRoundTrip, KeepsEveryBit, ()) {
  const TetMeshPtr mesh = any_tets();
  for (const TetWriteOptions& options : every_way_to_write()) {
    const TetMeshPtr back = parse_tets(format_tets(*mesh, options), "t").mesh;
    RC_ASSERT(same_positions(mesh->positions(), back->positions()));
    RC_ASSERT(std::equal(mesh->tets().begin(), mesh->tets().end(), back->tets().begin(), back->tets().end()));
  }
}

TEST(TetFile, RefusesATruncatedFileWhereverItIsCut) {
  const TetMeshPtr mesh = parse_tets(kMedit, "t.mesh").mesh;
  for (const TetWriteOptions& options : every_way_to_write()) {
    if (options.format == MeshFormat::vtu) continue;  // does well without its closing tags: vtu_test.cpp
    const std::string whole = format_tets(*mesh, options);
    for (std::size_t size = 0; size + 6 < whole.size(); ++size)
      EXPECT_THROW(parse_tets(whole.substr(0, size), "t", options.format), Error) << size << " of " << whole.size();
  }
}

TEST(Medit, ReadsTetrahedraAndNamesWhatItLeavesOut) {
  const TetFile file = parse_tets(kMedit, "t.mesh");
  EXPECT_EQ(file.mesh->vertex_count(), 5u);
  EXPECT_EQ(file.mesh->tet_count(), 2u);
  EXPECT_EQ(file.dropped, (std::vector<std::string>{"section 'Corners'", "section 'Edges'", "surface cells"}));
}

TEST(Medit, GivesTheBoundaryOfTetrahedraAsASurfaceWithTheFilesVertices) {
  const MeshFile file = parse_mesh(
      "MeshVersionFormatted 1 Dimension 3 Vertices 5 9 9 9 0 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 "
      "Tetrahedra 1 2 3 4 5 0",
      "t");
  EXPECT_EQ(file.warnings, std::vector<std::string>{"the boundary of its 1 tetrahedra is used"});
  const MeshPtr& mesh = file.mesh;
  EXPECT_EQ(mesh->vertex_count(), 5u);
  EXPECT_EQ(mesh->face_count(), 4u);
  for (const Triangle& t : mesh->triangles()) {
    for (const VertexId v : t) EXPECT_GT(v.value, 0u);
  }
}

TEST(Medit, ReadsASurfaceWithoutTetrahedra) {
  const std::string text =
      "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\nTriangles 1\n1 2 3 "
      "0\nQuadrilaterals 1\n1 2 3 4 0\n";
  EXPECT_EQ(parse_mesh(text, "t.mesh").mesh->face_count(), 3u);
  EXPECT_TRUE(says(refused(text, MeshFormat::automatic).what(), "no tetrahedra"));
}

TEST(Medit, RefusesATruncatedFileWhereverItIsCut) {
  const std::size_t last_tet = kMedit.find("5 0\nCorners");
  for (std::size_t size = 0; size < last_tet; ++size)
    EXPECT_THROW(parse_tets(kMedit.substr(0, size), "t.mesh", MeshFormat::medit), Error) << size;
}

TEST(Medit, RefusesWrongCountsIndicesAndCoordinates) {
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const auto message = [](const std::string& text) { return std::string(refused(text, MeshFormat::medit).what()); };
  EXPECT_TRUE(says(message(with(kMedit, "Vertices\n5", "Vertices\n5000000000")), "claims 5000000000 entries"));
  EXPECT_TRUE(says(message(with(kMedit, "Tetrahedra\n2", "Tetrahedra\n-2")), "claims -2 entries"));
  EXPECT_TRUE(says(message(with(kMedit, "1 2 3 4 0", "1 2 3 6 0")),
                   "t.mesh:18, tetrahedron 1: vertex index 6 is out of range"));
  EXPECT_TRUE(says(message(with(kMedit, "1 2 3 4 0", "0 2 3 4 0")), "vertex index 0 is out of range"));
  EXPECT_TRUE(says(message(with(kMedit, "1 2 3 4 0", "1 2 3 3 0")), "twice"));
  EXPECT_TRUE(
      says(message(with(kMedit, "0 0 -1 7", "0 0 nan 7")), "t.mesh:11, vertex 5: a coordinate is not a finite number"));
  EXPECT_TRUE(says(message(with(kMedit, "Dimension\n3", "Dimension\n2")), "three-dimensional"));
  EXPECT_TRUE(says(message("garbage"), "not a Medit mesh"));
  EXPECT_TRUE(says(message(with(kMedit, "Triangles", "\x01\x02\x03")), "expected a keyword"));
}

TEST(TetFile, WritesByExtension) {
  const TemporaryFolder folder;
  const TetMeshPtr mesh = parse_tets(kMedit, "t.mesh").mesh;
  for (const char* name : {"a.mesh", "a.msh", "a.node", "b.ele", "a.vtk", "a.vtu"}) {
    write_tets(folder / name, *mesh);
    EXPECT_EQ(read_tets(folder / name)->tet_count(), 2u) << name;
    EXPECT_EQ(read_mesh(folder / name)->face_count(), 6u) << name;
  }
  EXPECT_THROW(write_tets(folder / "a.obj", *mesh), Error);
  EXPECT_THROW(write_tets(folder / "a.xyz", *mesh), Error);
}

// Every volume of a data folder's table has the counts that the table says.
TEST(TetFile, ReadsVolumesWithTheirCounts) {
  for (const std::filesystem::path& data : testing::mesh_data_folders()) {
    int checked = 0;
    for (const std::vector<std::string>& cells : data_table(data)) {
      if (cells[2] != "tet") continue;
      const std::string path = (data / cells[1]).string();
      const TetMeshPtr mesh = read_tets(path);
      EXPECT_EQ(std::to_string(mesh->vertex_count()), cells[3]) << path;
      EXPECT_EQ(std::to_string(mesh->surface()->face_count()), cells[4]) << path;
      EXPECT_EQ(std::to_string(mesh->tet_count()), cells[5]) << path;
      ++checked;
    }
    EXPECT_GT(checked, 0) << data;
  }
}

}  // namespace
}  // namespace pliant
