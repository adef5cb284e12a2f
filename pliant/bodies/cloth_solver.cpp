#include "pliant/bodies/cloth_solver.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using sheet::kLanes;

// Of the stretch stiffness, across threads (cloth_kernel.h): without it folds jitter, with more they stick. Where
// contacts push, steps are short and more is needed.
constexpr float kFold = 0.02f, kFoldInContact = 0.05f;
constexpr double kContactStep = 1.0 / 960;  // s

std::size_t lane_place(std::size_t row, std::size_t axis) {
  return row / kLanes * 3 * kLanes + axis * kLanes + row % kLanes;
}

// Union of vertices that share an element, and which of these parts have no pin.
std::vector<std::int32_t> free_parts(const ClothElements& elements, std::span<const double> masses,
                                     std::size_t& count) {
  std::vector<std::uint32_t> parent(masses.size());
  for (std::uint32_t v = 0; v < parent.size(); ++v) parent[v] = v;
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parent[std::max(a, b)] = std::min(a, b);
  };
  for (const ClothFace& f : elements.faces()) {
    join(f.v[0], f.v[1]);
    join(f.v[0], f.v[2]);
  }
  for (const ClothHinge& h : elements.hinges())
    for (std::size_t i = 1; i < 4; ++i) join(h.v[0], h.v[i]);
  std::vector<bool> has_pin(masses.size(), false);
  for (std::uint32_t v = 0; v < parent.size(); ++v)
    if (std::isinf(masses[v])) has_pin[root(v)] = true;
  std::vector<std::int32_t> result(masses.size(), -1);
  count = 0;
  for (std::uint32_t v = 0; v < parent.size(); ++v) {
    const std::uint32_t r = root(v);
    if (has_pin[r]) continue;
    result[v] = r == v ? static_cast<std::int32_t>(count++) : result[r];  // a root comes before the rest of its part
  }
  return result;
}

// Net momentum of a part, linear and angular.
struct Momentum {
  double mass = 0;
  Vec3 linear = Vec3::Zero();  // sum m change
  Vec3 centre = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  Vec3 turn = Vec3::Zero();
};

}  // namespace

ClothSolver::ClothSolver(const ClothElements& elements, std::span<const double> masses, double longest_substep)
    : stretch_(elements.material().stretch),
      damping_(elements.material().damping),
      layout_(elements, masses, damping_ > longest_substep),
      coarse_(elements, layout_, masses) {
  const std::vector<std::int32_t> parts = free_parts(elements, masses, part_count_);
  const std::size_t rows = layout_.row_count();
  masses_.assign(rows, 0);
  part_of_row_.assign(rows, -1);
  for (std::size_t row = 0; row < layout_.free_rows(); ++row) {
    const std::uint32_t v = layout_.vertex_of_row()[row];
    if (v == ClothLayout::kNoVertex) continue;
    masses_[row] = masses[v];
    part_of_row_[row] = parts[v];
  }
  x_.assign(rows, Vec3::Zero());
  v_ = change_ = x_;
  rows_.assign(4 * rows, 0);
  gradient_ = rows_;
  y_.assign(3 * layout_.free_rows(), 0);
  lanes_v_ = lanes_air_ = y_;
  if (damping_ > longest_substep) {
    rest_faces_.assign(layout_.ring_slots() * 3 * kLanes, 0);
    rest_hinges_.assign(layout_.hinge_slots() * kLanes, 0);
  }
}

void ClothSolver::advance(double h, int count, const ClothLoads& loads, ParticleState& state) {
  load(state);
  for (int i = 0; i < count; ++i) substep(h, loads);
  store(state);
}

void ClothSolver::load(const ParticleState& state) {
  Vec3 low = Vec3::Constant(HUGE_VAL), high = -low;
  for (const Vec3& p : state.x) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  origin_ = (low + high) / 2;
  for (std::size_t row = 0; row < x_.size(); ++row) {
    const std::uint32_t v = layout_.vertex_of_row()[row];
    x_[row] = v == ClothLayout::kNoVertex ? origin_ : state.x[v];
    v_[row] = v == ClothLayout::kNoVertex ? Vec3(Vec3::Zero()) : state.v[v];
  }
}

void ClothSolver::store(ParticleState& state) const {
  for (std::size_t row = 0; row < x_.size(); ++row) {
    const std::uint32_t v = layout_.vertex_of_row()[row];
    if (v == ClothLayout::kNoVertex) continue;
    state.x[v] = x_[row];
    state.v[v] = v_[row];
  }
}

void ClothSolver::substep(double h, const ClothLoads& loads) {
  accelerate(h, loads);
  minimise(h);
  if (part_count_ > 0) keep_momentum();
  finish(h);
}

void ClothSolver::fill_rows(std::span<const Vec3> x) {
  for (std::size_t row = 0; row < x.size(); ++row)
    for (int axis = 0; axis < 3; ++axis)
      rows_[4 * row + static_cast<std::size_t>(axis)] = static_cast<float>(x[row][axis] - origin_[axis]);
}

