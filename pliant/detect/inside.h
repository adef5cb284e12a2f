// Whether points and whole meshes lie inside a closed surface, decided exactly.
#pragma once

#include <optional>

#include "pliant/core/budget.h"
#include "pliant/mesh/posed_mesh.h"

namespace pliant {

enum class PointSide : std::uint8_t { outside, inside, on_surface };

// What the ray from a point along x crosses (geometry/ray_crossing.h). Time: linear in the number of faces; whoever
// asks for many points of one surface has a tree for it (ClosestFace::winding).
struct SurfaceCrossings {
  bool on_surface = false;  // the point lies on a face: the others then say nothing
  std::size_t count = 0;    // of faces
  int winding = 0;
};
SurfaceCrossings surface_crossings(const PosedMesh& surface, const Vec3& point);

// A closed surface at one instant: every edge lies on two faces, after welding. Outward or inward does not matter.
class ClosedSurface {
 public:
  // Nothing for a surface that is not closed, also where vertices that are welded at rest are apart now. The mesh and
  // the positions must outlive it.
  static std::optional<ClosedSurface> make(const PosedMesh& surface);

  // Inside is where the surface winds around a point, either way. Surfaces whose faces do not all turn the same way are
  // taken by the parity of crossings instead: inside is what an odd number of faces separates from infinity. Exact.
  PointSide locate(const Vec3& point) const;

  const Vec3& low() const { return low_; }
  const Vec3& high() const { return high_; }

 private:
  ClosedSurface(const PosedMesh& surface, bool oriented);

  PosedMesh surface_;
  bool oriented_;
  Vec3 low_, high_;  // its box
};

// Whether all of `inner`, which must not meet the surface, lies inside it: then each connected component lies inside or
// outside as a whole, so one vertex of each is asked about. Nothing if the budget (its deadline or cancel flag) ended
// it.
std::optional<bool> lies_inside(const PosedMesh& inner, const ClosedSurface& surface, const Budget& budget = {});

}  // namespace pliant
