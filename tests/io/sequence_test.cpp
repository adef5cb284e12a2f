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
  EXPECT_TRUE(says(error_of([&] { names(gap / "%d.obj"); }).what(), "3.obj is missing"));
}

// The first two files do not tell the step: the gap may be between them.
TEST(Sequence, NamesTheGapWhereverItIs) {
  for (const auto& [files, missing] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"o.0000.obj", "o.0002.obj", "o.0003.obj"}, "o.0001.obj is missing"},
           {{"o.0002.obj", "o.0004.obj", "o.0006.obj", "o.0010.obj"}, "o.0008.obj is missing"},
           {{"o.0000.obj", "o.0005.obj", "o.0006.obj", "o.0009.obj"}, "o.0001.obj is missing"}}) {
    const TemporaryFolder folder = folder_with(files);
    const std::string problem = error_of([&] { names(folder / "o.%04d.obj"); }).what();
    EXPECT_TRUE(says(problem, missing)) << problem;
  }
}

TEST(Sequence, KnowsThePatternsOfOtherPrograms) {
  const TemporaryFolder folder = folder_with({"w.0099.obj", "w.0100.obj", "w.7.obj", "v.0001.obj", "w.00099.obj"});
  const std::vector<std::string> expected = {"w.0099.obj", "w.0100.obj"};
  EXPECT_EQ(names(folder / "w.####.obj"), expected);
  EXPECT_EQ(names(folder / "w.$F4.obj"), expected);
  EXPECT_EQ(names(folder / "w.$F.obj"), std::vector<std::string>{"w.7.obj"});
  EXPECT_EQ(names(folder / "w.#.obj"), std::vector<std::string>{"w.7.obj"});
  EXPECT_EQ(sequence_path("a/w_####.ply", 12), "a/w_0012.ply");
  EXPECT_EQ(sequence_path("w$F3.ply", 12), "w012.ply");
  write_file(folder / "s.0001.obj", square(1));
  EXPECT_EQ(open_motion(folder / "s.####.obj")->frame_count(), 1u);
}

TEST(Sequence, LeavesNamesAloneThatOnlyLookLikePatterns) {
  const TemporaryFolder folder = folder_with({"take####.obj"});
  EXPECT_FALSE(names_sequence(folder / "take####.obj"));  // it is there under that name
  for (const char* name : {"shirt#2.obj", "100%.obj", "$FF.obj", "$HOME.obj", "cost$F4x.obj", "a.obj"})
    EXPECT_FALSE(names_sequence(folder / name)) << name;
}

TEST(Sequence, NamesThePatternsWhereNothingMatches) {
  const TemporaryFolder folder = folder_with({"a.obj"});
  const std::string problem = error_of([&] { open_motion(folder / "none.####.obj"); }).what();
  EXPECT_TRUE(says(problem, "no file matches (name the frames as walk.%04d.obj, 'walk.####.obj'")) << problem;
}

TEST(Sequence, SaysWhichFileIsFrameZeroWhereNumbersDiffer) {
  const TemporaryFolder folder = folder_with({"w.1001.obj", "w.1002.obj", "w.1003.obj", "v0.obj", "v1.obj", "u0.obj",
                                              "u5.obj", "t.obj", "s4.0000.obj", "s4.0001.obj"});
  EXPECT_EQ(frame_numbering(folder / "w.%04d.obj"), "frame 0 is w.1001.obj, frame 1 is w.1002.obj");
  EXPECT_EQ(frame_numbering(folder / "w.*.obj"), "frame 0 is w.1001.obj, frame 1 is w.1002.obj");
  EXPECT_EQ(frame_numbering(folder / "u%d.obj"), "frame 0 is u0.obj, frame 1 is u5.obj");
  EXPECT_EQ(frame_numbering(folder / "t*.obj"), "frame 0 is t.obj");
  EXPECT_EQ(frame_numbering(folder / "v%d.obj"), "");
  EXPECT_EQ(frame_numbering(folder / "s4.%04d.obj"), "");
  EXPECT_EQ(frame_numbering(folder / "w.1001.obj"), "");
}

TEST(Sequence, IsAFrameOfAPatternByNameAndFolder) {
  const TemporaryFolder folder = folder_with({"w.0007.obj"});
  EXPECT_TRUE(is_frame_of(folder / "w.%04d.obj", folder / "w.0007.obj"));
  EXPECT_TRUE(is_frame_of((folder.path() / "." / "w.%04d.obj").string(), folder / "w.0007.obj"));
  EXPECT_FALSE(is_frame_of(folder / "w.%03d.obj", folder / "w.0007.obj"));
  EXPECT_FALSE(is_frame_of("w.%04d.obj", folder / "w.0007.obj"));
  EXPECT_FALSE(is_frame_of(folder / "w.0007.obj", folder / "w.0007.obj"));
}

TEST(Sequence, ListsAGlobAndAFolderInNaturalOrder) {
  const TemporaryFolder folder = folder_with({"w10.obj", "w9.obj", "w8b.obj", "w8.obj", "notes.txt"});
  EXPECT_EQ(names(folder / "w*.obj"), (std::vector<std::string>{"w8.obj", "w8b.obj", "w9.obj", "w10.obj"}));
  EXPECT_EQ(names(folder / "w?.obj"), (std::vector<std::string>{"w8.obj", "w9.obj"}));
  EXPECT_EQ(names(folder.path().string()), (std::vector<std::string>{"w8.obj", "w8b.obj", "w9.obj", "w10.obj"}));
}

