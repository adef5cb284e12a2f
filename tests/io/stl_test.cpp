#include "pliant/io/byte_reader.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/weld.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

MeshFile parse(const std::string& bytes, double tolerance = 0) { return parse_stl(bytes, "t.stl", tolerance); }
Error refused(const std::string& bytes) {
  return error_of([&] { parse(bytes); });
}

std::string facet(const std::string& a, const std::string& b, const std::string& c) {
  return "facet normal 0 0 1\n outer loop\n  vertex " + a + "\n  vertex " + b + "\n  vertex " + c +
         "\n endloop\nendfacet\n";
}
const std::string kText = "solid square one\n" + facet("0 0 0", "1 0 0", "1 1 0") + facet("0 0 0", "1 1 0", "0 1 0") +
                          "endsolid square one\n";

std::string binary(const std::string& title, const std::vector<Vec3>& corners) {
  std::string bytes = title;
  bytes.resize(80, '\0');
  append_little(bytes, static_cast<std::uint32_t>(corners.size() / 3));
  for (std::size_t t = 0; t < corners.size(); t += 3) {
    bytes.append(12, '\0');
    for (std::size_t i = t; i < t + 3; ++i) {
      for (int axis = 0; axis < 3; ++axis) append_little(bytes, static_cast<float>(corners[i][axis]));
    }
    bytes.append(2, '\0');
  }
  return bytes;
}
const std::vector<Vec3> kSquare = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {0, 1, -0.0}};

TEST(Stl, WeldsEqualCornersOfText) {
  const MeshFile file = parse(kText);
  EXPECT_EQ(file.mesh->vertex_count(), 4u);
  EXPECT_EQ(file.mesh->triangle(FaceId(1)), (Triangle{VertexId(0), VertexId(2), VertexId(3)}));
  ASSERT_EQ(file.mesh->origin().parts.size(), 1u);
  EXPECT_EQ(file.mesh->origin().parts[0].name, "square one");
}

TEST(Stl, ReadsSeveralSolidsInAnyCaseAsParts) {
  std::string text = kText + "SOLID\n" + facet("0 0 1", "1 0 1", "1 1 1") +
                     "ENDSOLID\nsolid none\nendsolid\nsolid last\n" + facet("0 0 2", "1 0 2", "1 1 2") + "endsolid";
  const MeshFile file = parse(text);
  ASSERT_EQ(file.mesh->origin().parts.size(), 2u);
  EXPECT_EQ(file.mesh->origin().parts[1].name, "last");
  EXPECT_EQ(file.mesh->origin().parts[1].first_face, 3u);
}

TEST(Stl, ReadsBinaryWhateverItsHeaderSays) {
  for (const char* title : {"", "solid of a program that did not read the manual", "solid\nfacet normal"}) {
    const MeshFile file = parse(binary(title, kSquare));
    EXPECT_EQ(file.mesh->vertex_count(), 4u) << title;
    EXPECT_EQ(file.mesh->face_count(), 2u);
  }
}

TEST(Stl, AcceptsNormalsThatAreNotNumbersAndReportsAttributes) {
  std::string text = kText;
  text.replace(text.find("0 0 1"), 5, "nan nan nan");
  EXPECT_EQ(parse(text).mesh->face_count(), 2u);
  std::string bytes = binary("", kSquare);
  bytes[84 + 48] = 1;
  EXPECT_EQ(parse(bytes).dropped, (std::vector<std::string>{"normals", "facet attributes (colours)"}));
}

TEST(Stl, WeldsWithinATolerance) {
  std::vector<Vec3> corners = kSquare;
  corners[3] += Vec3(1e-4, 0, 0);
  EXPECT_EQ(parse(binary("", corners)).mesh->vertex_count(), 5u);
  EXPECT_EQ(parse(binary("", corners), 1e-3).mesh->vertex_count(), 4u);
  for (const double tolerance : {-1.0, std::nan(""), 1e-300})
    EXPECT_THROW(parse(binary("", corners), tolerance), Error);
}

TEST(Stl, RefusesTruncatedFiles) {
  const std::string bytes = binary("", kSquare);
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_THROW(parse(bytes.substr(0, size)), Error) << size;
  EXPECT_EQ(refused(bytes.substr(0, 150)).place().byte, 80u);
  for (std::size_t size = 0; size + 20 < kText.size(); ++size)
    EXPECT_THROW(parse(kText.substr(0, size)), Error) << size;
}

TEST(Stl, RefusesAClaimOfBillionsOfTriangles) {
  std::string bytes = binary("", kSquare);
  bytes[83] = '\x7f';
  EXPECT_TRUE(says(refused(bytes).what(), "claims 2130706434 triangles, but the file has room for 2"));
}

TEST(Stl, RefusesCoordinatesThatAreNotFinite) {
  std::vector<Vec3> corners = kSquare;
  corners[4].y() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refused(binary("", corners)).place().element, "facet 1");
  std::string text = kText;
  text.replace(text.find("vertex 1 0 0"), 12, "vertex 1 nan");
  EXPECT_EQ(refused(text).place().line, 5u);
}

TEST(Stl, RefusesDamagedTextByLine) {
  EXPECT_TRUE(says(refused("solid a\nfacet normal 0 0 1\nouter ring\n").what(),
                   "t.stl:3, facet 0: expected 'loop', found 'ring'"));
  EXPECT_TRUE(says(refused("solid a\nendsolid a\n").what(), "no faces"));
  EXPECT_TRUE(says(refused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero").what(), "found 'zero'"));
}

RC_GTEST_PROP(Weld, JoinsEachPointToTheFirstKeptOneWithinTheTolerance, ()) {
  const auto coordinate = rc::gen::map(rc::gen::inRange(-20, 20), [](int i) { return i * 0.1; });
  const auto input = *points(coordinate, *rc::gen::inRange<std::size_t>(0, 60));
  const double tolerance = *rc::gen::element(0.0, 0.15, 0.55, 10.0);
  std::vector<Vec3> kept;
  std::vector<std::uint32_t> expected;
  for (const Vec3& p : input) {
    std::uint32_t i = 0;
    while (i < kept.size() && (kept[i] - p).norm() > tolerance) ++i;
    if (i == kept.size()) kept.push_back(p);
    expected.push_back(i);
  }
  const WeldedPoints welded = weld_points(input, tolerance, "t");
  RC_ASSERT(welded.index_of == expected);
  RC_ASSERT(same_positions(welded.positions, kept));
}

}  // namespace
}  // namespace pliant
