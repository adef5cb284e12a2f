// One box against eight at once, compiled for each target.
#pragma once

namespace pliant::wide {

// Boxes as in WideBoxes: 3 x 8 lower ends, then 3 x 8 upper ones. A single box: 3 lower ends, then 3 upper ones.
namespace portable {
// Bit k: lane k overlaps the box.
unsigned overlaps(const float* boxes, const float* box);
// The same, and for every lane the square of the largest distance between a point of it and one of the box, up to
// rounding.
unsigned overlaps_and_sizes(const float* boxes, const float* box, float* size_sq);
// The box around all lanes.
void unite(const float* boxes, float* box);
}  // namespace portable

namespace avx2 {
unsigned overlaps(const float* boxes, const float* box);
unsigned overlaps_and_sizes(const float* boxes, const float* box, float* size_sq);
void unite(const float* boxes, float* box);
}  // namespace avx2

// The faster of the two that this processor has.
struct Kernels {
  decltype(&portable::overlaps) overlaps;
  decltype(&portable::overlaps_and_sizes) overlaps_and_sizes;
  decltype(&portable::unite) unite;
};
Kernels kernels();

}  // namespace pliant::wide
