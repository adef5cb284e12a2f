// The kernel of leaf_kernel.h, compiled for each target.
#pragma once

#include "pliant/core/simd.h"
#include "pliant/detect/swept_bvh/leaf_kernel.h"

namespace pliant::swept::PLIANT_SIMD_TARGET {
namespace {

using simd::Float8;
using simd::Mask8;

struct Box {
  Float8 lo[3];
  Float8 hi[3];
};

// Lanes of `features` from place `at` on that overlap the box.
PLIANT_SIMD_INLINE unsigned overlap(const FeatureArrays& features, std::uint32_t at, const Box& box) {
  Mask8 all = (simd::load(features.hi[0] + at) >= box.lo[0]) & (box.hi[0] >= simd::load(features.lo[0] + at));
  for (int i = 1; i < 3; ++i)
    all = all & (simd::load(features.hi[i] + at) >= box.lo[i]) & (box.hi[i] >= simd::load(features.lo[i] + at));
  return simd::bits(all);
}

PLIANT_SIMD_INLINE unsigned lanes_before(std::uint32_t at, std::uint32_t last) {
  return last - at >= 8 ? 0xffu : (1u << (last - at)) - 1;
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

PLIANT_SIMD_INLINE Box feature_box(const FeatureArrays& features, std::uint32_t at) {
  Box box;
  for (int i = 0; i < 3; ++i) {
    box.lo[i] = features.lo[i][at];
    box.hi[i] = features.hi[i][at];
  }
  return box;
}

// Calls visit(place) for every feature of a range that overlaps the box of a leaf.
template <class Visit>
PLIANT_SIMD_INLINE void each_near(const FeatureArrays& features, FeatureRange range, const Leaf& leaf,
                                  const Visit& visit) {
  const Box box = leaf_box(leaf);
  for (std::uint32_t at = range.first; at < range.last; at += 8) {
    unsigned near = overlap(features, at, box) & lanes_before(at, range.last);
    for (; near != 0; near &= near - 1) visit(at + lowest(near));
  }
}

PLIANT_SIMD_INLINE void append_vertex_face(const FeatureArrays& a, std::uint32_t i, const FeatureArrays& b,
                                           std::uint32_t j, PairBuffer& out) {
  std::uint32_t* corners = out.corners[out.count];
  corners[0] = a.corner[0][i];
  for (int k = 0; k < 3; ++k) corners[1 + k] = b.corner[k][j];
  out.features[out.count][0] = a.id[i];
  out.features[out.count][1] = b.id[j];
  ++out.count;
}

PLIANT_SIMD_INLINE void append_edges(const FeatureArrays& a, std::uint32_t i, const FeatureArrays& b, std::uint32_t j,
                                     PairBuffer& out) {
  std::uint32_t* corners = out.corners[out.count];
  for (int k = 0; k < 2; ++k) {
    corners[k] = a.corner[k][i];
    corners[2 + k] = b.corner[k][j];
  }
  out.features[out.count][0] = a.id[i];
  out.features[out.count][1] = b.id[j];
  ++out.count;
}

struct Side {
  const LeafFeatures& features;
  const Leaf& leaf;
};

void vertices_against_faces(Side a, Side b, bool one_mesh, PairBuffer& out) {
  const FeatureArrays& vertices = a.features.vertices;
  const FeatureArrays& faces = b.features.faces;
  const FeatureRange range = b.leaf.faces;
  each_near(vertices, a.leaf.vertices, b.leaf, [&](std::uint32_t i) PLIANT_SIMD_INLINE_LAMBDA {
    const Box box = feature_box(vertices, i);
    const std::uint32_t v = vertices.corner[0][i];
    for (std::uint32_t at = range.first; at < range.last; at += 8) {
      unsigned met = overlap(faces, at, box) & lanes_before(at, range.last);
      if (met != 0 && one_mesh)
        for (int k = 0; k < 3; ++k) met &= ~simd::bits(simd::equal8(faces.corner[k] + at, v));
      for (; met != 0; met &= met - 1) append_vertex_face(vertices, i, faces, at + lowest(met), out);
    }
  });
}

void edges_against_edges(Side a, Side b, bool one_mesh, bool one_leaf, PairBuffer& out) {
  const FeatureArrays& edges_a = a.features.edges;
  const FeatureArrays& edges_b = b.features.edges;
  const FeatureRange range = b.leaf.edges;
  each_near(edges_a, a.leaf.edges, b.leaf, [&](std::uint32_t i) PLIANT_SIMD_INLINE_LAMBDA {
    const Box box = feature_box(edges_a, i);
    for (std::uint32_t at = one_leaf ? i + 1 : range.first; at < range.last; at += 8) {
      unsigned met = overlap(edges_b, at, box) & lanes_before(at, range.last);
      if (met != 0 && one_mesh)
        for (int k = 0; k < 4; ++k)
          met &= ~simd::bits(simd::equal8(edges_b.corner[k & 1] + at, edges_a.corner[k >> 1][i]));
      for (; met != 0; met &= met - 1) {
        const std::uint32_t j = at + lowest(met);
        if (one_mesh && edges_b.id[j] < edges_a.id[i]) append_edges(edges_b, j, edges_a, i, out);
        else append_edges(edges_a, i, edges_b, j, out);
      }
    }
  });
}

}  // namespace

void append_overlapping(const LeafPair& leaves) {
  const Side a{*leaves.features_a, leaves.a}, b{*leaves.features_b, leaves.b};
  vertices_against_faces(a, b, leaves.one_mesh, *leaves.vertices_a_faces_b);
  if (!leaves.one_leaf) vertices_against_faces(b, a, leaves.one_mesh, *leaves.vertices_b_faces_a);
  edges_against_edges(a, b, leaves.one_mesh, leaves.one_leaf, *leaves.edges);
}

}  // namespace pliant::swept::PLIANT_SIMD_TARGET
