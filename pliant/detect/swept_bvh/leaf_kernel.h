// Which features of one leaf may meet which of another: boxes against boxes, eight at a time, incident ones left out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pliant/detect/moving/pair_buffer.h"

namespace pliant::swept {

// Features of one kind, structure of arrays; arrays have room for eight more behind their last feature. Plain pointers
// only: this header is compiled into AVX2 files (core/simd.h).
struct FeatureArrays {
  const float* lo[3];
  const float* hi[3];
  const std::uint32_t* corner[3];  // vertices by identity; only as many as the kind has
  const std::uint32_t* id;
};

struct FeatureRange {
  std::uint32_t first;
  std::uint32_t last;
};

// A body's features.
struct LeafFeatures {
  FeatureArrays vertices;
  FeatureArrays edges;
  FeatureArrays faces;
};

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
  // Where pairs with overlapping boxes are appended, with room for all there can be. The first two may be the same.
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
