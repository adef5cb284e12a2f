#include "pliant/response/flat_step.h"

#include <algorithm>
#include <cmath>

namespace pliant {

FlatStep::FlatStep(const Step& step) : seconds(step.seconds) {
  std::size_t count = 0;
  for (const StepBody& one : step.bodies) count += one.x_t1.size();
  body.reserve(count);
  inverse_mass.reserve(count);
  for (std::vector<Vec3>* const row : {&x_t0, &x_t1, &v_t1}) row->reserve(count);
  for (const StepBody& one : step.bodies) {
    first.push_back(static_cast<std::uint32_t>(x_t0.size()));
    body.insert(body.end(), one.x_t1.size(), one.id.value);
    as_one.push_back(one.as_one);
    for (const double mass : one.masses) inverse_mass.push_back(1 / mass);
    is_obstacle.push_back(std::all_of(one.masses.begin(), one.masses.end(), [](double m) { return std::isinf(m); }));
    x_t0.insert(x_t0.end(), one.x_t0.positions().begin(), one.x_t0.positions().end());
    x_t1.insert(x_t1.end(), one.x_t1.begin(), one.x_t1.end());
    v_t1.insert(v_t1.end(), one.v_t1.begin(), one.v_t1.end());
  }
  first.push_back(static_cast<std::uint32_t>(x_t0.size()));
}

void FlatStep::write_to(Step& step) const {
  for (StepBody& one : step.bodies) write_to(one);
}

void FlatStep::write_to(StepBody& one) const {
  const std::span<const Vec3> x = part(x_t1, one.id), v = part(v_t1, one.id);
  std::copy(x.begin(), x.end(), one.x_t1.begin());
  std::copy(v.begin(), v.end(), one.v_t1.begin());
}

}  // namespace pliant
