// Vectors and matrices of eight lanes, for the kernels of FEM bodies. Included by kernel code only (core/simd.h).
#pragma once

#include "pliant/core/simd.h"

namespace pliant::fem::PLIANT_SIMD_TARGET {
namespace {

inline constexpr std::size_t kEight = 8;

using simd::Float8;

struct Vector8 {
  Float8 x, y, z;
};
// Row by row.
struct Matrix8 {
  Vector8 x, y, z;
};
// xx, xy, xz, yy, yz, zz.
struct Symmetric8 {
  Float8 xx, xy, xz, yy, yz, zz;
};
PLIANT_SIMD_INLINE Vector8 operator+(const Vector8& a, const Vector8& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
PLIANT_SIMD_INLINE Vector8 operator-(const Vector8& a, const Vector8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
PLIANT_SIMD_INLINE Vector8 operator*(Float8 s, const Vector8& a) { return {s * a.x, s * a.y, s * a.z}; }
PLIANT_SIMD_INLINE Float8 dot(const Vector8& a, const Vector8& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
PLIANT_SIMD_INLINE Vector8 cross(const Vector8& a, const Vector8& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
PLIANT_SIMD_INLINE Matrix8 operator+(const Matrix8& a, const Matrix8& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
PLIANT_SIMD_INLINE Vector8 operator*(const Matrix8& a, const Vector8& b) {
  return {dot(a.x, b), dot(a.y, b), dot(a.z, b)};
}
// a^T b.
PLIANT_SIMD_INLINE Vector8 transposed_times(const Matrix8& a, const Vector8& b) {
  return b.x * a.x + b.y * a.y + b.z * a.z;
}
// m += s v v^T.
PLIANT_SIMD_INLINE void add_square(Symmetric8* m, Float8 s, const Vector8& v) {
  const Vector8 sv = s * v;
  m->xx = m->xx + sv.x * v.x;
  m->xy = m->xy + sv.x * v.y;
  m->xz = m->xz + sv.x * v.z;
  m->yy = m->yy + sv.y * v.y;
  m->yz = m->yz + sv.y * v.z;
  m->zz = m->zz + sv.z * v.z;
}

PLIANT_SIMD_INLINE Vector8 load_vectors(const float* rows, const std::uint32_t* index) {
  const simd::Rows8 r = simd::load_rows(rows, index);
  return {r.x, r.y, r.z};
}
PLIANT_SIMD_INLINE Vector8 load_vector(const float* p) {
  return {simd::load(p), simd::load(p + kEight), simd::load(p + 2 * kEight)};
}
PLIANT_SIMD_INLINE Matrix8 load_matrices(const float* rows, const std::uint32_t* index) {
  return {load_vectors(rows, index), load_vectors(rows + 4, index), load_vectors(rows + 8, index)};
}
// The last numbers of the first rows.
PLIANT_SIMD_INLINE Float8 load_weights(const float* rows, const std::uint32_t* index) {
  return simd::load_rows(rows, index).w;
}
PLIANT_SIMD_INLINE Matrix8 uniform_matrix(const float* m) {
  return {{Float8(m[0]), Float8(m[1]), Float8(m[2])},
          {Float8(m[3]), Float8(m[4]), Float8(m[5])},
          {Float8(m[6]), Float8(m[7]), Float8(m[8])}};
}
PLIANT_SIMD_INLINE Matrix8 operator-(const Matrix8& a, const Matrix8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
PLIANT_SIMD_INLINE void add_outer(Matrix8* m, const Vector8& a, const Vector8& b) {
  m->x = m->x + a.x * b;
  m->y = m->y + a.y * b;
  m->z = m->z + a.z * b;
}

}  // namespace
}  // namespace pliant::fem::PLIANT_SIMD_TARGET
