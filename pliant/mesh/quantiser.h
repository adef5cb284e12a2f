// Vector quantisation: vectors into cells by the algorithm of Linde, Buzo and Gray ("An algorithm for vector quantizer
// design", 1980), one iteration at a time, so that whoever has little time per frame can spread it over many.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/threads.h"

namespace pliant {

// How one code vector becomes two. Principal: along the direction in which its cell is longest. Multiplicative: times
// 1 + split and 1 - split, as printed by the authors; a cell whose mean is the origin, such as any closed surface
// around it, then gets two equal code vectors, of which one stays without a vector. To show that only.
enum class CellSplit : std::uint8_t { principal, multiplicative };

struct QuantiserSettings {
  CellSplit split_rule = CellSplit::principal;
  double split = 0.1;         // how far: as a fraction of the standard deviation along the direction
  double stop = 1e-3;         // a round of iterations ends when the distortion falls by less than this fraction
  int most_iterations = 100;  // in a round
  // Compare every vector with every code vector. Without it those are left out that the triangle inequality excludes:
  // the same cells in a fraction of the time.
  bool exhaustive = false;
  Threads threads;
};

namespace detail {
// Doubles the number of cells until there are as many as asked for; in the last round only the cells of largest
// distortion are split. After each doubling, iterates: vectors go to the nearest code vector (of equal ones the
// lowest), code vectors to the mean of their vectors. A cell that lost all its vectors takes the farthest vector of the
// cell of largest distortion as its code vector. Fewer cells than asked for come out where there are fewer distinct
// vectors.
//
// The same for any number of threads and on every processor.
class Quantiser {
 public:
  // `vectors`: `size` numbers each, one vector after the other; finite, of about size 1.
  Quantiser(std::vector<double> vectors, std::size_t size, std::uint32_t cells, const QuantiserSettings& settings);

  // Does one iteration (or one doubling); false when there was nothing left to do.
  bool step();
  void run() {
    while (step()) {
    }
  }
  bool finished() const { return phase_ == Phase::finished; }

  std::uint32_t cell_count() const { return static_cast<std::uint32_t>(centres_.size() / size_); }
  std::span<const std::uint32_t> cell_of_vector() const { return cell_; }
  // Once finished: how many cells had no vector and were dropped.
  std::uint32_t empty_cells() const { return empty_cells_; }
  // Mean squared distance of a vector to its code vector, per number: after every assignment, round by round.
  const std::vector<std::vector<double>>& distortions() const { return distortions_; }

 private:
  enum class Phase : std::uint8_t { split, iterate, finished };

  const double* vector(std::size_t m) const { return vectors_.data() + m * size_; }
  const double* centre(std::size_t c) const { return centres_.data() + c * size_; }
  double* centre(std::size_t c) { return centres_.data() + c * size_; }
  std::span<const std::uint32_t> members(std::size_t c) const {
    return std::span(members_).subspan(first_member_[c], first_member_[c + 1] - first_member_[c]);
  }

  void split_cells();
  void split_cell(std::uint32_t cell, std::uint32_t child);
  void iterate();
  void assign_all();
  void assign_members_pruned(std::uint32_t cell);
  void assign_members_exhaustively(std::uint32_t cell);
  void list_members();
  void move_to_means();
  void refill_empty_cells();
  double sum_distortion();
  std::vector<double> principal_direction(std::uint32_t cell, double& deviation) const;
  void finish();

  QuantiserSettings settings_;
  std::vector<double> vectors_;
  std::size_t size_;
  std::size_t count_;
  std::uint32_t wanted_;
  Phase phase_ = Phase::split;
  std::vector<double> centres_;
  std::vector<std::uint32_t> cell_;       // by vector
  std::vector<std::uint32_t> next_cell_;  // while they are assigned
  std::vector<double> distance_sq_;       // by vector, to its code vector
  std::vector<std::uint32_t> first_member_;
  std::vector<std::uint32_t> members_;  // vectors by cell, ascending within
  std::vector<double> cell_distortion_;
  std::vector<std::vector<double>> distortions_;
  std::uint32_t empty_cells_ = 0;
};
}  // namespace detail
using detail::Quantiser;

}  // namespace pliant
