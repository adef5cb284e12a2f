#include "pliant/bodies/cloth.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/bodies/cloth_constraints.h"
#include "pliant/bodies/pins.h"
#include "pliant/core/error.h"

namespace pliant {
namespace {

void require_fit(bool fit, const char* what) {
  if (!fit) throw Error(std::string("cloth: ") + what);
}

void require_numbers(const ClothBodySettings& s) {
  require_valid(s.material);
  require_fit(s.along.allFinite() && s.along.norm() > 0, "the direction of the threads must not be zero");
  require_fit(s.gravity.allFinite(), "gravity must be finite");
  require_fit(s.wind.allFinite(), "the wind must be finite");
  require_fit(std::isfinite(s.substep) && s.substep > 0, "the sub-step must be positive");
  require_fit(std::isfinite(s.air_density) && s.air_density >= 0, "the density of air must be 0 or more");
  require_fit(std::isfinite(s.drag) && s.drag >= 0, "the drag must be 0 or more");
  require_fit(std::isfinite(s.lift) && s.lift >= 0, "the lift must be 0 or more");
}

std::vector<double> masses_of(const TriangleMesh& mesh, const ClothBodySettings& settings) {
  require_numbers(settings);
  std::vector<double> masses(mesh.vertex_count(), 0);
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 &a = mesh.position(t[0]), &b = mesh.position(t[1]), &c = mesh.position(t[2]);
    for (const VertexId v : t) masses[v.index()] += settings.material.density * (b - a).cross(c - a).norm() / 6;
  }
  return with_pins(std::move(masses), settings.pinned);
}

}  // namespace

ClothBody::ClothBody(const MeshPtr& mesh, const ClothBodySettings& settings)
    : BodyModel(mesh, {mesh->positions().begin(), mesh->positions().end()}, masses_of(*mesh, settings)),
      settings_(settings),
      constraints_(std::make_unique<const ClothConstraints>(*mesh, settings.material, settings.along)) {}

ClothBody::~ClothBody() = default;

double ClothBody::potential_energy() const { return constraints_->energy(state().x); }
Vec3 ClothBody::gravity() const { return settings_.gravity; }

void ClothBody::set_wind(const Vec3& wind) {
  require_fit(wind.allFinite(), "the wind must be finite");
  settings_.wind = wind;
}

StepStatus ClothBody::advance(double seconds, ParticleState& next) {
  const double count = std::max(1.0, std::ceil(seconds / settings_.substep * (1 - 1e-12)));
  StepStatus status;
  if (count > 1e6) {
    status.trouble = Trouble::too_many_substeps;
    return status;
  }
  const double h = seconds / count;
  const std::span<const double> inverse = inverse_masses();
  for (status.substeps = 0; status.substeps < count; ++status.substeps) {
    accelerate(h, next);
    x_t0_ = next.x;
    for (std::size_t i = 0; i < next.x.size(); ++i) next.x[i] += h * next.v[i];
    constraints_->project({inverse, x_t0_, h}, next.x);
    for (std::size_t i = 0; i < next.x.size(); ++i)
      if (inverse[i] > 0) next.v[i] = (next.x[i] - x_t0_[i]) / h;
  }
  status.shortest_substep = h;
  return status;
}

void ClothBody::accelerate(double h, ParticleState& next) {
  if (settings_.air_density > 0) add_wind(h, next);
  for (std::size_t i = 0; i < next.v.size(); ++i)
    if (inverse_masses()[i] > 0) next.v[i] += h * (settings_.gravity + inverse_masses()[i] * external_forces()[i]);
}

void ClothBody::add_wind(double h, ParticleState& next) const {
  for (const Triangle& t : mesh()->triangles()) {
    const std::size_t i = t[0].index(), j = t[1].index(), k = t[2].index();
    const Vec3 against = settings_.wind - (next.v[i] + next.v[j] + next.v[k]) / 3;
    Vec3 normal = (next.x[j] - next.x[i]).cross(next.x[k] - next.x[i]);
    const double twice_area = std::sqrt(normal.squaredNorm()), speed = std::sqrt(against.squaredNorm());
    if (twice_area == 0 || speed == 0) continue;
    normal /= twice_area;
    const double through = normal.dot(against), sign = through < 0 ? -1 : 1;
    const Vec3 across = sign * speed * normal - (std::abs(through) / speed) * against;
    const Vec3 flow = settings_.drag * against + settings_.lift * across;
    const double rate = settings_.air_density * twice_area / 4 * std::abs(through) / 3;  // kg/s, for each corner
    for (const VertexId v : t) {
      const double inverse = inverse_masses()[v.index()];
      // Divided so that a strong wind cannot throw a light vertex beyond its own speed.
      const double share = h * rate * inverse;
      next.v[v.index()] += share / (1 + share * (settings_.drag + settings_.lift)) * flow;
    }
  }
}

}  // namespace pliant
