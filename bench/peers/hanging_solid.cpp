#include "bench/peers/hanging_solid.h"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <array>

#include "pliant/core/error.h"

namespace pliant::bench {
namespace {

using Mat3 = Eigen::Matrix3d;

struct Element {
  std::array<std::size_t, 4> v;
  std::array<Vec3, 4> b;  // gradients of the shape functions at rest
  double volume;
};

Element element_of(const Tet& tet, std::span<const Vec3> x) {
  Element e{{tet[0].index(), tet[1].index(), tet[2].index(), tet[3].index()}, {}, 0};
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = x[e.v[static_cast<std::size_t>(k) + 1]] - x[e.v[0]];
  const Mat3 inverse = edges.inverse();
  for (int k = 0; k < 3; ++k) e.b[static_cast<std::size_t>(k) + 1] = inverse.row(k).transpose();
  e.b[0] = -(e.b[1] + e.b[2] + e.b[3]);
  e.volume = std::abs(edges.determinant()) / 6;
  return e;
}

Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

Mat3 cofactors(const Mat3& f) {
  Mat3 m;
  m.col(0) = f.col(1).cross(f.col(2));
  m.col(1) = f.col(2).cross(f.col(0));
  m.col(2) = f.col(0).cross(f.col(1));
  return m;
}

class HangingSolid {
 public:
  explicit HangingSolid(const SoftCase& soft)
      : mu_(soft.elastic.mu()),
        l_(soft.elastic.lambda() + soft.elastic.mu()),
        x_(soft.rest().begin(), soft.rest().end()) {
    unknown_.assign(x_.size(), 0);
    for (const VertexId v : soft.pinned) unknown_[v.index()] = -1;
    for (int& u : unknown_)
      if (u == 0) u = count_++;
    weight_.assign(x_.size(), 0);
    for (const Tet& tet : soft.solid->tets()) {
      elements_.push_back(element_of(tet, soft.rest()));
      for (const std::size_t v : elements_.back().v)
        weight_[v] += 9.81 * soft.elastic.density * elements_.back().volume / 4;
    }
  }

  // How far the farthest vertex moved.
  double newton_step() {
    gradient_ = Eigen::VectorXd::Zero(3 * count_);
    entries_.clear();
    for (const Element& e : elements_) add(e);
    for (std::size_t v = 0; v < x_.size(); ++v)
      if (unknown_[v] >= 0) gradient_[3 * unknown_[v] + 2] += weight_[v];
    Eigen::SparseMatrix<double> hessian(3 * count_, 3 * count_);
    hessian.setFromTriplets(entries_.begin(), entries_.end());
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(hessian);
    const Eigen::VectorXd way = solver.solve(gradient_);
    double farthest = 0;
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (unknown_[v] < 0) continue;
      const Vec3 move = way.segment<3>(3 * unknown_[v]);
      x_[v] -= move;
      farthest = std::max(farthest, move.norm());
    }
    return farthest;
  }

  const std::vector<Vec3>& positions() const { return x_; }

 private:
  void add(const Element& e) {
    Mat3 f = Mat3::Zero();
    for (std::size_t a = 0; a < 4; ++a) f += x_[e.v[a]] * e.b[a].transpose();
    const Mat3 cof = cofactors(f);
    const double c = l_ * (f.determinant() - 1) - mu_;
    const Mat3 stress = mu_ * f + c * cof;
    for (std::size_t a = 0; a < 4; ++a) {
      if (unknown_[e.v[a]] < 0) continue;
      gradient_.segment<3>(3 * unknown_[e.v[a]]) += e.volume * stress * e.b[a];
      for (std::size_t b = 0; b < 4; ++b) {
        if (unknown_[e.v[b]] < 0) continue;
        const Mat3 h =
            e.volume * (mu_ * e.b[a].dot(e.b[b]) * Mat3::Identity() + l_ * (cof * e.b[a]) * (cof * e.b[b]).transpose() -
                        c * cross_matrix(f * e.b[a].cross(e.b[b])));
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            entries_.emplace_back(3 * unknown_[e.v[a]] + i, 3 * unknown_[e.v[b]] + j, h(i, j));
      }
    }
  }

  double mu_, l_;
  std::vector<Vec3> x_;
  std::vector<int> unknown_;  // by vertex; -1: pinned
  int count_ = 0;
  std::vector<double> weight_;  // N
  std::vector<Element> elements_;
  Eigen::VectorXd gradient_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

std::vector<Vec3> hanging_equilibrium(const SoftCase& solid) {
  HangingSolid hanging(solid);
  constexpr int kMostSteps = 30;
  for (int step = 0; step < kMostSteps; ++step)
    if (hanging.newton_step() < 1e-12) return hanging.positions();
  throw Error("no equilibrium was found", "give a stiffer or shorter body");
}

}  // namespace pliant::bench
