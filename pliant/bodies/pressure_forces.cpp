#include "pliant/bodies/pressure_forces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/bodies/spring_kernel.h"
#include "pliant/core/error.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

Vec3 mean_of(std::span<const Vec3> points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

void require_closed(const TriangleMesh& mesh) {
  const ErrorPlace place{.file = mesh.origin().name};
  const DefectReport defects = find_defects(mesh);
  if (mesh.face_count() == 0 || !defects.closed())
    throw Error(place,
                "gas needs a closed surface, and this one has " + std::to_string(defects.boundary_edges.count) +
                    " open, " + std::to_string(defects.nonmanifold_edges.count) + " shared and " +
                    std::to_string(defects.flipped_edges.count) + " flipped edges",
                "close its holes, weld its seams and turn all faces the same way");
  if (defects.unreferenced_vertices.count > 0)
    throw Error(place, std::to_string(defects.unreferenced_vertices.count) + " vertices are on no face", "remove them");
}

void require_numbers(const PressureMaterial& m) {
  const auto require = [](bool fit, const char* what) {
    if (!fit) throw Error(std::string("gas body: ") + what);
  };
  require(std::isfinite(m.density) && m.density > 0, "the density must be positive");
  require(std::isfinite(m.stiffness) && m.stiffness >= 0, "the stiffness must be 0 or more");
  require(std::isfinite(m.damping) && m.damping >= 0, "the damping must be 0 or more");
  require(std::isfinite(m.bending_stiffness) && m.bending_stiffness >= 0, "the bending stiffness must be 0 or more");
  require(std::isfinite(m.pressure) && m.pressure >= 0, "the pressure must be 0 or more");
  require(std::isfinite(m.ambient) && m.ambient >= 0, "the ambient pressure must be 0 or more");
}

}  // namespace

PressureForces::PressureForces(MeshPtr mesh, const PressureMaterial& material)
    : mesh_(std::move(mesh)), material_(material) {
  require_numbers(material);
  require_closed(*mesh_);
  rest_volume_ = volume(mesh_->positions());
  if (!(rest_volume_ > 0))
    throw Error(ErrorPlace{.file = mesh_->origin().name}, "the surface is inside out or encloses nothing",
                "turn its faces so that they are counter-clockwise seen from outside");
  add_springs();
  pack();
}

void PressureForces::add_spring(VertexId a, VertexId b, double stiffness) {
  const double length = (mesh_->position(b) - mesh_->position(a)).norm();
  if (!(length > 0))
    throw Error(ErrorPlace{.file = mesh_->origin().name,
                           .element = "vertices " + std::to_string(a.value) + " and " + std::to_string(b.value)},
                "a spring of no length", "join the two vertices");
  springs_.push_back({a.value, b.value, length, stiffness});
}

void PressureForces::add_springs() {
  const MeshTopology& topology = mesh_->topology();
  for (const Edge& e : topology.edges()) add_spring(e[0], e[1], material_.stiffness);
  if (material_.bending_stiffness == 0) return;
  for (std::size_t e = 0; e < topology.edges().size(); ++e) {
    const auto faces = topology.faces_of_edge(EdgeId(e));
    VertexId far[2];
    for (std::size_t side = 0; side < 2; ++side)
      for (const VertexId v : mesh_->triangle(faces[side]))
        if (v != topology.edges()[e][0] && v != topology.edges()[e][1]) far[side] = v;
    if (far[0] != far[1]) add_spring(far[0], far[1], material_.bending_stiffness);
  }
}

void PressureForces::pack() {
  spring_stiffness_.assign(mesh_->vertex_count(), 0);
  spring_damping_.assign(mesh_->vertex_count(), 0);
  for (const Spring& s : springs_) {
    mean_length_ += s.length / static_cast<double>(springs_.size());
    for (const std::uint32_t end : {s.a, s.b}) {
      spring_stiffness_[end] += 2 * s.stiffness;
      spring_damping_[end] += 2 * material_.damping;
    }
    packed_a_.push_back(s.a);
    packed_b_.push_back(s.b);
    packed_length_.push_back(s.length);
    packed_stiffness_.push_back(s.stiffness);
  }
  while (packed_a_.size() % springs::kLanes != 0) {
    packed_a_.push_back(0);
    packed_b_.push_back(0);
    packed_length_.push_back(1);
    packed_stiffness_.push_back(0);
  }
}

