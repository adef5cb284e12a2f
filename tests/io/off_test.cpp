#include "pliant/io/mesh_file.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

MeshFile parse(const std::string& text) { return parse_off(text, "t.off"); }
Error refused(const std::string& text) {
  return error_of([&] { parse(text); });
}
const std::string kPlain = "OFF\n4 2 5\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n";

TEST(Off, ReadsVerticesAndFaces) {
  const MeshFile file = parse(kPlain);
  EXPECT_EQ(file.mesh->vertex_count(), 4u);
  EXPECT_EQ(file.mesh->triangle(FaceId(1)), (Triangle{VertexId(0), VertexId(2), VertexId(3)}));
}

TEST(Off, ReadsCommentsBlankLinesAndCountsOnTheFirstLine) {
  const MeshFile file =
      parse("# before\nOFF 4 1\r\n\r\n# a\n0 0 0 # origin\n1 0 0\n\n1 1 0\n0 1 0\n4 0 1 2 3 0.5 0.5 0.5\n");
  EXPECT_EQ(file.mesh->origin().polygon_of_face, (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(file.dropped, std::vector<std::string>{"face colours"});
}

TEST(Off, LeavesOutColoursNormalsAndTextureCoordinates) {
  const MeshFile file = parse("STCNOFF\n3 1 0\n0 0 0 9 9 9 9\n1 0 0 8 8\n0 1 0 7\n3 0 1 2\n");
  EXPECT_EQ(file.dropped, (std::vector<std::string>{"texture coordinates", "vertex colours", "normals"}));
  EXPECT_EQ(file.mesh->position(VertexId(1)), Vec3(1, 0, 0));
}

TEST(Off, RefusesOtherDimensionsAndBinary) {
  EXPECT_TRUE(says(refused("4OFF\n1 1 0\n").what(), "three-dimensional"));
  EXPECT_TRUE(says(refused("OFF BINARY\n").what(), "binary OFF"));
  EXPECT_TRUE(says(refused("HOFF\n").what(), "not an OFF file"));
}

TEST(Off, RefusesATruncatedFileWhereverItIsCut) {
  for (std::size_t size = 0; size + 2 < kPlain.size(); ++size)
    EXPECT_THROW(parse(kPlain.substr(0, size)), Error) << size;
}

TEST(Off, RefusesCountsThatTheFileCanNotHold) {
  EXPECT_TRUE(says(refused("OFF\n5000000000 1 0\n0 0 0\n").what(), "more than the file has room for"));
  EXPECT_TRUE(says(refused("OFF\n1 5000000000 0\n0 0 0\n").what(), "more than the file has room for"));
  EXPECT_TRUE(says(refused("OFF\n-1 1 0\n").what(), "count"));
  EXPECT_TRUE(says(refused("OFF\n1 1 0\n0 0 0\n5000000000 0 0 0\n").what(), "claims 5000000000 corners"));
}

TEST(Off, RefusesIndicesOutOfRangeAndCoordinatesThatAreNotFinite) {
  EXPECT_STREQ(refused("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n").what(),
               "t.off:6, face 0: vertex index 3 is out of range (the file has 3 vertices)");
  EXPECT_EQ(refused("OFF\n3 1 0\n0 0 0\n1 inf 0\n0 1 0\n3 0 1 2\n").place().line, 4u);
  EXPECT_TRUE(says(refused("OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n").what(), "no faces"));
}

TEST(Off, ReportsFacesWithTooFewCorners) {
  EXPECT_EQ(parse_off("OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n2 0 1\n", "t.off").warnings,
            std::vector<std::string>{"1 face with fewer than three corners is left out: see line 7"});
}

}  // namespace
}  // namespace pliant
