#include "pliant/io/byte_reader.h"
#include "pliant/io/inflate.h"
#include "pliant/io/tet_file.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

struct Array {
  std::string type, name, attributes, text;
};

std::string tag(const Array& array) {
  return "<DataArray type=\"" + array.type + "\" Name=\"" + array.name + "\" " + array.attributes +
         (array.text.empty() ? "/>" : ">" + array.text + "</DataArray>") + "\n";
}

// One tetrahedron, its four arrays as given: points, connectivity, offsets, types.
std::string grid(const std::string& attributes, const std::vector<Array>& arrays, const std::string& tail = "") {
  return "<?xml version=\"1.0\"?><!-- c -->\n<VTKFile type=\"UnstructuredGrid\" " + attributes +
         "><UnstructuredGrid>\n<FieldData><DataArray type=\"Float64\" Name=\"t\" "
         "format=\"ascii\">1</DataArray></FieldData>"
         "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n<PointData></PointData><Points>" +
         tag(arrays[0]) + "</Points><Cells>" + tag(arrays[1]) + tag(arrays[2]) + tag(arrays[3]) +
         "</Cells></Piece></UnstructuredGrid>" + tail + "</VTKFile>\n";
}

std::vector<Array> arrays(const std::string& attributes, const std::vector<std::string>& texts) {
  return {{"Float32", "p", attributes, texts[0]},
          {"Int32", "connectivity", attributes, texts[1]},
          {"Int32", "offsets", attributes, texts[2]},
          {"UInt8", "types", attributes, texts[3]}};
}

const std::vector<std::string> kText = {"0 0 0 1 0 0\n0 1 0 0 0 1", "0 1 2 3", "4", "10"};
// The same numbers as base64, and compressed (points in two blocks) as base64; made with Python's struct, zlib and
// base64.
const std::vector<std::string> kPlain = {"MAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPw==",
                                         "EAAAAAAAAAABAAAAAgAAAAMAAAA=", "BAAAAAQAAAA=", "AQAAAAo="};
const std::vector<std::string> kCompressed = {
    "AgAAACAAAAAQAAAAEAAAAA0AAAA=eJxjYEAGDfYMaHwADo4Bf3icY2BABg32AAFPAMA=",
    "AQAAACAAAAAQAAAAEwAAAA==eJxjYGBgYARiJiBmBmIAADgABw==", "AQAAACAAAAAEAAAADAAAAA==eJxjYWBgAAAAFAAF",
    "AQAAACAAAAABAAAACQAAAA==eJzjAgAACwAL"};
const std::string kZlib = "compressor=\"vtkZLibDataCompressor\"";

std::string appended(const std::string& attributes, const std::vector<std::string>& encoded) {
  std::vector<Array> list = arrays("", {"", "", "", ""});
  std::string data;
  for (std::size_t i = 0; i < 4; ++i) {
    list[i].attributes = "format=\"appended\" offset=\"" + std::to_string(data.size()) + "\"";
    data += encoded[i];
  }
  return grid(attributes, list, "<AppendedData encoding=\"base64\">\n _" + data + "\n</AppendedData>");
}

std::vector<std::string> every_encoding() {
  std::vector<std::string> texts = {grid("", arrays("format=\"ascii\"", kText)),
                                    grid("byte_order=\"LittleEndian\"", arrays("format=\"binary\"", kPlain)),
                                    appended("", kPlain)};
  if (!can_inflate()) return texts;
  texts.push_back(grid(kZlib, arrays("format=\"binary\"", kCompressed)));
  texts.push_back(appended(kZlib, kCompressed));
  return texts;
}

std::string message(const std::string& text) {
  return error_of([&] { parse_tets(text, "t.vtu", MeshFormat::vtu); }).what();
}

TEST(Vtu, ReadsTextBase64AndCompressedArraysAlike) {
  for (const std::string& text : every_encoding()) {
    const TetFile file = parse_tets(text, "t");
    EXPECT_EQ(file.mesh->vertex_count(), 4u);
    EXPECT_EQ(file.mesh->positions()[3], Vec3(0, 0, 1));
    EXPECT_EQ(file.mesh->tet(TetId(0)), (Tet{VertexId(0), VertexId(1), VertexId(2), VertexId(3)}));
    EXPECT_EQ(file.dropped, std::vector<std::string>{"point and cell data"});
  }
}

TEST(Vtu, ReadsBigEndianDataAppendedRaw) {
  std::string data;
  const auto begin = [&](std::uint64_t size) { append(data, size, std::endian::big); };
  std::vector<Array> list = arrays("", {"", "", "", ""});
  list[0].type = "Float64";
  list[1].type = "Int64";
  const auto offset = [&](Array& array) {
    array.attributes = "format=\"appended\" offset=\"" + std::to_string(data.size()) + "\"";
  };
  offset(list[0]);
  begin(96);
  for (const double value : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., .5}) append(data, value, std::endian::big);
  offset(list[1]);
  begin(32);
  for (const std::int64_t value : {0, 1, 2, 3}) append(data, value, std::endian::big);
  offset(list[2]);
  begin(4);
  append(data, std::int32_t{4}, std::endian::big);
  offset(list[3]);
  begin(1);
  data += '\x0a';
  const std::string text = grid("byte_order=\"BigEndian\" header_type=\"UInt64\"", list,
                                "<AppendedData encoding=\"raw\">_" + data + "</AppendedData>");
  EXPECT_EQ(parse_tets(text, "t").mesh->positions()[3], Vec3(0, 0, 0.5));
}

