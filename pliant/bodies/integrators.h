// A way to take one step of x'' = a(x, x'). It keeps its scratch memory and no other state between steps.
// `accelerate(x, v, a)` writes the acceleration of every particle into the span a.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/core/vec3.h"

namespace pliant {

// The classical Runge-Kutta method of fourth order. begin() evaluates the first stage, finish() the other three and
// takes the step: its length may be chosen in between, from what the first stage found out.
class RungeKutta4 {
 public:
  template <class Accelerate>
  void begin(const ParticleState& s, Accelerate&& accelerate) {
    first_.resize(s.x.size());
    accelerate(std::span<const Vec3>(s.x), std::span<const Vec3>(s.v), std::span<Vec3>(first_));
  }

  template <class Accelerate>
  void finish(ParticleState& s, double h, Accelerate&& accelerate) {
    stage_.x.resize(s.x.size());
    stage_.v.resize(s.x.size());
    a_.resize(s.x.size());
    sum_ = first_;
    path_ = first_;
    move_stage(s, h / 2, s.v, first_);
    evaluate(2, true, accelerate);
    move_stage(s, h / 2, stage_.v, a_);
    evaluate(2, true, accelerate);
    move_stage(s, h, stage_.v, a_);
    evaluate(1, false, accelerate);
    // The velocities of the stages are v, v + h/2 a1, v + h/2 a2, v + h a3; weighted 1, 2, 2, 1 they sum to this.
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      s.x[i] += h * (s.v[i] + (h / 6) * path_[i]);
      s.v[i] += (h / 6) * sum_[i];
    }
  }

  template <class Accelerate>
  void step(ParticleState& s, double h, Accelerate&& accelerate) {
    begin(s, accelerate);
    finish(s, h, accelerate);
  }

 private:
  void move_stage(const ParticleState& s, double h, const std::vector<Vec3>& v, const std::vector<Vec3>& a) {
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      stage_.x[i] = s.x[i] + h * v[i];  // before stage_.v changes: v may be it
      stage_.v[i] = s.v[i] + h * a[i];
    }
  }
  template <class Accelerate>
  void evaluate(double weight, bool counts_for_path, Accelerate&& accelerate) {
    accelerate(std::span<const Vec3>(stage_.x), std::span<const Vec3>(stage_.v), std::span<Vec3>(a_));
    for (std::size_t i = 0; i < a_.size(); ++i) sum_[i] += weight * a_[i];
    if (!counts_for_path) return;
    for (std::size_t i = 0; i < a_.size(); ++i) path_[i] += a_[i];
  }

  ParticleState stage_;
  std::vector<Vec3> first_, a_, sum_, path_;
};

}  // namespace pliant
