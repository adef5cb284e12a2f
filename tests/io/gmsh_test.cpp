#include "pliant/io/byte_reader.h"
#include "pliant/io/tet_file.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

const std::string kVersion2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n$Nodes\n5\n10 0 0 0\n7 "
    "1 0 0\n9 0 1 0\n"
    "3 0 0 1\n100 0 0 -1\n$EndNodes\n$Elements\n5\n1 15 2 0 1 10\n2 1 2 0 1 10 7\n3 2 2 0 1 10 7 9\n4 4 2 1 1 10 7 9 "
    "3\n5 4 0 10 9 7 "
    "100\n$EndElements\n";
const std::string kVersion4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n1 0 0 0\n1 0 0 0 0\n$EndEntities\n$Nodes\n2 5 3 100\n2 1 1 "
    "2\n10\n7\n0 0 0 .5 .5\n"
    "1 0 0 .5 .5\n3 1 0 3\n9\n3\n100\n0 1 0\n0 0 1\n0 0 -1\n$EndNodes\n$Elements\n2 3 1 3\n2 1 2 1\n1 10 7 9\n3 1 4 "
    "2\n2 10 7 9 3\n3 10 9 "
    "7 100\n$EndElements\n$NodeData\n1\n\"x\"\n$EndNodeData\n";

std::string message(const std::string& text) {
  return error_of([&] { parse_tets(text, "t.msh", MeshFormat::gmsh); }).what();
}

TEST(Gmsh, ReadsBothVersionsAlikeWithAnyNodeNumbers) {
  const TetMeshPtr two = parse_tets(kVersion2, "a").mesh, four = parse_tets(kVersion4, "b").mesh;
  EXPECT_EQ(two->tet_count(), 2u);
  EXPECT_TRUE(same_positions(two->positions(), four->positions()));
  EXPECT_TRUE(std::equal(two->tets().begin(), two->tets().end(), four->tets().begin(), four->tets().end()));
  EXPECT_EQ(two->tet(TetId(1)), (Tet{VertexId(0), VertexId(2), VertexId(1), VertexId(4)}));
}

TEST(Gmsh, NamesWhatItLeavesOut) {
  EXPECT_EQ(parse_tets(kVersion2, "a").dropped,
            (std::vector<std::string>{"lines", "physical groups", "points", "surface cells"}));
  EXPECT_EQ(parse_tets(kVersion4, "a").dropped, (std::vector<std::string>{"section '$NodeData'", "surface cells"}));
}

TEST(Gmsh, UsesTheCornersOfCurvedTetrahedra) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n";
  const char* corners[] = {"0 0 0", "1 0 0", "0 1 0", "0 0 1"};
  for (int i = 1; i <= 10; ++i) text += std::to_string(i) + " " + (i <= 4 ? corners[i - 1] : "0.5 0.5 0") + "\n";
  text += "$EndNodes\n$Elements\n1\n1 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
  const TetFile file = parse_tets(text, "a");
  EXPECT_EQ(file.mesh->vertex_count(), 10u);
  EXPECT_EQ(file.dropped, std::vector<std::string>{"curvature of curved tetrahedra"});
}

TEST(Gmsh, ReadsBigEndianFiles) {
  std::string bytes = "$MeshFormat\n2.2 1 8\n";
  const auto integers = [&](std::initializer_list<std::int32_t> values) {
    for (const std::int32_t value : values) append(bytes, value, std::endian::big);
  };
  integers({1});
  bytes += "\n$EndMeshFormat\n$Nodes\n4\n";
  for (std::int32_t i = 0; i < 4; ++i) {
    integers({i + 1});
    for (int axis = 0; axis < 3; ++axis) append(bytes, i == axis + 1 ? 0.25 : 0.0, std::endian::big);
  }
  bytes += "\n$EndNodes\n$Elements\n1\n";
  integers({4, 1, 1, 1, 99, 1, 2, 3, 4});
  bytes += "\n$EndElements\n";
  const TetMeshPtr mesh = parse_tets(bytes, "a").mesh;
  EXPECT_EQ(mesh->positions()[3], Vec3(0, 0, 0.25));
}

TEST(Gmsh, RefusesWrongCountsNodesAndCoordinates) {
  EXPECT_TRUE(says(message(with(kVersion2, "$Nodes\n5", "$Nodes\n5000000000")), "claims 5000000000 nodes"));
  EXPECT_TRUE(says(message(with(kVersion2, "$Elements\n5", "$Elements\n5000000000")), "claims 5000000000 elements"));
  EXPECT_TRUE(says(message(with(kVersion4, "3 1 0 3\n", "3 1 0 5000000000\n")), "claims 5000000000 nodes"));
  EXPECT_TRUE(says(message(with(kVersion4, "3 1 4 2\n", "3 1 4 5000000000\n")), "claims 5000000000 elements"));
  EXPECT_TRUE(says(message(with(kVersion2, "10 7 9 3\n", "10 7 9 4\n")), "t.msh:21, element 3: node 4 does not exist"));
  EXPECT_TRUE(says(message(with(kVersion2, "7 1 0 0", "10 1 0 0")), "node 10 is given twice"));
  EXPECT_TRUE(says(message(with(kVersion2, "7 1 0 0", "7 1 nan 0")),
                   "t.msh:11, vertex 1: a coordinate is not a finite number"));
  EXPECT_TRUE(says(message(with(kVersion2, "5 4 0 10", "5 444 0 10")), "type 444 are not known"));
}

TEST(Gmsh, RefusesOtherVersionsAndDamagedFiles) {
  EXPECT_TRUE(says(message(with(kVersion4, "4.1", "4.0")), "save it as version 4.1 or 2.2"));
  EXPECT_TRUE(says(message("garbage"), "not a Gmsh file"));
  EXPECT_TRUE(says(message(with(kVersion2, "$EndNodes", "$EndNoodles")), "expected $EndNodes"));
  EXPECT_TRUE(says(message(with(kVersion2, "$EndPhysicalNames", "$End")), "there is no $EndPhysicalNames"));
  EXPECT_TRUE(says(message("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"), "no $Nodes"));
  EXPECT_TRUE(says(message("$MeshFormat\n4.1 1 8\n\2\2\2\2\n$EndMeshFormat\n"), "byte order"));
  EXPECT_TRUE(says(message("$MeshFormat\n4.1 0 4\n$EndMeshFormat\n"), "4 bytes"));
}

}  // namespace
}  // namespace pliant
