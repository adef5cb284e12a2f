#include "pliant/io/file.h"
#include "pliant/io/tet_file.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

const std::string kNode = "# c\n5 3 0 1\n1 0 0 0 7\n2 1 0 0 7\n\n3 0 1 0 7 # c\n4 0 0 1 7\n5 0 0 -1 7\n";
const std::string kEle = "2 4 0\n1 1 2 3 4\n2 1 3 2 5\n# end\n";

TetFile read(const std::string& node, const std::string& ele) {
  const TemporaryFolder folder;
  write_file(folder / "a.node", node);
  write_file(folder / "a.ele", ele);
  return read_tet_file(folder / "a.node");
}
std::string message(const std::string& node, const std::string& ele) {
  return error_of([&] { read(node, ele); }).what();
}

TEST(Tetgen, ReadsVerticesNumberedFromZeroOrOne) {
  const TetMeshPtr from_one = read(kNode, kEle).mesh;
  const TetMeshPtr from_zero = read("4 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "1 4\n0 0 1 2 3\n").mesh;
  EXPECT_EQ(from_one->tet_count(), 2u);
  EXPECT_EQ(from_zero->tet(TetId(0)), from_one->tet(TetId(0)));
}

TEST(Tetgen, NamesWhatItLeavesOut) {
  const TetFile file = read(
      "10 3 1 0\n" +
          [] {
            std::string rows;
            for (int i = 0; i < 10; ++i)
              rows += std::to_string(i) + (i == 1   ? " 1 0 0 9\n"
                                           : i == 2 ? " 0 1 0 9\n"
                                           : i == 3 ? " 0 0 1 9\n"
                                                    : " 0 0 0 9\n");
            return rows;
          }(),
      "1 10 1\n0 0 1 2 3 4 5 6 7 8 9 5\n");
  EXPECT_EQ(file.dropped,
            (std::vector<std::string>{"curvature of tetrahedra", "tetrahedron attributes", "vertex attributes"}));
}

TEST(Tetgen, RefusesWrongCountsIndicesAndCoordinates) {
  EXPECT_TRUE(
      says(message(with(kNode, "5 3 0", "5000000000 3 0"), kEle), "a.node:2: the header claims 5000000000 lines"));
  EXPECT_TRUE(says(message(kNode, with(kEle, "2 4", "5000000000 4")), "a.ele:1: the header claims 5000000000 lines"));
  EXPECT_TRUE(says(message(kNode, with(kEle, "2 3 4", "2 3 6")), "a.ele:2, tetrahedron 1: vertex 6 does not exist"));
  EXPECT_TRUE(says(message(kNode, with(kEle, "1 1 2", "1 0 2")), "vertex 0 does not exist"));
  EXPECT_TRUE(says(message(with(kNode, "0 1 0 7", "0 inf 0 7"), kEle),
                   "a.node:6, vertex 3: a coordinate is not a finite number"));
  EXPECT_TRUE(says(message(with(kNode, "\n2 1 0 0", "\n3 1 0 0"), kEle), "not numbered one after the other"));
  EXPECT_TRUE(says(message(with(kNode, "5 3 0", "5 2 0"), kEle), "three-dimensional"));
  EXPECT_TRUE(says(message(kNode, with(kEle, "2 4", "2 8")), "not tetrahedra"));
  EXPECT_TRUE(says(message(kNode, "0 4 0\n"), "no tetrahedra"));
}

TEST(Tetgen, RefusesATruncatedFileWhereverItIsCut) {
  const std::string ele = kEle.substr(0, kEle.find("\n#"));
  for (std::size_t size = 0; size + 5 < kNode.size(); ++size)
    EXPECT_THROW(read(kNode.substr(0, size), kEle), Error) << size;
  for (std::size_t size = 0; size + 1 < ele.size(); ++size)
    EXPECT_THROW(read(kNode, ele.substr(0, size)), Error) << size;
}

TEST(Tetgen, NamesTheFileOfThePairThatIsMissing) {
  const TemporaryFolder folder;
  write_file(folder / "a.node", kNode);
  EXPECT_TRUE(says(error_of([&] { read_tets(folder / "a.node"); }).what(), "a.ele: no such file"));
}

RC_GTEST_PROP(Tetgen, KeepsEveryBit, ()) {
  const TemporaryFolder folder;
  const auto positions = *points(finite_double(), 6);
  const TetMesh mesh(positions, {{VertexId(0), VertexId(1), VertexId(2), VertexId(3)},
                                 {VertexId(5), VertexId(4), VertexId(1), VertexId(0)}});
  write_tets(folder / "a.ele", mesh);
  const TetMeshPtr back = read_tets(folder / "a.node");
  RC_ASSERT(same_positions(mesh.positions(), back->positions()));
  RC_ASSERT(std::equal(mesh.tets().begin(), mesh.tets().end(), back->tets().begin(), back->tets().end()));
}

}  // namespace
}  // namespace pliant
