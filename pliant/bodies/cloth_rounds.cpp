// A sub-step of a sheet that is solved together with those of other bodies.
#include <algorithm>

#include "pliant/bodies/cloth_solver.h"

namespace pliant {
namespace {

using sheet::kLanes;

constexpr int kLeastRounds = 2;  // one cycle

Vec3 row_of(const std::vector<float>& rows, std::uint32_t row) {
  const float* r = &rows[4 * std::size_t{row}];
  return {r[0], r[1], r[2]};
}
void put_row(std::vector<float>& rows, std::uint32_t row, const Vec3& value) {
  for (std::size_t k = 0; k < 3; ++k)
    rows[4 * std::size_t{row} + k] = static_cast<float>(value[static_cast<Eigen::Index>(k)]);
}

}  // namespace

void ClothSolver::join(double h, const ClothLoads& loads, const ParticleState& state, std::span<JointVertex> vertices) {
  begin(h, 1, loads, state);
  for (const JointVertex& one : vertices) {
    Joint joint;
    joint.row = layout_.row_of_vertex()[one.vertex.index()];
    joint.start = arm_of(joint.row);
    joint.compliance = h * h / masses_[joint.row] * Eigen::Matrix3d::Identity();
    joints_.push_back(joint);
    joint_index_[joint.row] = static_cast<std::uint32_t>(joints_.size());
  }
  begin_substep(h, 0, loads);
  for (Joint& joint : joints_) {
    joint.velocity = velocity_of(joint.row);
    marked_.push_back(joint.row / static_cast<std::uint32_t>(kLanes));
  }
  std::sort(marked_.begin(), marked_.end());
  marked_.erase(std::unique(marked_.begin(), marked_.end()), marked_.end());
  rounds_ = 0;
  tell(vertices);
}

// Forces, and where the vertices were pushed to. Inertia leads to where forces alone would take them.
void ClothSolver::take(std::span<const JointVertex> vertices) {
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    Joint& joint = joints_[k];
    joint.force = vertices[k].force;
    joint.free_ways = vertices[k].free_ways;
    const Vec3 v = joint.velocity + h_ / masses_[joint.row] * joint.force, inertial = joint.start + h_ * v;
    set_velocity(joint.row, v);
    for (std::size_t axis = 0; axis < 3; ++axis)
      y_[joint.row / kLanes * 3 * kLanes + axis * kLanes + joint.row % kLanes] =
          static_cast<float>(inertial[static_cast<Eigen::Index>(axis)]);
    put_row(rows_, joint.row, joint.start + vertices[k].moved);
  }
}

void ClothSolver::tell(std::span<JointVertex> vertices) const {
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    vertices[k].moved = row_of(rows_, joints_[k].row) - joints_[k].start;
    vertices[k].compliance = joints_[k].compliance;
  }
}

void ClothSolver::round(std::span<JointVertex> vertices) {
  const bool backward = rounds_ % 2 == 1;
  take(vertices);
  contacts_.set_trial(rounds_ == 0);
  if (backward) correct();
  sweep(backward);
  ++rounds_;
  tell(vertices);
}

bool ClothSolver::in_balance(std::span<const JointVertex> vertices) {
  if (rounds_ < kLeastRounds) return false;
  take(vertices);
  return find_gain() == 0;
}

double ClothSolver::leave(std::span<const JointVertex> vertices, std::span<Vec3> impulses, ParticleState& state) {
  take(vertices);
  end_substep(find_gain(), impulses);
  store(state);
  return h_;
}

// What other bodies push stands still for long waves.
void ClothSolver::hold_joints() {
  std::vector<std::uint32_t> held = contacts_.stopped_rows(bends_stiffly_);
  for (Joint& joint : joints_) {
    joint.before = row_of(rows_, joint.row);
    if (joint.force == Vec3::Zero()) continue;
    put_row(gradient_, joint.row, joint.free_ways * row_of(gradient_, joint.row));
    held.push_back(joint.row);
  }
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  coarse_.hold(held);
}

void ClothSolver::keep_joints() {
  for (const Joint& joint : joints_)
    if (joint.force != Vec3::Zero())
      put_row(rows_, joint.row, joint.before + joint.free_ways * (row_of(rows_, joint.row) - joint.before));
}

// J: what its force gives the vertex on its way, beyond what it does to its velocity alone.
double ClothSolver::given_to(const Joint& joint) const {
  const Vec3 by_force = h_ * h_ / masses_[joint.row] * joint.force;
  const Vec3 y = joint.start + h_ * joint.velocity + by_force;
  return joint.force.dot(by_force / 2 + row_of(rows_, joint.row) - y);
}

}  // namespace pliant
