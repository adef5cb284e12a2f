// Random moving bodies for property tests.
#pragma once

#include <vector>

#include "tests/detect/reports.h"
#include "tests/support/soups.h"

namespace pliant::testing {

struct Mover {
  MeshPtr mesh;
  Motion motion;
};

inline std::vector<Vec3> positions_of(const TriangleMesh& mesh) {
  return {mesh.positions().begin(), mesh.positions().end()};
}

// Keyframes 0 .. frames - 1, each vertex thrown `noise` further from frame to frame, the whole carried by `drift`.
// Welded copies stay together unless `open_seams`.
inline Mover thrown(Dice& dice, const MeshPtr& mesh, std::size_t frames, double noise, const Vec3& drift,
                    bool open_seams = false) {
  std::vector<Frame> all{Frame::of_mesh(mesh)};
  std::vector<Vec3> x = positions_of(*mesh);
  for (std::size_t k = 1; k < frames; ++k) {
    for (Vec3& p : x) p += dice.point(-noise, noise) + drift;
    if (!open_seams)
      for (std::size_t v = 0; v < x.size(); ++v) x[v] = x[mesh->welded(VertexId(v)).index()];
    all.push_back(Frame::own(x));
  }
  return {mesh, frames == 1 ? Motion::at_rest(mesh) : Motion::keyframes(std::move(all))};
}

// On an integer grid: contacts at keyframes, at the start, sliding, and coplanar throughout are the rule.
inline Mover hopping(Dice& dice, const MeshPtr& mesh, std::size_t frames, std::uint32_t side) {
  std::vector<Frame> all{Frame::of_mesh(mesh)};
  for (std::size_t k = 1; k < frames; ++k) {
    std::vector<Vec3> x = positions_of(*mesh);
    for (Vec3& p : x) p = Vec3(dice.below(side + 1), dice.below(side + 1), dice.below(side + 1));
    all.push_back(Frame::own(std::move(x)));
  }
  return {mesh, frames == 1 ? Motion::at_rest(mesh) : Motion::keyframes(std::move(all))};
}

inline Report detect_moving(std::string_view method, const std::vector<Mover>& movers, const Interval& interval,
                            const DetectorSettings& settings = {}, const Budget& budget = {}) {
  const auto detector = make_detector(method, settings);
  for (const Mover& m : movers) detector->add_body(m.mesh, m.motion);
  return detector->detect(interval, budget);
}

}  // namespace pliant::testing
