// Which features of one leaf may meet which of another: boxes against boxes, eight at a time, incident ones left out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pliant/detect/moving/pair_buffer.h"

namespace pliant::swept {

inline constexpr std::uint32_t kLanes = 8;

// Eight features of one kind, lane by lane. Feature p is lane p % 8 of block p / 8: leaves may share a block.
// Everything about a feature that a test needs lies within a few cache lines. Plain data only: this header is compiled
// into AVX2 files (core/simd.h).
template <int kCorners>
struct alignas(32) FeatureBlock {
  float lo[3][kLanes];
  float hi[3][kLanes];
  std::uint32_t corner[kCorners][kLanes];  // vertices by identity
  std::uint32_t id[kLanes];
};

struct FeatureRange {
  std::uint32_t first;
  std::uint32_t last;
};

// A body's features.
struct LeafFeatures {
  const FeatureBlock<1>* vertices;
  const FeatureBlock<2>* edges;
  const FeatureBlock<3>* faces;
};

// A leaf must not have more features of one kind than fit into so many blocks, the first and last partly filled.
inline constexpr std::uint32_t kMostBlocks = 8;

// The features of one leaf, and a box that holds them all.
struct Leaf {
  FeatureRange vertices;
  FeatureRange edges;
  FeatureRange faces;
  const float* lo;
  const float* hi;
};

// Two leaves of two bodies, or of one, or one leaf.
struct LeafPair {
  const LeafFeatures* features_a;
  const LeafFeatures* features_b;
  Leaf a;
  Leaf b;
  bool one_mesh;  // leave out features with a common vertex; of two edges the smaller goes first
  bool one_leaf;  // a and b are the same: each two features once
  // Where pairs with overlapping boxes are appended, with room for all there can be
  // and seven more. The first two may be the same.
  PairBuffer* vertices_a_faces_b;
  PairBuffer* vertices_b_faces_a;
  PairBuffer* edges;
};

void append_overlapping(const LeafPair& leaves);

namespace portable {
void append_overlapping(const LeafPair& leaves);
}
namespace avx2 {
void append_overlapping(const LeafPair& leaves);
}

}  // namespace pliant::swept
