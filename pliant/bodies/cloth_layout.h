// The elements of a sheet as the kernel wants them: by vertex, in blocks of eight that share no face and no hinge.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bodies/cloth_elements.h"
#include "pliant/bodies/cloth_kernel.h"

namespace pliant {

// Immutable. Rows: those of blocks first, then one for each pin.
class ClothLayout {
 public:
  static constexpr std::uint32_t kNoVertex = 0xffffffff;

  // `masses` in kg, infinite for pins. `hinges_apart`: none is summed into the bending matrix, so that each can have
  // a length at rest of its own.
  ClothLayout(const ClothElements& elements, std::span<const double> masses, bool hinges_apart);

  sheet::SheetArrays arrays() const;
  std::size_t row_count() const { return vertex_of_row_.size(); }
  std::size_t block_count() const { return blocks_.size(); }
  std::size_t free_rows() const { return blocks_.size() * sheet::kLanes; }  // with those of lanes without a vertex
  std::span<const std::uint32_t> vertex_of_row() const { return vertex_of_row_; }  // kNoVertex: a lane without
  std::span<const std::uint32_t> row_of_vertex() const { return row_of_vertex_; }
  std::size_t ring_slots() const { return ring_.size(); }
  std::size_t hinge_slots() const { return hinges_.size(); }
  std::size_t colours() const { return colours_; }

 private:
  friend class ClothLayoutBuilder;

  std::vector<std::uint32_t> vertex_of_row_, row_of_vertex_;
  std::vector<sheet::Block> blocks_;
  std::vector<sheet::RingSlot> ring_;
  std::vector<sheet::FarSlot> far_;
  std::vector<sheet::HingeSlot> hinges_;
  std::size_t colours_ = 0;
  float shear_ = 0;
};

}  // namespace pliant
