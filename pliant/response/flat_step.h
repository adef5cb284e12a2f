// The vertices of all bodies of a step in one row, as solvers go through them.
#pragma once

#include <cstdint>
#include <vector>

#include "pliant/response/step.h"

namespace pliant {

struct FlatStep {
  explicit FlatStep(const Step& step);
  // x_t1 and v_t1 back to where they came from.
  void write_to(Step& step) const;

  std::size_t size() const { return x_t0.size(); }
  std::uint32_t place(BodyId of, VertexId v) const { return first[of.index()] + v.value; }
  BodyId body_at(std::uint32_t at) const { return BodyId(body[at]); }

  double seconds = 0;
  std::vector<std::uint32_t> first;  // by body: the place of its vertex 0
  std::vector<std::uint32_t> body;   // by place
  std::vector<double> inverse_mass;  // 1/kg; 0: infinite mass
  std::vector<Vec3> x_t0, x_t1, v_t1;
};

}  // namespace pliant
