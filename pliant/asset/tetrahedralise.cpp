#include "pliant/asset/tetrahedralise.h"

#include "pliant/asset/measure.h"
#include "pliant/asset/simplify.h"
#include "pliant/asset/stuffed_body.h"
#include "pliant/core/error.h"

namespace pliant {

const char* to_string(TetWay way) {
  switch (way) {
    case TetWay::automatic:
      return "auto";
    case TetWay::netgen:
      return "netgen";
    case TetWay::stuffing:
      return "stuffing";
  }
  return "";
}

TetBody tetrahedralise(const MeshPtr& coarse, const MeshPtr& dense, const TetSettings& settings) {
  std::string refused;
  if (settings.way != TetWay::stuffing) {
    NetgenAnswer answer = run_netgen(*coarse, settings);
    if (answer.mesh) return {.mesh = answer.mesh, .way = TetWay::netgen};
    if (settings.way == TetWay::netgen)
      throw Error(ErrorPlace{.file = dense->origin().name}, "Netgen made no tetrahedra: " + answer.problem,
                  "use --tets auto or stuffing");
    refused = answer.problem;
  }
  const bool dense_is_sound = check_surface(dense, settings.threads).sound();
  TetBody body = stuff_body(dense_is_sound ? *dense : *coarse, measure(*coarse).area, settings);
  body.fills_dense = dense_is_sound;
  body.refused = refused;
  return body;
}

}  // namespace pliant
