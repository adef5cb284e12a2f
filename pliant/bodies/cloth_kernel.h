// One step of a sheet by vertex block descent (A. H. Chen et al., "Vertex block descent", SIGGRAPH 2024), eight
// vertices at a time. Plain pointers only: this header is compiled into AVX2 files (core/simd.h).
//
// A step minimises sum m/(2 h^2) |x - y|^2 + elastic energy, y being where vertices would go without the latter. All is
// divided by the stretch stiffness k, which keeps numbers in reach of float: energies are those for k = 1.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::sheet {

inline constexpr std::size_t kLanes = 8;

// Vertices around the lanes' own, in the order of their fans: face s has the corners own, vertex s and vertex s + 1,
// and no area where a fan ends.
struct RingSlot {
  std::uint32_t vertex[kLanes];
  float bend[kLanes];                                    // 1: entry of the bending matrix
  float a1[kLanes], a2[kLanes], b1[kLanes], b2[kLanes];  // 1/m: F_u = a1 edge(s) + a2 edge(s + 1), F_v with b
  float area[kLanes];                                    // m^2
};
// Further vertices that share hinges.
struct FarSlot {
  std::uint32_t vertex[kLanes];
  float bend[kLanes];
};
// A hinge that is not part of the bending matrix, as one of its corners sees it: b = sum weight (x - own).
struct HingeSlot {
  std::uint32_t vertex[3][kLanes];
  float weight[3][kLanes];
  float stiffness[kLanes];
  float rest[kLanes];  // m
};
// Eight vertices that share no face and no hinge. Lanes without a vertex have a place of their own in the rows.
struct Block {
  std::uint32_t ring, ring_end, far, far_end, hinge, hinge_end;
  float mass[kLanes];  // kg
  float bend[kLanes];  // diagonal entry of the bending matrix
};

// Block b owns the rows 8 b to 8 b + 7 of x; rows of vertices that no block owns (pins) follow.
struct SheetArrays {
  const Block* blocks;
  std::size_t block_count;
  const RingSlot* ring;
  const FarSlot* far;
  const HingeSlot* hinges;
  std::uint32_t free_rows;  // rows that blocks own
  float shear;              // stiffness over k
};

// Lengths at rest of damped elements: of F_u, F_v, F_u . F_v for each ring slot, of b for each hinge slot, eight lanes
// each.
struct RestLengths {
  float* faces;
  float* hinges;
};

struct StepArrays {
  float* x;                           // m, rows of four, about the body's origin
  const float* y;                     // m: for each block eight lanes of x, y, z
  float inertia;                      // 1/(h^2 k), times 1/(1 + damping/h) with damping
  float fold;                         // least stiffness of a face across its threads, over k
  float press;                        // more of it for threads pressed together, times 1/|F| - 1
  const RestLengths* rest = nullptr;  // null: 1, 1, 0 and what the hinges say
  float* start = nullptr;  // m, lanes like y: a sweep tells how far from its y the next solve should start; null: no
};

// What air does to a vertex of each face: 1/2 density area speed^2 cos(a), drag along the wind against it, lift across.
struct AirArrays {
  const float* x;  // rows
  const float* v;  // m/s: for each block eight lanes of x, y, z
  float* change;   // m/s, likewise: of velocity
  float wind[3];   // m/s
  float seconds, density, drag, lift;
};

// Which blocks, and in which order.
struct BlockRange {
  std::size_t first, last;
  bool backward;
};

// Moves every vertex once to the minimum of its own terms, in the order of the blocks or against it.
void sweep(const SheetArrays& sheet, const StepArrays& step, BlockRange range);
// The same for one block; `inverse`: of each vertex's Hessian the entries xx, xy, xz, yy, yz, zz, eight lanes each.
void sweep_block(const SheetArrays& sheet, const StepArrays& step, std::size_t block, float* inverse);
// Gradient of what is minimised, in rows like x, of a range of blocks.
void find_gradient(const SheetArrays& sheet, const StepArrays& step, BlockRange range, float* gradient);
// The same for a first solve, which knows of none before: from the elastic forces at x.
void guess_start(const SheetArrays& sheet, const StepArrays& step);
// The lengths at rest that make elements resist the change of their length since x, `fraction` being
// (damping/h) / (1 + damping/h).
void find_rest(const SheetArrays& sheet, const float* x, float fraction, const RestLengths& rest);
// Elastic energy at x, over k, of all elements with a vertex that moves.
double find_energy(const SheetArrays& sheet, const float* x);
void find_air(const SheetArrays& sheet, const AirArrays& air);

namespace portable {
void sweep(const SheetArrays& sheet, const StepArrays& step, BlockRange range);
void sweep_block(const SheetArrays& sheet, const StepArrays& step, std::size_t block, float* inverse);
void find_gradient(const SheetArrays& sheet, const StepArrays& step, BlockRange range, float* gradient);
void guess_start(const SheetArrays& sheet, const StepArrays& step);
void find_rest(const SheetArrays& sheet, const float* x, float fraction, const RestLengths& rest);
double find_energy(const SheetArrays& sheet, const float* x);
void find_air(const SheetArrays& sheet, const AirArrays& air);
}  // namespace portable
namespace avx2 {
void sweep(const SheetArrays& sheet, const StepArrays& step, BlockRange range);
void sweep_block(const SheetArrays& sheet, const StepArrays& step, std::size_t block, float* inverse);
void find_gradient(const SheetArrays& sheet, const StepArrays& step, BlockRange range, float* gradient);
void guess_start(const SheetArrays& sheet, const StepArrays& step);
void find_rest(const SheetArrays& sheet, const float* x, float fraction, const RestLengths& rest);
double find_energy(const SheetArrays& sheet, const float* x);
void find_air(const SheetArrays& sheet, const AirArrays& air);
}  // namespace avx2

}  // namespace pliant::sheet
