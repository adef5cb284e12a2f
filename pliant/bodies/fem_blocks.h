// The vertices of tetrahedra in blocks of eight that can be moved at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bodies/fem_descent_kernel.h"
#include "pliant/bodies/fem_elements.h"

namespace pliant {

// Nodes with finite mass, coloured such that no two of one colour are in one tetrahedron; blocks follow each other
// colour by colour. Immutable.
class FemBlocks {
 public:
  FemBlocks(const FemElements& elements, std::span<const double> inverse_masses);

  std::size_t count() const { return first_slot_.size() - 1; }
  std::size_t colours() const { return colours_; }
  fem::VertexBlocks arrays() const;
  // The nodes of a block; those that are not needed equal the number of nodes.
  std::span<const std::uint32_t> nodes(std::size_t block) const {
    return std::span(nodes_).subspan(fem::kVertexLanes * block, fem::kVertexLanes);
  }
  std::uint32_t block_of(std::size_t node) const { return block_of_[node]; }  // kNone: of infinite mass
  static constexpr std::uint32_t kNone = 0xffffffff;

 private:
  struct Corner {
    std::uint32_t tet;
    std::uint32_t corner;
  };
  using Corners = std::vector<std::vector<Corner>>;
  void add_block(const FemElements& elements, const Corners& corners, std::span<const std::uint32_t> members);
  void add_slot(const FemElements& elements, const Corners& corners, std::size_t at);

  std::size_t colours_ = 0;
  std::vector<std::uint32_t> nodes_, first_slot_, rows_, others_, block_of_;
  std::vector<float> masses_, gradients_, volumes_;
};

}  // namespace pliant
