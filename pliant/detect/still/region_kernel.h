// The inner loops of searches by regions, compiled for each target: boxes of faces from their vertices, and pairs of
// faces whose boxes overlap. Plain pointers only (core/simd.h). Internal to still/.
#pragma once

#include <cstdint>

namespace pliant::region_kernel {

constexpr std::uint32_t kLanes = 8;
constexpr std::uint32_t kAhead = 32;  // vertices are asked of memory this long before they are read

// Boxes of faces stand in blocks of eight, each as in WideBoxes: 3 x 8 lower ends, then 3 x 8 upper ones. Those of a
// region begin with a block, and lanes behind the last of them overlap nothing.
struct Region {
  const float* blocks;         // its first
  std::uint32_t first, count;  // slots of its faces
};

// Where boxes of faces go, and which vertices are theirs.
struct FaceFit {
  const double* positions;
  const std::uint32_t* vertices;  // of the region: three times their numbers; kAhead more may be read
  std::uint32_t vertex_count;
  const std::uint32_t* corners[3];  // by face, and up to a whole block: indices among these vertices
  std::uint32_t face_count;
  float* blocks;
  float* scratch;  // 8 floats a vertex
};

// Which faces of a region reach into a box, and the box around them; room for eight more slots.
struct Reaching {
  std::uint32_t* slots;
  float* lo_hi;
};

// The same with copies of their boxes, bound by bound (lower x, y, z, upper x, y, z): room for sixteen more.
struct Clipped {
  std::uint32_t* slots;
  float* bounds[6];
};

// Some boxes and their slots, to be read only: a multiple of eight, or as clip() left them.
struct Columns {
  const std::uint32_t* slots;
  const float* bounds[6];
};

struct SlotPair {
  std::uint32_t i, j;
};

// All columns, and the rows from `first_row` on, as far as there is room.
struct Crossing {
  const float* row_blocks;  // of all slots
  const std::uint32_t* row_slots;
  std::uint32_t first_row, row_count;
  Columns columns;
  std::uint32_t column_count;
  std::uint32_t room;  // at least column_count
};
struct Crossed {
  std::uint32_t rows = 0;   // where it stopped: row_count if all were done
  std::uint32_t pairs = 0;  // that were written
};

#define PLIANT_REGION_KERNEL                                                                                      \
  /* Rounded outwards. */                                                                                         \
  void fit_faces(const FaceFit& fit);                                                                             \
  /* How many faces reach from lo to hi. */                                                                       \
  std::uint32_t reach(const Region& region, const float* lo_hi, const Reaching& out);                             \
  /* The same; behind them come eight boxes that overlap nothing. */                                              \
  std::uint32_t clip(const Region& region, const float* lo_hi, const Clipped& out);                               \
  Crossed cross(const Crossing& crossing, SlotPair* out);                                                         \
  /* Those faces of two small regions that overlap, of the first only those from lo to hi. Room for all pairs and \
     eight more. `rows`: how many of the first these were. */                                                     \
  Crossed cross_few(const Region& rows, const float* lo_hi, const Region& columns, SlotPair* out);
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
  decltype(&portable::reach) reach;
  decltype(&portable::clip) clip;
  decltype(&portable::cross) cross;
  decltype(&portable::cross_few) cross_few;
};
Kernels kernels();

}  // namespace pliant::region_kernel
