#include "pliant/scene/placer.h"

#include <Eigen/Geometry>

#include "pliant/mesh/deform.h"

namespace pliant {

Placer::Placer(std::span<const Vec3> body_positions, const Placement& placement)
    : place_(rigid(placement.axis, placement.degrees * (kPi / 180), placement.position)), scale_(placement.scale) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : body_positions) box.extend(p);
  const double extent = box.isEmpty() ? 0 : box.sizes().maxCoeff();
  if (placement.fit <= 0 || extent <= 0) return;
  scale_ *= placement.fit / extent;
  origin_ = box.center();
}

std::vector<Vec3> Placer::operator()(std::span<const Vec3> positions) const {
  std::vector<Vec3> result;
  result.reserve(positions.size());
  for (const Vec3& p : positions) result.push_back((*this)(p));
  return result;
}

MeshPtr Placer::operator()(const MeshPtr& mesh) const {
  return mesh ? with_positions(*mesh, (*this)(mesh->positions())) : nullptr;
}

}  // namespace pliant
