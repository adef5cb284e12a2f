#include "pliant/geometry/ray_crossing.h"

#include "pliant/geometry/predicates.h"

namespace pliant {
namespace {

// How often the triangle, seen along x, winds around p. Edges are half-open in z, and the side of an edge is asked for
// from its lower end: so an edge counts for the one of its two faces what it takes from the other, even if p is seen on
// it.
int flat_winding(const Triangle3& t, const Vec3& p) {
  int winding = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 &from = t[i], &to = t[Triangle3::next(i)];
    const bool up = from.z() <= p.z() && p.z() < to.z();
    const bool down = to.z() <= p.z() && p.z() < from.z();
    if ((up && orient2d(from, to, p, 0) > 0) || (down && orient2d(to, from, p, 0) > 0)) winding += up ? 1 : -1;
  }
  return winding;
}

}  // namespace

int ray_crossing(const Vec3& p, const Triangle3& t) {
  const int around = flat_winding(t, p);
  // A face that looks along x and is above p has p behind it.
  return around != 0 && around * orient3d(t[0], t[1], t[2], p) > 0 ? around : 0;
}

}  // namespace pliant
