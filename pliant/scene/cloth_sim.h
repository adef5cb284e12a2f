// A small cloth simulation for the built-in scenes: a square sheet of particles, position-based dynamics with small
// steps (Macklin et al., "Small steps in physics simulation", SCA 2019), obstacles, friction, and repulsion between
// layers. It is here to make plausible motion, not to be accurate.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

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

struct ClothSettings {
  double size = 1.8;  // m, edge of the sheet
  int cells = 80;     // along each edge
  double height = 0;  // m, where the flat sheet starts
  double frame_seconds = 1.0 / 30;
  int substeps = 16;      // per frame
  double gravity = 9.81;  // m/s^2, along -z
  double drag = 5;        // 1/s: free fall ends at gravity / drag
  double bending = 0.02;  // 0: limp, 1: as stiff in bending as in stretching
  double friction = 0.5;  // against the obstacle
  double offset = 0.002;  // m, kept from the obstacle
  double layers = 0.7;    // kept between layers, in cells
  // m/s^2, added to gravity: wind and such.
  std::function<Vec3(const Vec3& p, double seconds)> push;
};

class ClothSim {
 public:
  // `obstacle` may be null; it must outlive the simulation.
  ClothSim(const ClothSettings& settings, const ClothObstacle* obstacle);

  // (cells + 1)^2 particles, row by row.
  std::span<const Vec3> positions() const { return x_; }
  // Before the first frame: where it starts instead of flat.
  void start_at(std::vector<Vec3> positions) { x_ = std::move(positions); }
  double seconds() const { return seconds_; }

  void advance_frame();

 private:
  // Keeps two particles at their distance at rest. `stiffness`: the fraction of an error that one pass takes away.
  struct Link {
    std::uint32_t a = 0, b = 0;
    double length = 0;
    double stiffness = 1;
  };
  struct Pair {
    std::uint32_t a = 0, b = 0;
  };

  std::size_t at(int row, int column) const;
  void add_links();
  void substep(double h);
  void accelerate(double h);
  void satisfy(const Link& link);
  void keep_layers_apart();
  void find_near_pairs();
  void keep_off_obstacle(double h);

  ClothSettings settings_;
  const ClothObstacle* obstacle_;
  double cell_ = 0;
  double seconds_ = 0;
  std::vector<Vec3> x_, x_before_, v_;
  std::vector<Link> links_;
  std::vector<Pair> near_;
};

}  // namespace pliant
