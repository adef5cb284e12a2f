// The kernel of cloth_motion.h, compiled for each target.
#pragma once

#include "pliant/bodies/cloth_lanes.h"
#include "pliant/bodies/cloth_motion.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::sheet::PLIANT_SIMD_TARGET {
namespace {

// Lanes of a block in double, x, y, z after each other. Loops over them are what compilers vectorise.
constexpr std::size_t kBlock = 3 * kLanes;

PLIANT_SIMD_INLINE void store_block_rows(float* rows, std::size_t block, const float* lanes) {
  simd::store_rows(rows + block * 4 * kLanes,
                   {simd::load(lanes), simd::load(lanes + kLanes), simd::load(lanes + 2 * kLanes), Float8(0.0f)});
}

// From y to the rows of a block.
PLIANT_SIMD_INLINE void find_change(double* change, std::size_t block, const float* y, const float* rows) {
  const Vector at = own_rows(rows, block);
  float lanes[kBlock];
  simd::store(lanes, at.x);
  simd::store(lanes + kLanes, at.y);
  simd::store(lanes + 2 * kLanes, at.z);
  for (std::size_t i = 0; i < kBlock; ++i)
    change[i] = static_cast<double>(lanes[i]) - static_cast<double>(y[block * kBlock + i]);
}

PLIANT_SIMD_INLINE void find_arms(double* arms, const MotionArrays& motion, std::size_t block) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t l = 0; l < kLanes; ++l)
      arms[axis * kLanes + l] = motion.x[block * kBlock + axis * kLanes + l] - motion.origin[axis];
}

// Moments, lane by lane.
struct LaneMoments {
  double mass[kLanes];
  double first[3][kLanes], second[6][kLanes], linear[3][kLanes], angular[3][kLanes];
  double work[kLanes], change_sq[kLanes];
};

PLIANT_SIMD_INLINE void add_moments(LaneMoments* sums, const double* mass, const double* r, const double* v,
                                    const double* c) {
  for (std::size_t l = 0; l < kLanes; ++l) {
    const double m = mass[l], x = r[l], y = r[kLanes + l], z = r[2 * kLanes + l];
    const double mx = m * x, my = m * y, mz = m * z;
    const double cx = c[l], cy = c[kLanes + l], cz = c[2 * kLanes + l];
    sums->mass[l] += m;
    sums->first[0][l] += mx;
    sums->first[1][l] += my;
    sums->first[2][l] += mz;
    sums->second[0][l] += mx * x;
    sums->second[1][l] += my * y;
    sums->second[2][l] += mz * z;
    sums->second[3][l] += my * z;
    sums->second[4][l] += mx * z;
    sums->second[5][l] += mx * y;
    sums->linear[0][l] += m * cx;
    sums->linear[1][l] += m * cy;
    sums->linear[2][l] += m * cz;
    sums->angular[0][l] += my * cz - mz * cy;
    sums->angular[1][l] += mz * cx - mx * cz;
    sums->angular[2][l] += mx * cy - my * cx;
    sums->work[l] += m * (v[l] * cx + v[kLanes + l] * cy + v[2 * kLanes + l] * cz);
    sums->change_sq[l] += m * (cx * cx + cy * cy + cz * cz);
  }
}

}  // namespace

void export_motion(const MotionArrays& motion, std::size_t blocks, float* rows, float* v) {
  for (std::size_t block = 0; block < blocks; ++block) {
    double arms[kBlock];
    float lanes[kBlock];
    find_arms(arms, motion, block);
    for (std::size_t i = 0; i < kBlock; ++i) lanes[i] = static_cast<float>(arms[i]);
    for (std::size_t i = 0; i < kBlock; ++i) v[block * kBlock + i] = static_cast<float>(motion.v[block * kBlock + i]);
    store_block_rows(rows, block, lanes);
  }
}

void begin_step(const MotionArrays& motion, std::size_t blocks, const FreeMotion& free, float* y, float* rows) {
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = block * kBlock;
    double* v = motion.v + first;
    for (std::size_t i = 0; i < kBlock; ++i) v[i] += free.push[first + i];
    if (free.air)
      for (std::size_t i = 0; i < kBlock; ++i) v[i] += static_cast<double>(free.air[first + i]);
    double arms[kBlock];
    float start[kBlock];
    find_arms(arms, motion, block);
    for (std::size_t i = 0; i < kBlock; ++i) y[first + i] = static_cast<float>(arms[i] + free.seconds * v[i]);
    for (std::size_t i = 0; i < kBlock; ++i) start[i] = y[first + i] + free.start[first + i];
    store_block_rows(rows, block, start);
  }
}

Moments find_moments(const MotionArrays& motion, std::size_t blocks, const float* y, const float* rows) {
  LaneMoments sums{};
  for (std::size_t block = 0; block < blocks; ++block) {
    double arms[kBlock], change[kBlock];
    find_arms(arms, motion, block);
    find_change(change, block, y, rows);
    add_moments(&sums, motion.mass + block * kLanes, arms, motion.v + block * kBlock, change);
  }
  Moments result;
  result.mass = total(sums.mass);
  for (std::size_t k = 0; k < 3; ++k) {
    result.first[k] = total(sums.first[k]);
    result.linear[k] = total(sums.linear[k]);
    result.angular[k] = total(sums.angular[k]);
  }
  for (std::size_t k = 0; k < 6; ++k) result.second[k] = total(sums.second[k]);
  result.work = total(sums.work);
  result.change_sq = total(sums.change_sq);
  return result;
}

void end_step(const MotionArrays& motion, std::size_t blocks, double seconds, const float* y, const float* rows,
              const RigidChange& less) {
  const double *shift = less.shift, *turn = less.turn;
  for (std::size_t block = 0; block < blocks; ++block) {
    double change[kBlock], r[kBlock];
    find_change(change, block, y, rows);
    find_arms(r, motion, block);
    for (std::size_t l = 0; l < kLanes; ++l) {
      const double rx = r[l], ry = r[kLanes + l], rz = r[2 * kLanes + l];
      change[l] -= shift[0] + (turn[1] * rz - turn[2] * ry);
      change[kLanes + l] -= shift[1] + (turn[2] * rx - turn[0] * rz);
      change[2 * kLanes + l] -= shift[2] + (turn[0] * ry - turn[1] * rx);
    }
    double *v = motion.v + block * kBlock, *x = motion.x + block * kBlock;
    for (std::size_t i = 0; i < kBlock; ++i) {
      v[i] += change[i] / seconds;
      x[i] += seconds * v[i];
    }
  }
}

}  // namespace pliant::sheet::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
