// Whether points and whole meshes lie inside a closed surface, decided exactly.
#pragma once

#include <optional>

#include "pliant/bounds/closest_face.h"
#include "pliant/core/budget.h"

namespace pliant {

enum class PointSide : std::uint8_t { outside, inside, on_surface };

// A closed surface at one instant: every edge lies on two faces, after welding. Outward or inward does not matter.
// Takes a box tree of its faces: near-linear in their number, and then little per point.
class ClosedSurface {
 public:
  // Nothing for a surface that is not closed, also where vertices that are welded at rest are apart now. The mesh and
  // the positions must outlive it.
  static std::optional<ClosedSurface> make(const PosedMesh& surface);
  // Throws Error, which says why, for a surface that is not closed or whose faces do not all turn the same way.
  static ClosedSurface require(const PosedMesh& surface);

  // Inside is where the surface winds around a point, either way. Surfaces whose faces do not all turn the same way are
  // taken by the parity of crossings instead: inside is what an odd number of faces separates from infinity. Exact.
  PointSide locate(const Vec3& point) const;

  const ClosestFace& closest() const { return closest_; }

 private:
  ClosedSurface(const PosedMesh& surface, bool oriented) : closest_(surface), oriented_(oriented) {}

  ClosestFace closest_;
  bool oriented_;
};

// Whether all of `inner`, which must not meet the surface, lies inside it: then each connected component lies inside or
// outside as a whole, so one vertex of each is asked about. Nothing if the budget (its deadline or cancel flag) ended
// it.
std::optional<bool> lies_inside(const PosedMesh& inner, const ClosedSurface& surface, const Budget& budget = {});

}  // namespace pliant
