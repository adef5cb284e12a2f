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

// Runs under RoundingDown. Boxes of single triangles, four numbers an end.
__attribute__((noinline)) void fit_rows(const double* x, const std::uint32_t* corners, std::uint32_t count,
                                        float (*lo)[4], float (*hi)[4]) {
  for (std::uint32_t i = 0; i < count; ++i, corners += 3) {
    const simd::Double4 a = simd::load_three(x + std::size_t{3} * corners[0]);
    const simd::Double4 b = simd::load_three(x + std::size_t{3} * corners[1]);
    const simd::Double4 c = simd::load_three(x + std::size_t{3} * corners[2]);
    const simd::Float4 low = simd::narrow_down(simd::min(simd::min(a, b), c));
    const simd::Float4 high = -simd::narrow_down(-simd::max(simd::max(a, b), c));
    __builtin_memcpy(lo[i], &low, sizeof low);
    __builtin_memcpy(hi[i], &high, sizeof high);
  }
}

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

void overlaps_of_lanes(const float* rows, const float* columns, unsigned wanted, std::uint8_t* masks) {
  const Float8 lo[3] = {lower(columns, 0), lower(columns, 1), lower(columns, 2)};
  const Float8 hi[3] = {upper(columns, 0), upper(columns, 1), upper(columns, 2)};
  for (; wanted != 0; wanted &= wanted - 1) {
    const int i = __builtin_ctz(wanted);
    const float* const box = rows + i;
    const auto x = (hi[0] >= Float8(box[0])) & (Float8(box[24]) >= lo[0]);
    const auto y = (hi[1] >= Float8(box[8])) & (Float8(box[32]) >= lo[1]);
    const auto z = (hi[2] >= Float8(box[16])) & (Float8(box[40]) >= lo[2]);
    masks[i] = static_cast<std::uint8_t>(simd::bits(x & y & z));
  }
}

void fit_faces(const double* x, const std::uint32_t* corners, std::uint32_t count, float* boxes) {
  static constexpr std::uint32_t kInOrder[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  alignas(32) float lo[8][4];
  alignas(32) float hi[8][4];
  const float infinity = __builtin_inff();
  const simd::Float4 none = {infinity, infinity, infinity, infinity};
  const simd::Float4 none_high = -none;
  for (std::uint32_t i = count; i < 8; ++i) {
    __builtin_memcpy(lo[i], &none, sizeof none);
    __builtin_memcpy(hi[i], &none_high, sizeof none);
  }
  {
    const simd::RoundingDown rounding;
    fit_rows(x, corners, count, lo, hi);
  }
  const simd::Rows8 low = simd::load_rows(lo[0], kInOrder), high = simd::load_rows(hi[0], kInOrder);
  simd::store(boxes, low.x);
  simd::store(boxes + 8, low.y);
  simd::store(boxes + 16, low.z);
  simd::store(boxes + 24, high.x);
  simd::store(boxes + 32, high.y);
  simd::store(boxes + 40, high.z);
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
