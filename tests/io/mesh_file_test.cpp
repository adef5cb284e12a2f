#include "pliant/io/mesh_file.h"

#include <sys/stat.h>

#include "pliant/io/file.h"
#include "tests/io/helpers.h"
#include "tests/support/stand_in_data.h"

namespace pliant {
namespace {

const std::string kObj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n";

std::string write_text(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  write_file(folder / name, text);
  return folder / name;
}

MeshPtr there_and_back(const TriangleMesh& mesh, const MeshWriteOptions& options) {
  return parse_mesh(format_mesh(mesh, options), "t", {.format = options.format}).mesh;
}

RC_GTEST_PROP(MeshRoundTrip, KeepsEveryBitInFormatsThatHoldDoubles, ()) {
  const MeshPtr mesh = any_mesh(finite_double());
  for (const MeshWriteOptions& options :
       {MeshWriteOptions{.format = MeshFormat::obj}, MeshWriteOptions{.format = MeshFormat::off},
        MeshWriteOptions{.format = MeshFormat::ply},
        MeshWriteOptions{.format = MeshFormat::ply, .encoding = Encoding::text},
        MeshWriteOptions{.format = MeshFormat::vtp}, MeshWriteOptions{.format = MeshFormat::vtu},
        MeshWriteOptions{.format = MeshFormat::vtp, .encoding = Encoding::text},
        MeshWriteOptions{.format = MeshFormat::vtu, .encoding = Encoding::text}}) {
    const MeshPtr back = there_and_back(*mesh, options);
    RC_ASSERT(same_positions(mesh->positions(), back->positions()));
    RC_ASSERT(same_triangles(*mesh, *back));
    if (options.format == MeshFormat::obj) RC_ASSERT(same_parts(*mesh, *back));
  }
}

RC_GTEST_PROP(MeshRoundTrip, RoundsToNearestWhereTheFormatHoldsFloats, ()) {
  const auto coordinate = rc::gen::map(rc::gen::inRange(-1000000, 1000000), [](int i) { return i * 1e-5 / 3; });
  const MeshPtr mesh = any_mesh(coordinate);
  const auto format = *rc::gen::element(MeshFormat::ply, MeshFormat::vtp, MeshFormat::vtu);
  for (const Encoding encoding : {Encoding::binary, Encoding::text}) {
    const MeshPtr back =
        there_and_back(*mesh, {.format = format, .encoding = encoding, .precision = Precision::float32});
    RC_ASSERT(same_triangles(*mesh, *back));
    for (std::size_t v = 0; v < mesh->vertex_count(); ++v) {
      for (int axis = 0; axis < 3; ++axis)
        RC_ASSERT(static_cast<float>(back->positions()[v][axis]) == static_cast<float>(mesh->positions()[v][axis]));
    }
  }
}

// +0 and -0 are equal here: the transform of the node adds them.
RC_GTEST_PROP(MeshRoundTrip, KeepsFloatsInGltf, ()) {
  const TemporaryFolder folder;
  const MeshPtr mesh = any_mesh(finite_float());
  for (const char* name : {"a.glb", "a.gltf"}) {
    write_mesh(folder / name, *mesh);
    const MeshPtr back = read_mesh(folder / name);
    RC_ASSERT(same_triangles(*mesh, *back));
    RC_ASSERT(std::equal(mesh->positions().begin(), mesh->positions().end(), back->positions().begin(),
                         back->positions().end()));
  }
}

// STL keeps corners, not vertices: those are compared.
RC_GTEST_PROP(MeshRoundTrip, KeepsTheCornersOfStl, ()) {
  const bool text = *rc::gen::arbitrary<bool>();
  const MeshPtr mesh = any_mesh(text ? finite_double() : finite_float());
  const MeshPtr back =
      there_and_back(*mesh, {.format = MeshFormat::stl, .encoding = text ? Encoding::text : Encoding::binary});
  RC_ASSERT(back->face_count() == mesh->face_count());
  for (std::size_t f = 0; f < mesh->face_count(); ++f) {
    for (std::size_t i = 0; i < 3; ++i)
      RC_ASSERT(mesh->position(mesh->triangles()[f][i]) == back->position(back->triangles()[f][i]));
  }
  if (text) RC_ASSERT(same_parts(*mesh, *back));
}

TEST(MeshFile, TellsTheFormatByContentBeforeTheName) {
  const MeshPtr mesh = parse_obj(kObj, "a.obj").mesh;
  for (const MeshFormat format : {MeshFormat::ply, MeshFormat::stl, MeshFormat::off}) {
    for (const Encoding encoding : {Encoding::binary, Encoding::text})
      EXPECT_EQ(
          parse_mesh(format_mesh(*mesh, {.format = format, .encoding = encoding}), "wrong.obj").mesh->face_count(), 1u);
  }
  EXPECT_EQ(parse_mesh(kObj, "UPPER.OBJ").mesh->face_count(), 1u);
}

TEST(MeshFile, RefusesAnUnknownFormatAndListsTheKnown) {
  const Error error = error_of([] { parse_mesh(kObj, "mesh.xyz"); });
  EXPECT_TRUE(says(error.what(), "mesh.xyz: the format cannot be told"));
  EXPECT_TRUE(says(error.what(), ".obj, .ply, .stl, .off, .mesh, .msh, .node, .ele, .vtk"));
}

TEST(MeshFile, RefusesWhatIsKnownForSomethingElseWithTheWayToGo) {
  for (const char* name : {"shot.blend", "shot.abc", "shot.FBX", "shot.usdc"})
    EXPECT_TRUE(says(error_of([&] { parse_mesh(kObj, name); }).what(), "convert it with Blender")) << name;
  for (const char* name : {"walk.pc2", "walk.mdd", "walk.npy"})
    EXPECT_TRUE(says(error_of([&] { parse_mesh(kObj, name); }).what(), "after --motion")) << name;
}

TEST(MeshFile, RefusesFilesThatAreNotThereEmptyOrNotFiles) {
  const TemporaryFolder folder;
  const auto refused = [](const std::string& path) { return std::string(error_of([&] { read_mesh(path); }).what()); };
  EXPECT_TRUE(says(refused(folder / "none.obj"), "none.obj: no such file"));
  EXPECT_TRUE(says(refused(folder / "none/none.obj"), "no such file"));
  EXPECT_TRUE(says(refused(folder.path().string()), "is a folder"));
  EXPECT_TRUE(says(refused(write_text(folder, "empty.ply", "")), "empty.ply: the file is empty"));
  ASSERT_EQ(::mkfifo((folder / "pipe.obj").c_str(), 0600), 0);
  EXPECT_TRUE(says(refused(folder / "pipe.obj"), "not a regular file"));
  const std::string secret = write_text(folder, "secret.obj", kObj);
  ::chmod(secret.c_str(), 0);
  if (::access(secret.c_str(), R_OK) != 0) {
    EXPECT_TRUE(says(refused(secret), "permissions"));  // root may read it all the same
  }
}

TEST(MeshFile, RefusesGarbageUnderEveryName) {
  std::string garbage;
  std::uint32_t state = 1;
  for (int i = 0; i < 10'000; ++i) garbage += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  for (const char* name : {"g.obj", "g.ply", "g.stl", "g.off"}) {
    const Error error = error_of([&] { parse_mesh(garbage, name); });
    EXPECT_EQ(error.place().file, name);
    EXPECT_TRUE(error.place().line || error.place().byte) << error.what();
  }
}

TEST(MeshFile, NamesTheFileInTheMesh) {
  const TemporaryFolder folder;
  const std::string path = write_text(folder, "a.obj", kObj);
  EXPECT_EQ(read_mesh(path)->origin().name, path);
}

TEST(MeshFile, WritesByExtensionAndSaysWhatIsDropped) {
  const TemporaryFolder folder;
  const MeshPtr mesh = parse_obj(kObj + "v 0 1 0\no a\nf 1 2 3 4\n", "a.obj").mesh;
  EXPECT_EQ(write_mesh(folder / "a.obj", *mesh), std::vector<std::string>{"polygons (written as triangles)"});
  EXPECT_EQ(write_mesh(folder / "a.PLY", *mesh),
            (std::vector<std::string>{"polygons (written as triangles)", "names of parts"}));
  EXPECT_EQ(read_mesh(folder / "a.PLY")->face_count(), 3u);
  EXPECT_EQ(read_mesh(folder / "a.obj")->origin().parts.size(), 1u);
  EXPECT_THROW(write_mesh(folder / "a.xyz", *mesh), Error);
}

TEST(MeshFile, LeavesNothingBehindWhenItCanNotWrite) {
  const TemporaryFolder folder;
  const MeshPtr huge = parse_obj("v 1e300 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", "a.obj").mesh;
  const std::string path = write_text(folder, "old.stl", "old");
  const Error error = error_of([&] { write_mesh(path, *huge); });
  EXPECT_TRUE(says(error.what(), "old.stl: a coordinate is too large"));
  EXPECT_EQ(read_file(path).view(), "old");
  EXPECT_EQ(folder.entry_count(), 1u);
  EXPECT_THROW(write_mesh(folder / "none/a.obj", *huge), Error);
  std::filesystem::create_directory(folder / "dir.obj");
  EXPECT_THROW(write_mesh(folder / "dir.obj", *huge), Error);
}

TEST(OutputFile, AppearsOnlyWhenComplete) {
  const TemporaryFolder folder;
  {
    OutputFile file(folder / "a.bin");
    file.write("half");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.bin"));
  }
  EXPECT_EQ(folder.entry_count(), 0u);
  OutputFile file(folder / "a.bin");
  file.write("0123456789");
  file.write_at(2, "AB");
  file.write("!");
  file.commit();
  EXPECT_EQ(read_file(folder / "a.bin").view(), "01AB456789!");
  EXPECT_EQ(folder.entry_count(), 1u);
}

// Every mesh of a data folder's table has the counts that the table says.
TEST(MeshFile, ReadsMeshesWithTheirCounts) {
  for (const std::filesystem::path& data : testing::mesh_data_folders()) {
    int checked = 0;
    for (const std::vector<std::string>& cells : data_table(data)) {
      if (cells[2] != "mesh" && cells[2] != "sequence") continue;
      const std::filesystem::path path = data / cells[1];
      const MeshPtr mesh = read_mesh((cells[2] == "mesh" ? path : path / "base.ply").string());
      EXPECT_EQ(std::to_string(mesh->vertex_count()), cells[3]) << path;
      EXPECT_EQ(std::to_string(mesh->face_count()), cells[4]) << path;
      ++checked;
    }
    EXPECT_GT(checked, 5) << data;
  }
}

}  // namespace
}  // namespace pliant