// However a sequence is named, frames behind a missing one would all be shown too early.
TEST(Sequence, NamesAMissingFrameOfAGlobAndOfAFolder) {
  const TemporaryFolder folder = folder_with({"shot_v2_0099.obj", "shot_v2_0100.obj", "shot_v2_0103.obj"});
  for (const std::string& path :
       {folder / "shot_*.obj", folder / "*", folder.path().string(), folder / "shot_v2_####.obj"}) {
    const std::string problem = error_of([&] { names(path); }).what();
    EXPECT_TRUE(says(problem, "shot_v2_0101.obj is missing and 1 more, which should be frame 2")) << problem;
    EXPECT_TRUE(says(problem, "--end 1 or --start 4")) << problem;
    EXPECT_THROW(open_motion(path), Error);
  }
  const TemporaryFolder unpadded = folder_with({"w8.obj", "w9.obj", "w11.obj", "other.obj"});
  EXPECT_TRUE(says(error_of([&] { names(unpadded / "w*.obj"); }).what(), "w10.obj is missing"));
  EXPECT_TRUE(says(error_of([&] { names(unpadded.path().string()); }).what(), "w10.obj is missing"));
}

TEST(Sequence, OpensTheFramesOnEitherSideOfAGap) {
  const TemporaryFolder folder;
  for (const int k : {0, 1, 3, 4})
    write_file(sequence_path(folder / "s%d.obj", static_cast<std::uint64_t>(k)), square(k));
  for (const std::string& path : {folder / "s%d.obj", folder / "s*.obj", folder.path().string()}) {
    EXPECT_EQ(open_motion(path, {.last = 1})->frame_count(), 2u);
    EXPECT_EQ(open_motion(path, {.first = 3})->frame(1).positions()[0], Vec3(0, 0, 4));
    EXPECT_EQ(open_motion(path, {.first = 1, .step = 2})->frame(1).positions()[0], Vec3(0, 0, 3));
    EXPECT_THROW(open_motion(path, {.step = 2}), Error);
    EXPECT_EQ(read_motion_mesh(path)->mesh->vertex_count(), 4u);
  }
}

TEST(Sequence, TakesAConstantStepAsOne) {
  const TemporaryFolder folder = folder_with({"w0.obj", "w10.obj", "w20.obj"});
  EXPECT_EQ(names(folder / "w*.obj").size(), 3u);
  EXPECT_EQ(frame_numbering(folder.path().string()), "frame 0 is w0.obj, frame 1 is w10.obj");
  write_file(folder / "w35.obj", square(0));
  EXPECT_TRUE(says(error_of([&] { names(folder / "w*.obj"); }).what(), "equal steps"));
}

TEST(Sequence, RefusesTwoFilesOfOneNumber) {
  const TemporaryFolder folder = folder_with({"w1.obj", "w01.obj", "w2.obj"});
  EXPECT_TRUE(says(error_of([&] { names(folder / "w*.obj"); }).what(), "have the same number"));
  EXPECT_EQ(names(folder / "w%d.obj").size(), 2u);
}

// Several takes in one folder count by themselves; dates and versions that all share are no frame numbers.
TEST(Sequence, CountsEachSeriesByItself) {
  const TemporaryFolder folder = folder_with({"t1_5.obj", "t1_6.obj", "t2_1.obj", "t2_2.obj", "rest.obj"});
  EXPECT_EQ(names(folder / "t*.obj").size(), 4u);
  std::filesystem::remove(folder / "t2_1.obj");
  write_file(folder / "t2_3.obj", square(0));
  write_file(folder / "t2_5.obj", square(0));
  EXPECT_TRUE(says(error_of([&] { names(folder / "t*.obj"); }).what(), "t2_4.obj is missing"));
}

TEST(Sequence, RefusesAFolderOfTwoKindsAndPathsThatMatchNothing) {
  const TemporaryFolder folder = folder_with({"a.obj", "b.ply"});
  EXPECT_TRUE(says(error_of([&] { names(folder.path().string()); }).what(), "both .obj and .ply"));
  EXPECT_TRUE(says(error_of([&] { names(folder / "c*.obj"); }).what(), "no file matches"));
  EXPECT_THROW(names(folder / "none/%d.obj"), Error);
}

TEST(Sequence, ReadsFramesInOrder) {
  const TemporaryFolder folder;
  for (int k = 0; k < 3; ++k) write_file(sequence_path(folder / "s%d.obj", static_cast<std::uint64_t>(k)), square(k));
  const auto source = open_motion(folder / "s%d.obj");
  EXPECT_EQ(source->frame_count(), 3u);
  EXPECT_EQ(source->frame(2).positions()[0], Vec3(0, 0, 2));
  EXPECT_EQ(open_motion(folder / "s*.obj", {.first = 1})->frame(0).positions()[0], Vec3(0, 0, 1));
}

TEST(Sequence, NamesTheFirstFrameWhoseTopologyDiffers) {
  const TemporaryFolder folder;
  write_file(folder / "s0.obj", square(0));
  write_file(folder / "s1.obj", square(1, "f 1 2 3 4\nf 1 2 3\n"));
  write_file(folder / "s2.obj", square(1, "f 1 2 3\nf 2 3 4\n"));
  const auto source = open_motion(folder / "s%d.obj");
  source->frame(0);
  const Error counts = error_of([&] { source->frame(1); });
  EXPECT_TRUE(says(counts.what(), "s1.obj, frame 1: the frame has 4 vertices and 3 triangles instead of"));
  EXPECT_TRUE(says(error_of([&] { source->frame(2); }).what(), "frame 2: the faces join other vertices"));
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
