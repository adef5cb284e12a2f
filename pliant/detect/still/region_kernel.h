// The inner loops of searches by regions, compiled for each target: boxes of faces from their vertices, and pairs of
// faces whose boxes overlap. Plain pointers only (core/simd.h). Internal to still/.
#pragma once

#include <cstdint>

namespace pliant::region_kernel {

constexpr std::uint32_t kLanes = 8;

// Bounds of boxes, each in a row of its own: lo x, y, z, hi x, y, z. Eight more than are used may be read.
struct BoxRows {
  const float* bounds[6];
};

// Where boxes of faces go, and which vertices are theirs.
struct FaceFit {
  const double* positions;
  const std::uint32_t* vertices;  // of the region: three times their numbers
  std::uint32_t vertex_count;
  const std::uint32_t* corners[3];  // by face: indices among these vertices
  std::uint32_t face_count;
  float* bounds[6];  // by face; nothing behind the last one is written
  float* scratch;    // 8 floats a vertex
};

// The boxes of a region that reach into another's, side by side; room for eight more.
struct Clipped {
  std::uint32_t* slots;
  float* bounds[6];
};

// Some boxes and their slots, to be read only. Eight more of both may be read.
struct Columns {
  const std::uint32_t* slots;
  const float* bounds[6];
};

struct SlotPair {
  std::uint32_t i, j;
};

// All columns, and the rows from `first_row` on, as far as there is room.
struct Crossing {
  Clipped rows;
  std::uint32_t first_row, row_count;
  Columns columns;
  std::uint32_t column_count;
  std::uint32_t room;  // at least column_count + kLanes
};
struct Crossed {
  std::uint32_t rows = 0;   // where it stopped: row_count if all were done
  std::uint32_t pairs = 0;  // that were written
};

// A few rows where they lie; those that overlap lo to hi are crossed with all columns.
struct FewCrossing {
  BoxRows rows;
  std::uint32_t first_row, last_row;
  const float* lo_hi;
  Columns columns;
  std::uint32_t column_count;
};

#define PLIANT_REGION_KERNEL                                                                                      \
  /* Rounded outwards. */                                                                                         \
  void fit_faces(const FaceFit& fit);                                                                             \
  /* Of the boxes [first, last): how many overlap lo to hi. Behind them come eight boxes that overlap nothing. */ \
  std::uint32_t clip(const BoxRows& boxes, std::uint32_t first, std::uint32_t last, const float* lo_hi,           \
                     const Clipped& out);                                                                         \
  /* The box around the first `count` of them, at least one, as clip() left them. */                              \
  void unite(const Clipped& boxes, std::uint32_t count, float* lo_hi);                                            \
  Crossed cross(const Crossing& crossing, SlotPair* out);                                                         \
  /* Room for all pairs and eight more. `rows`: how many overlap. */                                              \
  Crossed cross_few(const FewCrossing& crossing, SlotPair* out);
namespace portable {
PLIANT_REGION_KERNEL
}
namespace avx2 {
PLIANT_REGION_KERNEL
}
#undef PLIANT_REGION_KERNEL

// The faster of the two that this processor has. The same results.
struct Kernels {
  decltype(&portable::fit_faces) fit_faces;
  decltype(&portable::clip) clip;
  decltype(&portable::unite) unite;
  decltype(&portable::cross) cross;
  decltype(&portable::cross_few) cross_few;
};
Kernels kernels();

}  // namespace pliant::region_kernel
