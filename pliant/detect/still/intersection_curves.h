// The lines along which two surfaces cross, put together from the triangle pairs that a still method reports.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pliant/core/budget.h"
#include "pliant/detect/contact.h"
#include "pliant/mesh/posed_mesh.h"

namespace pliant {

// Pairs whose triangles are neighbours on one side and the same triangle on the other are joined.
struct IntersectionCurve {
  double length = 0;          // sum of the pairs' intersection segments; 0 where they touch in points only
  std::size_t pairs = 0;      // triangle pairs
  Vec3 point = Vec3::Zero();  // on the curve: the contact point of its first pair
};

// Longest first (of equal ones the one with the first pair). `contacts` are triangle-triangle contacts between the same
// two bodies, or within one (a and b are then the same mesh); others are left out. Nothing if the budget (its deadline
// or cancel flag) ended it.
std::optional<std::vector<IntersectionCurve>> intersection_curves(std::span<const Contact> contacts, const PosedMesh& a,
                                                                  const PosedMesh& b, const Budget& budget = {});

}  // namespace pliant
