#include <cmath>

#include "pliant/core/random.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/shape_builder.h"
#include "pliant/scene/builtin.h"
#include "pliant/scene/cloth_frames.h"

namespace pliant {
namespace {

using detail::ProfilePoint;

constexpr double kTop = 0.8;        // m, height of the table
constexpr double kRadius = 0.5;     // m
constexpr double kRim = 0.05;       // m, radius of the rounded rim; the top is twice as thick
constexpr double kClothSize = 1.7;  // m
constexpr double kStart = 0.05;     // m, of the cloth above the table

// The round table top. Column and foot are out of the cloth's reach.
class RoundTop : public ClothObstacle {
 public:
  Nearest nearest(const Vec3& p) const override {
    const double radius = std::sqrt(p.x() * p.x() + p.y() * p.y());
    const double out = radius - (kRadius - kRim), up = p.z() - (kTop - kRim);
    if (out <= 0) return {std::abs(up) - kRim, Vec3(0, 0, up < 0 ? -1 : 1)};
    const double distance = std::sqrt(out * out + up * up);
    return {distance - kRim, Vec3(p.x() / radius * out / distance, p.y() / radius * out / distance, up / distance)};
  }
  Vec3 velocity(const Vec3&, double) const override { return Vec3::Zero(); }
};

// Points of an arc of the rim from angle `begin` to `end` (radians from outward, up).
void add_rim(std::vector<ProfilePoint>& profile, double begin, double end, int steps) {
  for (int i = 0; i <= steps; ++i) {
    const SinCos at = sin_cos(begin + (end - begin) * i / steps);
    profile.push_back({kRadius - kRim + kRim * at.cos, kTop - kRim + kRim * at.sin});
  }
}

void add_line(std::vector<ProfilePoint>& profile, ProfilePoint to, int steps) {
  const ProfilePoint from = profile.back();
  for (int i = 1; i < steps; ++i)
    profile.push_back(
        {from.radius + (to.radius - from.radius) * i / steps, from.height + (to.height - from.height) * i / steps});
  profile.push_back(to);
}

// Foot, column and rounded top in one piece.
MeshPtr make_table(std::size_t triangles) {
  // 2 segments x rings faces; the profile is about 2 m long, a turn around the rim 3.8 m.
  const int segments = std::max(12, static_cast<int>(std::sqrt(static_cast<double>(triangles))));
  const int rings = std::max(12, static_cast<int>(triangles) / (2 * segments));
  const auto rings_of = [rings](double fraction) {
    return std::max(1, static_cast<int>(std::lround(fraction * rings)));
  };
  std::vector<ProfilePoint> profile = {{0, 0}};
  add_line(profile, {0.3, 0}, rings_of(0.15));
  add_line(profile, {0.3, 0.03}, 1);
  add_line(profile, {0.05, 0.06}, rings_of(0.1));
  add_line(profile, {0.05, kTop - 2 * kRim}, rings_of(0.2));
  add_line(profile, {0.5 * kRadius, kTop - 2 * kRim}, rings_of(0.1));
  profile.push_back({kRadius - kRim - 1e-3, kTop - 2 * kRim});
  add_rim(profile, -kPi / 2, kPi / 2, rings_of(0.25));
  add_line(profile, {0, kTop}, rings_of(0.2));
  return detail::revolve("table", profile, segments);
}

}  // namespace

MovingScene make_tablecloth(const SceneSettings& settings) {
  Random random(settings.seed);
  const MeshPtr table = make_table(settings.triangles / 8);
  const auto cloth_triangles = static_cast<double>(settings.triangles - table->face_count());
  ClothSceneSettings cloth;
  cloth.cloth.size = kClothSize;
  cloth.cloth.height = kTop + kStart;
  cloth.ripples.seed = random.bits();
  cloth.obstacle = std::make_shared<RoundTop>();
  cloth.cells = std::max(2, static_cast<int>(std::lround(std::sqrt(cloth_triangles / 2))));
  cloth.frames = settings.frames;
  cloth.chord_radius = kRim;
  const double turn = 2 * kPi * random.unit(), phase = 2 * kPi * random.unit();
  cloth.cloth.push = [turn, phase](const Vec3& p, double seconds) -> Vec3 {
    // A draught that turns slowly and comes in gusts over the hanging sides.
    const SinCos direction = sin_cos(turn + 0.7 * seconds);
    const double gust = 4 * sin_cos(phase + 5.0 * seconds + 1.5 * (p.x() - p.y())).sin;
    return {gust * direction.cos, gust * direction.sin, 0};
  };
  return {"tablecloth", {{"table", table, Motion::at_rest(table)}, make_cloth_body(cloth)}};
}

}  // namespace pliant
