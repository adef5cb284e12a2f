#include "pliant/detect/inside.h"

#include <algorithm>
#include <limits>

#include "pliant/core/budget_poll.h"
#include "pliant/core/random.h"
#include "pliant/geometry/predicates.h"
#include "pliant/geometry/segment_triangle.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

constexpr int kTries = 64;

// Welded vertices that have come apart leave a gap.
bool welds_hold(const PosedMesh& surface) {
  for (const VertexId copy : surface.mesh->weld_copies())
    if (surface.positions[copy.index()] != surface.positions[surface.mesh->welded(copy).index()]) return false;
  return true;
}

// A point beyond the box, in any direction.
Vec3 far_point(const Vec3& low, const Vec3& high, Random& random) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const auto axis = static_cast<int>(random.below(3));
  Vec3 point;
  for (int i = 0; i < 3; ++i) {
    const double extent = std::max(high[i] / 2 - low[i] / 2, std::numeric_limits<double>::min());
    const double share = random.unit();
    point[i] = low[i] + (high[i] / 2 - low[i] / 2) * 2 * share;
    if (i == axis)
      point[i] =
          std::clamp(share < 0.5 ? low[i] - extent * (1 + share) : high[i] + extent * (1 + share), -kMost, kMost);
  }
  return point;
}

bool apart(const Vec3& low, const Vec3& high, const Triangle3& t) {
  for (int i = 0; i < 3; ++i) {
    const auto [least, most] = std::minmax({t[0][i], t[1][i], t[2][i]});
    if (least > high[i] || most < low[i]) return true;
  }
  return false;
}

}  // namespace

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

ClosedSurface::Crossings ClosedSurface::crossings(const Vec3& point, const Vec3& far) const {
  Crossings found;
  const Vec3 low = point.cwiseMin(far);
  const Vec3 high = point.cwiseMax(far);
  for (const Triangle& face : surface_.mesh->triangles()) {
    const Triangle3 t{surface_.positions[face[0].index()], surface_.positions[face[1].index()],
                      surface_.positions[face[2].index()]};
    if (apart(low, high, t)) continue;
    const Relation relation = segment_triangle_relation({point, far}, t);
    if (relation == Relation::none) continue;
    if (relation == Relation::crossing) {
      ++found.count;
      found.winding += orient3d(t[0], t[1], t[2], point);
      continue;
    }
    found.unclear = true;
    if (!point_in_triangle(point, t)) continue;
    found.on_surface = true;
    break;
  }
  return found;
}

std::optional<PointPlace> ClosedSurface::locate(const Vec3& point) const {
  for (int i = 0; i < 3; ++i)
    if (point[i] < low_[i] || point[i] > high_[i]) return PointPlace::outside;
  Random random(1);
  for (int i = 0; i < kTries; ++i) {
    const Crossings found = crossings(point, far_point(low_, high_, random));
    if (found.on_surface) return PointPlace::on_surface;
    if (found.unclear) continue;
    const bool inside = oriented_ ? found.winding != 0 : found.count % 2 != 0;
    return inside ? PointPlace::inside : PointPlace::outside;
  }
  return std::nullopt;
}

std::optional<bool> lies_inside(const PosedMesh& inner, const ClosedSurface& surface, const Budget& budget) {
  BudgetPoll poll(budget, 1);
  std::vector<VertexId> asked;
  const auto components = inner.mesh->topology().component_of_face();
  for (std::size_t f = 0; f < components.size(); ++f)
    if (components[f] == asked.size()) asked.push_back(inner.mesh->triangles()[f][0]);
  for (const VertexId v : asked) {
    if (poll.spent()) return std::nullopt;
    const auto place = surface.locate(inner.positions[v.index()]);
    if (!place) return std::nullopt;
    if (*place != PointPlace::inside) return false;
  }
  return !asked.empty();
}

}  // namespace pliant
