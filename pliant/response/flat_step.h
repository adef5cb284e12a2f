// The vertices of all bodies of a step in one row, as solvers go through them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/response/step.h"

namespace pliant {

struct FlatStep {
  explicit FlatStep(const Step& step);
  // x_t1 and v_t1 of all bodies, or of one, back to where they came from.
  void write_to(Step& step) const;
  void write_to(StepBody& body) const;

  std::size_t size() const { return x_t0.size(); }
  std::uint32_t slot(BodyId of, VertexId v) const { return first[of.index()] + v.value; }
  BodyId body_at(std::uint32_t at) const { return BodyId(body[at]); }
  bool moves_as_one(std::uint32_t at) const { return as_one[body[at]] != nullptr; }
  // The part of a row that is one body's.
  template <class T>
  std::span<T> part(std::vector<T>& row, BodyId of) const {
    return std::span(row).subspan(first[of.index()], first[of.index() + 1] - first[of.index()]);
  }
  template <class T>
  std::span<const T> part(const std::vector<T>& row, BodyId of) const {
    return std::span(row).subspan(first[of.index()], first[of.index() + 1] - first[of.index()]);
  }

  double seconds = 0;
  std::vector<std::uint32_t> first;      // by body: the slot of its vertex 0; and the end
  std::vector<std::uint32_t> body;       // by slot
  std::vector<bool> is_obstacle;         // by body: all masses infinite
  std::vector<const BodyModel*> as_one;  // by body: the model of one that moves as one, or null
  std::vector<double> inverse_mass;      // 1/kg; 0: infinite mass
  std::vector<Vec3> x_t0, x_t1, v_t1;
};

}  // namespace pliant
