// The kernel of leaf_kernel.h, compiled for each target.
#pragma once

#include "pliant/core/simd.h"
#include "pliant/detect/moving/leaf_kernel.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::swept::PLIANT_SIMD_TARGET {
namespace {

using simd::Float8;
using simd::Index8;
using simd::Mask8;

struct Box {
  Float8 lo[3];
  Float8 hi[3];
};

// Lanes of the block that overlap the box.
template <int kCorners>
PLIANT_SIMD_INLINE unsigned overlap(const FeatureBlock<kCorners>& block, const Box& box) {
  Mask8 all = (simd::load(block.hi[0]) >= box.lo[0]) & (box.hi[0] >= simd::load(block.lo[0]));
  for (int i = 1; i < 3; ++i)
    all = all & (simd::load(block.hi[i]) >= box.lo[i]) & (box.hi[i] >= simd::load(block.lo[i]));
  return simd::bits(all);
}

// Lanes of block `b` that hold features of the range.
PLIANT_SIMD_INLINE unsigned lanes_within(FeatureRange range, std::uint32_t b) {
  const std::uint32_t begin = b * kLanes;
  const unsigned from = range.first > begin ? 0xffu << (range.first - begin) : 0xffu;
  const unsigned to = range.last - begin < kLanes ? (1u << (range.last - begin)) - 1 : 0xffu;
  return from & to;
}

PLIANT_SIMD_INLINE std::uint32_t lowest(unsigned lanes) { return static_cast<std::uint32_t>(__builtin_ctz(lanes)); }

PLIANT_SIMD_INLINE Box leaf_box(const Leaf& leaf) {
  Box box;
  for (int i = 0; i < 3; ++i) {
    box.lo[i] = leaf.lo[i];
    box.hi[i] = leaf.hi[i];
  }
  return box;
}

template <int kCorners>
PLIANT_SIMD_INLINE Box feature_box(const FeatureBlock<kCorners>& block, std::uint32_t lane) {
  Box box;
  for (int i = 0; i < 3; ++i) {
    box.lo[i] = block.lo[i][lane];
    box.hi[i] = block.hi[i][lane];
  }
  return box;
}

// The blocks of a range that hold features near the box of the other leaf, and which they are.
template <int kCorners>
struct NearBlocks {
  const FeatureBlock<kCorners>* block[kMostBlocks];
  unsigned lanes[kMostBlocks];
  std::uint32_t count = 0;

  PLIANT_SIMD_INLINE NearBlocks(const FeatureBlock<kCorners>* blocks, FeatureRange range, const Leaf& other) {
    const Box box = leaf_box(other);
    for (std::uint32_t b = range.first / kLanes; b * kLanes < range.last; ++b) {
      const unsigned near = overlap(blocks[b], box) & lanes_within(range, b);
      block[count] = blocks + b;
      lanes[count] = near;
      count += near != 0 ? 1 : 0;
    }
  }
};

// Appends pairs of one feature with the lanes that are set.
struct PairLanes {
  Index8 corner[4];
  Index8 feature[2];
};
PLIANT_SIMD_INLINE void append(unsigned lanes, const PairLanes& pairs, PairBuffer& out) {
  const simd::Compressor compressor(lanes);
  const auto& c = pairs.corner;
  compressor.write(c[0], c[1], c[2], c[3], out.corners + out.count);
  compressor.write(pairs.feature[0], pairs.feature[1], out.features + out.count);
  out.count += static_cast<std::size_t>(__builtin_popcount(lanes));
}

struct Side {
  const LeafFeatures& features;
  const Leaf& leaf;
};

// Buffers are taken by value and their new count returned: as long as nobody else can see them, they stay in registers.
std::size_t vertices_against_faces(Side a, Side b, bool one_mesh, PairBuffer out) {
  const NearBlocks<1> vertices(a.features.vertices, a.leaf.vertices, b.leaf);
  if (vertices.count == 0) return out.count;
  const NearBlocks<3> faces(b.features.faces, b.leaf.faces, a.leaf);
  for (std::uint32_t k = 0; k < vertices.count; ++k) {
    for (unsigned near = vertices.lanes[k]; near != 0; near &= near - 1) {
      const std::uint32_t i = lowest(near);
      const Box box = feature_box(*vertices.block[k], i);
      const Index8 v(vertices.block[k]->corner[0][i]), id(vertices.block[k]->id[i]);
      for (std::uint32_t m = 0; m < faces.count; ++m) {
        const FeatureBlock<3>& block = *faces.block[m];
        unsigned met = overlap(block, box) & faces.lanes[m];
        if (met == 0) continue;
        const Index8 f0 = simd::load(block.corner[0]), f1 = simd::load(block.corner[1]),
                     f2 = simd::load(block.corner[2]);
        if (one_mesh) met &= ~simd::bits((f0 == v) | (f1 == v) | (f2 == v));
        if (met != 0) append(met, {{v, f0, f1, f2}, {id, simd::load(block.id)}}, out);
      }
    }
  }
  return out.count;
}

// The edges of one leaf that are near another, side by side.
struct NearEdges {
  static constexpr std::uint32_t kMost = (kMostBlocks + 1) * kLanes;
  float lo[3][kMost];
  float hi[3][kMost];
  std::uint32_t end[2][kMost];
  std::uint32_t id[kMost];
  std::uint32_t count = 0;

