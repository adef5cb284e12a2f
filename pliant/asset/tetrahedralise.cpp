#include "pliant/asset/tetrahedralise.h"

#include <cmath>

#include "pliant/asset/lattice.h"
#include "pliant/asset/measure.h"
#include "pliant/asset/node_grid.h"
#include "pliant/core/error.h"

namespace pliant {
namespace {

// Long edges of a few large faces must not make one cube of the whole body, nor short ones millions of cubes.
double lattice_cell(const TriangleMesh& coarse) {
  constexpr double kMostCubes = 1 << 19;
  const Vec3 size = box_of(coarse).sizes();
  const double cell = std::min(1.5 * mean_edge(coarse), size.maxCoeff() / 8);
  return std::max(cell, std::cbrt((size + Vec3::Constant(6 * cell)).prod() / kMostCubes));
}

}  // namespace

const char* to_string(TetWay way) {
  switch (way) {
    case TetWay::automatic:
      return "auto";
    case TetWay::netgen:
      return "netgen";
    case TetWay::lattice:
      return "lattice";
  }
  return "";
}

TetBody tetrahedralise(const TriangleMesh& coarse, const TriangleMesh& dense, const TetSettings& settings) {
  TetBody body;
  if (settings.way != TetWay::lattice) {
    NetgenAnswer answer = run_netgen(coarse, settings);
    if (answer.mesh) return {answer.mesh, TetWay::netgen, {}};
    if (settings.way == TetWay::netgen)
      throw Error(ErrorPlace{.file = dense.origin().name}, "Netgen made no tetrahedra: " + answer.problem,
                  "use --tets auto or lattice");
    body.refused = answer.problem;
  }
  body.way = TetWay::lattice;
  body.mesh = make_lattice_tets(coarse, dense, settings.cell > 0 ? settings.cell : lattice_cell(coarse));
  return body;
}

}  // namespace pliant
