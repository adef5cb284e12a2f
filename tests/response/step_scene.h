// A step under construction, with its masses.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "pliant/mesh/deform.h"
#include "pliant/response/step.h"

namespace pliant::testing {

constexpr double kInfiniteMass = std::numeric_limits<double>::infinity();

struct StepScene {
  Step step{{}, 0.01};
  std::vector<std::unique_ptr<std::vector<double>>> masses;

  // Stands still, every vertex with this mass.
  StepBody& add(const MeshPtr& mesh, double mass, Surface surface = {0, 0}) {
    masses.push_back(std::make_unique<std::vector<double>>(mesh->vertex_count(), mass));
    const std::vector<Vec3> x(mesh->positions().begin(), mesh->positions().end());
    step.bodies.push_back({BodyId(step.bodies.size()), mesh, *masses.back(), surface, Frame::own(x), x,
                           std::vector<Vec3>(x.size(), Vec3::Zero())});
    return step.bodies.back();
  }
};

inline MeshPtr put_at(const MeshPtr& mesh, const Vec3& place) {
  return with_positions(*mesh, transformed(mesh->positions(), rigid({0, 0, 1}, 0, place)));
}

}  // namespace pliant::testing
