// The kernel of feature_kernel.h, compiled for each target.
#pragma once

#include "pliant/core/simd.h"
#include "pliant/detect/kinetic/feature_kernel.h"

namespace pliant::kinetic::PLIANT_SIMD_TARGET {
namespace {

using simd::Float8;
using simd::Mask8;

struct Box {
  Float8 lo[2][3];
  Float8 hi[2][3];
};

// Lanes of `features` from place `at` on that some axis keeps apart from the box at both ends, hence all the time.
PLIANT_SIMD_INLINE Mask8 apart(const FeatureArrays& f, std::uint32_t at, const Box& box) {
  const auto on_axis = [&](int k) PLIANT_SIMD_INLINE_LAMBDA {
    const Mask8 above = (simd::load(f.lo[0][k] + at) > box.hi[0][k]) & (simd::load(f.lo[1][k] + at) > box.hi[1][k]);
    const Mask8 below = (box.lo[0][k] > simd::load(f.hi[0][k] + at)) & (box.lo[1][k] > simd::load(f.hi[1][k] + at));
    return above | below;
  };
  return on_axis(0) | on_axis(1) | on_axis(2);
}

// Lanes that share a vertex with feature i of a.
template <int kCornersA, int kCornersB>
PLIANT_SIMD_INLINE unsigned incident(const FeatureInput& in, std::uint32_t i, std::uint32_t at) {
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
std::size_t run(const FeatureInput& in, std::uint32_t (*pairs)[2]) {
  Box leaf;
  for (int end = 0; end < 2; ++end) {
    for (int k = 0; k < 3; ++k) {
      leaf.lo[end][k] = in.b_lo[end][k];
      leaf.hi[end][k] = in.b_hi[end][k];
    }
  }
  std::size_t count = 0;
  for (std::uint32_t begin = in.range_a.first; begin < in.range_a.last; begin += 8) {
    unsigned near = ~simd::bits(apart(in.a, begin, leaf)) & lanes_before(begin, in.range_a.last);
    for (; near != 0; near &= near - 1) {
      const std::uint32_t i = begin + static_cast<std::uint32_t>(__builtin_ctz(near));
      Box box;
      for (int end = 0; end < 2; ++end) {
        for (int k = 0; k < 3; ++k) {
          box.lo[end][k] = in.a.lo[end][k][i];
          box.hi[end][k] = in.a.hi[end][k][i];
        }
      }
      for (std::uint32_t at = in.one_list ? i + 1 : in.range_b.first; at < in.range_b.last; at += 8) {
        unsigned met = ~simd::bits(apart(in.b, at, box)) & lanes_before(at, in.range_b.last);
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

std::size_t meeting_features(const FeatureInput& input, std::uint32_t (*pairs)[2]) {
  return input.corners_a == 1 ? run<1, 3>(input, pairs) : run<2, 2>(input, pairs);
}

}  // namespace pliant::kinetic::PLIANT_SIMD_TARGET
