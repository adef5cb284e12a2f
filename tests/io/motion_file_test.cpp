#include "pliant/io/motion_file.h"

#include "pliant/io/byte_reader.h"
#include "pliant/io/file.h"
#include "pliant/io/point_cache.h"
#include "tests/io/helpers.h"
#include "tests/io/stored_frames.h"
#include "tests/support/stand_in_data.h"

namespace pliant {
namespace {

std::string message(const std::string& bytes, const std::string& name) {
  return error_of([&] { open_motion_bytes(bytes, name); }).what();
}

// Two frames of one vertex.
std::string small_cache(const TemporaryFolder& folder, const std::string& name) {
  StoredSource source({{Vec3(1, 2, 3)}, {Vec3(4, 5, 6)}});
  write_motion(folder / name, source);
  return std::string(read_file(folder / name).view());
}

RC_GTEST_PROP(MotionRoundTrip, KeepsFloatsInPc2AndMdd, ()) {
  const TemporaryFolder folder;
  const Frames frames = any_frames(finite_float());
  StoredSource source(frames);
  for (const char* name : {"a.pc2", "a.mdd", "a.npy"}) {
    write_motion(folder / name, source, {.precision = Precision::float32});
    require_same(frames, *open_motion(folder / name));
  }
}

RC_GTEST_PROP(MotionRoundTrip, KeepsEveryBitOfDoublesInNpyAndSequences, ()) {
  const TemporaryFolder folder;
  const Frames frames = any_frames(finite_double());
  StoredSource source(frames);
  const auto mesh =
      std::make_shared<const TriangleMesh>(frames[0], std::vector<Triangle>{{VertexId(0), VertexId(0), VertexId(0)}});
  for (const char* name : {"a.npy", "f%03d.obj", "f.%d.ply"}) {
    write_motion(folder / name, source, {.mesh = mesh});
    require_same(frames, *open_motion(folder / name, {.mesh = mesh}));
  }
}

TEST(Motion, RoundsDoublesToNearestFloats) {
  const TemporaryFolder folder;
  StoredSource source({{Vec3(0.1, 1e-50, 1.0 / 3)}});
  write_motion(folder / "a.pc2", source);
  EXPECT_EQ(open_motion(folder / "a.pc2")->frame(0).positions()[0], Vec3(0.1f, 0, 1.0f / 3));
}

TEST(Motion, ReadsTheBytesThatTheFormatsPrescribe) {
  std::string pc2("POINTCACHE2\0", 12);
  for (const std::int32_t value : {1, 1}) append_little(pc2, value);
  for (const float value : {0.f, 1.f}) append_little(pc2, value);
  append_little(pc2, std::int32_t{2});
  std::string mdd;
  for (const std::int32_t value : {2, 1}) append(mdd, value, std::endian::big);
  for (const float value : {0.f, 0.5f}) append(mdd, value, std::endian::big);
  for (const float value : {1.f, 2.f, 3.f, 4.f, 5.f, 6.f}) {
    append_little(pc2, value);
    append(mdd, value, std::endian::big);
  }
  EXPECT_EQ(open_motion_bytes(pc2, "no extension")->frame(1).positions()[0], Vec3(4, 5, 6));
  EXPECT_EQ(open_motion_bytes(mdd, "a.mdd")->frame(1).positions()[0], Vec3(4, 5, 6));
}

std::string npy(const std::string& dictionary, char version = 1) {
  std::string bytes = "\x93NUMPY" + std::string{version, '\0'};
  if (version == 1) append_little(bytes, static_cast<std::uint16_t>(dictionary.size()));
  else append_little(bytes, static_cast<std::uint32_t>(dictionary.size()));
  return bytes + dictionary;
}

TEST(Npy, ReadsBothByteOrdersAndEveryVersion) {
  for (const char version : {1, 2, 3}) {
    std::string big = npy("{'shape': (1, 2, 3), \"descr\": '>f8', 'fortran_order':False}", version);
    std::string little = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }      \n", version);
    for (int i = 0; i < 6; ++i) {
      append(big, 0.5 * i, std::endian::big);
      append_little(little, 0.5f * static_cast<float>(i));
    }
    for (const std::string& bytes : {big, little})
      EXPECT_EQ(open_motion_bytes(bytes, "a")->frame(0).positions()[1], Vec3(1.5, 2, 2.5));
  }
}

TEST(Npy, RefusesOtherTypesShapesAndOrders) {
  const std::string values(96, '\0');
  const auto refused = [&](const std::string& dictionary) { return message(npy(dictionary) + values, "a.npy"); };
  EXPECT_TRUE(says(refused("{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2, 3)}"), "type '<i4'"));
  EXPECT_TRUE(says(refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}"), "shape (2, 3)"));
  EXPECT_TRUE(says(refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3, 2)}"), "frames x vertices x 3"));
  EXPECT_TRUE(says(refused("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 2, 3)}"), "Fortran"));
  EXPECT_TRUE(says(refused("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2, 3)}"), "empty"));
  EXPECT_TRUE(
      says(refused("{'descr': '<f8', 'fortran_order': False, 'shape': (5000000000, 5000000000, 3)}"), "too short"));
  EXPECT_TRUE(
      says(refused("{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999999999, 1, 3)}"), "too short"));
  for (const char* broken : {"", "{", "{}", "{'descr'", "{'descr': [('a', '<f8')]}", "{'descr': '<f8', 'shape': (1,)}",
                             "junk", "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1, 2, 3)}"})
    EXPECT_TRUE(says(refused(broken), "header is not that of an array")) << broken;
}

TEST(Npy, ReadsTimes) {
  const TemporaryFolder folder;
  std::string bytes = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }");
  for (const double value : {0.0, 0.5, 2.0}) append_little(bytes, value);
  write_file(folder / "t.npy", bytes);
  EXPECT_EQ(read_times(folder / "t.npy"), (std::vector<double>{0, 0.5, 2}));
  write_file(folder / "short.npy", bytes.substr(0, bytes.size() - 1));
  EXPECT_THROW(read_times(folder / "short.npy"), Error);
}

TEST(Motion, RefusesATruncatedCacheWhereverItIsCut) {
  const TemporaryFolder folder;
  for (const char* name : {"a.pc2", "a.mdd", "a.npy"}) {
    const std::string whole = small_cache(folder, name);
    EXPECT_EQ(open_motion_bytes(whole, name)->frame_count(), 2u);
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_THROW(open_motion_bytes(whole.substr(0, size), name), Error) << size;
  }
}

TEST(Motion, RefusesCountsThatTheFileCanNotHold) {
  const TemporaryFolder folder;
  std::string pc2 = small_cache(folder, "a.pc2");
  pc2[31] = '\x7f';
  EXPECT_TRUE(says(message(pc2, "a.pc2"), "claims 2130706434 frames of 1 points, but the file has room for 2"));
  std::string mdd = small_cache(folder, "a.mdd");
  mdd[0] = '\x7f';
  EXPECT_TRUE(says(message(mdd, "a.mdd"), "more than the file has room for"));
  for (const char bad : {'\xff', '\0'}) {
    std::string wrong = small_cache(folder, "a.pc2");
    std::fill(wrong.begin() + 16, wrong.begin() + 20, bad);
    EXPECT_TRUE(says(message(wrong, "a.pc2"), bad ? "negative" : "no points"));
  }
}

TEST(Motion, NamesFileFrameAndVertexOfANumberThatIsNotFinite) {
  const TemporaryFolder folder;
  std::string bytes = small_cache(folder, "a.pc2");
  const float nan = std::nanf("");
  std::memcpy(bytes.data() + 32 + 16, &nan, 4);
  const auto source = open_motion_bytes(bytes, "walk.pc2");
  EXPECT_EQ(source->frame(0).positions()[0], Vec3(1, 2, 3));
  const Error error = error_of([&] { source->frame(1); });
  EXPECT_TRUE(says(error.what(), "walk.pc2, byte 44, frame 1, vertex 0: a coordinate is not a finite number"));
}

TEST(Motion, ChoosesAndScalesFrames) {
  const TemporaryFolder folder;
  Frames frames;
  for (int k = 0; k < 10; ++k) frames.push_back({Vec3(k, 0, 0)});
  StoredSource stored(frames);
  write_motion(folder / "a.pc2", stored);
  const auto source = open_motion(folder / "a.pc2", {.first = 2, .last = 8, .step = 3, .scale = 10});
  ASSERT_EQ(source->frame_count(), 3u);
  EXPECT_EQ(source->frame(2).positions()[0], Vec3(80, 0, 0));
  EXPECT_EQ(open_motion(folder / "a.pc2", {.last = 0})->frame_count(), 1u);
  EXPECT_THROW(open_motion(folder / "a.pc2", {.first = 10}), Error);
  EXPECT_THROW(open_motion(folder / "a.pc2", {.step = 0}), Error);
  EXPECT_THROW(open_motion(folder / "a.pc2", {.scale = 0}), Error);
  EXPECT_THROW(open_motion(folder / "a.pc2", {.first = 9, .scale = 1e308})->frame(0), Error);
}

TEST(Motion, RefusesAMotionOfAnotherMesh) {
  const TemporaryFolder folder;
  small_cache(folder, "a.pc2");
  const MeshPtr mesh = parse_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", "a.obj").mesh;
  const Error error = error_of([&] { open_motion(folder / "a.pc2", {.mesh = mesh}); });
  EXPECT_TRUE(says(error.what(), "the motion has 1 vertices, but the mesh has 3"));
}

TEST(Motion, RefusesWhatIsNoMotion) {
  const TemporaryFolder folder;
  write_file(folder / "a.obj", "v 0 0 0\n");
  write_file(folder / "empty.pc2", "");
  EXPECT_TRUE(says(error_of([&] { open_motion(folder / "a.obj"); }).what(), "known motions are"));
  EXPECT_TRUE(says(error_of([&] { open_motion(folder / "empty.pc2"); }).what(), "empty"));
  EXPECT_TRUE(says(error_of([&] { open_motion(folder / "none.pc2"); }).what(), "no such file"));
  EXPECT_TRUE(says(message("plain text", "a.pc2"), "not a PC2"));
  EXPECT_TRUE(says(message("plain text, long enough", "a.npy"), "not a NumPy"));
}

// The file is sparse: it claims 10 GB and takes a few blocks of the disk.
TEST(Motion, OpensACacheOfTenGigabytesWithoutReadingIt) {
  const TemporaryFolder folder;
  const std::string path = folder / "large.pc2";
  constexpr std::uint64_t kVertices = 1000, kFrames = 900'000;
  write_file(path, format_pc2_header(kVertices, kFrames));
  std::error_code error;
  std::filesystem::resize_file(path, 32 + kVertices * kFrames * 12, error);
  if (error) GTEST_SKIP() << "no sparse files here";
  const auto source = open_motion(path);
  EXPECT_EQ(source->frame_count(), kFrames);
  EXPECT_EQ(source->frame(kFrames - 1).positions()[kVertices - 1], Vec3(0, 0, 0));
}

TEST(MotionWriter, LeavesNothingBehindWhenItIsNotFinished) {
  const TemporaryFolder folder;
  const std::vector<Vec3> huge = {Vec3(1e300, 0, 0)};
  {
    MotionWriter writer(folder / "a.pc2", 1, {});
    EXPECT_TRUE(says(error_of([&] { writer.add(huge); }).what(), "frame 0, vertex 0"));
    EXPECT_THROW(writer.add(std::vector<Vec3>(2)), Error);
    EXPECT_THROW(writer.finish(), Error);
  }
  EXPECT_THROW(MotionWriter(folder / "a.mdd", 1, {}), Error);
  EXPECT_THROW(MotionWriter(folder / "f.%d.obj", 1, {}), Error);
  EXPECT_THROW(MotionWriter(folder / "a.xyz", 1, {}), Error);
  EXPECT_EQ(folder.entry_count(), 0u);
}

TEST(MotionWriter, CountsFramesAsTheyCome) {
  const TemporaryFolder folder;
  for (const char* name : {"a.pc2", "a.npy"}) {
    MotionWriter writer(folder / name, 1, {});
    for (int k = 0; k < 3; ++k) writer.add(std::vector<Vec3>{Vec3(k, 0, 0)});
    writer.finish();
    EXPECT_EQ(open_motion(folder / name)->frame_count(), 3u);
  }
}

// Every sequence of a data folder's table has the counts that the table says; its first frame is the mesh beside it.
TEST(Motion, ReadsCachesWithTheirCounts) {
  for (const std::filesystem::path& data : testing::mesh_data_folders()) {
    int checked = 0;
    for (const std::vector<std::string>& cells : data_table(data)) {
      if (cells[2] != "sequence") continue;
      const std::filesystem::path folder = data / cells[1];
      const MeshPtr mesh = read_mesh((folder / "base.ply").string());
      const auto source = open_motion((folder / "anim.pc2").string(), {.mesh = mesh});
      EXPECT_EQ(std::to_string(source->frame_count()), cells[6]) << folder;
      EXPECT_TRUE(same_positions(source->frame(0).positions(), mesh->positions())) << folder;
      source->frame(source->frame_count() - 1);
      ++checked;
    }
    EXPECT_GT(checked, 0) << data;
  }
}

}  // namespace
}  // namespace pliant
