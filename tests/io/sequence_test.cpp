#include "pliant/io/sequence.h"

#include "pliant/io/file.h"
#include "pliant/io/motion_file.h"
#include "tests/io/helpers.h"

namespace pliant {
namespace {

std::string square(double height, const std::string& faces = "f 1 2 3 4\n") {
  return "v 0 0 " + std::to_string(height) + "\nv 1 0 0\nv 1 1 0\nv 0 1 0\n" + faces;
}

std::vector<std::string> names(const std::string& path) {
  std::vector<std::string> result;
  for (const std::string& file : list_sequence(path)) result.push_back(std::filesystem::path(file).filename().string());
  return result;
}

TemporaryFolder folder_with(const std::vector<std::string>& files) {
  TemporaryFolder folder;
  for (const std::string& file : files) write_file(folder / file, square(0));
  return folder;
}

TEST(Sequence, ListsANumberPatternByNumber) {
  const TemporaryFolder folder =
      folder_with({"w.0009.obj", "w.0010.obj", "w.0008.obj", "w.10.obj", "w.00010.obj", "w.x.obj", "v.0001.obj"});
  EXPECT_EQ(names(folder / "w.%04d.obj"), (std::vector<std::string>{"w.0008.obj", "w.0009.obj", "w.0010.obj"}));
}

TEST(Sequence, AcceptsEqualStepsAndNamesTheFirstMissingFrame) {
  const TemporaryFolder even = folder_with({"2.obj", "4.obj", "6.obj"});
  EXPECT_EQ(names(even / "%d.obj").size(), 3u);
  const TemporaryFolder gap = folder_with({"1.obj", "2.obj", "4.obj"});
  EXPECT_TRUE(contains(error_of([&] { names(gap / "%d.obj"); }).what(), "3.obj is missing"));
}

TEST(Sequence, ListsAGlobAndAFolderInNaturalOrder) {
  const TemporaryFolder folder = folder_with({"w10.obj", "w9.obj", "w2b.obj", "w2.obj", "notes.txt"});
  EXPECT_EQ(names(folder / "w*.obj"), (std::vector<std::string>{"w2.obj", "w2b.obj", "w9.obj", "w10.obj"}));
  EXPECT_EQ(names(folder / "w?.obj"), (std::vector<std::string>{"w2.obj", "w9.obj"}));
  EXPECT_EQ(names(folder.path().string()), (std::vector<std::string>{"w2.obj", "w2b.obj", "w9.obj", "w10.obj"}));
}

TEST(Sequence, RefusesAFolderOfTwoKindsAndPathsThatMatchNothing) {
  const TemporaryFolder folder = folder_with({"a.obj", "b.ply"});
  EXPECT_TRUE(contains(error_of([&] { names(folder.path().string()); }).what(), "both .obj and .ply"));
  EXPECT_TRUE(contains(error_of([&] { names(folder / "c*.obj"); }).what(), "no file matches"));
  EXPECT_THROW(names(folder / "none/%d.obj"), Error);
}

TEST(Sequence, ReadsFramesInOrder) {
  const TemporaryFolder folder;
  for (int k = 0; k < 3; ++k) write_file(sequence_path(folder / "s%d.obj", static_cast<std::uint64_t>(k)), square(k));
  const auto source = open_motion(folder / "s%d.obj");
  EXPECT_EQ(source->frame_count(), 3u);
  EXPECT_EQ(source->frame(2).positions[0], Vec3(0, 0, 2));
  EXPECT_EQ(open_motion(folder / "s*.obj", {.first = 1})->frame(0).positions[0], Vec3(0, 0, 1));
}

TEST(Sequence, NamesTheFirstFrameWhoseTopologyDiffers) {
  const TemporaryFolder folder;
  write_file(folder / "s0.obj", square(0));
  write_file(folder / "s1.obj", square(1, "f 1 2 3 4\nf 1 2 3\n"));
  write_file(folder / "s2.obj", square(1, "f 1 2 3\nf 2 3 4\n"));
  const auto source = open_motion(folder / "s%d.obj");
  source->frame(0);
  const Error counts = error_of([&] { source->frame(1); });
  EXPECT_TRUE(contains(counts.what(), "s1.obj, frame 1: the frame has 4 vertices and 3 triangles instead of"));
  EXPECT_TRUE(contains(error_of([&] { source->frame(2); }).what(), "frame 2: the faces join other vertices"));
}

// A quad that folds is cut along its other diagonal; it is the same quad all the same.
TEST(Sequence, ComparesPolygonsNotTheirCuts) {
  const TemporaryFolder folder;
  write_file(folder / "s0.obj", "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nf 1 2 3 4\n");
  write_file(folder / "s1.obj", "v 3 3 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nf 1 2 3 4\n");
  write_file(folder / "s2.obj", "v 0 4 0\nv 3 3 0\nv 4 0 0\nv 4 4 0\nf 1 2 3 4\n");
  const auto source = open_motion(folder / "s%d.obj");
  EXPECT_NE(read_mesh(folder / "s0.obj")->triangle(FaceId(0)), read_mesh(folder / "s2.obj")->triangle(FaceId(0)));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NO_THROW(source->frame(k));
}

}  // namespace
}  // namespace pliant
