// Contacts of a sheet inside its solver: forces on points of it, against obstacles and against the sheet itself.
//
// One cycle of descent moves a vertex by what it feels of its neighbours, which are as wrong as itself: a force that is
// found on the way says little. So whether a point holds or slides is decided before the solve, from what elastic
// forces were at the start of the sub-step, in the metric of the masses, which is exact for what moves together. What
// holds is held through the first half of the cycle; the second half may let it go.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/bodies/cloth_layout.h"
#include "pliant/bodies/point_contact.h"

namespace pliant {

// Rows are those of the layout, positions about an origin, m.
class ClothContacts {
 public:
  // `masses`: kg by free row.
  ClothContacts(const ClothLayout& layout, std::span<const double> masses) : layout_(layout), masses_(masses) {}

  // For a step of `seconds`.
  void begin(std::span<const SurfaceConstraint> constraints, double seconds);
  bool empty() const { return points_.empty(); }
  std::span<const std::uint32_t> rows() const { return touched_; }  // free rows with contacts, ascending

  // A sub-step of h that begins `time` after the start of the step.
  struct Substep {
    double h = 0, time = 0;
    const double* x = nullptr;      // lanes, m: where it starts
    std::span<const Vec3> pins;     // m, likewise, of the rows that do not move freely; where they end
    std::span<const Vec3> pins_t0;  // and where they start
    Vec3 origin = Vec3::Zero();
    const float* elastic = nullptr;  // rows: elastic force at x over the stretch stiffness, of touched rows
    double stretch = 0;              // N/m
  };
  // Decides what holds. `start`: rows where the solve begins, those of touched rows at y; moves them to where contacts
  // let them be.
  void start(const Substep& step, float* start);

  bool acts(std::size_t touched) const { return acts_[touched]; }  // a contact of this row, in this sub-step

  // Whether all that the start holds is held, or friction decides.
  void set_trial(bool trial) { trial_ = trial; }
  // Of touched rows, by index: the inverse of the Hessian, m/N; then settle().
  void set_compliance(std::size_t touched, const Eigen::Matrix3d& compliance) { compliance_[touched] = compliance; }
  void settle(std::size_t touched, float* rows);

  // For a correction of all rows at once, which takes them from `before`: the gradient (over the stretch stiffness)
  // less the forces of contacts; and what is left of the correction.
  void take_forces(float* gradient, double stretch, const float* before);
  void keep_free(float* rows) const;
  // Rows that obstacles hold, or stop hard (or push at all), ascending: known from start() on.
  std::vector<std::uint32_t> stopped_rows(bool all) const;

  double outer_work() const;  // J, in this sub-step, of obstacles that move
  bool driven() const;        // obstacles that move push
  bool pushed_from_outside() const;
  // Shares out what obstacles must have exerted together (N), beyond what was found.
  void match(const Vec3& force);
  void add_impulses(std::span<Vec3> impulses) const;  // N s, by constraint: those of this sub-step

 private:
  struct Point {
    std::array<std::uint32_t, 4> touched{};  // indices of rows(); `count` of them
    std::array<double, 4> weights{};
    std::uint32_t count = 0;
    std::uint32_t constraint = 0;
    bool is_outside = true;
    bool is_dead = false;  // it turned out not to be the contact that was foreseen
    double kept = 0;       // m, beyond the offset
    double mobility = 0;   // 1/kg: sum of weight^2 / mass
  };
  // One in a sub-step in which it comes near: what sweeps go through, close together.
  struct Acting {
    PointLimit limit;
    Vec3 force = Vec3::Zero();  // N
    std::array<std::uint32_t, 4> rows{}, touched{};
    std::array<double, 4> weights{};
    double mobility = 0;  // 1/kg
    double give = 0;      // m/N, along the normal
    std::uint32_t count = 0;
    std::uint32_t constraint = 0;
    bool holds = false, is_outside = true;
    Vec3 other_move = Vec3::Zero();  // m, in this sub-step
  };
  void list_rows();
  void list_points();
  bool comes_near(const Acting& point, const float* start) const;
  bool place_limit(Point& point, const Substep& step, Acting& placed) const;
  void solve(Acting& point, float* rows) const;
  bool solve_masses(Acting& point, float* rows) const;
  void settle_masses(float* rows);
  std::span<const std::uint32_t> points_of(std::size_t touched) const;  // that act
  Eigen::Matrix3d free_directions(std::size_t touched) const;

  const ClothLayout& layout_;
  std::span<const double> masses_;
  std::span<const SurfaceConstraint> constraints_;
  double seconds_ = 0, h_ = 0;
  bool trial_ = false;
  std::vector<Point> points_;
  std::vector<std::uint32_t> touched_;
  std::vector<Eigen::Matrix3d> compliance_;
  std::vector<Acting> acting_;               // in this sub-step
  std::vector<std::uint32_t> first_, list_;  // of each touched row: its points, by index of acting_
  std::vector<std::uint32_t> next_;          // scratch
  std::vector<Vec3> before_;
  std::vector<char> acts_;
  // Rows that obstacles push, in a correction of all rows.
  struct Kept {
    std::uint32_t row;
    Vec3 before;
    Eigen::Matrix3d free;
  };
  std::vector<Kept> pushed_;
  std::vector<std::uint32_t> index_of_row_;  // scratch
};

}  // namespace pliant
