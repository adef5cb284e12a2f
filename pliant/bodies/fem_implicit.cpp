#include "pliant/bodies/fem_implicit.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

using Matrix3 = Eigen::Matrix3d;
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using ShapeGradients = std::array<Vec3, 4>;

// Long vectors are made of whole packets, which Eigen would add in another order than single numbers (core/vec3.h).
double fixed_dot(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  double sum = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

ShapeGradients shape_gradients(const Matrix3& inverse) {
  ShapeGradients g;
  g[0] = -inverse.colwise().sum().transpose();
  for (std::size_t i = 0; i < 3; ++i) g[i + 1] = inverse.row(static_cast<int>(i)).transpose();
  return g;
}

Matrix3 symmetric_part(const Matrix3& m) { return 0.5 * (m + m.transpose()); }

Matrix3 tensile_part(const Matrix3& stress) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(stress);
  const Vec3 tension = eigen.eigenvalues().cwiseMax(0.0);
  return eigen.eigenvectors() * tension.asDiagonal() * eigen.eigenvectors().transpose();
}

// A linear law: stress = bulk tr(e) I + 2 shear e.
struct Law {
  double bulk = 0;
  double shear = 0;
  Matrix3 stress(const Matrix3& e) const { return bulk * e.trace() * Matrix3::Identity() + 2 * shear * e; }
  double density(const Matrix3& e) const { return 0.5 * bulk * e.trace() * e.trace() + shear * e.squaredNorm(); }
  // d (f stress(sym(f^T dF)) g_a) for dF = u g_b^T, as a matrix that takes u.
  Matrix3 block(const Matrix3& f, const Matrix3& f_ft, const Vec3& g_a, const Vec3& g_b) const {
    const Vec3 fa = f * g_a, fb = f * g_b;
    return bulk * fa * fb.transpose() + shear * (fb * fa.transpose() + g_a.dot(g_b) * f_ft);
  }
};

}  // namespace

// Unknowns: three a free node, in the order of the nodes.
class FemImplicitSolver::System {
 public:
  System(const FemElements& elements, std::span<const double> inverse_masses, const FemImplicitSettings& settings)
      : elements_(elements),
        settings_(settings),
        elastic_{elements.material().lambda(), elements.material().mu()},
        viscous_{elements.material().phi, elements.material().psi} {
    for (const double inverse : inverse_masses) {
      unknown_.push_back(inverse > 0 ? unknowns_ : -1);
      if (inverse <= 0) continue;
      unknowns_ += 3;
      masses_.insert(masses_.end(), 3, 1 / inverse);
    }
    if (unknowns_ > 0) build_pattern();
  }

  StepStatus step(double h, std::span<const Vec3> accelerations, ParticleState& state) {
    h_ = h;
    start_ = state.x;
    x_ = state.x;
    inertial_ = state.x;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] += h * state.v[i];
      inertial_[i] = x_[i] + h * h * accelerations[i];
    }
    StepStatus status = minimise();
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (unknown_[i] >= 0) state.v[i] = (x_[i] - start_[i]) / h;
    state.x = x_;
    status.substeps = 1;
    status.shortest_substep = h;
    return status;
  }

 private:
  void build_pattern();
  StepStatus minimise();
  double potential(std::span<const Vec3> x) const;
  Eigen::VectorXd gradient() const;
  void assemble();
  void add_element(std::size_t t);
  bool search_along(const Eigen::VectorXd& direction, double slope);
  // Strain rate as the viscous energy sees it.
  Matrix3 lagged_rate(const Matrix3& f0, const Matrix3& f) const {
    return symmetric_part(f0.transpose() * (f - f0)) / h_;
  }
  bool is_viscous() const { return viscous_.bulk > 0 || viscous_.shear > 0; }

  const FemElements& elements_;
  FemImplicitSettings settings_;
  Law elastic_, viscous_;
  std::vector<int> unknown_;  // the first of each node, -1 for nodes that nothing moves
  int unknowns_ = 0;
  std::vector<double> masses_;  // of each unknown
  SparseMatrix matrix_;         // lower half
  // Where the columns of the block of each pair of corners begin in the matrix's values, -1 for blocks that are above
  // the diagonal or of pinned nodes.
  struct Slots {
    std::array<std::array<int, 3>, 16> column;
  };
  std::vector<Slots> slots_;
  std::vector<int> diagonal_;
  Eigen::SimplicialLDLT<SparseMatrix> cholesky_;

  double h_ = 0;
  std::vector<Vec3> start_, inertial_, x_;
};

