// The loops of wide_kernel.h, compiled for each target.
#pragma once

#include "pliant/bounds/wide_kernel.h"
#include "pliant/core/simd.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::wide::PLIANT_SIMD_TARGET {
namespace {

using simd::Float8;

PLIANT_SIMD_INLINE Float8 lower(const float* boxes, int axis) { return simd::load(boxes + 8 * axis); }
PLIANT_SIMD_INLINE Float8 upper(const float* boxes, int axis) { return simd::load(boxes + 24 + 8 * axis); }

}  // namespace

unsigned overlaps(const float* boxes, const float* box) {
  auto hit = (upper(boxes, 0) >= Float8(box[0])) & (Float8(box[3]) >= lower(boxes, 0));
  for (int axis = 1; axis < 3; ++axis)
    hit = hit & (upper(boxes, axis) >= Float8(box[axis])) & (Float8(box[3 + axis]) >= lower(boxes, axis));
  return simd::bits(hit);
}

unsigned overlaps_and_sizes(const float* boxes, const float* box, float* size_sq) {
  Float8 sum(0.0f);
  auto hit = upper(boxes, 0) >= Float8(box[0]);
  for (int axis = 0; axis < 3; ++axis) {
    const Float8 lo = lower(boxes, axis), hi = upper(boxes, axis);
    const Float8 own_lo(box[axis]), own_hi(box[3 + axis]);
    hit = hit & (hi >= own_lo) & (own_hi >= lo);
    const Float8 far = simd::max(hi - own_lo, own_hi - lo);
    sum = sum + far * far;
  }
  simd::store(size_sq, sum);
  return simd::bits(hit);
}

void unite(const float* boxes, float* box) {
  for (int k = 0; k < 6; ++k) {
    const float* const row = boxes + 8 * k;
    simd::Float4 a, b;
    __builtin_memcpy(&a, row, sizeof a);
    __builtin_memcpy(&b, row + 4, sizeof b);
    const simd::Float4 four = k < 3 ? simd::min(a, b) : simd::max(a, b);
    const float x = k < 3 ? (four[0] < four[1] ? four[0] : four[1]) : (four[0] > four[1] ? four[0] : four[1]);
    const float y = k < 3 ? (four[2] < four[3] ? four[2] : four[3]) : (four[2] > four[3] ? four[2] : four[3]);
    box[k] = k < 3 ? (x < y ? x : y) : (x > y ? x : y);
  }
}

}  // namespace pliant::wide::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
