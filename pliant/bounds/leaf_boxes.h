// Boxes of primitives in the order of a tree's leaves, axis by axis, so that one box is tested against eight at once.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "pliant/bounds/aabb.h"
#include "pliant/core/simd.h"

namespace pliant {

// One box, every bound in all lanes.
struct SplatBox {
  std::array<simd::Float4, 3> lo;
  std::array<simd::Float4, 3> hi;

  explicit SplatBox(const Aabb& box) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float l = box.lo[axis];
      const float h = box.hi[axis];
      lo[axis] = simd::Float4{l, l, l, l};
      hi[axis] = simd::Float4{h, h, h, h};
    }
  }
};

// Structure of arrays; 24 bytes a box.
class LeafBoxes {
 public:
  static constexpr std::uint32_t kLanes = 8;

  bool empty() const { return size_ == 0; }
  void clear() { size_ = 0; }
  std::size_t bytes() const { return bounds_.size() * bounds_[0].size() * sizeof(float); }
  void resize(std::size_t size) {
    size_ = size;
    for (auto& bounds : bounds_)
      bounds.resize(size + kLanes);  // a test may read (and ignore) what is behind the last box
  }
  void set(std::size_t slot, const Aabb& box) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bounds_[axis][slot] = box.lo[axis];
      bounds_[3 + axis][slot] = box.hi[axis];
    }
  }
  Aabb operator[](std::size_t slot) const {
    return {{bounds_[0][slot], bounds_[1][slot], bounds_[2][slot]},
            {bounds_[3][slot], bounds_[4][slot], bounds_[5][slot]}};
  }

  // Of all boxes, and kLanes more: row 0 to 2 has their lower bounds x, y, z, row 3 to 5 the upper ones.
  const float* bounds(std::size_t row) const { return bounds_[row].data(); }
  float* bounds(std::size_t row) { return bounds_[row].data(); }

  // Bit k: the box at first + k overlaps `box`, for k < min(count, 8).
  unsigned overlaps(const SplatBox& box, std::uint32_t first, std::uint32_t count) const {
    const unsigned all = four_overlaps(box, first) | four_overlaps(box, first + 4) << 4;
    return count < kLanes ? all & ((1u << count) - 1) : all;
  }

 private:
  static simd::Float4 load(const float* from) {
    simd::Float4 four;
    std::memcpy(&four, from, sizeof four);
    return four;
  }
  unsigned four_overlaps(const SplatBox& box, std::uint32_t first) const {
    simd::Int4 overlap = (load(&bounds_[0][first]) <= box.hi[0]) & (box.lo[0] <= load(&bounds_[3][first]));
    overlap &= (load(&bounds_[1][first]) <= box.hi[1]) & (box.lo[1] <= load(&bounds_[4][first]));
    overlap &= (load(&bounds_[2][first]) <= box.hi[2]) & (box.lo[2] <= load(&bounds_[5][first]));
    return simd::bits(overlap);
  }

  std::size_t size_ = 0;
  std::array<std::vector<float>, 6> bounds_;
};

}  // namespace pliant
