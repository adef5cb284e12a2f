// One Newton step of all vertices of a Neo-Hookean body together, by conjugate gradients without a matrix. It settles
// what sweeps over single vertices (fem_descent.h) are slow at: slivers, and motion of a stiff body as a whole.
#pragma once

#include <span>
#include <vector>

#include "pliant/bodies/fem_blocks.h"
#include "pliant/bodies/fem_contacts.h"
#include "pliant/bodies/fem_newton_kernel.h"

namespace pliant {

class FemNewton {
 public:
  FemNewton(const FemElements& elements, std::span<const double> masses);

  struct Step {
    const fem::DescentStep& kernel;
    const FemBlocks& blocks;
    std::span<const float> inverses;  // as fem::descend() gives them for all blocks
    const FemContacts& contacts;
    double noise = 0;  // J, of what rounding makes of the potential
  };
  // Moves step.kernel.moved. What touches stays where it touches, or slides there; contact forces stay what they are.
  // The step is halved until the incremental potential falls or stays the same to rounding; nothing moves if it does
  // not.
  struct Outcome {
    double way = 0;         // m, the longest of a vertex
    bool foretold = false;  // the potential fell as much as its quadratic model: another step would hardly move
  };
  // What a later correction since begin() finds nearly done, beside the first residual, it leaves.
  Outcome correct(const Step& step);
  void begin() { largest_residual_ = 0; }         // of a step
  int iterations() const { return iterations_; }  // of the last call

  // Elastic energy, J, at the start and at the end of a step.
  struct Energies {
    double start = 0, end = 0;
  };
  Energies energies(const fem::DescentStep& step) const;

 private:
  void pack(const FemElements& elements);
  fem::TetBlocks tets() const;
  void find_residual(const Step& step);
  double solve(const Step& step);  // returns how much the quadratic model falls, J; 0: there was nothing to solve
  void list_inverses(const Step& step);
  void precondition(const Step& step);
  void multiply(const Step& step);
  double potential(const Step& step) const;
  double potential_of_nodes(const Step& step) const;
  Outcome walk(const Step& step, double foretold);

  std::vector<double> masses_;  // 0: infinite
  bool pinned_ = false;         // some are
  std::size_t blocks_ = 0;
  std::vector<std::uint32_t> rows_, corners_;
  std::vector<float> gradients_, volumes_, tangent_;
  // Rows of four per node.
  std::vector<float> residual_, way_, preconditioned_, direction_, product_, pushes_;
  std::vector<float> inverse_rows_;  // of the preconditioner, three rows of four per node
  double potential_ = 0;             // J, where the residual was looked for
  int iterations_ = 0;
  double largest_residual_ = 0;  // J, in the norm of the preconditioner, squared
};

}  // namespace pliant
