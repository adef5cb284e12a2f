// Contacts of single vertices of a sheet with what does not give way, inside its solve: the normal force is found
// exactly whenever the vertex was moved, and kept from sweep to sweep. Friction follows the solve, from the force that
// balances what is left then: one cycle finds forces that are far too large, because neighbours have no time to give
// way, and friction in proportion to these would hold any sheet on any slope.
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

  bool empty() const { return touched_.empty(); }
  std::span<const std::uint32_t> blocks() const { return blocks_; }  // with vertices that touch, ascending
  // The block's vertices stand where they would without contacts; hessian: its six entries (xx, yy, zz, yz, xz, xy),
  // eight lanes each, of everything but contacts, N/m times `scale`.
  void settle(std::uint32_t block, const float* hessian, double scale, float* rows);

  void add_to_gradient(double scale, float* gradient) const;  // minus the forces, times `scale`
  // After the solve: `gradient` without contacts, times `scale`, is what pushes. Takes back as much of the slip as
  // friction can.
  void rub(const float* gradient, double scale, std::span<const double> masses, const float* y, float* rows);
  double outer_work() const;   // J, of the other sides' motion
  Vec3 found_impulse() const;  // N s, on the body
  // What contacts gave the body (N s), as its momentum says, shared out in proportion to the forces that were found:
  // these are too large where neighbours had no time to give way.
  void add_impulses(const Vec3& given, std::span<Vec3> impulses) const;

 private:
  struct Point {
    std::array<std::uint32_t, 3> rows{};
    std::array<double, 3> weights{};
    std::uint32_t count = 0;
    Vec3 start = Vec3::Zero();  // of those of its vertices that move, weighted, about the origin
    PointLimit limit;           // without friction
    double friction = 0;
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
