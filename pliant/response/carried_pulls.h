// Pulls on points of dense surfaces, as they move the vertices that these hang on. Internal to response/.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "pliant/response/dense_step.h"
#include "pliant/response/impact.h"
#include "pliant/response/pull.h"
#include "pliant/response/response.h"

namespace pliant {

// A dense vertex cannot be put onto a surface by itself: it hangs on three vertices of its body, which carry dozens
// of others. So all pulls are taken together: of all corrections of the bodies' vertices that bring every point at
// least as far as its pull asks, the one of least norm in the metric of the masses; and the same for velocities, with
// Coulomb friction and the restitution of the skins. Found by projected Gauss-Seidel on the multipliers of the pulls,
// in an order of their features, so that it does not matter in which order they were found. Each pushes both sides
// equally, so that momentum is kept to rounding. Where pulls contradict each other, obstacles have the last word.
//
// Points move with their vertices to first order: what they turn beyond that is what another look is for.
class CarriedPulls {
 public:
  // Changes x_t1 and v_t1 of `flat`, the rows of the bodies themselves. All outlive it.
  CarriedPulls(const DenseStep& dense, FlatStep& flat, const PullBackSettings& settings);

  // Slots of the pull are those of the dense step, with its x_t1. `most` of the pull is for all sweeps together.
  void add(const Pull& pull);
  void run(std::vector<Impact>& impacts);

 private:
  // A vertex of a body: how its pull's points move against each other when it does.
  struct End {
    std::uint32_t slot = 0;
    Eigen::Matrix3d turn;
    Vec3 rise = Vec3::Zero();  // of that, along the normal
  };
  struct One {
    Contact contact;
    Vec3 normal = Vec3::Zero();
    double lack = 0;  // m, before anything has moved
    std::size_t first = 0, count = 0;
    double mobility = 0;         // 1/kg, along the normal
    double mobility_across = 0;  // at most
    double friction = 0, restitution = 0;
    double speed = 0;            // m/s along the normal, afterwards: at least this
    double moved = 0, push = 0;  // multipliers so far
    Vec3 rub = Vec3::Zero();
    bool is_of_obstacle = false;
    bool is_particle = false;
  };
  std::span<const End> ends(const One& one) const { return std::span(ends_).subspan(one.first, one.count); }
  void add_end(One& one, std::uint32_t slot, const Eigen::Matrix3d& turn);
  void find_mobility(One& one) const;
  Vec3 velocity(const One& one) const;
  double pull_once(One& one);
  void stop_once(One& one);
  void sort();
  void solve_positions();
  void solve_velocities();
  void set_literal_velocities();
  void move_all(std::vector<Vec3>& rows);

  const DenseStep& dense_;
  FlatStep& flat_;
  const PullBackSettings& settings_;
  Nodes nodes_;
  std::vector<One> pulls_;
  std::vector<End> ends_;
  std::vector<Vec3> moved_;  // by node: of positions, then of velocities
};

}  // namespace pliant
