#include "pliant/io/mesh_file.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

MeshFile parse(const std::string& text) { return parse_obj(text, "t.obj"); }
Error refused(const std::string& text) {
  return error_of([&] { parse(text); });
}
std::vector<Triangle> triangles_of(const std::string& text) {
  const MeshFile file = parse(text);
  return {file.mesh->triangles().begin(), file.mesh->triangles().end()};
}
Triangle tri(int a, int b, int c) { return {VertexId(a), VertexId(b), VertexId(c)}; }

TEST(Obj, ReadsEveryFormOfACorner) {
  const std::vector<Triangle> expected = {tri(0, 1, 2)};
  for (const char* face : {"f 1 2 3", "f 1/1 2/2 3/3", "f 1//1 2//2 3//3", "f 1/1/1 2/2/2 3/3/3", "f 1/ 2/ 3/",
                           "f -4 -3 -2", "f\t1/-1/-1  2/-1/-1 3/1/1  # c", "  f 1 2 3   "})
    EXPECT_EQ(triangles_of(kSquare + face), expected) << face;
}

TEST(Obj, CountsNegativeIndicesFromTheLastVertexSoFar) {
  EXPECT_EQ(triangles_of(kSquare + "f -4 -3 -2\nv 9 9 9\nf -1 -2 -3\n"), (std::vector{tri(0, 1, 2), tri(4, 3, 2)}));
}

TEST(Obj, LetsAFaceNameVerticesThatFollow) {
  EXPECT_EQ(triangles_of("f 1 2 3\n" + kSquare), (std::vector{tri(0, 1, 2)}));
}

TEST(Obj, TriangulatesPolygonsAndKeepsTheFilesFaceIndices) {
  const MeshFile file = parse(kSquare + "f 1 2 3\nf 1 2 3 4\nf 3 2 1\n");
  EXPECT_EQ(file.mesh->face_count(), 4u);
  EXPECT_EQ(file.mesh->origin().polygon_of_face, (std::vector<std::uint32_t>{0, 1, 1, 2}));
}

TEST(Obj, ReportsPolygonsWithTooFewCorners) {
  const MeshFile file = parse(kSquare + "f 1 2\nf 1 2 3\nf\n");
  EXPECT_EQ(file.mesh->face_count(), 1u);
  EXPECT_EQ(file.mesh->polygon_in_file(FaceId(0)), 1u);
  EXPECT_EQ(file.warnings, std::vector<std::string>{"2 faces with fewer than three corners are left out: see line 5"});
}

TEST(Obj, NamesTheLineOfTheOnlyFaceWhenItIsCutShort) {
  const Error error = refused("v 0 0 0\nv 1 0 0\nv 1 1 0\n\nf 1 2");
  EXPECT_EQ(error.place().line, 5u);
  EXPECT_EQ(error.problem(), "the file has no faces but 1 face with fewer than three corners");
}

TEST(Obj, MakesObjectsAndGroupsNamedParts) {
  const MeshFile file =
      parse(kSquare + "f 1 2 3\no body\nf 1 2 3 4\ng left arm\nf 1 2 3\ng\nf 3 2 1\no empty\no hat\nf 1 3 4\n");
  const std::vector<MeshPart>& parts = file.mesh->origin().parts;
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[0].name, "body");
  EXPECT_EQ(parts[0].first_face, 1u);
  EXPECT_EQ(parts[0].face_count, 2u);
  EXPECT_EQ(parts[1].name, "body/left arm");
  EXPECT_EQ(parts[2].name, "body");
  EXPECT_EQ(parts[3].name, "hat");
  EXPECT_EQ(parts[3].first_face, 5u);
}

TEST(Obj, JoinsLinesThatEndWithABackslash) {
  EXPECT_EQ(triangles_of("v 0 \\\n 0 0\nv 1 0\\\r\n0\nv 1 1 0\nvn 1 0 \\\n 0\nf 1 2 \\\n 3"),
            (std::vector{tri(0, 1, 2)}));
}

