#include "pliant/bodies/rigid.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pliant/core/error.h"
#include "pliant/mesh/defects.h"

namespace pliant {
namespace {

// rad: more in one sub-step and the midpoint rule turns visibly too slowly.
constexpr double kLargestTurn = 0.1;

void require_solid(const TriangleMesh& mesh) {
  const ErrorPlace place{.file = mesh.origin().name};
  const DefectReport defects = find_defects(mesh);
  if (mesh.face_count() == 0 || !defects.closed())
    throw Error(place,
                "a rigid body needs a closed surface, and this one has " +
                    std::to_string(defects.boundary_edges.count) + " open, " +
                    std::to_string(defects.nonmanifold_edges.count) + " shared and " +
                    std::to_string(defects.flipped_edges.count) + " flipped edges",
                "close its holes, weld its seams and turn all faces the same way");
  if (defects.unreferenced_vertices.count > 0)
    throw Error(place, std::to_string(defects.unreferenced_vertices.count) + " vertices are on no face", "remove them");
}

double positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value)) throw Error(std::string("rigid body: the ") + what + " must be positive");
  return value;
}

// What contacts see of single vertices: each its part of the surface.
std::vector<double> shared_mass(const TriangleMesh& mesh, double mass) {
  std::vector<double> masses(mesh.vertex_count(), 0);
  double total = 0;
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 &a = mesh.position(t[0]), &b = mesh.position(t[1]), &c = mesh.position(t[2]);
    const double area = (b - a).cross(c - a).norm();
    for (const VertexId v : t) masses[v.index()] += area;
    total += 3 * area;
  }
  for (double& m : masses) m *= mass / total;
  return masses;
}

std::vector<Vec3> arms_about(const Vec3& centre, std::span<const Vec3> points) {
  std::vector<Vec3> arms(points.begin(), points.end());
  for (Vec3& arm : arms) arm -= centre;
  return arms;
}

}  // namespace

struct RigidBody::Parts {
  Parts(const TriangleMesh& mesh, const RigidSettings& s) : settings(s) {
    require_solid(mesh);
    if (!s.gravity.allFinite() || !s.velocity.allFinite() || !s.spin.allFinite())
      throw Error("rigid body: gravity, velocity or spin is not finite");
    const SolidMass solid = mass_of(mesh);
    if (!(solid.volume > 0))
      throw Error(ErrorPlace{.file = mesh.origin().name}, "the surface is inside out or encloses nothing",
                  "turn its faces so that they are counter-clockwise seen from outside");
    mass = s.mass ? positive(*s.mass, "mass") : positive(s.density, "density") * solid.volume;
    inertia = mass / solid.volume * solid.inertia;
    inverse_inertia = inertia.inverse();
    arms = arms_about(solid.centre, mesh.positions());
    fit.emplace(arms);
  }

  RigidSettings settings;
  double mass = 0;
  Eigen::Matrix3d inertia, inverse_inertia;  // about the centre of mass, along the axes of the mesh
  std::vector<Vec3> arms;                    // of the vertices, from the centre of mass
  std::optional<RigidFit> fit;
};

RigidBody::RigidBody(const MeshPtr& mesh, const RigidSettings& settings)
    : RigidBody(mesh, std::make_unique<Parts>(*mesh, settings)) {}

RigidBody::RigidBody(const MeshPtr& mesh, std::unique_ptr<Parts> parts)
    : BodyModel(mesh, {mesh->positions().begin(), mesh->positions().end()}, shared_mass(*mesh, parts->mass)),
      parts_(std::move(parts)) {
  std::vector<Vec3> v;
  for (const Vec3& arm : parts_->arms) v.push_back(parts_->settings.velocity + parts_->settings.spin.cross(arm));
  commit(mesh->positions(), v);
}

RigidBody::~RigidBody() = default;

Vec3 RigidBody::gravity() const { return parts_->settings.gravity; }

std::optional<RigidMotion> RigidBody::rigid_motion(std::span<const Vec3> x, std::span<const Vec3> v) const {
  const RigidFit::Pose pose = parts_->fit->pose(x);
  const RigidFit::Rates rates = parts_->fit->rates(pose, v);
  return RigidMotion{parts_->mass, pose.origin, pose.turn * parts_->inertia * pose.turn.transpose(), rates.velocity,
                     rates.spin};
}

double RigidBody::kinetic_energy() const {
  const RigidMotion now = *rigid_motion(positions(), velocities());
  return (now.mass * now.velocity.squaredNorm() + now.spin.dot(now.inertia * now.spin)) / 2;
}

double RigidBody::gravitational_energy() const {
  return -parts_->mass * gravity().dot(parts_->fit->pose(state().x).origin);
}

Vec3 RigidBody::momentum() const {
  const RigidMotion now = *rigid_motion(positions(), velocities());
  return now.mass * now.velocity;
}

Vec3 RigidBody::angular_momentum() const {
  const RigidMotion now = *rigid_motion(positions(), velocities());
  return now.inertia * now.spin + now.mass * now.centre.cross(now.velocity);
}

StepStatus RigidBody::advance(double seconds, ParticleState& next) {
  RigidFit::Pose pose = parts_->fit->pose(next.x);
  const RigidFit::Rates rates = parts_->fit->rates(pose, next.v);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (std::size_t i = 0; i < next.x.size(); ++i) {
    force += external_forces()[i];
    torque += (next.x[i] - pose.origin).cross(external_forces()[i]);
  }
  const Vec3 acceleration = gravity() + force / parts_->mass;
  const Vec3 velocity = rates.velocity + seconds * acceleration;
  pose.origin += seconds / 2 * (rates.velocity + velocity);

  // Half of the torque before the turn, half after it.
  Rotation rotation{pose.turn, parts_->inertia * (pose.turn.transpose() * rates.spin)};
  rotation.momentum += seconds / 2 * (rotation.turn.transpose() * torque);
  const double turn = seconds * (parts_->inverse_inertia * rotation.momentum).norm();
  const double count = std::max(1.0, std::ceil(turn / kLargestTurn));
  StepStatus status;
  if (!(count <= 1e6)) {
    status.trouble = std::isnan(count) ? Trouble::not_finite : Trouble::too_many_substeps;
    return status;
  }
  for (int k = 0; k < count; ++k) rotation = rotated(rotation, parts_->inverse_inertia, seconds / count);
  rotation.momentum += seconds / 2 * (rotation.turn.transpose() * torque);
  const Vec3 spin = rotation.turn * (parts_->inverse_inertia * rotation.momentum);
  for (std::size_t i = 0; i < next.x.size(); ++i) {
    const Vec3 arm = rotation.turn * parts_->arms[i];
    next.x[i] = pose.origin + arm;
    next.v[i] = velocity + spin.cross(arm);
  }
  status.substeps = static_cast<int>(count);
  status.shortest_substep = seconds / count;
  return status;
}

}  // namespace pliant
