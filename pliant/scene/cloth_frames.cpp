#include "pliant/scene/cloth_frames.h"

#include <algorithm>

#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/scene/function_frames.h"

namespace pliant {
namespace {

// A small sheet is simulated as it is.
ClothSceneSettings not_finer_than_the_sheet(ClothSceneSettings settings) {
  settings.cloth.cells = std::min(settings.cloth.cells, settings.cells);
  return settings;
}

class ClothFrames {
 public:
  explicit ClothFrames(const ClothSceneSettings& settings)
      : settings_(not_finer_than_the_sheet(settings)),
        sim_(settings_.cloth, settings.obstacle.get()),
        surface_(settings_.cloth.cells, settings.cells, settings.cloth.size, settings.ripples),
        unevenness_({.seed = settings.ripples.seed, .amplitude = settings.unevenness, .wavelength = 0.3}) {
    const double cell = settings.cloth.size / settings.cells;
    clearance_ = settings.clearance + 2 * cell * cell / (8 * settings.chord_radius);  // under a cell's diagonal
    start();
    record();
  }

  std::vector<Vec3> positions(std::size_t frame) {
    while (history_.size() <= frame) {
      sim_.advance_frame();
      record();
    }
    const std::vector<Vec3> particles(history_[frame].begin(), history_[frame].end());
    const double seconds = static_cast<double>(frame) * settings_.cloth.frame_seconds;
    std::vector<Vec3> positions = surface_.positions(particles, seconds);
    if (settings_.obstacle) lift(positions, seconds);
    return positions;
  }

 private:
  // In float: half the memory, and a cloth is not that exact.
  struct Particle {
    explicit Particle(const Vec3& p)
        : x(static_cast<float>(p.x())), y(static_cast<float>(p.y())), z(static_cast<float>(p.z())) {}
    operator Vec3() const { return {x, y, z}; }  // NOLINT(google-explicit-constructor): a Vec3 in less space
    float x, y, z;
  };

  // A sheet that is perfectly flat would fold in perfect symmetry.
  void start() {
    const SmoothField waves({.seed = settings_.ripples.seed + 1,
                             .amplitude = settings_.start_waves,
                             .wavelength = settings_.cloth.size / 4});
    std::vector<Vec3> particles(sim_.positions().begin(), sim_.positions().end());
    for (Vec3& p : particles) p.z() += waves.at(p).z();
    sim_.start_at(particles);
  }

  void record() { history_.emplace_back(sim_.positions().begin(), sim_.positions().end()); }

  void lift(std::vector<Vec3>& positions, double seconds) const {
    for (Vec3& p : positions) {
      const ClothObstacle::Nearest nearest = settings_.obstacle->nearest(p);
      if (nearest.distance > clearance_ + settings_.unevenness) continue;
      const double wanted = clearance_ + unevenness_.at(p, seconds).z();
      if (nearest.distance < wanted) p += (wanted - nearest.distance) * nearest.normal;
    }
  }

  ClothSceneSettings settings_;
  DrapedCloth sim_;
  ClothSurface surface_;
  SmoothField unevenness_;
  double clearance_ = 0;
  std::vector<std::vector<Particle>> history_;
};

}  // namespace

MovingBody make_cloth_body(const ClothSceneSettings& settings) {
  const double size = settings.cloth.size;
  const MeshPtr sheet =
      make_grid({.width = size, .depth = size, .columns = settings.cells, .rows = settings.cells, .alternate = true});
  const auto frames = std::make_shared<ClothFrames>(settings);
  return moving_body(settings.name, *sheet, settings.frames,
                     [frames](std::size_t frame) { return frames->positions(frame); });
}

}  // namespace pliant