TEST(Obj, ReadsWindowsLineEndsAndNoLineEndAtAll) {
  EXPECT_EQ(triangles_of("# c\r\nv 0 0 0\r\nv 1 0 0\r\n\r\nv 1 1 0\r\nf 1 2 3"), (std::vector{tri(0, 1, 2)}));
}

TEST(Obj, NamesWhatItLeavesOut) {
  const MeshFile file = parse(
      "mtllib a.mtl\nv 0 0 0 1 0 0\nv 1 0 0 1\nv 1 1 0\nvt 0 0\nvn 0 0 1\nusemtl m\ns 1\nl 1 2\np 1\nwhat 7\nf 1 2 "
      "3\n");
  EXPECT_EQ(file.dropped, (std::vector<std::string>{"texture coordinates", "normals", "vertex colours", "materials",
                                                    "lines", "points", "smoothing groups"}));
  EXPECT_EQ(file.warnings,
            std::vector<std::string>{"unknown statements are left out: the first, 'what', stands in line 11"});
  EXPECT_EQ(
      parse(kSquare + "f 1 2 3\ncstype bezier\ndeg 3\n").warnings,
      std::vector<std::string>{"free-form curves and surfaces are left out: the first, 'cstype', stands in line 6"});
}

TEST(Obj, KeepsUnusedDuplicatedAndDegenerateGeometry) {
  const MeshFile file = parse(kSquare + kSquare + "f 1 1 1\nf 1 2 3\nf 1 2 3\nf 5 6 7\nf 1 2 8\nf 2 1 8\nf 1 2 4\n");
  EXPECT_EQ(file.mesh->vertex_count(), 8u);
  EXPECT_EQ(file.mesh->face_count(), 7u);
  EXPECT_TRUE(file.dropped.empty());
}

TEST(Obj, RefusesIndicesOutOfRangeByLineAndFace) {
  EXPECT_STREQ(refused(kSquare + "f 1 2 3\nf 1 2 9\n").what(),
               "t.obj:6, face 2: vertex index 9 is out of range (the file has 4 vertices)");
  EXPECT_EQ(refused(kSquare + "f 1 2 0\n").place().line, 5u);
  EXPECT_EQ(refused(kSquare + "f 1 2 -5\nv 0 0 0\n").place().line, 5u);
  EXPECT_EQ(refused(kSquare + "f 1 2 99999999999\n").place().line, 5u);
  EXPECT_EQ(refused(kSquare + "f 1 2 99999999999999999999999\n").place().line, 5u);
}

TEST(Obj, RefusesCoordinatesThatAreNotFinite) {
  for (const char* bad : {"nan", "inf", "-Infinity", "1e999"}) {
    const Error error = refused("v 0 0 0\nv 0 " + std::string(bad) + " 0\n");
    EXPECT_EQ(error.place().line, 2u) << bad;
    EXPECT_EQ(error.place().element, "vertex 2");
    EXPECT_TRUE(says(error.problem(), "finite"));
  }
}

TEST(Obj, RefusesWhatIsNotANumberOrAnIndex) {
  EXPECT_TRUE(says(refused("v 0 zero 0\n").what(), "found 'zero'"));
  EXPECT_TRUE(says(refused("v 0 0\n").what(), "found the end of the line"));
  EXPECT_TRUE(says(refused("v 1 2 3 4 5 6 7 8 9\n").what(), "too many"));
  EXPECT_TRUE(says(refused(kSquare + "f 1 2 x\n").what(), "found 'x'"));
  EXPECT_TRUE(says(refused(kSquare + "f 1 2/1/1/1 3\n").what(), "v/vt/vn"));
  EXPECT_TRUE(says(refused(kSquare + "f 1 2 3.5\n").what(), "vertex index"));
}

TEST(Obj, RefusesAFileWithoutFacesOrWithBinaryData) {
  EXPECT_TRUE(says(refused(kSquare).what(), "no faces"));
  EXPECT_TRUE(says(refused("").what(), "no faces"));
  EXPECT_TRUE(says(refused("hello\nworld\n").what(), "no faces"));
  EXPECT_EQ(refused("v 0 0 0\n\x01\x02\x03\xff\n").place().line, 2u);
}

}  // namespace
}  // namespace pliant
