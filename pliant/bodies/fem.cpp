#include "pliant/bodies/fem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/bodies/fem_implicit.h"
#include "pliant/core/error.h"

namespace pliant {

struct FemBody::Nodes {
  std::vector<VertexId> vertex;  // of the tet mesh, by node
  std::vector<VertexId> node;    // by vertex; invalid for vertices on no tet

  explicit Nodes(const TetMesh& mesh) : node(mesh.vertex_count()) {
    for (const VertexId v : mesh.surface_vertices()) add(v);
    std::vector<bool> used(mesh.vertex_count(), false);
    for (const Tet& t : mesh.tets())
      for (const VertexId v : t) used[v.index()] = true;
    for (std::size_t v = 0; v < used.size(); ++v)
      if (used[v] && !node[v].valid()) add(VertexId(v));
  }

  void add(VertexId v) {
    node[v.index()] = VertexId(vertex.size());
    vertex.push_back(v);
  }
  std::vector<Vec3> positions(const TetMesh& mesh) const {
    std::vector<Vec3> result;
    for (const VertexId v : vertex) result.push_back(mesh.positions()[v.index()]);
    return result;
  }
  std::vector<Tet> tets(const TetMesh& mesh) const {
    std::vector<Tet> result(mesh.tets().begin(), mesh.tets().end());
    for (Tet& t : result)
      for (VertexId& v : t) v = node[v.index()];
    return result;
  }
  std::vector<double> masses(const FemElements& elements, std::span<const VertexId> pinned) const {
    std::vector<double> result = elements.lumped_masses(vertex.size());
    for (const VertexId v : pinned) {
      if (v.index() >= node.size() || !node[v.index()].valid())
        throw Error("pin " + std::to_string(v.value) + " is not a vertex of a tetrahedron");
      result[node[v.index()].index()] = std::numeric_limits<double>::infinity();
    }
    return result;
  }
};

FemBody::FemBody(const TetMeshPtr& mesh, const FemSettings& settings) : FemBody(mesh, settings, Nodes(*mesh)) {}

FemBody::FemBody(const TetMeshPtr& mesh, const FemSettings& settings, const Nodes& nodes)
    : FemBody(mesh, settings, nodes, FemElements(nodes.positions(*mesh), nodes.tets(*mesh), settings.material)) {}

FemBody::FemBody(const TetMeshPtr& mesh, const FemSettings& settings, const Nodes& nodes, FemElements elements)
    : BodyModel(mesh->surface(), nodes.positions(*mesh), nodes.masses(elements, settings.pinned)),
      tet_mesh_(mesh),
      settings_(settings),
      vertex_of_node_(nodes.vertex),
      elements_(std::move(elements)) {
  if (!settings.gravity.allFinite()) throw Error("gravity is not finite");
  if (settings.max_substeps < 1 || settings.newton_steps < 1 || !(settings.tolerance > 0))
    throw Error("max_substeps, newton_steps and tolerance must be positive");
}

FemBody::~FemBody() = default;

std::vector<Vec3> FemBody::tet_positions() const {
  std::vector<Vec3> result(tet_mesh_->positions().begin(), tet_mesh_->positions().end());
  for (std::size_t i = 0; i < vertex_of_node_.size(); ++i) result[vertex_of_node_[i].index()] = state().x[i];
  return result;
}

double FemBody::stable_step() const {
  std::vector<Vec3> forces(state().x.size(), Vec3::Zero());
  return elements_.stable_step(elements_.add_forces(state().x, state().v, forces));
}

StepStatus FemBody::advance(double seconds, ParticleState& next) {
  StepStatus status = settings_.integrator == FemIntegrator::runge_kutta4 ? advance_explicit(seconds, next)
                                                                          : advance_implicit(seconds, next);
  status.inverted_elements = elements_.inverted_count(next.x);
  return status;
}

StepStatus FemBody::advance_explicit(double seconds, ParticleState& next) {
  const std::span<const double> inverse = inverse_masses();
  const std::span<const Vec3> external = external_forces();
  fem::Stiffness stiffness;
  const auto accelerate = [&](std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> a) {
    std::copy(external.begin(), external.end(), a.begin());
    stiffness = elements_.add_forces(x, v, a);
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = inverse[i] > 0 ? Vec3(inverse[i] * a[i] + settings_.gravity) : Vec3(Vec3::Zero());
  };
  StepStatus status{.shortest_substep = seconds};
  for (double left = seconds; left > 0;) {
    runge_kutta_.begin(next, accelerate);
    const double count = std::ceil(left / elements_.stable_step(stiffness));
    if (!std::isfinite(count)) status.trouble = Trouble::not_finite;
    else if (status.substeps + count > settings_.max_substeps) status.trouble = Trouble::too_many_substeps;
    if (!status.ok()) return status;
    const double h = count > 1 ? left / count : left;
    runge_kutta_.finish(next, h, accelerate);
    left = count > 1 ? left - h : 0;
    ++status.substeps;
    status.shortest_substep = std::min(status.shortest_substep, h);
  }
  return status;
}

StepStatus FemBody::advance_implicit(double seconds, ParticleState& next) {
  if (!implicit_) {
    Vec3 low = tet_mesh_->positions()[0], high = low;
    for (const Vec3& p : mesh()->positions()) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    implicit_ = std::make_unique<FemImplicitSolver>(
        elements_, inverse_masses(),
        FemImplicitSettings{settings_.newton_steps, settings_.tolerance * (high - low).maxCoeff()});
  }
  std::vector<Vec3> accelerations(next.x.size());
  for (std::size_t i = 0; i < accelerations.size(); ++i)
    accelerations[i] = settings_.gravity + inverse_masses()[i] * external_forces()[i];
  return implicit_->step(seconds, accelerations, next);
}

}  // namespace pliant
