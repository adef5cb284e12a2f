#include "pliant/io/file_set.h"

#include <algorithm>

#include "pliant/io/file.h"
#include "pliant/io/motion_file.h"
#include "pliant/io/tet_file.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

std::vector<std::string> names_read_for(const std::string& path) {
  std::vector<std::string> names;
  for (const std::string& file : files_read_for(path)) names.push_back(std::filesystem::path(file).filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

using Names = std::vector<std::string>;

TEST(FileSet, NamesBuffersAndImagesOfAGltfFile) {
  const TemporaryFolder folder;
  write_mesh(folder / "a.gltf", *make_box());
  EXPECT_EQ(names_read_for(folder / "a.gltf"), (Names{"a.bin", "a.gltf"}));
  write_mesh(folder / "a.glb", *make_box());
  EXPECT_EQ(names_read_for(folder / "a.glb"), Names{"a.glb"});
  write_file(folder / "b.gltf",
             R"({"buffers":[{"uri":"my%20data.bin"},{"uri":"data:;base64,AA=="},{"uri":"../outside.bin"},{}, 5],)"
             R"("images":[{"uri":"skin.png"}]})");
  EXPECT_EQ(names_read_for(folder / "b.gltf"), (Names{"b.gltf", "my data.bin", "skin.png"}));
}

TEST(FileSet, NamesFramesAndTheirOwnFiles) {
  const TemporaryFolder folder;
  for (const char* name : {"w.1.gltf", "w.2.gltf", "w.4.gltf"}) write_mesh(folder / name, *make_box());
  const Names all = {"w.1.bin", "w.1.gltf", "w.2.bin", "w.2.gltf", "w.4.bin", "w.4.gltf"};
  EXPECT_EQ(names_read_for(folder / "w.%d.gltf"), all);  // those there are, whatever is missing between them
  EXPECT_EQ(names_read_for(folder / "w.*.gltf"), all);
  write_tets(folder / "t.node", *make_tet_box());
  EXPECT_EQ(names_read_for(folder / "t.ele"), (Names{"t.ele", "t.node"}));
}

TEST(FileSet, NamesTheFramesOfAPvd) {
  const TemporaryFolder folder;
  const MeshPtr box = make_box();
  MotionWriter writer(folder / "p.pvd", box->vertex_count(), {.mesh = box});
  for (int k = 0; k < 2; ++k) writer.add(box->positions());
  writer.finish();
  EXPECT_EQ(names_read_for(folder / "p.pvd"), (Names{"p.0000.vtp", "p.0001.vtp", "p.pvd"}));
}

TEST(FileSet, NamesAtLeastThePathItself) {
  const TemporaryFolder folder;
  write_file(folder / "a.gltf", "garbage");
  write_file(folder / "a.glb", "glTF");
  write_file(folder / "a.pvd", "garbage");
  for (const char* name : {"a.gltf", "a.glb", "a.pvd", "none.obj", "none.gltf"})
    EXPECT_EQ(names_read_for(folder / name), Names{name});
}

// What write_mesh, write_tets and MotionWriter leave in a folder is what was foretold.
TEST(FileSet, ForetellsWhatIsWritten) {
  for (const char* name : {"a.obj", "a.gltf", "a.glb"}) {
    const TemporaryFolder folder;
    write_mesh(folder / name, *make_box());
    const std::vector<std::string> files = files_written_for(folder / name);
    EXPECT_EQ(folder.entry_count(), files.size()) << name;
    for (const std::string& file : files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
  }
  const TemporaryFolder folder;
  write_tets(folder / "a.node", *make_tet_box());
  EXPECT_EQ(files_written_for(folder / "a.ele"), (Names{folder / "a.ele", folder / "a.node"}));
  EXPECT_EQ(folder.entry_count(), 2u);
}

}  // namespace
}  // namespace pliant
