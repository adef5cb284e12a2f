// One box against eight at once, and eight against eight, compiled for each target.
#pragma once

#include <cstdint>

namespace pliant::wide {

// Boxes as in WideBoxes: 3 x 8 lower ends, then 3 x 8 upper ones. A single box: 3 lower ends, then 3 upper ones.
namespace portable {
// Bit k: lane k overlaps the box.
unsigned overlaps(const float* boxes, const float* box);
// The same, and for every lane the square of the largest distance between a point of it and one of the box, up to
// rounding.
unsigned overlaps_and_sizes(const float* boxes, const float* box, float* size_sq);
// Bit k of masks[i]: lane i of `rows` overlaps lane k of `columns`. For the bits i of `wanted`; other masks stay.
void overlaps_of_lanes(const float* rows, const float* columns, unsigned wanted, std::uint8_t* masks);
// The box around all lanes.
void unite(const float* boxes, float* box);
// Boxes of up to eight triangles, given by three vertices each, of which x has three finite coordinates each: rounded
// outward, one a lane. Lanes behind them are empty.
void fit_faces(const double* x, const std::uint32_t* corners, std::uint32_t count, float* boxes);
}  // namespace portable

namespace avx2 {
unsigned overlaps(const float* boxes, const float* box);
unsigned overlaps_and_sizes(const float* boxes, const float* box, float* size_sq);
void overlaps_of_lanes(const float* rows, const float* columns, unsigned wanted, std::uint8_t* masks);
void unite(const float* boxes, float* box);
void fit_faces(const double* x, const std::uint32_t* corners, std::uint32_t count, float* boxes);
}  // namespace avx2

// The faster of the two that this processor has.
struct Kernels {
  decltype(&portable::overlaps) overlaps;
  decltype(&portable::overlaps_and_sizes) overlaps_and_sizes;
  decltype(&portable::overlaps_of_lanes) overlaps_of_lanes;
  decltype(&portable::unite) unite;
  decltype(&portable::fit_faces) fit_faces;
};
Kernels kernels();

}  // namespace pliant::wide
