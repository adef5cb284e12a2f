#include "pliant/response/flat_step.h"

#include <algorithm>

namespace pliant {

FlatStep::FlatStep(const Step& step) : seconds(step.seconds) {
  for (const StepBody& one : step.bodies) {
    first.push_back(static_cast<std::uint32_t>(x_t0.size()));
    body.insert(body.end(), one.x_t1.size(), one.id.value);
    for (const double mass : one.masses) inverse_mass.push_back(1 / mass);
    x_t0.insert(x_t0.end(), one.x_t0.positions().begin(), one.x_t0.positions().end());
    x_t1.insert(x_t1.end(), one.x_t1.begin(), one.x_t1.end());
    v_t1.insert(v_t1.end(), one.v_t1.begin(), one.v_t1.end());
  }
}

void FlatStep::write_to(Step& step) const {
  for (std::size_t b = 0; b < step.bodies.size(); ++b) {
    StepBody& one = step.bodies[b];
    const auto begin = static_cast<std::ptrdiff_t>(first[b]);
    const auto end = begin + static_cast<std::ptrdiff_t>(one.x_t1.size());
    std::copy(x_t1.begin() + begin, x_t1.begin() + end, one.x_t1.begin());
    std::copy(v_t1.begin() + begin, v_t1.begin() + end, one.v_t1.begin());
  }
}

}  // namespace pliant
