#include "pliant/detect/inside.h"

#include <algorithm>

#include "pliant/core/budget_poll.h"
#include "pliant/geometry/ray_crossing.h"
#include "pliant/geometry/segment_triangle.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// Welded vertices that have come apart leave a gap.
bool welds_hold(const PosedMesh& surface) {
  for (const VertexId copy : surface.mesh->weld_copies())
    if (surface.positions[copy.index()] != surface.positions[surface.mesh->welded(copy).index()]) return false;
  return true;
}

bool is_in_box(const Vec3& point, const Triangle3& t) {
  for (int i = 0; i < 3; ++i) {
    const auto [least, most] = std::minmax({t[0][i], t[1][i], t[2][i]});
    if (point[i] < least || point[i] > most) return false;
  }
  return true;
}

}  // namespace

SurfaceCrossings surface_crossings(const PosedMesh& surface, const Vec3& point) {
  SurfaceCrossings found;
  for (const Triangle& face : surface.mesh->triangles()) {
    const Triangle3 t{surface.positions[face[0].index()], surface.positions[face[1].index()],
                      surface.positions[face[2].index()]};
    if (is_in_box(point, t) && point_in_triangle(point, t)) return {.on_surface = true};
    const int crossing = ray_crossing(point, t);
    found.winding += crossing;
    if (crossing != 0) ++found.count;
  }
  return found;
}

std::optional<ClosedSurface> ClosedSurface::make(const PosedMesh& surface) {
  if (surface.mesh->face_count() == 0 || !welds_hold(surface)) return std::nullopt;
  const DefectReport defects = find_defects(*surface.mesh, {.places = 0, .welded = true});
  if (defects.boundary_edges.count > 0 || defects.nonmanifold_edges.count > 0) return std::nullopt;
  return ClosedSurface(surface, defects.closed());
}

ClosedSurface::ClosedSurface(const PosedMesh& surface, bool oriented) : surface_(surface), oriented_(oriented) {
  low_ = high_ = surface.positions[surface.mesh->triangles()[0][0].index()];
  for (const Triangle& t : surface.mesh->triangles())
    for (const VertexId v : t) {
      low_ = low_.cwiseMin(surface.positions[v.index()]);
      high_ = high_.cwiseMax(surface.positions[v.index()]);
    }
}

PointSide ClosedSurface::locate(const Vec3& point) const {
  for (int i = 0; i < 3; ++i)
    if (point[i] < low_[i] || point[i] > high_[i]) return PointSide::outside;
  const SurfaceCrossings found = surface_crossings(surface_, point);
  if (found.on_surface) return PointSide::on_surface;
  const bool inside = oriented_ ? found.winding != 0 : found.count % 2 != 0;
  return inside ? PointSide::inside : PointSide::outside;
}

std::optional<bool> lies_inside(const PosedMesh& inner, const ClosedSurface& surface, const Budget& budget) {
  BudgetPoll poll(budget, 1);
  std::vector<VertexId> asked;
  const auto components = inner.mesh->topology().component_of_face();
  for (std::size_t f = 0; f < components.size(); ++f)
    if (components[f] == asked.size()) asked.push_back(inner.mesh->triangles()[f][0]);
  for (const VertexId v : asked) {
    if (poll.spent()) return std::nullopt;
    if (surface.locate(inner.positions[v.index()]) != PointSide::inside) return false;
  }
  return !asked.empty();
}

}  // namespace pliant
