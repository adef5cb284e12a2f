#include "pliant/bodies/cloth.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/bodies/cloth_elements.h"
#include "pliant/bodies/cloth_solver.h"
#include "pliant/bodies/pins.h"
#include "pliant/core/error.h"

namespace pliant {
namespace {

// Edges that a wave goes in a sub-step, at most, and the shortest sub-step that is made of it, s: a cycle hands on
// tension from vertex to vertex, so that a sheet under more sounds too low.
constexpr double kMostEdges = 1.2, kShortestTaut = 1.0 / 3840;

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

ClothLoads loads(const ClothBodySettings& settings, std::span<const Vec3> forces,
                 std::span<const SurfaceConstraint> constraints, std::span<Vec3> impulses) {
  return {.gravity = settings.gravity,
          .forces = forces,
          .air = {settings.wind, settings.air_density, settings.drag, settings.lift},
          .constraints = constraints,
          .impulses = impulses};
}

}  // namespace

ClothBody::ClothBody(const MeshPtr& mesh, const ClothBodySettings& settings)
    : BodyModel(mesh, {mesh->positions().begin(), mesh->positions().end()}, masses_of(*mesh, settings)),
      settings_(settings),
      elements_(std::make_unique<const ClothElements>(*mesh, settings.material, settings.along)),
      solver_(std::make_unique<ClothSolver>(*elements_, node_masses(), settings.substep)) {
  settings_.substep = solver_->fitting_substep(settings.substep);
}

ClothBody::~ClothBody() = default;

double ClothBody::potential_energy() const { return elements_->energy(state().x); }
Vec3 ClothBody::gravity() const { return settings_.gravity; }

BodyCondition ClothBody::condition() const {
  const bool has_wind = settings_.air_density > 0 && settings_.wind != Vec3::Zero();
  return {
      .stretch = elements_->stretch(state().x), .stretch_limit = settings_.material.stretch_limit, .driven = has_wind};
}

void ClothBody::set_wind(const Vec3& wind) {
  require_fit(wind.allFinite(), "the wind must be finite");
  settings_.wind = wind;
}

// As long as the sheet is as taut as it is.
double ClothBody::taut_substep() const {
  const double rate = elements_->wave_rate(state().x);
  if (!(rate * settings_.substep > kMostEdges)) return settings_.substep;
  return std::min(settings_.substep, std::max(kShortestTaut, kMostEdges / rate));
}

StepStatus ClothBody::advance(double seconds, ParticleState& next) {
  return advance_constrained(seconds, {}, next, {});
}

StepStatus ClothBody::advance_constrained(double seconds, std::span<const SurfaceConstraint> constraints,
                                          ParticleState& next, std::span<Vec3> impulses) {
  const double count = std::max(1.0, std::ceil(seconds / taut_substep() * (1 - 1e-12)));
  StepStatus status;
  if (count > 1e6) {
    status.trouble = Trouble::too_many_substeps;
    return status;
  }
  status.substeps = static_cast<int>(count);
  status.shortest_substep = seconds / count;
  solver_->advance(status.shortest_substep, status.substeps, loads(settings_, external_forces(), constraints, impulses),
                   next);
  return status;
}

void ClothBody::start_rounds(double seconds, std::span<const SurfaceConstraint> constraints,
                             std::span<JointVertex> vertices) {
  solver_->join(seconds, loads(settings_, external_forces(), constraints, {}), state(), vertices);
}
void ClothBody::round(std::span<JointVertex> vertices) { solver_->round(vertices); }
bool ClothBody::in_balance(std::span<const JointVertex> vertices) { return solver_->in_balance(vertices); }

StepStatus ClothBody::finish_rounds(std::span<const JointVertex> vertices, ParticleState& next,
                                    std::span<Vec3> impulses) {
  const double seconds = solver_->leave(vertices, impulses, next);
  return {.substeps = 1, .shortest_substep = seconds, .solver_iterations = solver_->rounds()};
}

}  // namespace pliant
