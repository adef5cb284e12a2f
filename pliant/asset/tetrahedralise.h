// A body for a coarse surface.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pliant/core/parallel.h"
#include "pliant/mesh/tet_mesh.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

enum class TetWay {
  automatic,  // Netgen, and stuffing where it is not there or refuses
  netgen,     // fills the coarse surface, whose faces become the boundary
  stuffing,   // a lattice cut and warped to the surface (asset/stuffing.h)
};
const char* to_string(TetWay way);

struct TetSettings {
  TetWay way = TetWay::automatic;
  std::chrono::milliseconds timeout = std::chrono::minutes(2);  // for Netgen
  // Netgen may throw, abort, print and loop: it runs in a program of its own, pliant-netgen. Empty: named by the
  // environment variable PLIANT_NETGEN, or beside the running program, or in ../libexec/pliant from there.
  std::string helper;
  // For stuffing: about so many boundary triangles; up to four times as many where parts of the body would be lost
  // otherwise, or sixteen times for much of it.
  std::size_t faces = 1000;
  double cell = 0;  // length of the lattice's cubes; 0: from `faces`
  int grading = 2;  // how often cells may double in length inward
  Threads threads;
  std::function<void(double)> progress;  // told the fraction that is done, 0 to 1; what it throws ends the work
};

struct TetBody {
  std::shared_ptr<const TetMesh> mesh;
  TetWay way = TetWay::stuffing;
  std::string refused;                // why Netgen was not used, where it could have been
  double cell = 0;                    // of a stuffing
  bool fills_dense = false;           // a stuffing of the dense surface, not of the coarse one
  std::vector<std::string> warnings;  // in words: what is thinner than two cells, lost, or apart
};

// `coarse` must be sound (asset/simplify.h). Stuffing fills the dense surface if that is sound, else the coarse one,
// and has its volume within 2 % where it is thicker than two cells; the rest is named in the warnings. Every
// tetrahedron has a positive volume, and the boundary is closed. Throws Error if only Netgen is allowed and it fails,
// or if the body is lost in cells of the size that was asked for.
TetBody tetrahedralise(const MeshPtr& coarse, const MeshPtr& dense, const TetSettings& settings = {});

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
