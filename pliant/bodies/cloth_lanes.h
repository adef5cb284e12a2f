// Eight vectors at a time, for the kernels of cloth. Compiled for each target.
#pragma once

#include "pliant/bodies/cloth_kernel.h"
#include "pliant/core/simd.h"

namespace pliant::sheet::PLIANT_SIMD_TARGET {
namespace {

using simd::Float8;
using simd::Rows8;

struct Vector {
  Float8 x, y, z;
};
PLIANT_SIMD_INLINE Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
PLIANT_SIMD_INLINE Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
PLIANT_SIMD_INLINE Vector operator*(Float8 s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
PLIANT_SIMD_INLINE Float8 dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
PLIANT_SIMD_INLINE Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

PLIANT_SIMD_INLINE Vector rows_at(const float* rows, const std::uint32_t* index) {
  const Rows8 r = simd::load_rows(rows, index);
  return {r.x, r.y, r.z};
}
PLIANT_SIMD_INLINE Vector own_rows(const float* rows, std::size_t block) {
  const auto first = static_cast<std::uint32_t>(block * kLanes);
  const std::uint32_t index[kLanes] = {first,     first + 1, first + 2, first + 3,
                                       first + 4, first + 5, first + 6, first + 7};
  return rows_at(rows, index);
}
PLIANT_SIMD_INLINE Vector lanes_of(const float* lanes, std::size_t block) {
  const float* p = lanes + block * 3 * kLanes;
  return {simd::load(p), simd::load(p + kLanes), simd::load(p + 2 * kLanes)};
}
PLIANT_SIMD_INLINE void store_lanes(float* lanes, std::size_t block, const Vector& v) {
  float* p = lanes + block * 3 * kLanes;
  simd::store(p, v.x);
  simd::store(p + kLanes, v.y);
  simd::store(p + 2 * kLanes, v.z);
}

PLIANT_SIMD_INLINE double total(const double* lanes) {
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

}  // namespace
}  // namespace pliant::sheet::PLIANT_SIMD_TARGET
