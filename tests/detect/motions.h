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

struct EditedMover {
  Mover mover;
  MeshMaps maps;
};

// Some faces are gone, some are new, each on two corners of an old one and a new vertex nearby, and all are in another
// order. Old vertices keep their numbers.
inline EditedMover edited(Dice& dice, const Mover& old, std::uint32_t removed_of_10, std::size_t added) {
  std::vector<std::pair<Triangle, FaceId>> faces;
  for (std::size_t f = 0; f < old.mesh->face_count(); ++f)
    if (dice.below(10) >= removed_of_10) faces.emplace_back(old.mesh->triangle(FaceId(f)), FaceId(f));
  const std::size_t count = old.mesh->vertex_count();
  std::vector<std::pair<VertexId, Vec3>> offsets;  // of new vertices, from old ones
  for (std::size_t i = 0; i < added; ++i) {
    const FaceId beside(dice.below(static_cast<std::uint32_t>(old.mesh->face_count())));
    const Triangle& t = old.mesh->triangle(beside);
    offsets.emplace_back(t[0], dice.point(-0.05, 0.05));
    faces.push_back({{t[0], t[1], VertexId(count + i)}, FaceId{}});
  }
  for (std::size_t i = faces.size(); i > 1; --i)
    std::swap(faces[i - 1], faces[dice.below(static_cast<std::uint32_t>(i))]);
  const auto extended = [&](std::span<const Vec3> positions) {
    std::vector<Vec3> x(positions.begin(), positions.end());
    for (const auto& [from, offset] : offsets) x.push_back(positions[from.index()] + offset);
    return x;
  };
  std::vector<Frame> frames;
  std::vector<double> times;
  for (std::size_t k = 0; k < old.motion.frame_count(); ++k) {
    frames.push_back(Frame::own(extended(old.motion.frame(k).positions())));
    times.push_back(old.motion.time_of(k));
  }
  MeshMaps maps;
  std::vector<Triangle> triangles;
  for (const auto& [triangle, from] : faces) {
    triangles.push_back(triangle);
    maps.old_face.push_back(from);
  }
  for (std::size_t v = 0; v < count + added; ++v) maps.old_vertex.push_back(v < count ? VertexId(v) : VertexId{});
  const MeshPtr mesh = std::make_shared<const TriangleMesh>(extended(old.mesh->positions()), std::move(triangles));
  return {{mesh, Motion::keyframes(std::move(frames), std::move(times))}, std::move(maps)};
}

inline Report detect_moving(std::string_view method, const std::vector<Mover>& movers, const Interval& interval,
                            const DetectorSettings& settings = {}, const Budget& budget = {}) {
  const auto detector = make_detector(method, settings);
  for (const Mover& m : movers) detector->add_body(m.mesh, m.motion);
  return detector->detect(interval, budget);
}

}  // namespace pliant::testing
