#include "pliant/scene/phased_motion.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "pliant/mesh/deform.h"
#include "pliant/scene/function_frames.h"

namespace pliant {
namespace {

Vec3 middle_of(const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : mesh.positions()) box.extend(p);
  return box.center();
}

}  // namespace

RigidTransform phased_transform(std::span<const MotionPhase> phases, const Vec3& centre, double seconds) {
  RigidTransform turned;
  Vec3 moved = Vec3::Zero();
  for (const MotionPhase& phase : phases) {
    const double time = std::min(seconds, phase.seconds);
    turned = rigid(phase.spin.axis, 2 * kPi * phase.spin.turns_per_second * time) * turned;
    moved += time * phase.velocity;
    seconds -= time;
    if (seconds <= 0) break;
  }
  RigidTransform result = about(centre, turned);
  result.translation += moved;
  return result;
}

Motion phased_motion(const MeshPtr& mesh, std::vector<MotionPhase> phases, double frames_per_second) {
  const Vec3 centre = middle_of(*mesh);
  return Motion::from_source(std::make_shared<FunctionFrames>(
      mesh->vertex_count(), kEndlessFrames,
      [mesh, phases = std::move(phases), centre, frames_per_second](std::size_t frame) {
        const double seconds = static_cast<double>(frame) / frames_per_second;
        return transformed(mesh->positions(), phased_transform(phases, centre, seconds));
      }));
}

}  // namespace pliant
