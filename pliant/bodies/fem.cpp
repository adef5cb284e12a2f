#include "pliant/bodies/fem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/bodies/fem_choice.h"
#include "pliant/bodies/fem_descent.h"
#include "pliant/bodies/fem_elements.h"
#include "pliant/bodies/fem_implicit.h"
#include "pliant/bodies/integrators.h"
#include "pliant/core/error.h"
#include "pliant/geometry/extent.h"

namespace pliant {
namespace {

// Of Neo-Hookean bodies, s, and cycles in each. Longer steps damp motion and leave jelly inside out after an impact;
// one cycle a step leaves errors of some millimetres in a block of 30 cm, more than two gain little.
constexpr double kLongestFemStep = 1.0 / 480;
constexpr int kFemCycles = 2;
constexpr int kMostFemCycles = 10;  // in impacts
// Contacts between bodies move single vertices: in a step in rounds sound is to cross so many edges at most.
constexpr double kMostRoundCells = 1;

// Numbering: surface first.
struct Nodes {
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

void require_numbers(const FemSettings& settings) {
  if (!settings.gravity.allFinite()) throw Error("gravity is not finite");
  require_matching(settings);
  if (settings.max_substeps < 1 || settings.newton_steps < 1 || !(settings.tolerance > 0))
    throw Error("max_substeps, newton_steps and tolerance must be positive");
}

}  // namespace

void require_matching(const FemSettings& settings) {
  const bool paper =
      settings.integrator == FemIntegrator::runge_kutta4 || settings.integrator == FemIntegrator::backward_euler;
  if (!settings.energy) return;
  if ((*settings.energy == FemEnergy::st_venant_kirchhoff) != paper)
    throw Error(paper ? "the integrator does not go with Neo-Hookean material"
                      : "the integrator does not go with St. Venant-Kirchhoff material",
                paper ? "leave the energy out, or choose vertex_descent or conjugate_gradients"
                      : "leave the energy out, or choose runge_kutta4 or backward_euler");
}

struct FemBody::Parts {
  Parts(const TetMeshPtr& tets, const FemSettings& s)
      : tet_mesh(tets),
        settings(s),
        nodes(*tets),
        elements(nodes.positions(*tets), nodes.tets(*tets), s.material),
        masses(nodes.masses(elements, s.pinned)),
        size(extent_of(tets->surface()->positions()).largest_side()) {
    require_numbers(settings);
    const FemMeasure measured = measure(elements, kLongestFemStep);
    if (settings.integrator == FemIntegrator::automatic) settings.integrator = choose_integrator(measured);
    round_seconds = kLongestFemStep / std::max(1.0, measured.wave_cells / kMostRoundCells);
  }

