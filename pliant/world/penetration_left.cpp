#include "pliant/world/penetration_left.h"

#include "pliant/detect/penetration.h"
#include "pliant/geometry/extent.h"
#include "pliant/mesh/defects.h"
#include "pliant/motion/embedding.h"

namespace pliant {
namespace {

constexpr double kTolerance = 3e-3;
// Points looked at: a frame is not to wait for the last digit of a depth.
constexpr std::uint64_t kMostOperations = 4'000;

struct PosedSurface {
  MeshPtr mesh;
  std::vector<Vec3> positions;
  Extent extent;
};

PosedSurface surface_of(const World& world, BodyId body) {
  const std::span<const Vec3> x = world.body(body).positions();
  PosedSurface surface{world.body(body).mesh(), {x.begin(), x.end()}, {}};
  const DenseSurface& dense = world.dense(body);
  if (dense) {
    const Motion motion = Motion::embedded(Motion::at_rest(Frame::own(std::move(surface.positions))), dense.links);
    const Frame frame = motion.frame(0);
    surface = {dense.mesh, {frame.positions().begin(), frame.positions().end()}, {}};
  }
  surface.extent = extent_of(surface.positions);
  return surface;
}

bool is_closed(const TriangleMesh& mesh) {
  return mesh.face_count() > 0 && find_defects(mesh, {.places = 0, .welded = true}).closed();
}

bool overlap(const Extent& a, const Extent& b) {
  return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
}

}  // namespace

PenetrationLeft deepest_penetration(const World& world) {
  PenetrationLeft deepest;
  for (const World::UnprovedPair& pair : world.unproved_pairs()) {
    if (pair.a == pair.b) continue;
    if (!overlap(extent_of(world.body(pair.a).positions()), extent_of(world.body(pair.b).positions()))) continue;
    const PosedSurface a = surface_of(world, pair.a), b = surface_of(world, pair.b);
    if (!is_closed(*a.mesh) || !is_closed(*b.mesh) || !overlap(a.extent, b.extent)) continue;
    const auto found =
        penetration({a.mesh, a.positions}, {b.mesh, b.positions}, kTolerance, Budget::operations(kMostOperations));
    if (found && found->depth > deepest.depth) deepest = {pair.a, pair.b, found->depth};
  }
  return deepest;
}

}  // namespace pliant
