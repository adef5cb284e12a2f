// A walking figure: bones, the round shape around them, and how skin follows bones.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "pliant/core/vec3.h"
#include "pliant/mesh/deform.h"

namespace pliant {

enum class Bone : std::size_t {
  pelvis,
  chest,
  head,
  upper_arm_left,
  forearm_left,
  upper_arm_right,
  forearm_right,
  thigh_left,
  shin_left,
  foot_left,
  thigh_right,
  shin_right,
  foot_right,
};
inline constexpr std::size_t kBoneCount = 13;

// Where each bone is: the transform from the standing figure.
using Pose = std::array<RigidTransform, kBoneCount>;

// How much a point follows each bone; sums to 1.
using BoneWeights = std::array<float, kBoneCount>;

// In metres; the figure stands on z = 0, looks along +x, is 1.75 tall and holds its arms 50 degrees aside.
namespace figure {

// Joint and direction of the left upper arm; the left is y > 0.
inline const Vec3 kShoulder(0, 0.175, 1.4);
inline const Vec3 kArm(0, 0.766, -0.643);
inline Vec3 mirrored(const Vec3& p) { return {p.x(), -p.y(), p.z()}; }

// Distance to the skin of the standing figure, negative inside.
double skin_distance(const Vec3& p);
// The same for trunk and upper arms alone, without the dip between them: what a shirt hangs on.
double shirt_distance(const Vec3& p);

BoneWeights bone_weights(const Vec3& p);
Eigen::AlignedBox3d bounds();

// One step cycle is 1 unit of `cycles`. At 0 the figure stands; it is in full stride after half a cycle.
Pose walking(double cycles);

std::vector<Vec3> skinned(std::span<const Vec3> standing, std::span<const BoneWeights> weights, const Pose& pose);

}  // namespace figure
}  // namespace pliant
