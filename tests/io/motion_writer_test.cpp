// Motions with faces, written and read back: glTF, .pvd, sequences.
#include <algorithm>

#include "pliant/io/gltf_reader.h"
#include "pliant/io/motion_file.h"
#include "pliant/io/pvd.h"
#include "pliant/io/tet_file.h"
#include "tests/io/helpers.h"
#include "tests/io/stored_frames.h"

namespace pliant {
namespace {

// Of ordinary size: differences of frames must not overflow.
rc::Gen<double> ordinary_double() {
  return rc::gen::map(rc::gen::arbitrary<std::int64_t>(),
                      [](std::int64_t i) { return static_cast<double>(i) * 0x1p-50; });
}

// What a reader of glTF gets: frame 0 as floats, others as frame 0 and the rounded difference from it.
Frames as_morph_targets(const Frames& frames) {
  Frames result = frames;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    for (std::size_t v = 0; v < frames[k].size(); ++v) {
      for (int axis = 0; axis < 3; ++axis) {
        const double base = static_cast<float>(frames[0][v][axis]);
        result[k][v][axis] = k == 0 ? base : base + static_cast<float>(frames[k][v][axis] - base);
      }
    }
  }
  return result;
}

// Bit for bit, but for the sign of zeros, which is lost in 0 + -0.
void require_equal(const Frames& expected, FrameSource& source) {
  RC_ASSERT(source.frame_count() == expected.size());
  for (std::size_t k = expected.size(); k-- > 0;) {
    const Frame frame = source.frame(k);
    RC_ASSERT(std::equal(frame.positions().begin(), frame.positions().end(), expected[k].begin(), expected[k].end()));
  }
}

RC_GTEST_PROP(MotionRoundTrip, KeepsFramesInGltfUpToTheRoundingOfDifferences, ()) {
  const TemporaryFolder folder;
  Frames frames = any_frames(ordinary_double());
  if (frames.size() == 1) frames.push_back(frames[0]);
  StoredSource source(frames);
  const MeshPtr mesh = mesh_over(frames[0]);
  const double rate = *rc::gen::element(24.0, 25.0, 29.97, 30.0, 60.0, 1000.0, 0.1);
  for (const char* name : {"a b%.glb", "ä%20.gltf"}) {
    write_motion(folder / name, source, {.format = MotionFormat::gltf, .mesh = mesh, .frames_per_second = rate});
    require_equal(as_morph_targets(frames), *open_motion(folder / name, {.mesh = mesh, .frames_per_second = rate}));
    RC_ASSERT(same_triangles(*read_mesh(folder / name), *mesh));
  }
}

RC_GTEST_PROP(MotionRoundTrip, KeepsEveryBitOfDoublesInPvd, ()) {
  const TemporaryFolder folder;
  const Frames frames = any_frames(finite_double());
  StoredSource source(frames);
  const MeshPtr mesh = mesh_over(frames[0]);
  write_motion(folder / "a&\"<b.pvd", source, {.mesh = mesh});
  require_same(frames, *open_motion(folder / "a&\"<b.pvd", {.mesh = mesh}));
  require_same(frames, *open_motion(folder / "a&\"<b.%04d.vtp"));
}

RC_GTEST_PROP(MotionRoundTrip, KeepsFloatsInSequencesAndPvdOfFloats, ()) {
  const TemporaryFolder folder;
  const Frames frames = any_frames(finite_float());
  StoredSource source(frames);
  const MeshPtr mesh = mesh_over(frames[0]);
  for (const char* name : {"a.pvd", "f.%04d.ply", "g.%04d.vtp", "h%d.vtu"}) {
    write_motion(folder / name, source, {.precision = Precision::float32, .mesh = mesh});
    require_same(frames, *open_motion(folder / name, {.mesh = mesh}));
  }
}

// A body that turns inside out: its boundary is then listed in another order.
TEST(MotionWriter, WritesMovingTetrahedraAsPvdOfVtu) {
  const TemporaryFolder folder;
  const auto tets =
      std::make_shared<const TetMesh>(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}},
                                      std::vector<Tet>{{VertexId(0), VertexId(1), VertexId(2), VertexId(3)},
                                                       {VertexId(0), VertexId(2), VertexId(1), VertexId(4)}});
  Frames frames = {{tets->positions().begin(), tets->positions().end()}};
  frames.push_back(frames[0]);
  frames[1][3] = Vec3(0, 0, -0.5);
  StoredSource source(frames);
  write_motion(folder / "a.pvd", source, {.tets = tets});
  require_same(frames, *open_motion(folder / "a.pvd"));
  EXPECT_EQ(read_tets(folder / "a.0001.vtu")->tet_count(), 2u);
  EXPECT_EQ(read_tets(folder / "a.0001.vtu")->flipped_count(), 1u);
}

