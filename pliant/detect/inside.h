// Whether points and whole meshes lie inside a closed surface, decided exactly.
#pragma once

#include <optional>

#include "pliant/detect/still/intersection_curves.h"

namespace pliant {

enum class PointPlace : std::uint8_t { outside, inside, on_surface };

// A closed surface at one instant: every edge lies on two faces, after welding. Outward or inward does not matter.
class ClosedSurface {
 public:
  // Nothing for a surface that is not closed, also where vertices that are welded at rest are apart now. The mesh and
  // the positions must outlive it.
  static std::optional<ClosedSurface> make(const PosedMesh& surface);

  // Counts how often the surface lies around the point, by the faces that a segment to a point far outside crosses; if
  // that segment meets a corner or an edge, another one is tried. Surfaces whose faces do not all turn the same way are
  // taken by the parity of crossings instead: inside is what an odd number separates from infinity.
  //
  // Exact. Nothing if 64 segments all met corners or edges, which only contrived coordinates bring about. Time: linear
  // in the number of faces.
  std::optional<PointPlace> locate(const Vec3& point) const;

  const Vec3& low() const { return low_; }
  const Vec3& high() const { return high_; }

 private:
  ClosedSurface(const PosedMesh& surface, bool oriented);

  struct Crossings {
    bool on_surface = false;
    bool unclear = false;  // it met a corner or an edge
    int count = 0;
    int winding = 0;
  };
  Crossings crossings(const Vec3& point, const Vec3& far) const;

  PosedMesh surface_;
  bool oriented_;
  Vec3 low_, high_;  // its box
};

// Whether all of `inner`, which must not meet the surface, lies inside it: then each connected part lies inside or
// outside as a whole, so one vertex of each is asked about. Nothing if a part could not be decided, or the budget (its
// deadline or cancel flag) ended it.
std::optional<bool> lies_inside(const PosedMesh& inner, const ClosedSurface& surface, const Budget& budget = {});

}  // namespace pliant
