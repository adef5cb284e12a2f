// A square sheet of cloth (ClothBody) on an obstacle that is given by its distance, for motions that are made: short
// steps, after each of which vertices are pushed off the obstacle, with friction, and layers apart. What comes of it is
// plausible and quick; unlike a world's it is not proved to be free of intersections.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pliant/bodies/cloth.h"
#include "pliant/core/vec3.h"

namespace pliant {

// Something that the cloth lies on.
class ClothObstacle {
 public:
  struct Nearest {
    double distance = 0;  // m, negative inside
    Vec3 normal = Vec3::UnitZ();
  };
  virtual ~ClothObstacle() = default;
  virtual Nearest nearest(const Vec3& p) const = 0;
  virtual Vec3 velocity(const Vec3& p, double seconds) const = 0;  // m/s, of the surface near p
};

struct DrapeSettings {
  double size = 1.8;  // m, edge of the sheet
  int cells = 80;     // along each edge
  double height = 0;  // m, where the flat sheet starts
  double frame_seconds = 1.0 / 30;
  ClothMaterial material = cloth_material("cotton");
  double drag = 5;        // 1/s: free fall ends at gravity / drag
  double friction = 0.5;  // against the obstacle
  double offset = 0.002;  // m, kept from the obstacle
  double layers = 0.7;    // kept between layers, in cells
  // m/s^2, added to gravity: wind and such.
  std::function<Vec3(const Vec3& p, double seconds)> push;
};

class DrapedCloth {
 public:
  // `obstacle` may be null; it must outlive the cloth.
  DrapedCloth(const DrapeSettings& settings, const ClothObstacle* obstacle);

  // (cells + 1)^2 vertices, row by row.
  std::span<const Vec3> positions() const { return body_.positions(); }
  // Before the first frame: where it starts instead of flat.
  void start_at(std::span<const Vec3> positions) { body_.commit(positions, body_.velocities()); }
  double seconds() const { return body_.seconds(); }
  double stretch() const { return body_.condition().stretch; }

  void advance_frame();

 private:
  struct Pair {
    std::uint32_t a = 0, b = 0;
  };

  void find_forces();
  void find_near_pairs();
  void keep_layers_apart();
  void keep_off_obstacle();
  void short_step(double h);

  DrapeSettings settings_;
  const ClothObstacle* obstacle_;
  double cell_ = 0;
  ClothBody body_;
  std::vector<Vec3> x_, v_, forces_;
  std::vector<Pair> near_;
};

}  // namespace pliant
