#include "pliant/io/byte_reader.h"
#include "pliant/io/tet_file.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

const std::string kHead = "# vtk DataFile Version 3.0\na title\nASCII\nDATASET UNSTRUCTURED_GRID\n";
const std::string kPoints = "POINTS 5 float\n0 0 0 1 0 0\n0 1 0 0 0 1\n0 0 -1\n";
const std::string kGrid =
    kHead + "FIELD FieldData 1\ntime 1 2 double\n0.5 0.25\n" + kPoints +
    "CELLS 3 14\n4 0 1 2 3\n4 0 2 1 4\n3 0 1 2\nCELL_TYPES 3\n10\n10\n5\nPOINT_DATA 5\nSCALARS x float\n";

std::string message(const std::string& text) {
  return error_of([&] { parse_tets(text, "t.vtk", MeshFormat::vtk); }).what();
}

TEST(Vtk, ReadsAnUnstructuredGridAndNamesWhatItLeavesOut) {
  const TetFile file = parse_tets(kGrid, "t");
  EXPECT_EQ(file.mesh->tet_count(), 2u);
  EXPECT_EQ(file.mesh->positions()[4], Vec3(0, 0, -1));
  EXPECT_EQ(file.dropped, (std::vector<std::string>{"field data", "point and cell data", "surface cells"}));
}

TEST(Vtk, ReadsTheOffsetsOfVersion5) {
  const std::string text = with(kHead, "3.0", "5.1") + kPoints +
                           "METADATA\nINFORMATION 1\nNAME x\n\nCELLS 3 8\nOFFSETS vtktypeint64\n0 4 8 \nCONNECTIVITY "
                           "vtktypeint64\n0 1 2 3 0 2 1 4\n"
                           "CELL_TYPES 2\n10\n10\n";
  const TetMeshPtr five = parse_tets(text, "t").mesh, three = parse_tets(kGrid, "t").mesh;
  EXPECT_TRUE(std::equal(five->tets().begin(), five->tets().end(), three->tets().begin(), three->tets().end()));
}

TEST(Vtk, ReadsPolygonsAndStripsAsASurface) {
  const MeshPtr mesh =
      parse_mesh(
          "# vtk DataFile Version 2.0\n\nASCII\nDATASET POLYDATA\n" + kPoints +
              "VERTICES 1 2\n1 0\nLINES 1 3\n2 0 1\nPOLYGONS 2 9\n3 0 1 2\n4 0 1 2 3\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\n",
          "t.vtk")
          .mesh;
  EXPECT_EQ(mesh->face_count(), 5u);
  EXPECT_EQ(mesh->triangle(FaceId(4)), (Triangle{VertexId(2), VertexId(1), VertexId(3)}));
}

TEST(Vtk, WarnsOfSolidCellsWhoseSurfaceIsMissing) {
  const MeshFile file = parse_mesh(
      "# vtk DataFile Version 2.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 1 0 0 1 1 0 0 1 0 0 0 1\n"
      "CELLS 3 13\n5 0 1 2 3 4\n3 0 1 2\n2 0 1\nCELL_TYPES 3\n14\n5\n3\n",
      "t.vtk");
  EXPECT_EQ(file.warnings, std::vector<std::string>{"pyramids are left out"});
  EXPECT_EQ(file.dropped, std::vector<std::string>{"lines"});
}

TEST(Vtk, UsesTheCornersOfCurvedCells) {
  std::string text = kHead +
                     "POINTS 10 double\n0 0 0 1 0 0 0 1 0 0 0 1 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9\nCELLS 2 18\n10 0 "
                     "1 2 3 4 5 6 7 8 9\n6 0 1 2 4 5 6\nCELL_TYPES 2\n24\n22\n";
  EXPECT_EQ(parse_tets(text, "t").dropped,
            (std::vector<std::string>{"curvature of tetrahedra", "curvature of triangles", "surface cells"}));
}

TEST(Vtk, ReadsBinaryFieldsPointsAndOffsets) {
  std::string bytes =
      "# vtk DataFile Version 5.1\n\nBINARY\nDATASET UNSTRUCTURED_GRID\nFIELD f 1\nn 1 3 unsigned_char\nabc\nPOINTS 4 "
      "int\n";
  for (const std::int32_t value : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) append(bytes, value, std::endian::big);
  bytes += "\nCELLS 2 4\nOFFSETS vtktypeint64\n";
  for (const std::int64_t value : {0, 4}) append(bytes, value, std::endian::big);
  bytes += "\nCONNECTIVITY vtktypeint64\n";
  for (const std::int64_t value : {0, 1, 2, 3}) append(bytes, value, std::endian::big);
  bytes += "\nCELL_TYPES 1\n";
  append(bytes, std::int32_t{10}, std::endian::big);
  EXPECT_EQ(parse_tets(bytes, "t").mesh->positions()[3], Vec3(0, 0, 1));
}

TEST(Vtk, RefusesWrongCountsPointsAndCoordinates) {
  EXPECT_TRUE(says(message(with(kGrid, "POINTS 5", "POINTS 5000000000")), "claims 5000000000 points"));
  EXPECT_TRUE(says(message(with(kGrid, "CELLS 3 14", "CELLS 3 5000000000")), "claims 5000000000 numbers of cells"));
  EXPECT_TRUE(says(message(with(kGrid, "time 1 2", "time 5000000000 5000000000")), "tuples of a field"));
  EXPECT_TRUE(says(message(with(kGrid, "4 0 1 2 3", "4 0 1 2 5")), "t.vtk:13, cell 0: point 5 does not exist"));
  EXPECT_TRUE(says(message(with(kGrid, "4 0 1 2 3", "-4 0 1 2 3")), "wrong count of points"));
  EXPECT_TRUE(says(message(with(kGrid, "0 0 -1", "0 0 nan")), "vertex 4: a coordinate is not a finite number"));
  EXPECT_TRUE(says(message(with(kGrid, "CELL_TYPES 3", "CELL_TYPES 2")), "2 types for 3 cells"));
  EXPECT_TRUE(says(message(with(kGrid, "10\n10\n5", "10\n10\n10")), "too few points"));
}

TEST(Vtk, RefusesOtherDatasetsAndDamagedFiles) {
  EXPECT_TRUE(says(message(with(kGrid, "UNSTRUCTURED_GRID", "STRUCTURED_POINTS")), "holds no mesh"));
  EXPECT_TRUE(says(message(with(kGrid, "ASCII", "MORSE")), "neither ASCII nor BINARY"));
  EXPECT_TRUE(says(message(with(kGrid, "CELLS", "SELLS")), "unknown keyword 'sells'"));
  EXPECT_TRUE(says(message(with(kGrid, "float", "quad")), "type 'quad'"));
  EXPECT_TRUE(says(message(kHead + kPoints), "no tetrahedra"));
  EXPECT_TRUE(says(message(kHead + kPoints + "CELLS 1 5\n4 0 1 2 3\n"), "no CELL_TYPES"));
  EXPECT_TRUE(says(message("garbage"), "not a legacy VTK file"));
}

}  // namespace
}  // namespace pliant