TEST(MotionWriter, KeepsTheLastOfManyFramesOfGltf) {
  const TemporaryFolder folder;
  Frames frames;
  for (int k = 0; k < 1500; ++k) frames.push_back({Vec3(k, 0, 0), Vec3(0, k, 0), Vec3(0, 0, k)});
  StoredSource source(frames);
  const MeshPtr mesh = mesh_over(frames[0]);
  write_motion(folder / "a.glb", source, {.mesh = mesh});
  const auto back = open_motion(folder / "a.glb");
  ASSERT_EQ(back->frame_count(), frames.size());
  for (std::size_t k = 0; k < frames.size(); ++k)
    ASSERT_TRUE(std::equal(frames[k].begin(), frames[k].end(), back->frame(k).positions().begin())) << k;
}

TEST(MotionWriter, GltfBlendsLinearlyBetweenFrames) {
  const TemporaryFolder folder;
  StoredSource source({{Vec3(0, 0, 0)}, {Vec3(2, 0, 0)}, {Vec3(8, 4, 0)}});
  const MeshPtr mesh = mesh_over({Vec3(0, 0, 0)});
  write_motion(folder / "a.glb", source, {.mesh = mesh, .frames_per_second = 8});
  const auto back = open_motion(folder / "a.glb", {.frames_per_second = 16});
  ASSERT_EQ(back->frame_count(), 5u);
  EXPECT_EQ(back->frame(1).positions()[0], Vec3(1, 0, 0));
  EXPECT_EQ(back->frame(3).positions()[0], Vec3(5, 2, 0));
}

TEST(MotionWriter, SaysWhatItDrops) {
  const TemporaryFolder folder;
  const MeshPtr mesh = parse_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\no part\nf 1 2 3 4\n", "a").mesh;
  const std::vector<std::string> both = {"polygons (written as triangles)", "names of parts"};
  for (const auto& [name, expected] : std::vector<std::pair<const char*, std::vector<std::string>>>{
           {"a.pc2", {"faces (point caches and arrays hold positions only)"}},
           {"a.glb", both},
           {"a.pvd", both},
           {"a.%d.obj", {both[0]}},
           {"a.%d.ply", both}}) {
    MotionWriter writer(folder / name, 4, {.mesh = mesh, .frame_count = 1});
    writer.add(mesh->positions());
    writer.finish();
    EXPECT_EQ(writer.dropped(), expected) << name;
  }
}

TEST(MotionWriter, RefusesGltfThatCanNotBe) {
  const TemporaryFolder folder;
  const MeshPtr mesh = mesh_over({Vec3(0, 0, 0)});
  const auto problem = [&](const MotionWriteOptions& options) {
    return std::string(error_of([&] { MotionWriter(folder / "a.glb", 1, options); }).what());
  };
  EXPECT_TRUE(says(problem({.mesh = mesh}), "needs the number of frames"));
  EXPECT_TRUE(says(problem({.frame_count = 2}), "holds faces"));
  EXPECT_TRUE(says(problem({.mesh = mesh, .frame_count = 40'000}), "4 GB"));
  EXPECT_TRUE(says(error_of([&] { MotionWriter(folder / "a.pvd", 2, {.mesh = mesh}); }).what(), "has 1 vertices"));
  MotionWriter writer(folder / "a.glb", 1, {.mesh = mesh, .frame_count = 2});
  writer.add(std::vector<Vec3>{Vec3(3e38, 0, 0)});
  EXPECT_TRUE(says(error_of([&] { writer.add(std::vector<Vec3>{Vec3(-3e38, 0, 0)}); }).what(), "frame 1, vertex 0"));
}

TEST(Pvd, ReadsEntriesByTimeAndRefusesWhatIsNone) {
  const std::string head = "<VTKFile type=\"Collection\"><Collection>", tail = "</Collection></VTKFile>";
  const auto entry = [](const std::string& time, const std::string& file) {
    return "<DataSet timestep='" + time + "' part='0' file='" + file + "'/>";
  };
  const auto entries = parse_pvd(head + entry("2", "b.vtp") + entry("-1e0", "c/a&amp;.vtp") + tail, "a.pvd");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].file, "c/a&.vtp");
  EXPECT_EQ(entries[1].time, 2);
  const auto refused = [&](const std::string& text) {
    return std::string(error_of([&] { parse_pvd(text, "a.pvd"); }).what());
  };
  EXPECT_TRUE(says(refused(head + tail), "empty"));
  EXPECT_TRUE(says(refused("<VTKFile type=\"PolyData\"></VTKFile>"), "not a .pvd"));
  EXPECT_TRUE(says(refused(head + entry("1", "a") + entry("1", "b") + tail), "several files at one time"));
  EXPECT_TRUE(says(refused(head + entry("soon", "a") + tail), "timestep"));
  for (const char* outside : {"/etc/a.vtp", "../a.vtp", "b/../../a.vtp", ""})
    EXPECT_TRUE(says(refused(head + entry("1", outside) + tail), "outside of its folder")) << outside;
}

}  // namespace
}  // namespace pliant
