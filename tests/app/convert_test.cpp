// `pliant convert`: every kind of file into others that make sense, and refusals of the rest.
#include <algorithm>

#include "pliant/io/motion_file.h"
#include "pliant/io/tet_file.h"
#include "pliant/mesh/shapes.h"
#include "tests/app/run_command.h"
#include "tests/support/errors.h"

namespace pliant::testing {
namespace {

bool near(std::span<const Vec3> a, std::span<const Vec3> b, double tolerance) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Vec3& p, const Vec3& q) { return (p - q).cwiseAbs().maxCoeff() <= tolerance; });
}

// A ball in `ball.ply` that grows over ten frames in `grow.npy`; frame k is the ball times 1 + k / 8.
class Convert : public ::testing::Test {
 protected:
  Convert() {
    ball_ = make_icosphere({.radius = 1, .frequency = 3});
    write_mesh(path("ball.ply"), *ball_);
    MotionWriter writer(path("grow.npy"), ball_->vertex_count(), {});
    for (std::size_t k = 0; k < kFrames; ++k) writer.add(frame(k));
    writer.finish();
  }

  std::string path(const std::string& name) const { return folder_.path(name); }
  std::vector<Vec3> frame(std::size_t k, double scale = 1) const {
    std::vector<Vec3> positions(ball_->positions().begin(), ball_->positions().end());
    for (Vec3& p : positions) p *= (1 + static_cast<double>(k) / 8) * scale;
    return positions;
  }
  Outcome convert(const std::string& in, const std::string& out, const std::string& options = {}) const {
    return run_pliant("convert '" + path(in) + "' '" + path(out) + "' " + options);
  }
  void expect_grows(const std::string& name, double tolerance) const {
    const auto source = open_motion(path(name));
    ASSERT_EQ(source->frame_count(), kFrames) << name;
    for (std::size_t k = 0; k < kFrames; ++k)
      EXPECT_TRUE(near(source->frame(k).positions(), frame(k), tolerance)) << name;
  }

  static constexpr std::size_t kFrames = 10;
  TemporaryFolder folder_;
  MeshPtr ball_;
};

TEST_F(Convert, TurnsSurfacesIntoEveryOtherFormat) {
  for (const char* name : {"a.obj", "a.ply", "a.off", "a.vtp", "a.vtu", "a.glb", "a.gltf"}) {
    const Outcome run = convert("ball.ply", name);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(says(run.out, "92 vertices, 180 triangles")) << run.out;
    const MeshPtr back = read_mesh(path(name));
    const bool holds_floats = says(name, ".gl");
    EXPECT_TRUE(near(back->positions(), ball_->positions(), holds_floats ? 1e-7 : 0)) << name;
    EXPECT_TRUE(std::equal(back->triangles().begin(), back->triangles().end(), ball_->triangles().begin())) << name;
    EXPECT_EQ(convert(name, "back.ply").status, 0);
    EXPECT_EQ(read_mesh(path("back.ply"))->vertex_count(), ball_->vertex_count());
  }
  const Outcome stl = convert("ball.ply", "a.stl", "--ascii");
  EXPECT_EQ(stl.status, 0);
  EXPECT_TRUE(says(stl.err, "a.stl: dropped: shared vertices"));
  EXPECT_EQ(read_text(path("a.stl")).rfind("solid", 0), 0u);
}

TEST_F(Convert, ScalesAndRoundsWhenAsked) {
  EXPECT_EQ(convert("ball.ply", "a.ply", "--scale 0.5 --precision float").status, 0);
  const MeshPtr back = read_mesh(path("a.ply"));
  for (std::size_t v = 0; v < back->vertex_count(); ++v) {
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(back->positions()[v][axis], double{static_cast<float>(0.5 * ball_->positions()[v][axis])});
  }
}

TEST_F(Convert, SaysWhatIsDropped) {
  folder_.write("a.obj",
                "mtllib a.mtl\no left\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nusemtl m\n"
                "f 1/1/1 2/1/1 3/1/1 4/1/1\n");
  const Outcome run = convert("a.obj", "a.ply");
  EXPECT_EQ(run.status, 0);
  for (const char* word : {"a.obj: dropped:", "materials", "normals", "texture coordinates",
                           "a.ply: dropped:", "polygons", "names of parts"})
    EXPECT_TRUE(says(run.err, word)) << word << "\n" << run.err;
  const Outcome quiet = convert("a.obj", "a.ply", "--quiet");
  EXPECT_EQ(quiet.status, 0);
  EXPECT_TRUE(quiet.out.empty() && quiet.err.empty());
}

TEST_F(Convert, TurnsTetrahedraIntoTetrahedraAndTheirBoundary) {
  const TetMesh tets(
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}},
      {{VertexId(0), VertexId(1), VertexId(2), VertexId(3)}, {VertexId(0), VertexId(2), VertexId(1), VertexId(4)}});
  write_tets(path("a.mesh"), tets);
  for (const char* name : {"b.msh", "b.node", "b.vtk", "b.vtu", "b.mesh"}) {
    for (const char* options : {"", "--ascii --gmsh 2.2"}) {
      const Outcome run = convert("a.mesh", name, options);
      EXPECT_EQ(run.status, 0) << run.err;
      const TetMeshPtr back = read_tets(path(name));
      EXPECT_EQ(back->tet_count(), 2u) << name;
      EXPECT_TRUE(near(back->positions(), tets.positions(), 0)) << name;
    }
  }
  const Outcome boundary = convert("b.msh", "a.obj");
  EXPECT_EQ(boundary.status, 0);
  EXPECT_TRUE(says(boundary.err, "the boundary of its 2 tetrahedra is used"));
  EXPECT_EQ(read_mesh(path("a.obj"))->face_count(), 6u);
}

