// Contacts of a sheet with what does not give way, inside its solve: a force on each point, found exactly (normal and
// friction) whenever one of its vertices was moved, and kept from sweep to sweep.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/cloth_layout.h"
#include "pliant/bodies/point_contact.h"

namespace pliant {

class ClothContacts {
 public:
  // For a sub-step of `seconds` that ends `later` seconds before the time that the constraints are for. `start`: where
  // the rows are at its start, about an origin, as `origin` says.
  struct Step {
    double seconds = 0, later = 0;
    std::span<const Vec3> start;  // by vertex, m
    Vec3 origin = Vec3::Zero();
  };
  void begin(std::span<const SurfaceConstraint> constraints, const ClothLayout& layout, const Step& step);

  bool empty() const { return points_.empty(); }
  std::span<const std::uint32_t> blocks() const { return blocks_; }  // with vertices that touch, ascending
  // The block's vertices stand where they would without contacts; hessian: its six entries (xx, yy, zz, yz, xz, xy),
  // eight lanes each, of everything but contacts, N/m times `scale`.
  void settle(std::uint32_t block, const float* hessian, double scale, float* rows);

  void add_to_gradient(double scale, float* gradient) const;  // minus the forces, times `scale`
  double work(const float* rows) const;                       // J, since the start
  Vec3 total_force() const;                                   // N
  Vec3 total_torque() const;                                  // N m, about the origin, at the start
  void add_impulses(std::span<Vec3> impulses) const;

 private:
  struct Point {
    std::array<std::uint32_t, 3> rows{};
    std::array<double, 3> weights{};
    std::uint32_t count = 0;
    Vec3 start = Vec3::Zero();  // of those of its vertices that move, weighted, about the origin
    PointLimit limit;
    Vec3 force = Vec3::Zero();  // N
  };
  void solve(Point& point, float* rows);
  std::size_t place_of(std::uint32_t row) const;
  Vec3 at(const Point& point, const float* rows) const;

  double seconds_ = 0;
  std::vector<Point> points_;           // by constraint
  std::vector<std::uint32_t> touched_;  // rows, ascending
  std::vector<Eigen::Matrix3d> compliance_;
  std::vector<std::uint32_t> first_, list_;  // of each of them: its points
  std::vector<std::uint32_t> blocks_;
};

}  // namespace pliant
