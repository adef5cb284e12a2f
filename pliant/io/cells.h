// What files of vertices and cells hold; where their readers put it. Internal to io/.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/io/mesh_file.h"
#include "pliant/io/polygon_builder.h"
#include "pliant/io/tet_file.h"

namespace pliant {

// Cells hold zero-based indices, which the readers have compared with the number of vertices.
class Cells {
 public:
  std::vector<Vec3> positions;
  std::vector<Tet> tets;

  void add_tet(std::span<const std::uint32_t> corners) {  // the first four
    tets.push_back({VertexId(corners[0]), VertexId(corners[1]), VertexId(corners[2]), VertexId(corners[3])});
  }
  void add_polygon(std::span<const std::uint32_t> corners) { polygons_.add_polygon(corners); }
  void drop(std::string what) { dropped_.insert(std::move(what)); }
  // Of solid cells that are not tetrahedra: their surface is missing.
  void leave_out(std::string what) { left_out_.insert(std::move(what)); }

  // Call one of them, once. Both throw Error if there is nothing to make a mesh of.
  TetFile build_tets(const std::string& name);
  // The boundary of the tetrahedra over all vertices of the file, so that its indices, and point caches, stay true;
  // without tetrahedra the polygons.
  MeshFile build_surface(const std::string& name);

 private:
  std::vector<std::string> take_dropped() { return {dropped_.begin(), dropped_.end()}; }
  std::vector<std::string> take_warnings() const;

  PolygonBuilder polygons_;
  std::set<std::string> dropped_, left_out_;
};

// By format. Throws Error for one that holds no tetrahedra, or takes two files.
Cells parse_cells(std::string_view bytes, const std::string& name, MeshFormat format);
// From TetGen's two files, the path being that of either.
Cells read_tetgen(const std::string& path);

// One function a format.
Cells parse_gmsh(std::string_view bytes, const std::string& name);
Cells parse_medit(std::string_view text, const std::string& name);
Cells parse_vtk(std::string_view bytes, const std::string& name);
Cells parse_vtu(std::string_view bytes, const std::string& name);  // and .vtp

struct TetgenText {
  std::string_view node, ele;       // the contents
  std::string node_name, ele_name;  // for errors
};
Cells parse_tetgen(const TetgenText& text);

std::string format_gmsh(const TetMesh& mesh, Encoding encoding, GmshVersion version);
std::string format_medit(const TetMesh& mesh);
std::string format_vtk(const TetMesh& mesh, Encoding encoding);
std::string format_vtu(std::span<const Vec3> positions, std::span<const Tet> tets, Encoding encoding);
struct TetgenFiles {
  std::string node, ele;
};
TetgenFiles format_tetgen(const TetMesh& mesh);

}  // namespace pliant
