// A fine, smooth sheet over the particles of a cloth simulation.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/vec3.h"

namespace pliant {

// Small waves along the normal, drifting over the sheet.
struct RippleSettings {
  std::uint64_t seed = 1;
  double amplitude = 0.002;  // m, never exceeded
  double wavelength = 0.12;  // m, of the shortest
  double period = 0.8;       // s, of the fastest
};

// A uniform bicubic B-spline whose control points are the particles: smooth (C2) and without overshoot. Samples
// (cells + 1)^2 points row by row, like make_grid.
class ClothSurface {
 public:
  ClothSurface(int particle_cells, int cells, double size, const RippleSettings& ripples);

  std::size_t vertex_count() const { return samples_.size() * samples_.size(); }
  std::vector<Vec3> positions(std::span<const Vec3> particles, double seconds) const;

 private:
  // Where a row or column of the fine sheet lies between those of the particles.
  struct Sample {
    std::size_t first = 0;            // of four control points, in the array that has one more at each end
    std::array<double, 4> weights{};  // of position
    std::array<double, 4> slopes{};   // of the derivative
    double from_edge = 0;             // m
  };
  struct Ripple {
    double amplitude = 0, along_u = 0, along_v = 0, phase = 0, speed = 0;
  };

  double ripple(double u, double v, double seconds) const;

  std::size_t particles_;  // along each edge
  std::vector<Sample> samples_;
  std::vector<Ripple> ripples_;
};

}  // namespace pliant
