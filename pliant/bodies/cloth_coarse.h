// The second level of the cloth solver: long waves, which sweeps over single vertices hardly move, are solved for
// directly on a few hundred coarse nodes (smoothed aggregates, after P. Vanek, J. Mandel, M. Brezina, "Algebraic
// multigrid by smoothed aggregation", 1996).
//
// The matrix is that of M/h^2 + (stretch + 2 shear) sum A (a a^T + b b^T) + bending: scalar, constant, and above the
// Hessian of the elastic energy in every state, so that a correction never overshoots. In float; the same bits on every
// processor.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "pliant/bodies/cloth_elements.h"
#include "pliant/bodies/cloth_layout.h"

namespace pliant {

class ClothCoarseFactor;

class ClothCoarse {
 public:
  ClothCoarse(const ClothElements& elements, const ClothLayout& layout, std::span<const double> masses);
  ~ClothCoarse();

  std::size_t node_count() const { return node_first_.size() - 1; }
  // x -= W P^-1 W^T gradient for the step's `inertia` (cloth_kernel.h); both in rows of four floats. Stiffer than asked
  // for by up to a fifth: factors are made for some inertias only, and kept. What is kept does not change results.
  void correct(double inertia, const float* gradient, float* x);
  // Corrections leave these rows (ascending) about where they are, until release(). More than these may still be held.
  void hold(std::span<const std::uint32_t> rows);
  void release();

 private:
  struct Weight {
    std::uint32_t index;  // of a coarse node, or of a row
    float value;
  };
  struct Matrices;
  ClothCoarseFactor& factor_for(double inertia);
  Eigen::SparseMatrix<double> matrix_for(int power) const;

  double usual_inertia_;
  std::vector<std::uint32_t> row_first_, node_first_;
  std::vector<Weight> of_row_, of_node_;
  std::unique_ptr<Matrices> matrices_;
  std::list<std::unique_ptr<ClothCoarseFactor>> factors_;  // last used first
  std::vector<double> stiffness_of_row_;                   // diagonal
  std::vector<std::uint32_t> held_rows_;
  std::vector<double> held_;  // by node: what is added to its diagonal; empty: nothing
  std::unique_ptr<ClothCoarseFactor> held_factor_;
  std::vector<float> right_, left_;
};

}  // namespace pliant
