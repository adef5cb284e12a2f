#include "pliant/scene/walking_figure.h"

#include <algorithm>
#include <string>

#include "pliant/core/error.h"
#include "pliant/core/rigid.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/level_set.h"
#include "pliant/mesh/shape_builder.h"
#include "pliant/scene/figure.h"
#include "pliant/scene/function_frames.h"

namespace pliant {
namespace {

// How far from the figure's axis its skin is `ease` away, going outward at a height.
double reach(const Vec3& outward, double height, double ease) {
  double inside = 0, outside = 0.5;
  for (int i = 0; i < 50; ++i) {
    const double middle = (inside + outside) / 2;
    const Vec3 p = Vec3(0, 0, height) + middle * outward;
    (figure::skin_distance(p) < ease ? inside : outside) = middle;
  }
  return outside;
}

void require_fit(const SkirtSettings& s) {
  detail::require_size("skirt", "length", s.length);
  detail::require_size("skirt", "ease", s.ease);
  detail::require_count("skirt", "segments", s.segments, 8);
  detail::require_count("skirt", "rings", s.rings, 1);
  detail::require_faces("skirt", 2.0 * s.segments * s.rings);
  if (s.ease > 0.1) throw Error("the skirt's ease is " + std::to_string(s.ease) + " m", "give up to 0.1");
  if (!(s.flare >= 10 && s.flare <= 80))  // below, the hips would not go in
    throw Error("the skirt's flare is " + std::to_string(s.flare) + " degrees", "give 10 to 80");
}

}  // namespace

MeshPtr make_figure(const FigureSettings& settings) {
  if (!(settings.cell >= 0.005 && settings.cell <= 0.03))
    throw Error("the figure's cells are " + std::to_string(settings.cell) + " m", "give 0.005 to 0.03");
  return make_level_set({.box = figure::bounds(), .cell = settings.cell},
                        [](const Vec3& p) { return figure::skin_distance(p); });
}

MeshPtr make_skirt(const SkirtSettings& settings) {
  require_fit(settings);
  const SinCos flare = sin_cos(settings.flare * kPi / 180);
  detail::ShapeBuilder builder;
  for (int ring = 0; ring <= settings.rings; ++ring) {
    const double down = settings.length * ring / settings.rings;
    for (int i = 0; i < settings.segments; ++i) {
      const SinCos turn = sin_cos(2 * kPi * i / settings.segments);
      const Vec3 outward(turn.cos, turn.sin, 0);
      const double radius = reach(outward, kSkirtWaist, settings.ease) + down * flare.sin;
      builder.add_vertex(radius * outward + Vec3(0, 0, kSkirtWaist - down * flare.cos));
    }
  }
  const auto count = static_cast<std::size_t>(settings.segments);
  for (std::size_t ring = 0; ring < static_cast<std::size_t>(settings.rings); ++ring)
    builder.add_band((ring + 1) * count, ring * count, count);
  return std::move(builder).build("skirt");
}

std::shared_ptr<FrameSource> walking_frames(const MeshPtr& standing, const Walk& walk, double frames_per_second) {
  std::vector<BoneWeights> weights;
  weights.reserve(standing->vertex_count());
  for (const Vec3& p : standing->positions()) weights.push_back(figure::bone_weights(p));
  return std::make_shared<FunctionFrames>(
      standing->vertex_count(), kEndlessFrames,
      [standing, walk, frames_per_second, weights = std::move(weights)](std::size_t frame) {
        const double seconds = static_cast<double>(frame) / frames_per_second - walk.standing;
        const double cycles = walk.cycles_per_second * std::max(0.0, seconds);
        return figure::skinned(standing->positions(), weights, figure::walking(cycles));
      });
}

}  // namespace pliant
