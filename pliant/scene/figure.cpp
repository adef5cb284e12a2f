#include "pliant/scene/figure.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/core/rigid.h"
#include "pliant/core/trig.h"

namespace pliant::figure {
namespace {

// A cone between two balls.
struct RoundCone {
  Bone bone;
  Vec3 a, b;
  double radius_a, radius_b;
};

constexpr std::size_t number(Bone bone) { return static_cast<std::size_t>(bone); }

double smoothstep(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// Joints of the left side (y > 0) of the standing figure.
const Vec3 kHip(0, 0.105, 0.92), kKnee(0.01, 0.115, 0.5), kAnkle(-0.01, 0.12, 0.1), kToe(0.15, 0.135, 0.045);
const Vec3 kElbow = kShoulder + 0.28 * kArm;
const Vec3 kWrist = kElbow + 0.25 * kArm + Vec3(0.02, 0, 0);
const Vec3 kHand = kWrist + 0.12 * kArm + Vec3(0.01, 0, 0);
const Vec3 kWaist(0, 0, 1.08), kNeck(0, 0, 1.46);

std::vector<RoundCone> make_trunk() {
  return {
      {Bone::pelvis, {0, -0.07, 0.95}, {0, 0.07, 0.95}, 0.115, 0.115},
      {Bone::pelvis, {0, -0.05, 1.05}, {0, 0.05, 1.05}, 0.11, 0.11},
      {Bone::chest, {0.01, -0.075, 1.26}, {0.01, 0.075, 1.26}, 0.115, 0.115},
      {Bone::chest, {0, -0.15, 1.38}, {0, 0.15, 1.38}, 0.07, 0.07},
  };
}

void add_both_sides(std::vector<RoundCone>& cones, const RoundCone& left, Bone right) {
  cones.push_back(left);
  cones.push_back({right, mirrored(left.a), mirrored(left.b), left.radius_a, left.radius_b});
}

std::vector<RoundCone> make_sleeves() {
  std::vector<RoundCone> cones;
  add_both_sides(cones, {Bone::upper_arm_left, kShoulder, kElbow, 0.056, 0.042}, Bone::upper_arm_right);
  return cones;
}

const std::vector<RoundCone>& shirt_cones() {
  static const std::vector<RoundCone> cones = [] {
    std::vector<RoundCone> all = make_trunk();
    for (const RoundCone& sleeve : make_sleeves()) all.push_back(sleeve);
    // Wider below than the hips, so that the hem hangs free of the thighs.
    all.push_back({Bone::pelvis, {0, -0.085, 0.85}, {0, 0.085, 0.85}, 0.125, 0.125});
    return all;
  }();
  return cones;
}

const std::vector<RoundCone>& skin_cones() {
  static const std::vector<RoundCone> cones = [] {
    std::vector<RoundCone> all = make_trunk();
    for (const RoundCone& sleeve : make_sleeves()) all.push_back(sleeve);
    all.push_back({Bone::head, {0, 0, 1.42}, {0.01, 0, 1.54}, 0.055, 0.052});
    all.push_back({Bone::head, {0.03, 0, 1.59}, {0.01, 0, 1.66}, 0.075, 0.095});
    add_both_sides(all, {Bone::forearm_left, kElbow, kWrist, 0.043, 0.031}, Bone::forearm_right);
    add_both_sides(all, {Bone::forearm_left, kWrist, kHand, 0.031, 0.036}, Bone::forearm_right);
    add_both_sides(all, {Bone::thigh_left, kHip, kKnee, 0.08, 0.055}, Bone::thigh_right);
    add_both_sides(all, {Bone::shin_left, kKnee, kAnkle, 0.055, 0.038}, Bone::shin_right);
    add_both_sides(all, {Bone::foot_left, kAnkle - Vec3(0.03, 0, 0.05), kToe, 0.045, 0.035}, Bone::foot_right);
    return all;
  }();
  return cones;
}

// Distance to the axis point that the radius grows from linearly: not the true distance to a round cone, but close for
// slim ones, and it grows by at most 1 per length (the radii differ by less than a third of the length).
double distance(const RoundCone& cone, const Vec3& p) {
  const Vec3 axis = cone.b - cone.a;
  const double t = std::clamp(fixed_dot(p - cone.a, axis) / fixed_dot(axis, axis), 0.0, 1.0);
  const double radius = cone.radius_a + t * (cone.radius_b - cone.radius_a);
  return 0.95 * (fixed_length(p - cone.a - t * axis) - radius);
}

// Union with a fillet of about `blend` where surfaces meet (polynomial smooth minimum).
double blended(double a, double b, double blend) {
  const double h = std::max(blend - std::abs(a - b), 0.0) / blend;
  return std::min(a, b) - h * h * blend / 4;
}

double blended_distance(std::span<const RoundCone> cones, const Vec3& p, double blend) {
  double result = distance(cones[0], p);
  for (const RoundCone& cone : cones.subspan(1)) result = blended(result, distance(cone, p), blend);
  return result;
}

struct Joint {
  Bone bone;
  Bone parent;  // the pelvis is its own
  Vec3 position;
};

// Parents come first.
const std::array<Joint, kBoneCount>& joints() {
  static const std::array<Joint, kBoneCount> all = {{
      {Bone::pelvis, Bone::pelvis, {0, 0, 0.95}},
      {Bone::chest, Bone::pelvis, kWaist},
      {Bone::head, Bone::chest, kNeck},
      {Bone::upper_arm_left, Bone::chest, kShoulder},
      {Bone::forearm_left, Bone::upper_arm_left, kElbow},
      {Bone::upper_arm_right, Bone::chest, mirrored(kShoulder)},
      {Bone::forearm_right, Bone::upper_arm_right, mirrored(kElbow)},
      {Bone::thigh_left, Bone::pelvis, kHip},
      {Bone::shin_left, Bone::thigh_left, kKnee},
      {Bone::foot_left, Bone::shin_left, kAnkle},
      {Bone::thigh_right, Bone::pelvis, mirrored(kHip)},
      {Bone::shin_right, Bone::thigh_right, mirrored(kKnee)},
      {Bone::foot_right, Bone::shin_right, mirrored(kAnkle)},
  }};
  return all;
}

using Turns = std::array<RigidTransform, kBoneCount>;  // each bone against its parent, about its joint

// Forward is a turn by a negative angle around y.
RigidTransform swing(double forward) { return rigid(Vec3::UnitY(), -forward); }

// One leg and the arm of the same side; `phase` runs over 2 pi, the leg is foremost at pi / 2. `side` is 1 for left.
void turn_side(Turns& turns, double phase, double strength, double side) {
  const std::size_t leg = number(side > 0 ? Bone::thigh_left : Bone::thigh_right);
  const std::size_t arm = number(side > 0 ? Bone::upper_arm_left : Bone::upper_arm_right);
  const SinCos at = sin_cos(phase);
  const double lift = (1 + sin_cos(phase + 0.3).cos) / 2;  // 1 while the leg swings forward
  turns[leg] = swing(strength * (0.06 + 0.4 * at.sin));
  turns[leg + 1] = swing(-strength * (0.1 + 0.8 * lift * lift));
  turns[leg + 2] = swing(strength * (0.05 + 0.2 * at.cos));
  turns[arm] = swing(-strength * 0.38 * at.sin) * rigid(Vec3::UnitX(), -side * strength * 0.48);
  turns[arm + 1] = swing(strength * (0.3 - 0.2 * at.sin));
}

Turns turns_of(double phase, double strength) {
  Turns turns;
  turns.fill({});
  const double twist = strength * sin_cos(phase).sin;
  turns[number(Bone::pelvis)] = rigid(Vec3::UnitZ(), -0.07 * twist);
  turns[number(Bone::chest)] = rigid(Vec3::UnitZ(), 0.16 * twist) * rigid(Vec3::UnitY(), 0.04 * strength);
  turns[number(Bone::head)] = rigid(Vec3::UnitZ(), -0.09 * twist);
  turn_side(turns, phase, strength, 1);
  turn_side(turns, phase + kPi, strength, -1);
  return turns;
}

}  // namespace

double skin_distance(const Vec3& p) { return blended_distance(skin_cones(), p, 0.04); }

double shirt_distance(const Vec3& p) { return blended_distance(shirt_cones(), p, 0.08); }

Eigen::AlignedBox3d bounds() { return {Vec3(-0.3, -0.8, -0.05), Vec3(0.35, 0.8, 1.85)}; }

// Bones count whose surface is no more than kReach farther away than the nearest: skin between two bones follows both,
// and an arm does not follow the trunk beside it.
BoneWeights bone_weights(const Vec3& p) {
  constexpr double kReach = 0.07;
  std::array<double, kBoneCount> nearest;
  nearest.fill(1e9);
  for (const RoundCone& cone : skin_cones()) {
    double& d = nearest[number(cone.bone)];
    d = std::min(d, distance(cone, p));
  }
  const double least = *std::min_element(nearest.begin(), nearest.end());
  std::array<double, kBoneCount> weight{};
  double sum = 0;
  for (std::size_t i = 0; i < kBoneCount; ++i) {
    const double near = std::max(0.0, 1 - (nearest[i] - least) / kReach);
    weight[i] = near * near;
    sum += weight[i];
  }
  BoneWeights result{};
  for (std::size_t i = 0; i < kBoneCount; ++i) result[i] = static_cast<float>(weight[i] / sum);
  return result;
}

Pose walking(double cycles) {
  constexpr double kStride = 1.25;  // m per cycle
  constexpr double kStart = 0.5;    // cycles until in full stride
  const double strength = smoothstep(cycles / kStart);
  const double phase = 2 * kPi * cycles;
  // The integral of the strength: how far a walk that starts so has come.
  const double t = std::min(cycles / kStart, 1.0);
  const double way = kStart * (t * t * t - t * t * t * t / 2) + std::max(0.0, cycles - kStart);
  const Vec3 root(kStride * way, 0.02 * strength * sin_cos(phase).sin,
                  -0.015 * strength * (1 - sin_cos(2 * phase).cos));

  const Turns turns = turns_of(phase, strength);
  Pose pose;
  for (const Joint& joint : joints()) {
    const std::size_t bone = number(joint.bone);
    const RigidTransform local = about(joint.position, turns[bone]);
    const RigidTransform parent =
        joint.bone == joint.parent ? RigidTransform{.translation = root} : pose[number(joint.parent)];
    pose[bone] = parent * local;
  }
  return pose;
}

std::vector<Vec3> skinned(std::span<const Vec3> standing, std::span<const BoneWeights> weights, const Pose& pose) {
  std::vector<Vec3> result;
  result.reserve(standing.size());
  for (std::size_t v = 0; v < standing.size(); ++v) {
    // As displacements: they vanish exactly where no bone has moved.
    Vec3 moved = standing[v];
    for (std::size_t bone = 0; bone < kBoneCount; ++bone) {
      const double w = static_cast<double>(weights[v][bone]);
      if (w > 0) moved += w * (pose[bone] * standing[v] - standing[v]);
    }
    result.push_back(moved);
  }
  return result;
}

}  // namespace pliant::figure
