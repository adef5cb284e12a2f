#include "tests/support/stand_in_data.h"

#include <unistd.h>

#include <cmath>
#include <fstream>
#include <optional>

#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/io/tet_file.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

namespace fs = std::filesystem;

// Vertices and faces that can be added to.
struct OpenMesh {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;

  explicit OpenMesh(const TriangleMesh& mesh)
      : positions(mesh.positions().begin(), mesh.positions().end()),
        triangles(mesh.triangles().begin(), mesh.triangles().end()) {}

  void add(const TriangleMesh& mesh, const Vec3& offset) {
    const std::size_t base = positions.size();
    for (const Vec3& p : mesh.positions()) positions.push_back(p + offset);
    for (const Triangle& t : mesh.triangles())
      triangles.push_back({VertexId(base + t[0].value), VertexId(base + t[1].value), VertexId(base + t[2].value)});
  }
  VertexId add_vertex(const Vec3& p) {
    positions.push_back(p);
    return VertexId(positions.size() - 1);
  }
  MeshPtr build() const { return std::make_shared<const TriangleMesh>(positions, triangles); }
};

MeshPtr fin() {
  OpenMesh mesh(*make_icosphere({.radius = 1, .frequency = 2}));
  const Triangle first = mesh.triangles[0];
  mesh.triangles.push_back({first[0], first[1], mesh.add_vertex({0, 0, 3})});
  return mesh.build();
}

MeshPtr bowtie() {
  const auto v = [](std::uint32_t i) { return VertexId(i); };
  return std::make_shared<const TriangleMesh>(
      std::vector<Vec3>{{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {-1, -1, 1}, {1, 0, -1}, {0, 1, -1}, {-1, -1, -1}},
      std::vector<Triangle>{{v(0), v(2), v(1)},
                            {v(0), v(3), v(2)},
                            {v(0), v(1), v(3)},
                            {v(1), v(2), v(3)},
                            {v(0), v(4), v(5)},
                            {v(0), v(5), v(6)},
                            {v(0), v(6), v(4)},
                            {v(4), v(6), v(5)}});
}

MeshPtr blemished() {
  OpenMesh mesh(*make_box());
  mesh.triangles.push_back(mesh.triangles[0]);
  const VertexId a = mesh.add_vertex({2, 0, 0}), b = mesh.add_vertex({3, 0, 0}), c = mesh.add_vertex({5, 0, 0});
  mesh.triangles.push_back({a, b, c});
  for (int i = 0; i < 5; ++i) mesh.add_vertex({0, 7, i + 0.5});
  return mesh.build();
}

// Off the diagonals of the box's sides, so that one triangle of each side is met and every count is plain.
MeshPtr cubes(const Vec3& size, const Vec3& offset) {
  OpenMesh mesh(*make_box());
  mesh.add(*make_box({.size = size}), offset);
  return mesh.build();
}

std::string row(const std::string& path, const char* kind, std::size_t vertices, std::size_t faces, std::size_t tets,
                std::size_t frames) {
  return "| " + path + " | " + kind + " | " + std::to_string(vertices) + " | " + std::to_string(faces) + " | " +
         std::to_string(tets) + " | " + std::to_string(frames) + " | none | generated |\n";
}

// The counts in the table are those that the shapes have by their formulas, or by hand; never what a reader found.
std::string write_meshes(const fs::path& folder) {
  struct Entry {
    const char* path;
    MeshPtr mesh;
    std::size_t vertices, faces;
  };
  fs::create_directories(folder / "meshes");
  std::string table;
  for (const Entry& entry :
       {Entry{"meshes/grid.obj", make_grid({.columns = 6, .rows = 5}), 42, 60},
        Entry{"meshes/soup.ply", unshared(*make_box({.cells = {2, 2, 2}})), 144, 48},
        Entry{"meshes/fin.obj", fin(), 43, 81}, Entry{"meshes/bowtie.ply", bowtie(), 7, 8},
        Entry{"meshes/blemished.ply", blemished(), 16, 14},
        Entry{"meshes/teapot.obj", make_teapot({.segments = 3}), 302, 552},
        Entry{"meshes/two_cubes_intersecting.obj", cubes({0.125, 0.125, 3}, {0.3125, 0.125, 0}), 16, 24},
        Entry{"meshes/two_cubes_close.obj", cubes(Vec3::Ones(), {1.001, 0, 0}), 16, 24},
        Entry{"meshes/two_cubes_far.obj", cubes(Vec3::Ones(), {100, 0, 0}), 16, 24}}) {
    write_mesh((folder / entry.path).string(), *entry.mesh);
    table += row(entry.path, "mesh", entry.vertices, entry.faces, 0, 0);
  }
  return table;
}

std::string write_volumes(const fs::path& folder) {
  fs::create_directories(folder / "tets");
  write_tets((folder / "tets/box.mesh").string(), *make_tet_box({.cells = {3, 2, 2}}));
  write_tets((folder / "tets/cell.mesh").string(), *make_tet_box());
  return row("tets/box.mesh", "tet", 36, 64, 60, 0) + row("tets/cell.mesh", "tet", 8, 12, 5, 0);
}

std::string write_sequence(const fs::path& folder) {
  fs::create_directories(folder / "sequences/wave");
  const MeshPtr grid = make_grid({.columns = 6, .rows = 5});
  std::vector<std::vector<Vec3>> frames;
  for (int k = 0; k < 5; ++k) {
    frames.push_back(as_floats(grid->positions()));
    for (Vec3& p : frames.back()) p.z() = static_cast<float>(0.1 * std::sin(4 * p.x() + k));
  }
  write_pc2(folder / "sequences/wave/anim.pc2", frames);
  write_mesh((folder / "sequences/wave/base.ply").string(), *with_positions(*grid, frames[0]));
  return row("sequences/wave", "sequence", 42, 60, 0, 5);
}

}  // namespace

const fs::path& stand_in_meshes() {
  static const TemporaryFolder folder;
  static const bool written = [] {
    std::ofstream table(folder.path() / "LICENSES.md");
    table << "| file | kind | vertices | faces | tets | frames | defects | licence |\n";
    table << write_meshes(folder.path()) << write_volumes(folder.path()) << write_sequence(folder.path());
    return true;
  }();
  return static_cast<void>(written), folder.path();
}

bool has_real_data() { return fs::exists(fs::path(PLIANT_TEST_DATA) / "LICENSES.md"); }

std::vector<fs::path> mesh_data_folders() {
  std::vector<fs::path> folders = {stand_in_meshes()};
  if (has_real_data()) folders.emplace_back(PLIANT_TEST_DATA);
  return folders;
}

void write_pc2(const fs::path& file, const std::vector<std::vector<Vec3>>& frames) {
  MotionWriter writer(file.string(), frames[0].size(), {});
  for (const std::vector<Vec3>& frame : frames) writer.add(frame);
  writer.finish();
}

std::vector<Vec3> as_floats(std::span<const Vec3> positions) {
  std::vector<Vec3> rounded;
  for (const Vec3& p : positions) rounded.push_back(p.cast<float>().cast<double>());
  return rounded;
}

}  // namespace pliant::testing
