#include "pliant/detect/inside.h"

#include "pliant/core/budget_poll.h"
#include "pliant/core/error.h"
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

// Empty for a closed surface whose faces all turn the same way.
std::string why_not_closed(const DefectReport& defects) {
  const auto edges = [](const auto& found, const char* what) {
    if (found.count == 0) return std::string();
    const Edge& first = found.first.front();
    return std::to_string(found.count) + what + std::to_string(first[0].value) + "-" + std::to_string(first[1].value) +
           ")";
  };
  if (defects.closed()) return {};
  std::string why = edges(defects.boundary_edges, " edges lie on one face only (the first: ");
  if (why.empty()) why = edges(defects.nonmanifold_edges, " edges lie on three faces or more (the first: ");
  if (why.empty()) why = edges(defects.flipped_edges, " edges lie on faces that look different ways (the first: ");
  return why.empty() ? "it has no faces" : why;
}

}  // namespace

std::optional<ClosedSurface> ClosedSurface::make(const PosedMesh& surface) {
  if (surface.mesh->face_count() == 0 || !welds_hold(surface)) return std::nullopt;
  const DefectReport defects = find_defects(*surface.mesh, {.places = 0, .welded = true});
  if (defects.boundary_edges.count > 0 || defects.nonmanifold_edges.count > 0) return std::nullopt;
  return ClosedSurface(surface, defects.closed());
}

ClosedSurface ClosedSurface::require(const PosedMesh& surface) {
  std::string why = why_not_closed(find_defects(*surface.mesh, {.places = 1, .welded = true}));
  if (why.empty() && !welds_hold(surface)) why = "vertices that are one at rest have come apart";
  if (!why.empty())
    throw Error(ErrorPlace{.file = surface.mesh->origin().name},
                "the mesh is not closed, so that it has no inside: " + why,
                "close it (pliant prepare), or ask for the distance of the surfaces");
  return {surface, true};
}

PointSide ClosedSurface::locate(const Vec3& point) const {
  const SurfaceCrossings found = closest_.crossings(point);
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