void FemImplicitSolver::System::build_pattern() {
  std::vector<Eigen::Triplet<double>> entries;
  for (const Tet& t : elements_.tets()) {
    for (const VertexId a : t) {
      for (const VertexId b : t) {
        const int row = unknown_[a.index()], column = unknown_[b.index()];
        if (row < 0 || column < 0 || row < column) continue;
        for (int i = 0; i < 9; ++i)
          if (row + i % 3 >= column + i / 3) entries.emplace_back(row + i % 3, column + i / 3, 1.0);
      }
    }
  }
  for (int i = 0; i < unknowns_; ++i) entries.emplace_back(i, i, 1.0);
  matrix_.resize(unknowns_, unknowns_);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  matrix_.makeCompressed();
  cholesky_.analyzePattern(matrix_);

  const auto place = [&](int row, int column) {
    const int* first = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column];
    const int* last = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column + 1];
    return static_cast<int>(std::lower_bound(first, last, row) - matrix_.innerIndexPtr());
  };
  for (int i = 0; i < unknowns_; ++i) diagonal_.push_back(place(i, i));
  for (const Tet& t : elements_.tets()) {
    Slots slots;
    for (std::size_t pair = 0; pair < 16; ++pair) {
      const int row = unknown_[t[pair / 4].index()], column = unknown_[t[pair % 4].index()];
      const bool stored = row >= 0 && column >= 0 && row >= column;
      // Of a block on the diagonal only the lower half is stored: its columns begin at their diagonal entries.
      for (int c = 0; c < 3; ++c)
        slots.column[pair][static_cast<std::size_t>(c)] =
            stored ? place(row == column ? column + c : row, column + c) : -1;
    }
    slots_.push_back(slots);
  }
}

double FemImplicitSolver::System::potential(std::span<const Vec3> x) const {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (unknown_[i] >= 0)
      sum += masses_[static_cast<std::size_t>(unknown_[i])] * (x[i] - inertial_[i]).squaredNorm() / (2 * h_ * h_);
  for (std::size_t t = 0; t < elements_.tets().size(); ++t) {
    const Matrix3 f = elements_.gradient(TetId(t), x);
    double density = elastic_.density(0.5 * (f.transpose() * f - Matrix3::Identity()));
    if (is_viscous()) density += h_ * viscous_.density(lagged_rate(elements_.gradient(TetId(t), start_), f));
    sum += elements_.volume(TetId(t)) * density;
  }
  return sum;
}

Eigen::VectorXd FemImplicitSolver::System::gradient() const {
  std::vector<Vec3> sum(x_.size(), Vec3::Zero());
  for (std::size_t t = 0; t < elements_.tets().size(); ++t) {
    const Matrix3 f = elements_.gradient(TetId(t), x_);
    Matrix3 piola = f * elastic_.stress(0.5 * (f.transpose() * f - Matrix3::Identity()));
    if (is_viscous()) {
      const Matrix3 f0 = elements_.gradient(TetId(t), start_);
      piola += f0 * viscous_.stress(lagged_rate(f0, f));
    }
    const ShapeGradients g = shape_gradients(elements_.inverse(TetId(t)));
    for (std::size_t c = 0; c < 4; ++c)
      sum[elements_.tets()[t][c].index()] += elements_.volume(TetId(t)) * (piola * g[c]);
  }
  Eigen::VectorXd result(unknowns_);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    if (unknown_[i] < 0) continue;
    const double mass = masses_[static_cast<std::size_t>(unknown_[i])];
    result.segment<3>(unknown_[i]) = sum[i] + mass / (h_ * h_) * (x_[i] - inertial_[i]);
  }
  return result;
}

