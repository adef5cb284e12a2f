// A figure that walks, as an obstacle, and a skirt that fits it (scene/figure.h has bones and skin).
#pragma once

#include <memory>

#include "pliant/mesh/triangle_mesh.h"
#include "pliant/motion/motion.h"

namespace pliant {

// Stands on z = 0, looks along +x, 1.75 m tall; closed and outward.
struct FigureSettings {
  double cell = 0.02;  // m: about the length of the mesh's edges, 0.005 to 0.03
};
// Throws Error for cells outside their range.
MeshPtr make_figure(const FigureSettings& settings = {});

// A cone from the standing figure's waist downward, open above and below. Its first `segments` vertices are the waist,
// at z = kSkirtWaist; the others follow ring by ring, down to the hem.
inline constexpr double kSkirtWaist = 1.08;  // m
struct SkirtSettings {
  double length = 0.5;  // m, along the cloth
  double flare = 35;    // degrees between the cloth and the vertical, 10 to 80
  double ease = 0.01;   // m, between skin and waist
  int segments = 120;   // around, 8 or more
  int rings = 36;       // of faces, from waist to hem, 1 or more
};
// Throws Error for settings outside their range.
MeshPtr make_skirt(const SkirtSettings& settings = {});

// Stands for a while, then starts to walk along +x. A cycle is two steps, 1.25 m.
struct Walk {
  double cycles_per_second = 0.8;
  double standing = 0;  // s
};
// Positions of the figure's skin (a mesh of make_figure) at frames that are 1 / frames_per_second apart. It does not
// end.
std::shared_ptr<FrameSource> walking_frames(const MeshPtr& standing, const Walk& walk, double frames_per_second);

}  // namespace pliant