// Velocities as they would be at the end of the sub-step without elastic forces.
void ClothSolver::accelerate(double h, const ClothLoads& loads) {
  const bool has_air = loads.air.density > 0;
  if (has_air || !rest_faces_.empty()) fill_rows(x_);
  if (has_air) {
    for (std::size_t row = 0; row < layout_.free_rows(); ++row)
      for (std::size_t axis = 0; axis < 3; ++axis)
        lanes_v_[lane_place(row, axis)] = static_cast<float>(v_[row][static_cast<Eigen::Index>(axis)]);
    const auto f = [](double value) { return static_cast<float>(value); };
    const ClothAir& air = loads.air;
    sheet::find_air(layout_.arrays(), {.x = rows_.data(),
                                       .v = lanes_v_.data(),
                                       .change = lanes_air_.data(),
                                       .wind = {f(air.wind.x()), f(air.wind.y()), f(air.wind.z())},
                                       .seconds = f(h),
                                       .density = f(air.density),
                                       .drag = f(air.drag),
                                       .lift = f(air.lift)});
  }
  for (std::size_t row = 0; row < layout_.free_rows(); ++row) {
    if (masses_[row] == 0) continue;
    v_[row] += h * (loads.gravity + loads.forces[layout_.vertex_of_row()[row]] / masses_[row]);
    if (has_air)
      v_[row] += Vec3(lanes_air_[lane_place(row, 0)], lanes_air_[lane_place(row, 1)], lanes_air_[lane_place(row, 2)]);
  }
}

void ClothSolver::minimise(double h) {
  // Backward Euler itself damps like a viscosity of h: a material gets what it has beyond that.
  const double extra = std::max(0.0, damping_ - h) / h;
  const sheet::RestLengths rest{rest_faces_.data(), rest_hinges_.data()};
  const bool is_damped = extra > 0 && !rest_faces_.empty();
  if (is_damped) sheet::find_rest(layout_.arrays(), rows_.data(), static_cast<float>(extra / (1 + extra)), rest);
  for (std::size_t row = 0; row < x_.size(); ++row) change_[row] = x_[row] + h * v_[row];
  fill_rows(change_);
  for (std::size_t row = 0; row < layout_.free_rows(); ++row)
    for (std::size_t axis = 0; axis < 3; ++axis) y_[lane_place(row, axis)] = rows_[4 * row + axis];
  const double inertia = 1 / (h * h * stretch_ * (is_damped ? 1 + extra : 1));
  const sheet::StepArrays step{.x = rows_.data(),
                               .y = y_.data(),
                               .inertia = static_cast<float>(inertia),
                               .fold = h <= kContactStep * (1 + 1e-9) ? kFoldInContact : kFold,
                               .rest = is_damped ? &rest : nullptr};
  sheet::sweep(layout_.arrays(), step, false);
  sheet::find_gradient(layout_.arrays(), step, gradient_.data());
  coarse_.correct(inertia, gradient_.data(), rows_.data());
  sheet::sweep(layout_.arrays(), step, true);
  for (std::size_t row = 0; row < layout_.free_rows(); ++row)
    for (std::size_t axis = 0; axis < 3; ++axis)
      change_[row][static_cast<Eigen::Index>(axis)] =
          static_cast<double>(rows_[4 * row + axis]) - static_cast<double>(y_[lane_place(row, axis)]);
}

// Elastic forces have no resultant and no moment, those of one cycle a little: it is taken away, as a rigid motion.
void ClothSolver::keep_momentum() {
  std::vector<Momentum> parts(part_count_);
  const auto for_rows = [&](auto&& visit) {
    for (std::size_t row = 0; row < layout_.free_rows(); ++row)
      if (part_of_row_[row] >= 0) visit(row, parts[static_cast<std::size_t>(part_of_row_[row])]);
  };
  for_rows([&](std::size_t row, Momentum& part) {
    part.mass += masses_[row];
    part.linear += masses_[row] * change_[row];
    part.centre += masses_[row] * (x_[row] - origin_);
  });
  for (Momentum& part : parts) {
    part.linear /= part.mass;
    part.centre = part.centre / part.mass + origin_;
  }
  for_rows([&](std::size_t row, Momentum& part) {
    const Vec3 arm = x_[row] - part.centre;
    part.angular += masses_[row] * arm.cross(change_[row] - part.linear);
    part.inertia += masses_[row] * (arm.squaredNorm() * Eigen::Matrix3d::Identity() - arm * arm.transpose());
  });
  for (Momentum& part : parts) part.turn = part.inertia.ldlt().solve(part.angular);
  for_rows(
      [&](std::size_t row, Momentum& part) { change_[row] -= part.linear + part.turn.cross(x_[row] - part.centre); });
}

void ClothSolver::finish(double h) {
  for (std::size_t row = 0; row < x_.size(); ++row) {
    if (masses_[row] > 0) v_[row] += change_[row] / h;
    x_[row] += h * v_[row];
  }
}

}  // namespace pliant
