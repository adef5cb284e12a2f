// The control points of the Utah teapot: M. Newell, 1975 (public domain), in the proportions that J. Blinn gave it.
// Published in F. Crow, "The origins of the teapot", IEEE Computer Graphics and Applications 7(1), 1987.
//
// The model has 32 bicubic Bezier patches, but is symmetric: body, lid and bottom are four quarters of surfaces of
// revolution, handle and spout are mirrored halves. The tables hold one of each.
#pragma once

#include <array>

#include "pliant/core/vec3.h"

namespace pliant::detail {

// A row of control points of a quarter turn: (r, 0), (r, k), (k, r), (0, r) in x and y, at one height.
struct QuarterRow {
  double r = 0;
  double k = 0;
  double z = 0;
};
using QuarterPatch = std::array<QuarterRow, 4>;

// Upwards; the outside is to the right.
inline constexpr std::array<QuarterPatch, 4> kTeapotBody = {{
    {{{0, 0, 0}, {1.425, 0.798, 0}, {1.5, 0.84, 0.075}, {1.5, 0.84, 0.15}}},                      // bottom
    {{{1.5, 0.84, 0.15}, {1.5, 0.84, 0.225}, {2, 1.12, 0.45}, {2, 1.12, 0.9}}},                   // lower body
    {{{2, 1.12, 0.9}, {2, 1.12, 1.35}, {1.75, 0.98, 1.875}, {1.5, 0.84, 2.4}}},                   // upper body
    {{{1.5, 0.84, 2.4}, {1.4375, 0.805, 2.53125}, {1.3375, 0.749, 2.53125}, {1.4, 0.784, 2.4}}},  // rim
}};
inline constexpr std::array<QuarterPatch, 2> kTeapotLid = {{
    {{{1.3, 0.728, 2.4}, {1.3, 0.728, 2.55}, {0.4, 0.224, 2.55}, {0.2, 0.112, 2.7}}},
    {{{0.2, 0.112, 2.7}, {0, 0, 2.85}, {0.8, 0.45, 3.15}, {0, 0, 3.15}}},  // knob
}};

// Four rows along the tube, each half a ring on the side y <= 0.
using HalfTubePatch = std::array<std::array<std::array<double, 3>, 4>, 4>;

// From the body outwards and back; rings from below (inside) to above.
inline constexpr std::array<HalfTubePatch, 2> kTeapotHandle = {{
    {{{{{-1.6, 0, 2.025}, {-1.6, -0.3, 2.025}, {-1.5, -0.3, 2.25}, {-1.5, 0, 2.25}}},
      {{{-2.3, 0, 2.025}, {-2.3, -0.3, 2.025}, {-2.5, -0.3, 2.25}, {-2.5, 0, 2.25}}},
      {{{-2.7, 0, 2.025}, {-2.7, -0.3, 2.025}, {-3, -0.3, 2.25}, {-3, 0, 2.25}}},
      {{{-2.7, 0, 1.8}, {-2.7, -0.3, 1.8}, {-3, -0.3, 1.8}, {-3, 0, 1.8}}}}},
    {{{{{-2.7, 0, 1.8}, {-2.7, -0.3, 1.8}, {-3, -0.3, 1.8}, {-3, 0, 1.8}}},
      {{{-2.7, 0, 1.575}, {-2.7, -0.3, 1.575}, {-3, -0.3, 1.35}, {-3, 0, 1.35}}},
      {{{-2.5, 0, 1.125}, {-2.5, -0.3, 1.125}, {-2.65, -0.3, 0.9375}, {-2.65, 0, 0.9375}}},
      {{{-2, 0, 0.9}, {-2, -0.3, 0.9}, {-1.9, -0.3, 0.6}, {-1.9, 0, 0.6}}}}},
}};

// From the body outwards; rings from above (inside) to below. The last rows curl into the mouth.
inline constexpr std::array<HalfTubePatch, 2> kTeapotSpout = {{
    {{{{{1.7, 0, 1.425}, {1.7, -0.66, 1.425}, {1.7, -0.66, 0.6}, {1.7, 0, 0.6}}},
      {{{2.6, 0, 1.425}, {2.6, -0.66, 1.425}, {3.1, -0.66, 0.825}, {3.1, 0, 0.825}}},
      {{{2.3, 0, 2.1}, {2.3, -0.25, 2.1}, {2.4, -0.25, 2.025}, {2.4, 0, 2.025}}},
      {{{2.7, 0, 2.4}, {2.7, -0.25, 2.4}, {3.3, -0.25, 2.4}, {3.3, 0, 2.4}}}}},
    {{{{{2.7, 0, 2.4}, {2.7, -0.25, 2.4}, {3.3, -0.25, 2.4}, {3.3, 0, 2.4}}},
      {{{2.8, 0, 2.475}, {2.8, -0.25, 2.475}, {3.525, -0.25, 2.49375}, {3.525, 0, 2.49375}}},
      {{{2.9, 0, 2.475}, {2.9, -0.15, 2.475}, {3.45, -0.15, 2.5125}, {3.45, 0, 2.5125}}},
      {{{2.8, 0, 2.4}, {2.8, -0.15, 2.4}, {3.2, -0.15, 2.4}, {3.2, 0, 2.4}}}}},
}};

}  // namespace pliant::detail
