// A body for a coarse surface.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "pliant/mesh/tet_mesh.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

enum class TetWay {
  automatic,  // Netgen, and the lattice where it is not there or refuses
  netgen,     // fills the coarse surface, whose faces become the boundary
  lattice,    // cubes around the coarse and the dense surface, cut into tetrahedra
};
const char* to_string(TetWay way);

struct TetSettings {
  TetWay way = TetWay::automatic;
  std::chrono::milliseconds timeout = std::chrono::minutes(2);  // for Netgen
  // Netgen may throw, abort, print and loop: it runs in a program of its own, pliant-netgen. Empty: named by the
  // environment variable PLIANT_NETGEN, or beside the running program, or in ../libexec/pliant from there.
  std::string helper;
  double cell = 0;  // length of the lattice's cubes; 0: 1.5 times the mean edge of the coarse surface
};

struct TetBody {
  std::shared_ptr<const TetMesh> mesh;
  TetWay way = TetWay::lattice;
  std::string refused;  // why Netgen was not used, where it could have been
};

// `coarse` must be sound (asset/simplify.h). Every tetrahedron has a positive volume, and the boundary is closed.
// Throws Error if only Netgen is allowed and it fails.
TetBody tetrahedralise(const TriangleMesh& coarse, const TriangleMesh& dense, const TetSettings& settings = {});

// Netgen's answer, checked: the vertices of `coarse` come first, its faces are the boundary, the volumes add up. Empty,
// with the reason, if there is none.
struct NetgenAnswer {
  std::shared_ptr<const TetMesh> mesh;
  std::string problem;
};
NetgenAnswer run_netgen(const TriangleMesh& coarse, const TetSettings& settings);
// The helper program, if there is one.
std::optional<std::string> find_netgen(const TetSettings& settings);

}  // namespace pliant
