#include "pliant/response/sure_behind.h"

#include <algorithm>

#include "pliant/mesh/posed_mesh.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// Barycentric: what is less is on the border of a face.
constexpr double kBorder = 1e-6;
constexpr double kTimesMoved = 2;

}  // namespace

// Of all faces that the point belongs to.
Vec3 SureBehind::outward_at(const PiercedSurface& surface) const {
  const TriangleMesh& mesh = *step_.bodies[surface.body.index()].mesh;
  const std::span<const Vec3> x = flat_.part(flat_.x_t1, surface.body);
  const Triangle& corners = mesh.triangle(surface.face);
  const auto normal_of = [&](FaceId face) {
    const Triangle& t = mesh.triangle(face);
    const Vec3& a = x[t[0].index()];
    return Vec3((x[t[1].index()] - a).cross(x[t[2].index()] - a).normalized());
  };
  // Faces around one corner that have all corners which carry weight.
  std::size_t carrying = 0, one = 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (surface.weights[i] > kBorder) ++carrying, one = i;
  if (carrying == 3) return normal_of(surface.face);
  Vec3 sum = Vec3::Zero();
  for (const FaceId face : mesh.topology().faces_of_vertex(corners[one])) {
    const Triangle& t = mesh.triangle(face);
    bool has_all = true;
    for (std::size_t i = 0; i < 3; ++i)
      has_all = has_all && (surface.weights[i] <= kBorder || std::find(t.begin(), t.end(), corners[i]) != t.end());
    if (has_all) sum += normal_of(face);
  }
  return sum;
}

bool SureBehind::operator()(std::uint32_t slot, const PiercedSurface& surface, double little) {
  const Vec3 &p = flat_.x_t1[slot], way = surface.point - p;
  if (outward_at(surface).dot(way) < 0) return false;
  Vec3 came = p - flat_.x_t0[slot];
  for (std::size_t i = 0; i < 3; ++i)
    came -= surface.weights[i] * (flat_.x_t1[surface.slot[i]] - flat_.x_t0[surface.slot[i]]);
  if (way.norm() <= kTimesMoved * came.norm() + little) return true;
  const auto [known, is_new] = surfaces_.try_emplace(surface.body);
  if (is_new)
    known->second =
        ClosedSurface::make(PosedMesh(step_.bodies[surface.body.index()].mesh, flat_.part(flat_.x_t1, surface.body)));
  return !known->second || known->second->locate(p) == PointSide::inside;
}

}  // namespace pliant
