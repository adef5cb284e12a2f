#include <algorithm>
#include <cmath>

#include "pliant/core/random.h"
#include "pliant/core/rigid.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/clip.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/level_set.h"
#include "pliant/scene/builtin.h"
#include "pliant/scene/figure.h"
#include "pliant/scene/function_frames.h"

namespace pliant {
namespace {

constexpr double kEase = 0.03;       // m, between shirt and skin when standing
constexpr double kLeastEase = 0.02;  // m, anywhere
constexpr double kRipple = 0.035;    // m, of the shirt's folds, outward
constexpr double kFramesPerCycle = 32;

constexpr auto shirt_distance = [](const Vec3& p) { return figure::shirt_distance(p) - kEase; };
constexpr auto skin_distance = [](const Vec3& p) { return figure::skin_distance(p); };

// Where the shirt ends: beyond a plane, or within a ball.
struct Cut {
  Vec3 direction;  // of the plane's far side; zero for a ball
  Vec3 point;      // on the plane, or the ball's centre
  double radius;   // of the ball

  bool is_plane() const { return radius == 0; }
  double beyond(const Vec3& p) const {
    return is_plane() ? fixed_dot(direction, p - point) : radius - fixed_length(p - point);
  }
  Vec3 outward(const Vec3& p) const { return is_plane() ? direction : Vec3((point - p) / fixed_length(point - p)); }
};

const Cut kNeck{Vec3::Zero(), {0.015, 0, 1.5}, 0.105};
const Cut kHem{-Vec3::UnitZ(), {0, 0, 0.83}, 0};
const Cut kSleeveLeft{figure::kArm, figure::kShoulder + 0.18 * figure::kArm, 0};
const Cut kSleeveRight{figure::mirrored(kSleeveLeft.direction), figure::mirrored(kSleeveLeft.point), 0};

// The cut that is passed most, or nearest to being passed.
const Cut& nearest_cut(const Vec3& p) {
  const Cut* result = kNeck.beyond(p) > kHem.beyond(p) ? &kNeck : &kHem;
  // The sleeves' planes go on through chest and hips, which are narrower.
  const bool at_arm = std::abs(p.y()) > (p.z() > 1.12 ? 0.235 : 0.26);
  const Cut& sleeve = p.y() > 0 ? kSleeveLeft : kSleeveRight;
  return at_arm && sleeve.beyond(p) > result->beyond(p) ? sleeve : *result;
}

Vec3 off_skin(Vec3 p, double cell) {
  for (int i = 0; i < 3; ++i) {
    const double missing = kLeastEase - skin_distance(p);
    if (missing > 0) p += missing * distance_gradient(skin_distance, p, cell / 4);
  }
  return p;
}

// Cuts do not pass closer to a vertex than a quarter cell: the vertex is moved onto the cut instead.
MeshPtr make_shirt(double cell) {
  const MeshPtr closed = make_level_set({.box = figure::bounds(), .cell = cell}, shirt_distance);
  std::vector<Vec3> positions;
  std::vector<double> beyond;
  for (Vec3 p : closed->positions()) {
    const Cut& cut = nearest_cut(p);
    const double distance = cut.beyond(p);
    const bool at_cut = std::abs(distance) < cell / 4;
    if (at_cut) p -= distance * cut.outward(p);
    positions.push_back(off_skin(p, cell));
    beyond.push_back(at_cut ? 0 : distance);
  }
  return clip_mesh(*with_positions(*closed, std::move(positions)), beyond);
}

MeshPtr make_skin(double cell) { return make_level_set({.box = figure::bounds(), .cell = cell}, skin_distance); }

// The mesh whose number of faces comes close to the one wanted; faces go with 1 / cell^2.
template <class Make>
MeshPtr with_faces(double wanted, Make&& make) {
  constexpr double kCoarse = 0.02;
  return make(kCoarse * std::sqrt(static_cast<double>(make(kCoarse)->face_count()) / wanted));
}

struct Skin {
  MeshPtr mesh;
  std::vector<BoneWeights> weights;
};

Skin make_skinned(MeshPtr mesh) {
  Skin skin{std::move(mesh), {}};
  skin.weights.reserve(skin.mesh->vertex_count());
  for (const Vec3& p : skin.mesh->positions()) skin.weights.push_back(figure::bone_weights(p));
  return skin;
}

// Folds of the shirt: waves that run down and around it, outward only, so that they never reach the skin by themselves.
class ShirtFolds {
 public:
  ShirtFolds(const Skin& shirt, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < kWaves; ++i) {
      around_[i] = random.within(30, 70);
      down_[i] = random.within(-25, 25);
      phase_[i] = 2 * kPi * random.unit();
      speed_[i] = 2 * kPi * random.within(-1, 1);
    }
    normals_.reserve(shirt.mesh->vertex_count());
    for (const Vec3& p : shirt.mesh->positions()) normals_.push_back(distance_gradient(shirt_distance, p, 0.005));
  }

  // Standing positions with the folds of a time, in cycles.
  std::vector<Vec3> positions(std::span<const Vec3> standing, double cycles) const {
    std::vector<Vec3> result;
    result.reserve(standing.size());
    for (std::size_t v = 0; v < standing.size(); ++v)
      result.push_back(standing[v] + height(standing[v], cycles) * normals_[v]);
    return result;
  }

 private:
  static constexpr std::size_t kWaves = 3;

  // Looser towards the hem.
  double height(const Vec3& p, double cycles) const {
    double sum = 0;
    for (std::size_t i = 0; i < kWaves; ++i)
      sum += 1 + sin_cos(around_[i] * (p.y() + 0.7 * p.x()) + down_[i] * p.z() + phase_[i] + speed_[i] * cycles).sin;
    const double loose = std::clamp((1.5 - p.z()) / 0.6, 0.2, 1.0);
    return kRipple * loose * sum / (2 * kWaves);
  }

  std::array<double, kWaves> around_{}, down_{}, phase_{}, speed_{};
  std::vector<Vec3> normals_;
};

}  // namespace

MovingScene make_avatar(const SceneSettings& settings) {
  Random random(settings.seed);
  const auto triangles = static_cast<double>(settings.triangles);
  const auto skin = std::make_shared<const Skin>(make_skinned(with_faces(0.55 * triangles, make_skin)));
  const double left = triangles - static_cast<double>(skin->mesh->face_count());
  const auto shirt = std::make_shared<const Skin>(make_skinned(with_faces(left, make_shirt)));
  const auto folds = std::make_shared<const ShirtFolds>(*shirt, random.bits());
  const auto cycles = [](std::size_t frame) { return static_cast<double>(frame) / kFramesPerCycle; };
  MovingBody moving_skin = moving_body("avatar", *skin->mesh, settings.frames, [=](std::size_t frame) {
    return figure::skinned(skin->mesh->positions(), skin->weights, figure::walking(cycles(frame)));
  });
  MovingBody moving_shirt = moving_body("shirt", *shirt->mesh, settings.frames, [=](std::size_t frame) {
    return figure::skinned(folds->positions(shirt->mesh->positions(), cycles(frame)), shirt->weights,
                           figure::walking(cycles(frame)));
  });
  return {"avatar", {std::move(moving_skin), std::move(moving_shirt)}};
}

}  // namespace pliant