TEST(Vtu, JoinsPiecesAndReadsPolygonsAndStrips) {
  const std::string points =
      "<Points><DataArray type=\"Float32\" format=\"ascii\">0 0 0 1 0 0 1 1 0 0 1 0</DataArray></Points>";
  const auto cells = [](const std::string& section, const std::string& connectivity, const std::string& offsets) {
    return "<" + section + "><DataArray Name=\"connectivity\" type=\"Int32\" format=\"ascii\">" + connectivity +
           "</DataArray><DataArray Name=\"offsets\" type=\"Int32\" format=\"ascii\">" + offsets + "</DataArray></" +
           section + ">";
  };
  const std::string piece = "<Piece NumberOfPoints=\"4\" NumberOfPolys=\"2\">" + points + cells("Lines", "0 1", "2") +
                            cells("Polys", "0 1 2 0 1 2 3", "3 7") + cells("Strips", "0 1 2 3", "4") + "</Piece>";
  const MeshPtr mesh =
      parse_mesh("<VTKFile type=\"PolyData\"><PolyData>" + piece + piece + "</PolyData></VTKFile>", "t.vtp").mesh;
  EXPECT_EQ(mesh->vertex_count(), 8u);
  EXPECT_EQ(mesh->face_count(), 10u);
  EXPECT_EQ(mesh->triangle(FaceId(5)), (Triangle{VertexId(4), VertexId(5), VertexId(6)}));
  // Cut behind the first piece it would be half of the mesh.
  EXPECT_TRUE(says(error_of([&] { parse_mesh("<VTKFile type=\"PolyData\"><PolyData>" + piece, "t.vtp"); }).what(),
                   "does not end with </VTKFile>"));
}

TEST(Vtu, RefusesATruncatedFileWhereverItIsCut) {
  for (const std::string& whole : every_encoding()) {
    const std::size_t needed = whole.rfind('>');
    for (std::size_t size = 0; size < needed; ++size)
      EXPECT_THROW(parse_tets(whole.substr(0, size), "t", MeshFormat::vtu), Error) << size << " of " << whole.size();
  }
}

TEST(Vtu, RefusesWrongCountsPointsAndCoordinates) {
  const std::string text = every_encoding()[0];
  EXPECT_TRUE(says(message(with(text, "NumberOfPoints=\"4\"", "NumberOfPoints=\"5000000000\"")),
                   "fewer points than it claims"));
  EXPECT_TRUE(
      says(message(with(text, "NumberOfCells=\"1\"", "NumberOfCells=\"5000000000\"")), "fewer cells than it claims"));
  EXPECT_TRUE(says(message(with(text, "NumberOfCells=\"1\"", "NumberOfCells=\"many\"")), "no proper NumberOfCells"));
  EXPECT_TRUE(says(message(with(text, "0 1 2 3", "0 1 2 4")), "cell 0: point 4 does not exist"));
  EXPECT_TRUE(says(message(with(text, ">4<", ">5<")), "offsets"));
  EXPECT_TRUE(says(message(with(text, ">4<", ">3<")), "too few points"));
  EXPECT_TRUE(
      says(message(with(text, "0 1 0 0 0 1", "0 1 0 0 0 inf")), "vertex 3: a coordinate is not a finite number"));
  EXPECT_TRUE(says(message(with(text, "0 1 2 3", "0 1 2 x")), "found 'x'"));
}

TEST(Vtu, RefusesDamagedAndUnknownEncodings) {
  const std::vector<std::string> texts = every_encoding();
  EXPECT_TRUE(says(message(with(texts[1], "MAAAAA", "//////")), "more data than the file holds"));
  EXPECT_TRUE(says(message(with(texts[1], "MAAAAA", "M*AAAA")), "not proper base64"));
  EXPECT_TRUE(says(message(with(texts[1], "<VTKFile", "<VTKFile compressor=\"vtkLZ4DataCompressor\"")),
                   "compressed by vtkLZ4DataCompressor"));
  EXPECT_TRUE(says(message(with(texts[2], "offset=\"0\"", "offset=\"999999\"")), "behind the end"));
  EXPECT_TRUE(says(message(with(texts[0], "UnstructuredGrid", "ImageData")), "'ImageData' holds no mesh"));
  EXPECT_TRUE(says(message("<html></html>"), "not a VTK file"));
  EXPECT_TRUE(says(message("<VTKFile type='UnstructuredGrid'><!-- "), "does not end"));
}

TEST(Vtu, RefusesDamagedCompression) {
  const std::string text = grid(kZlib, arrays("format=\"binary\"", kCompressed));
  if (!can_inflate()) {
    EXPECT_TRUE(says(message(text), "it has no zlib (export the file without compression)"));
    return;
  }
  EXPECT_TRUE(says(message(with(text, "eJxjYEAG", "eJxjYEAH")), "compressed data is damaged"));
  EXPECT_TRUE(says(message(with(text, "AgAAACAA", "////fyAA")), "more blocks than the file holds"));
}

// Arrays of many pieces that all name the same bytes are a bomb.
TEST(Vtu, RefusesPiecesThatShareTheirData) {
  std::string data;
  append_little(data, std::uint32_t{48000});
  data.append(48000, '\0');
  std::string text = "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>";
  for (int i = 0; i < 100; ++i)
    text +=
        "<Piece NumberOfPoints=\"4000\" NumberOfCells=\"0\"><Points><DataArray type=\"Float32\" format=\"appended\" "
        "offset=\"0\"/></Points></Piece>";
  EXPECT_TRUE(says(message(text + "<AppendedData encoding=\"raw\">_" + data + "</AppendedData></VTKFile>"),
                   "claim more data than the file holds"));
}

}  // namespace
}  // namespace pliant