  TetMeshPtr tet_mesh;
  FemSettings settings;
  Nodes nodes;
  FemElements elements;
  std::vector<double> masses;
  double size = 0;           // m, at rest
  double round_seconds = 0;  // the longest step in rounds
  RungeKutta4 runge_kutta;
  std::unique_ptr<FemImplicitSolver> implicit;
  std::unique_ptr<FemDescent> descent;
  // Of a step in rounds.
  std::vector<Vec3> accelerations;
  FemStep step;
  int rounds = 0;
};

FemBody::FemBody(const TetMeshPtr& mesh, const FemSettings& settings)
    : FemBody(std::make_unique<Parts>(mesh, settings)) {}

FemBody::FemBody(std::unique_ptr<Parts> parts)
    : BodyModel(parts->tet_mesh->surface(), parts->nodes.positions(*parts->tet_mesh), parts->masses),
      parts_(std::move(parts)) {}

FemBody::~FemBody() = default;

const TetMeshPtr& FemBody::tet_mesh() const { return parts_->tet_mesh; }

FemIntegrator FemBody::integrator() const { return parts_->settings.integrator; }
FemEnergy FemBody::energy() const {
  return integrator() == FemIntegrator::runge_kutta4 || integrator() == FemIntegrator::backward_euler
             ? FemEnergy::st_venant_kirchhoff
             : FemEnergy::neo_hookean;
}

double FemBody::potential_energy() const {
  return energy() == FemEnergy::neo_hookean ? parts_->elements.neo_hookean_energy(state().x)
                                            : parts_->elements.energy(state().x);
}
Vec3 FemBody::gravity() const { return parts_->settings.gravity; }
BodyCondition FemBody::condition() const { return {.inverted_elements = parts_->elements.inverted_count(state().x)}; }

std::vector<Vec3> FemBody::tet_positions() const {
  std::vector<Vec3> result(parts_->tet_mesh->positions().begin(), parts_->tet_mesh->positions().end());
  const std::vector<VertexId>& vertex_of_node = parts_->nodes.vertex;
  for (std::size_t i = 0; i < vertex_of_node.size(); ++i) result[vertex_of_node[i].index()] = state().x[i];
  return result;
}

double FemBody::stable_step() const {
  std::vector<Vec3> forces(state().x.size(), Vec3::Zero());
  return parts_->elements.stable_step(parts_->elements.add_forces(state().x, state().v, forces));
}

StepStatus FemBody::advance(double seconds, ParticleState& next) { return advance_constrained(seconds, {}, next, {}); }

StepStatus FemBody::advance_constrained(double seconds, std::span<const SurfaceConstraint> constraints,
                                        ParticleState& next, std::span<Vec3> impulses) {
  StepStatus status;
  switch (integrator()) {
    case FemIntegrator::runge_kutta4:
      status = advance_explicit(seconds, next);
      break;
    case FemIntegrator::backward_euler:
      status = advance_implicit(seconds, next);
      break;
    default:
      status = advance_neo_hookean(seconds, constraints, next, impulses);
      break;
  }
  status.inverted_elements = parts_->elements.inverted_count(next.x);
  return status;
}

detail::FemDescent& FemBody::descent() {
  if (!parts_->descent)
    parts_->descent =
        std::make_unique<FemDescent>(parts_->elements, parts_->nodes.positions(*parts_->tet_mesh), inverse_masses());
  return *parts_->descent;
}

double FemBody::round_seconds() const { return energy() == FemEnergy::neo_hookean ? parts_->round_seconds : 0; }

void FemBody::start_rounds(double seconds, std::span<const SurfaceConstraint> constraints,
                           std::span<JointVertex> vertices) {
  parts_->accelerations = accelerations();
  parts_->step = {seconds, parts_->accelerations, constraints, 0, {}};
  parts_->rounds = 0;
  descent().begin(parts_->step, state());
  descent().join(vertices);
}

void FemBody::round(std::span<JointVertex> vertices) {
  ++parts_->rounds;
  parts_->descent->round(vertices, integrator() == FemIntegrator::conjugate_gradients);
}

bool FemBody::in_balance(std::span<const JointVertex> vertices) {
  if (parts_->rounds < 2 * kFemCycles) return false;
  parts_->descent->take(vertices);
  return !parts_->descent->gains_energy();
}

StepStatus FemBody::finish_rounds(std::span<const JointVertex> vertices, ParticleState& next,
                                  std::span<Vec3> impulses) {
  parts_->descent->take(vertices);
  parts_->step.impulses = impulses;
  parts_->descent->finish(parts_->step, next);
  return {.substeps = 1,
          .shortest_substep = parts_->step.seconds,
          .solver_iterations = parts_->rounds,
          .inverted_elements = parts_->elements.inverted_count(next.x)};
}

// Cycles of one step; returns how many.
int FemBody::settle(FemDescent& descent) const {
  int cycles = 0;
  if (integrator() == FemIntegrator::conjugate_gradients) {
    while (++cycles < kMostFemCycles && !descent.corrected_cycle()) {
    }
  } else {
    for (; cycles < kFemCycles; ++cycles) descent.cycle();
  }
  for (; cycles < kMostFemCycles && descent.gains_energy(); ++cycles) descent.corrected_cycle();
  return cycles;
}

// Nodes are in the order of the surface first, so that constraints name them.
StepStatus FemBody::advance_neo_hookean(double seconds, std::span<const SurfaceConstraint> constraints,
                                        ParticleState& next, std::span<Vec3> impulses) {
  FemDescent& solver = descent();
  const std::vector<Vec3> a = accelerations();
  const int count = static_cast<int>(std::ceil(seconds / kLongestFemStep * (1 - 1e-9)));
  const double h = seconds / count;
  int cycles = 0;
  for (int k = 1; k <= count; ++k) {
    const FemStep step{h, a, constraints, seconds - k * h, impulses};
    solver.begin(step, next);
    cycles += settle(solver);
    solver.finish(step, next);
  }
  return {.substeps = count, .shortest_substep = h, .solver_iterations = cycles};
}

StepStatus FemBody::advance_explicit(double seconds, ParticleState& next) {
  const std::span<const double> inverse = inverse_masses();
  const std::span<const Vec3> external = external_forces();
  fem::Stiffness stiffness;
  const auto accelerate = [&](std::span<const Vec3> x, std::span<const Vec3> v, std::span<Vec3> a) {
    std::copy(external.begin(), external.end(), a.begin());
    stiffness = parts_->elements.add_forces(x, v, a);
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = inverse[i] > 0 ? Vec3(inverse[i] * a[i] + parts_->settings.gravity) : Vec3(Vec3::Zero());
  };
  StepStatus status{.shortest_substep = seconds};
  for (double left = seconds; left > 0;) {
    parts_->runge_kutta.begin(next, accelerate);
    const double count = std::ceil(left / parts_->elements.stable_step(stiffness));
    if (!std::isfinite(count)) status.trouble = Trouble::not_finite;
    else if (status.substeps + count > parts_->settings.max_substeps) status.trouble = Trouble::too_many_substeps;
    if (!status.ok()) return status;
    const double h = count > 1 ? left / count : left;
    parts_->runge_kutta.finish(next, h, accelerate);
    left = count > 1 ? left - h : 0;
    ++status.substeps;
    status.shortest_substep = std::min(status.shortest_substep, h);
  }
  return status;
}

StepStatus FemBody::advance_implicit(double seconds, ParticleState& next) {
  if (!parts_->implicit) {
    parts_->implicit = std::make_unique<FemImplicitSolver>(
        parts_->elements, inverse_masses(),
        FemImplicitSettings{parts_->settings.newton_steps, parts_->settings.tolerance * parts_->size});
  }
  return parts_->implicit->step(seconds, accelerations(), next);
}

std::vector<Vec3> FemBody::accelerations() const {
  std::vector<Vec3> result(inverse_masses().size());
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = parts_->settings.gravity + inverse_masses()[i] * external_forces()[i];
  return result;
}

}  // namespace pliant
