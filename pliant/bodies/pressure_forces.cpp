#include "pliant/bodies/pressure_forces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/core/error.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

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

PressureForces::PressureForces(MeshPtr mesh, const PressureMaterial& material, bool grows)
    : mesh_(std::move(mesh)), material_(material) {
  require_numbers(material);
  require_closed(*mesh_);
  rest_volume_ = volume(mesh_->positions());
  if (!(rest_volume_ > 0))
    throw Error(ErrorPlace{.file = mesh_->origin().name}, "the surface is inside out or encloses nothing",
                "turn its faces so that they are counter-clockwise seen from outside");
  add_springs();
  if (!grows) stretch_springs();
  layout_.emplace(*mesh_, edges_, bending_, material_.damping);
}

GasSpring PressureForces::spring(VertexId a, VertexId b, double stiffness) const {
  const double length = (mesh_->position(b) - mesh_->position(a)).norm();
  if (!(length > 0))
    throw Error(ErrorPlace{.file = mesh_->origin().name,
                           .element = "vertices " + std::to_string(a.value) + " and " + std::to_string(b.value)},
                "a spring of no length", "join the two vertices");
  return {a.value, b.value, length, stiffness};
}

void PressureForces::add_springs() {
  const MeshTopology& topology = mesh_->topology();
  for (const Edge& e : topology.edges()) edges_.push_back(spring(e[0], e[1], material_.stiffness));
  for (std::size_t e = 0; e < topology.edges().size() && material_.bending_stiffness > 0; ++e) {
    const auto faces = topology.faces_of_edge(EdgeId(e));
    VertexId far[2];
    for (std::size_t side = 0; side < 2; ++side)
      for (const VertexId v : mesh_->triangle(faces[side]))
        if (v != topology.edges()[e][0] && v != topology.edges()[e][1]) far[side] = v;
    if (far[0] != far[1]) bending_.push_back(spring(far[0], far[1], material_.bending_stiffness));
  }
  damping_.assign(mesh_->vertex_count(), 0);
  for (const std::vector<GasSpring>* springs : {&edges_, &bending_})
    for (const GasSpring& s : *springs)
      for (const std::uint32_t end : {s.a, s.b}) damping_[end] += 2 * material_.damping;
}

void PressureForces::stretch_springs() {
  // Shorter ones are nearly without a length of their own; springs that are softer than that let the body grow.
  constexpr double kMost = 0.95;
  double carried = 0;
  for (const std::vector<GasSpring>* springs : {&edges_, &bending_})
    for (const GasSpring& s : *springs) carried += s.stiffness * s.length * s.length;
  const double over = 3 * std::max(0.0, material_.pressure - material_.ambient) * rest_volume_;
  const double kept = over > 0 ? 1 - std::min(kMost, over / carried) : 1;  // nothing carries it: the least
  for (std::vector<GasSpring>* springs : {&edges_, &bending_})
    for (GasSpring& s : *springs) s.length *= kept;
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

double PressureForces::excess_pressure(double volume) const {
  return gas_constant() / std::max(volume, least_volume()) - material_.ambient;
}

void PressureForces::add_forces(std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> forces) const {
  const std::vector<double> nodes = layout_->pack(x, v, std::vector<double>(x.size(), 0));
  std::vector<double> spring(layout_->node_count() * gas::kVector), gradient(spring.size());
  const double now = gas::evaluate(layout_->arrays(), nodes.data(), mean_of(x).data(), spring.data(), gradient.data());
  const double excess = excess_pressure(now);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t at = gas::kVector * layout_->node_of(i);
    forces[i] += Eigen::Map<const Vec3>(spring.data() + at) + excess * Eigen::Map<const Vec3>(gradient.data() + at);
  }
}

double PressureForces::energy(std::span<const Vec3> x) const {
  double sum = 0;
  for (const std::vector<GasSpring>* springs : {&edges_, &bending_})
    for (const GasSpring& s : *springs) {
      const double stretch = (x[s.b] - x[s.a]).norm() - s.length;
      sum += s.stiffness * stretch * stretch / 2;
    }
  const double v = volume(x), limited = std::max(v, least_volume());
  // Below the least volume the pressure stays what it was there.
  const double gas = gas_constant() * (std::log(limited / rest_volume_) + (v - limited) / limited);
  return sum - gas + material_.ambient * v;
}

OscillationBound PressureForces::bound(std::span<const Vec3> x, std::span<const double> inverse_masses) const {
  const std::vector<double> nodes = layout_->pack(x, std::vector<Vec3>(x.size(), Vec3::Zero()), inverse_masses);
  std::vector<double> spring(layout_->node_count() * gas::kVector), gradient(spring.size());
  return bound(gas::measure(layout_->arrays(), nodes.data(), mean_of(x).data(), spring.data(), gradient.data()),
               inverse_masses);
}

// Springs: sum k (d . (u_i - u_j))^2 <= sum over vertices of 2 u^T (sum k d d^T) u. Turning: d^2 V / dx_i dx_j is the
// cross product with a sixth of x_k - x_l, where k and l are the far corners of the two faces at edge i-j; and
// |x_k - x_l| <= |x_k - x_i| + |x_l - x_i|, so that each edge of i counts twice.
OscillationBound PressureForces::bound(const gas::GasSums& measured, std::span<const double> inverse_masses) const {
  const double limited = std::max(measured.volume, least_volume());
  OscillationBound result;
  result.omega_sq = measured.springs + std::abs(excess_pressure(measured.volume)) / 3 * measured.edges +
                    gas_constant() / (limited * limited) * measured.compression;
  for (std::size_t i = 0; i < inverse_masses.size(); ++i)
    result.gamma = std::max(result.gamma, damping_[i] * inverse_masses[i]);
  return result;
}

Vec3 mean_of(std::span<const Vec3> points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

}  // namespace pliant
