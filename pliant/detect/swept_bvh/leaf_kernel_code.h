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
PLIANT_SIMD_INLINE Mask8 overlap(const FeatureArrays& features, std::uint32_t at, const Box& box) {
  Mask8 all = (simd::load(features.hi[0] + at) >= box.lo[0]) & (box.hi[0] >= simd::load(features.lo[0] + at));
  for (int i = 1; i < 3; ++i)
    all = all & (simd::load(features.hi[i] + at) >= box.lo[i]) & (box.hi[i] >= simd::load(features.lo[i] + at));
  return all;
}

// Lanes that share a vertex with feature i of a.
template <int kCornersA, int kCornersB>
PLIANT_SIMD_INLINE unsigned incident(const LeafInput& in, std::uint32_t i, std::uint32_t at) {
  unsigned shared = 0;
  for (int j = 0; j < kCornersA; ++j) {
    const std::uint32_t v = in.a.corner[j][i];
    for (int k = 0; k < kCornersB; ++k) shared |= simd::bits(simd::equal8(in.b.corner[k] + at, v));
  }
  return shared;
}

PLIANT_SIMD_INLINE unsigned lanes_before(std::uint32_t at, std::uint32_t last) {
  return last - at >= 8 ? 0xffu : (1u << (last - at)) - 1;
}

template <int kCornersA, int kCornersB>
std::size_t run(const LeafInput& in, std::uint32_t (*pairs)[2]) {
  Box leaf;
  for (int i = 0; i < 3; ++i) {
    leaf.lo[i] = in.b_lo[i];
    leaf.hi[i] = in.b_hi[i];
  }
  std::size_t count = 0;
  for (std::uint32_t begin = in.range_a.first; begin < in.range_a.last; begin += 8) {
    unsigned near = simd::bits(overlap(in.a, begin, leaf)) & lanes_before(begin, in.range_a.last);
    for (; near != 0; near &= near - 1) {
      const std::uint32_t i = begin + static_cast<std::uint32_t>(__builtin_ctz(near));
      Box box;
      for (int k = 0; k < 3; ++k) {
        box.lo[k] = in.a.lo[k][i];
        box.hi[k] = in.a.hi[k][i];
      }
      for (std::uint32_t at = in.one_list ? i + 1 : in.range_b.first; at < in.range_b.last; at += 8) {
        unsigned met = simd::bits(overlap(in.b, at, box)) & lanes_before(at, in.range_b.last);
        if (met != 0 && in.one_mesh) met &= ~incident<kCornersA, kCornersB>(in, i, at);
        for (; met != 0; met &= met - 1) {
          pairs[count][0] = i;
          pairs[count][1] = at + static_cast<std::uint32_t>(__builtin_ctz(met));
          ++count;
        }
      }
    }
  }
  return count;
}

}  // namespace

std::size_t overlapping_features(const LeafInput& input, std::uint32_t (*pairs)[2]) {
  return input.corners_a == 1 ? run<1, 3>(input, pairs) : run<2, 2>(input, pairs);
}

}  // namespace pliant::swept::PLIANT_SIMD_TARGET
