// A step under construction, with its masses: what tests of responses answer.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "pliant/mesh/deform.h"
#include "pliant/response/step.h"

namespace pliant {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct StepBuilder {
  Step step{{}, 0.01};
  std::vector<std::unique_ptr<std::vector<double>>> masses;

  // At rest where the mesh is; every vertex has the mass.
  StepBody& add(const MeshPtr& mesh, double mass, Surface surface = {0, 0}) {
    masses.push_back(std::make_unique<std::vector<double>>(mesh->vertex_count(), mass));
    const std::vector<Vec3> x(mesh->positions().begin(), mesh->positions().end());
    step.bodies.push_back({BodyId(step.bodies.size()), mesh, *masses.back(), surface, Frame::own(x), x,
                           std::vector<Vec3>(x.size(), Vec3::Zero())});
    return step.bodies.back();
  }
  void move(StepBody& body, const Vec3& velocity) const {
    for (Vec3& x : body.x_t1) x += step.seconds * velocity;
    for (Vec3& v : body.v_t1) v += velocity;
  }
};

inline MeshPtr at(const MeshPtr& mesh, const Vec3& place) {
  return with_positions(*mesh, transformed(mesh->positions(), rigid({0, 0, 1}, 0, place)));
}

// Of what has finite mass.
inline Vec3 momentum(const StepBody& body) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < body.v_t1.size(); ++i)
    if (std::isfinite(body.masses[i])) sum += body.masses[i] * body.v_t1[i];
  return sum;
}

}  // namespace pliant