  PLIANT_SIMD_INLINE NearEdges(const FeatureBlock<2>* blocks, FeatureRange range, const Leaf& other) {
    const Box box = leaf_box(other);
    for (std::uint32_t b = range.first / kLanes; b * kLanes < range.last; ++b) {
      const unsigned near = overlap(blocks[b], box) & lanes_within(range, b);
      if (near != 0) add(blocks[b], near);
    }
  }

  PLIANT_SIMD_INLINE void add(const FeatureBlock<2>& block, unsigned lanes) {
    const simd::Compressor compressor(lanes);
    for (int i = 0; i < 3; ++i) {
      compressor.write(simd::load(block.lo[i]), lo[i] + count);
      compressor.write(simd::load(block.hi[i]), hi[i] + count);
    }
    for (int i = 0; i < 2; ++i) compressor.write(simd::load(block.corner[i]), end[i] + count);
    compressor.write(simd::load(block.id), id + count);
    count += static_cast<std::uint32_t>(__builtin_popcount(lanes));
  }

  // Those of the eight from `at` on, if there are so many, that overlap edge i of `other`, and share no vertex with it
  // if all are of one mesh.
  PLIANT_SIMD_INLINE unsigned meeting(std::uint32_t at, const NearEdges& other, std::uint32_t i, bool one_mesh) const {
    Mask8 all = (simd::load(hi[0] + at) >= Float8(other.lo[0][i])) & (Float8(other.hi[0][i]) >= simd::load(lo[0] + at));
    for (int k = 1; k < 3; ++k)
      all =
          all & (simd::load(hi[k] + at) >= Float8(other.lo[k][i])) & (Float8(other.hi[k][i]) >= simd::load(lo[k] + at));
    unsigned met = simd::bits(all) & (count - at >= kLanes ? 0xffu : (1u << (count - at)) - 1);
    if (one_mesh) {
      const Index8 e0(other.end[0][i]), e1(other.end[1][i]);
      const Index8 b0 = simd::load(end[0] + at), b1 = simd::load(end[1] + at);
      met &= ~simd::bits((b0 == e0) | (b0 == e1) | (b1 == e0) | (b1 == e1));
    }
    return met;
  }
};

// Edge i of `a` with edges of `b` from `at` on; of edges of one mesh the smaller goes first.
PLIANT_SIMD_INLINE void append_edges(unsigned lanes, const NearEdges& a, std::uint32_t i, const NearEdges& b,
                                     std::uint32_t at, bool one_mesh, PairBuffer& out) {
  const Index8 a0(a.end[0][i]), a1(a.end[1][i]), id_a(a.id[i]);
  const Index8 b0 = simd::load(b.end[0] + at), b1 = simd::load(b.end[1] + at), id_b = simd::load(b.id + at);
  if (!one_mesh) {
    append(lanes, {{a0, a1, b0, b1}, {id_a, id_b}}, out);
    return;
  }
  const Mask8 swap = id_b < id_a;
  append(
      lanes,
      {{simd::select(swap, b0, a0), simd::select(swap, b1, a1), simd::select(swap, a0, b0), simd::select(swap, a1, b1)},
       {simd::select(swap, id_b, id_a), simd::select(swap, id_a, id_b)}},
      out);
}

std::size_t edges_against_edges(Side a, Side b, bool one_mesh, PairBuffer out) {
  const NearEdges edges_a(a.features.edges, a.leaf.edges, b.leaf);
  if (edges_a.count == 0) return out.count;
  const NearEdges edges_b(b.features.edges, b.leaf.edges, a.leaf);
  for (std::uint32_t i = 0; i < edges_a.count; ++i) {
    for (std::uint32_t at = 0; at < edges_b.count; at += kLanes) {
      const unsigned met = edges_b.meeting(at, edges_a, i, one_mesh);
      if (met != 0) append_edges(met, edges_a, i, edges_b, at, one_mesh, out);
    }
  }
  return out.count;
}

std::size_t edges_within(Side leaf, PairBuffer out) {
  const NearEdges edges(leaf.features.edges, leaf.leaf.edges, leaf.leaf);
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    for (std::uint32_t at = i + 1; at < edges.count; at += kLanes) {
      const unsigned met = edges.meeting(at, edges, i, true);
      if (met != 0) append_edges(met, edges, i, edges, at, true, out);
    }
  }
  return out.count;
}

}  // namespace

void append_overlapping(const LeafPair& leaves) {
  const Side a{*leaves.features_a, leaves.a}, b{*leaves.features_b, leaves.b};
  PairBuffer &a_b = *leaves.vertices_a_faces_b, &b_a = *leaves.vertices_b_faces_a, &edges = *leaves.edges;
  a_b.count = vertices_against_faces(a, b, leaves.one_mesh, a_b);
  if (!leaves.one_leaf) b_a.count = vertices_against_faces(b, a, leaves.one_mesh, b_a);
  edges.count = leaves.one_leaf ? edges_within(a, edges) : edges_against_edges(a, b, leaves.one_mesh, edges);
}

}  // namespace pliant::swept::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