void FemImplicitSolver::System::add_element(std::size_t t) {
  const Matrix3 f = elements_.gradient(TetId(t), x_);
  const Matrix3 f_ft = f * f.transpose();
  const Matrix3 tension = tensile_part(elastic_.stress(0.5 * (f.transpose() * f - Matrix3::Identity())));
  const Matrix3 f0 = elements_.gradient(TetId(t), start_);
  const Matrix3 f0_f0t = f0 * f0.transpose();
  const ShapeGradients g = shape_gradients(elements_.inverse(TetId(t)));
  for (std::size_t pair = 0; pair < 16; ++pair) {
    const auto& columns = slots_[t].column[pair];
    if (columns[0] < 0) continue;
    const Vec3 &ga = g[pair / 4], &gb = g[pair % 4];
    Matrix3 block = elastic_.block(f, f_ft, ga, gb);
    block.diagonal().array() += ga.dot(tension * gb);
    if (is_viscous()) block += viscous_.block(f0, f0_f0t, ga, gb) / h_;
    block *= elements_.volume(TetId(t));
    const bool on_diagonal = pair / 4 == pair % 4;
    for (int c = 0; c < 3; ++c)
      for (int r = on_diagonal ? c : 0; r < 3; ++r)
        matrix_.valuePtr()[columns[static_cast<std::size_t>(c)] + r - (on_diagonal ? c : 0)] += block(r, c);
  }
}

void FemImplicitSolver::System::assemble() {
  std::fill(matrix_.valuePtr(), matrix_.valuePtr() + matrix_.nonZeros(), 0.0);
  for (std::size_t i = 0; i < diagonal_.size(); ++i) matrix_.valuePtr()[diagonal_[i]] = masses_[i] / (h_ * h_);
  for (std::size_t t = 0; t < elements_.tets().size(); ++t) add_element(t);
}

// Armijo's rule; true if the potential went down.
bool FemImplicitSolver::System::search_along(const Eigen::VectorXd& direction, double slope) {
  constexpr int kHalvings = 24;
  const double before = potential(x_);
  std::vector<Vec3> trial(x_.size());
  double scale = 1;
  for (int i = 0; i < kHalvings; ++i, scale /= 2) {
    for (std::size_t n = 0; n < x_.size(); ++n)
      trial[n] = unknown_[n] >= 0 ? Vec3(x_[n] + scale * direction.segment<3>(unknown_[n])) : x_[n];
    if (potential(trial) <= before + 1e-4 * scale * slope) {
      x_.swap(trial);
      return true;
    }
  }
  return false;
}

StepStatus FemImplicitSolver::System::minimise() {
  StepStatus status;
  if (unknowns_ == 0) return status;
  for (int i = 0; i < settings_.newton_steps; ++i) {
    const Eigen::VectorXd residual = gradient();
    assemble();
    cholesky_.factorize(matrix_);
    if (cholesky_.info() != Eigen::Success) {
      status.trouble = Trouble::solver_failed;
      return status;
    }
    const Eigen::VectorXd direction = -cholesky_.solve(residual);
    ++status.solver_iterations;
    if (!direction.allFinite()) {
      status.trouble = Trouble::not_finite;
      return status;
    }
    // At the minimum rounding decides whether the potential goes down: such a step is small enough to be left out.
    if (!search_along(direction, fixed_dot(residual, direction))) break;
    if (direction.lpNorm<Eigen::Infinity>() <= settings_.tolerance) break;
  }
  return status;
}

FemImplicitSolver::FemImplicitSolver(const FemElements& elements, std::span<const double> inverse_masses,
                                     const FemImplicitSettings& settings)
    : system_(std::make_unique<System>(elements, inverse_masses, settings)) {}
FemImplicitSolver::~FemImplicitSolver() = default;

StepStatus FemImplicitSolver::step(double seconds, std::span<const Vec3> accelerations, ParticleState& state) {
  return system_->step(seconds, accelerations, state);
}

}  // namespace pliant
