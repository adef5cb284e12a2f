// What a step of a sheet does around its solve: free motion before it, momentum and new positions after it; in double,
// eight vertices at a time. Plain pointers only: this header is compiled into AVX2 files (core/simd.h).
#pragma once

#include <cstddef>

namespace pliant::sheet {

// Positions and velocities in double: for each block eight lanes of x, then y, then z.
struct MotionArrays {
  double* x;
  double* v;
  const double* mass;  // kg: for each block eight lanes; 0: a lane without a vertex
  double origin[3];
};
// What the solve of a step changed, about the origin; only what moves a body as a whole.
struct Moments {
  double mass;
  double first[3];    // sum m r
  double second[6];   // sum m r r^T: xx, yy, zz, yz, xz, xy
  double linear[3];   // sum m change
  double angular[3];  // sum m r x change
  double work;        // sum m v . change
  double change_sq;   // sum m change^2
};
// A rigid motion, for small angles: shift + turn x r.
struct RigidChange {
  double shift[3] = {};
  double turn[3] = {};
};

// Without elastic forces. Lanes.
struct FreeMotion {
  double seconds;
  const double* push;  // m/s, in a step
  const float* air;    // likewise; null: none
  const float* start;  // m
};

// x as rows, and v as lanes, in float.
void export_motion(const MotionArrays& motion, std::size_t blocks, float* rows, float* v);
// v += push + air; y = x + seconds v, as lanes; rows, where the solve starts: y + start.
void begin_step(const MotionArrays& motion, std::size_t blocks, const FreeMotion& free, float* y, float* rows);
Moments find_moments(const MotionArrays& motion, std::size_t blocks, const float* y, const float* rows);
// The change from y to rows, less a rigid one, is added: v += change / seconds; x += seconds v.
void end_step(const MotionArrays& motion, std::size_t blocks, double seconds, const float* y, const float* rows,
              const RigidChange& less);

namespace portable {
void export_motion(const MotionArrays& motion, std::size_t blocks, float* rows, float* v);
void begin_step(const MotionArrays& motion, std::size_t blocks, const FreeMotion& free, float* y, float* rows);
Moments find_moments(const MotionArrays& motion, std::size_t blocks, const float* y, const float* rows);
void end_step(const MotionArrays& motion, std::size_t blocks, double seconds, const float* y, const float* rows,
              const RigidChange& less);
}  // namespace portable
namespace avx2 {
void export_motion(const MotionArrays& motion, std::size_t blocks, float* rows, float* v);
void begin_step(const MotionArrays& motion, std::size_t blocks, const FreeMotion& free, float* y, float* rows);
Moments find_moments(const MotionArrays& motion, std::size_t blocks, const float* y, const float* rows);
void end_step(const MotionArrays& motion, std::size_t blocks, double seconds, const float* y, const float* rows,
              const RigidChange& less);
}  // namespace avx2

}  // namespace pliant::sheet