std::vector<double> PressureForces::lumped_masses() const {
  std::vector<double> masses(mesh_->vertex_count(), 0);
  for (const Triangle& t : mesh_->triangles()) {
    const Vec3 &a = mesh_->position(t[0]), &b = mesh_->position(t[1]), &c = mesh_->position(t[2]);
    const double third = material_.density * (b - a).cross(c - a).norm() / 6;
    for (const VertexId v : t) masses[v.index()] += third;
  }
  return masses;
}

double PressureForces::volume(std::span<const Vec3> x) const {
  const Vec3 origin = mean_of(x);
  double sum = 0;
  for (const Triangle& t : mesh_->triangles())
    sum += (x[t[0].index()] - origin).dot((x[t[1].index()] - origin).cross(x[t[2].index()] - origin));
  return sum / 6;
}

double PressureForces::pressure(std::span<const Vec3> x) const {
  return gas_constant() / std::max(volume(x), least_volume());
}

void PressureForces::add_forces(std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> forces) const {
  springs::add_forces({packed_a_.data(), packed_b_.data(), packed_length_.data(), packed_stiffness_.data(),
                       packed_a_.size() / springs::kLanes, material_.damping},
                      x.data()->data(), v.data()->data(), forces.data()->data());
  // One pass over the faces for both: a third of the work of asking for the pressure first.
  const VolumeAndGradient now = volume_and_gradient(x);
  const double excess = gas_constant() / std::max(now.volume, least_volume()) - material_.ambient;
  for (std::size_t i = 0; i < x.size(); ++i) forces[i] += excess * now.gradient[i];
}

double PressureForces::energy(std::span<const Vec3> x) const {
  double sum = 0;
  for (const Spring& s : springs_) {
    const double stretch = (x[s.b] - x[s.a]).norm() - s.length;
    sum += s.stiffness * stretch * stretch / 2;
  }
  const double v = volume(x), limited = std::max(v, least_volume());
  // Below the least volume the pressure stays what it was there.
  const double gas = gas_constant() * (std::log(limited / rest_volume_) + (v - limited) / limited);
  return sum - gas + material_.ambient * v;
}

PressureForces::VolumeAndGradient PressureForces::volume_and_gradient(std::span<const Vec3> x) const {
  VolumeAndGradient result{0, std::vector<Vec3>(x.size(), Vec3::Zero())};
  const Vec3 origin = mean_of(x);
  for (const Triangle& t : mesh_->triangles()) {
    const Vec3& a = x[t[0].index()];
    const Vec3 sixth = (x[t[1].index()] - a).cross(x[t[2].index()] - a) / 6;
    result.volume += (a - origin).dot(sixth);
    for (const VertexId corner : t) result.gradient[corner.index()] += sixth;
  }
  return result;
}

OscillationBound PressureForces::bound(std::span<const Vec3> x, std::span<const double> inverse_masses) const {
  std::vector<double> stiffness = spring_stiffness_;
  // d^2 V / dx_i dx_j is the cross product with a sixth of x_k - x_l, where k and l are the far corners of the two
  // faces at edge i-j; and |x_k - x_l| <= |x_k - x_i| + |x_l - x_i|. Lengths e by (e^2 / L + L) / 2, which no e is
  // above: roots took as long as all the rest.
  const double turning = std::abs(pressure(x) - material_.ambient) / 12;
  for (const Triangle& t : mesh_->triangles()) {
    const Vec3 &a = x[t[0].index()], &b = x[t[1].index()], &c = x[t[2].index()];
    const double ab = (b - a).squaredNorm() / mean_length_, bc = (c - b).squaredNorm() / mean_length_,
                 ca = (a - c).squaredNorm() / mean_length_;
    stiffness[t[0].index()] += turning * (ab + ca + 2 * mean_length_);
    stiffness[t[1].index()] += turning * (ab + bc + 2 * mean_length_);
    stiffness[t[2].index()] += turning * (bc + ca + 2 * mean_length_);
  }
  const VolumeAndGradient now = volume_and_gradient(x);
  const double limited = std::max(now.volume, least_volume());
  OscillationBound result;
  double compression = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.omega_sq = std::max(result.omega_sq, stiffness[i] * inverse_masses[i]);
    result.gamma = std::max(result.gamma, spring_damping_[i] * inverse_masses[i]);
    compression += now.gradient[i].squaredNorm() * inverse_masses[i];
  }
  result.omega_sq += gas_constant() / (limited * limited) * compression;
  return result;
}

}  // namespace pliant