TEST_F(Convert, TurnsMotionsIntoEveryOtherFormat) {
  for (const char* name : {"a.pc2", "a.mdd", "a.npy", "a.glb", "a.gltf", "a.pvd", "a.%04d.obj", "b.%d.ply"}) {
    const Outcome run = convert("ball.ply", name, "--motion " + path("grow.npy"));
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(says(run.out, "92 vertices, 10 frames")) << run.out;
    expect_grows(name, 5e-7);
    const Outcome back = convert(name, "back.npy");
    EXPECT_EQ(back.status, 0) << name << back.err;
    expect_grows("back.npy", 5e-7);
  }
}

TEST_F(Convert, ChoosesFrames) {
  EXPECT_EQ(convert("grow.npy", "a.npy", "--start 2 --end 8 --step 3 --scale 2").status, 0);
  const auto source = open_motion(path("a.npy"));
  ASSERT_EQ(source->frame_count(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(near(source->frame(k).positions(), frame(2 + 3 * k, 2), 0));
  EXPECT_EQ(convert("grow.npy", "one.obj", "--start 4 --end 4 --mesh " + path("ball.ply")).status, 0);
  EXPECT_TRUE(near(read_mesh(path("one.obj"))->positions(), frame(4), 0));
}

TEST_F(Convert, MovesTetrahedraAsVtu) {
  const TetMesh tets({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                     {{VertexId(0), VertexId(1), VertexId(2), VertexId(3)}});
  write_tets(path("a.mesh"), tets);
  MotionWriter writer(path("m.pc2"), 4, {});
  for (int k = 0; k < 2; ++k) writer.add(tets.positions());
  writer.finish();
  const Outcome run = convert("a.mesh", "a.pvd", "--motion " + path("m.pc2"));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(read_tets(path("a.0001.vtu"))->tet_count(), 1u);
}

TEST_F(Convert, RefusesInWordsWhatMakesNoSense) {
  const std::string ball = path("ball.ply");
  folder_.write("two.obj", "v 0 0 0\nv 1 0 0\nf 1 2 1\n");
  const std::vector<std::tuple<std::string, std::string, std::string, std::string>> cases = {
      {"none.obj", "a.ply", "", "no such file"},
      {"ball.ply", "a.xyz", "", "the format cannot be told"},
      {"ball.ply", "a.pc2", "", "does not move"},
      {"ball.ply", "a.obj", "--start 3", "does not move"},
      {"ball.ply", "a.obj", "--fps 30", "does not move"},
      {"ball.ply", "a.msh", "", "not written in this format"},
      {"ball.ply", "a.obj", "--scale 0", "--scale"},
      {"grow.npy", "a.obj", "--mesh " + ball, "10 frames are chosen"},
      {"grow.npy", "a.glb", "", "holds faces"},
      {"grow.npy", "a.%d.obj", "", "holds faces"},
      {"grow.npy", "a.npy", "--start 30", "no frame is chosen"},
      {"grow.npy", "a.npy", "--start 5 --end 2", "--end 2 lies before --start 5"},
      {"two.obj", "a.glb", "--motion " + path("grow.npy"), "but the mesh has 2"},
      {"grow.npy", "a.glb", "--mesh " + ball + " --motion " + ball, "do not go together"},
      {"grow.npy", "a.npy", "--step 0", "--step"},
      {"grow.npy", "a.npy", "--precision half", "--precision"},
  };
  for (const auto& [in, out, options, words] : cases) {
    const Outcome run = convert(in, out, options);
    EXPECT_EQ(run.status, 2) << in << " " << out << " " << options;
    EXPECT_TRUE(says(run.err, words)) << run.err;
    EXPECT_FALSE(std::filesystem::exists(path(out))) << out;
  }
}

TEST_F(Convert, PaintsRegions) {
  const Outcome run = convert("ball.ply", "regions.ply", "--partition 12");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(says(run.out + run.err, "12 regions"));
  const MeshFile painted = read_mesh_file(path("regions.ply"));
  EXPECT_EQ(painted.mesh->face_count(), ball_->face_count());
  EXPECT_TRUE(near(painted.mesh->positions(), ball_->positions(), 0));
  EXPECT_EQ(convert("ball.ply", "regions.vtp", "--partition 5").status, 0);
  EXPECT_TRUE(says(convert("ball.ply", "regions.obj", "--partition 5").err, "only PLY, VTP and VTU"));
  EXPECT_TRUE(says(convert("grow.npy", "regions.ply", "--partition 5").err, "this is a motion"));
  EXPECT_EQ(convert("ball.ply", "regions.ply", "--partition 0").status, 2);
}

}  // namespace
}  // namespace pliant::testing
