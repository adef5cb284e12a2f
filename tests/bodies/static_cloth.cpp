#include "tests/bodies/static_cloth.h"

#include <Eigen/Geometry>
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Mat3 = Eigen::Matrix3d;

// k/2 (|d| - rest)^2, its Hessian in d; made positive semidefinite unless it is to be exact.
Mat3 length_hessian(double k, const Vec3& d, double rest, bool exact) {
  const double length = d.norm();
  if (length == 0) return k * Mat3::Identity();
  const Vec3 n = d / length;
  const double across = exact ? 1 - rest / length : std::max(0.0, 1 - rest / length);
  return k * (across * Mat3::Identity() + (1 - across) * n * n.transpose());
}
Vec3 length_gradient(double k, const Vec3& d, double rest) {
  const double length = d.norm();
  return length == 0 ? Vec3(Vec3::Zero()) : Vec3(k * (1 - rest / length) * d);
}

class Newton {
 public:
  Newton(const ClothElements& elements, const ClothLoad& load) : elements_(elements), load_(load) {
    for (const double mass : load.masses) place_.push_back(std::isinf(mass) ? -1 : count_++);
  }

  StaticCloth run(std::span<const Vec3> start, double tolerance, int most_steps) {
    StaticCloth result{{start.begin(), start.end()}};
    double fade = 1e-2;  // s^2
    for (result.steps = 0;; ++result.steps) {
      const Eigen::VectorXd g = gradient(result.x);
      result.residual = g.lpNorm<Eigen::Infinity>();
      if (result.residual < tolerance || result.steps == most_steps) return result;
      const Eigen::VectorXd step = newton_step(result.x, fade, g);
      double part = 1;
      const double before = energy(result.x), slope = g.dot(step);
      std::vector<Vec3> next = moved(result.x, step, part);
      while (part > 1e-4 && energy(next) > before - 1e-4 * part * slope) next = moved(result.x, step, part /= 2);
      if (part <= 1e-4 && energy(next) > before) return result;
      result.x = std::move(next);
      fade = part == 1 ? std::min(fade * 4, 1e4) : std::max(fade / 2, 1e-3);
    }
  }

 private:
  double energy(std::span<const Vec3> x) const {
    double sum = elements_.energy(x);
    for (std::size_t v = 0; v < x.size(); ++v)
      if (place_[v] >= 0) sum -= load_.masses[v] * load_.gravity.dot(x[v]);
    return sum;
  }

  Eigen::VectorXd gradient(std::span<const Vec3> x) const {
    const std::vector<Vec3> elastic = cloth_gradient(elements_, x);
    Eigen::VectorXd result(3 * count_);
    for (std::size_t v = 0; v < x.size(); ++v)
      if (place_[v] >= 0) result.segment<3>(3 * place_[v]) = elastic[v] - load_.masses[v] * load_.gravity;
    return result;
  }

  void add(std::uint32_t v, std::uint32_t w, const Mat3& block) {
    if (place_[v] < place_[w] || place_[w] < 0) return;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) entries_.emplace_back(3 * place_[v] + i, 3 * place_[w] + j, block(i, j));
  }

  // By the exact Hessian where that is positive definite.
  Eigen::VectorXd newton_step(std::span<const Vec3> x, double fade, const Eigen::VectorXd& g) {
    if (skipped_ > 0) --skipped_;
    else if (factorise(hessian(x, fade, true)) && (ldlt_.vectorD().array() > 0).all()) return ldlt_.solve(g);
    else skipped_ = 2;  // soon it will be no better
    factorise(hessian(x, fade, false));
    return ldlt_.solve(g);
  }

  Matrix hessian(std::span<const Vec3> x, double fade, bool exact) {
    entries_.clear();
    const ClothMaterial& m = elements_.material();
    for (const ClothFace& f : elements_.faces()) {
      const Vec3 u = f.along(x), v = f.across(x);
      const Mat3 h_u = length_hessian(m.stretch * f.area, u, 1, exact);
      const Mat3 h_v = length_hessian(m.stretch * f.area, v, 1, exact);
      const double sheared = exact ? m.shear * f.area * u.dot(v) : 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 q_i = f.u_weight[i] * v + f.v_weight[i] * u;
        for (std::size_t j = 0; j < 3; ++j) {
          const Vec3 q_j = f.u_weight[j] * v + f.v_weight[j] * u;
          add(f.v[i], f.v[j],
              f.u_weight[i] * f.u_weight[j] * h_u + f.v_weight[i] * f.v_weight[j] * h_v +
                  m.shear * f.area * q_i * q_j.transpose() +
                  sheared * (f.u_weight[i] * f.v_weight[j] + f.v_weight[i] * f.u_weight[j]) * Mat3::Identity());
        }
      }
    }
    for (const ClothHinge& h : elements_.hinges()) {
      const Mat3 bend = length_hessian(h.stiffness, h.bend(x), h.rest, exact);
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) add(h.v[i], h.v[j], h.weight[i] * h.weight[j] * bend);
    }
    for (std::size_t v = 0; v < x.size(); ++v)
      add(static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v), load_.masses[v] / fade * Mat3::Identity());
    Matrix result(3 * count_, 3 * count_);
    result.setFromTriplets(entries_.begin(), entries_.end());
    return result;
  }

  bool factorise(const Matrix& hessian) {
    if (!is_analysed_) ldlt_.analyzePattern(hessian);
    is_analysed_ = true;
    ldlt_.factorize(hessian);
    return ldlt_.info() == Eigen::Success;
  }

  std::vector<Vec3> moved(std::span<const Vec3> x, const Eigen::VectorXd& step, double part) const {
    std::vector<Vec3> result(x.begin(), x.end());
    for (std::size_t v = 0; v < x.size(); ++v)
      if (place_[v] >= 0) result[v] -= part * step.segment<3>(3 * place_[v]);
    return result;
  }

  const ClothElements& elements_;
  ClothLoad load_;
  std::vector<int> place_;
  int count_ = 0;
  std::vector<Eigen::Triplet<double>> entries_;
  Eigen::SimplicialLDLT<Matrix> ldlt_;
  bool is_analysed_ = false;
  int skipped_ = 0;  // steps for which the exact Hessian need not be tried
};

}  // namespace

std::vector<Vec3> cloth_gradient(const ClothElements& elements, std::span<const Vec3> x) {
  std::vector<Vec3> result(x.size(), Vec3::Zero());
  const ClothMaterial& m = elements.material();
  for (const ClothFace& f : elements.faces()) {
    const Vec3 u = f.along(x), v = f.across(x);
    const double pull = m.shear * f.area * u.dot(v);
    const Vec3 by_u = length_gradient(m.stretch * f.area, u, 1) + pull * v;
    const Vec3 by_v = length_gradient(m.stretch * f.area, v, 1) + pull * u;
    for (std::size_t i = 0; i < 3; ++i) result[f.v[i]] += f.u_weight[i] * by_u + f.v_weight[i] * by_v;
  }
  for (const ClothHinge& h : elements.hinges()) {
    const Vec3 by_bend = length_gradient(h.stiffness, h.bend(x), h.rest);
    for (std::size_t i = 0; i < 4; ++i) result[h.v[i]] += h.weight[i] * by_bend;
  }
  return result;
}

StaticCloth static_cloth(const ClothElements& elements, const ClothLoad& load, std::span<const Vec3> start,
                         double tolerance, int most_steps) {
  return Newton(elements, load).run(start, tolerance, most_steps);
}

}  // namespace pliant
