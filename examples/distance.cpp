// How far are two bodies from each other, and if they overlap: how deep?
#include <pliant/detect.h>
#include <cstdio>

int main() try {
  const pliant::MeshPtr ball = pliant::make_icosphere(), box = pliant::make_box();
  for (const double height : {2.5, 1.6, 1.2}) {
    const auto x = pliant::transformed(ball->positions(), {.translation = {0, 0, height}});
    const pliant::MeshDistance gap = pliant::distance({ball, x}, box);
    if (gap.distance > 0) std::printf("at height %g: %g apart\n", height, gap.distance);
    else if (const auto in = pliant::penetration({ball, x}, box))
      std::printf("at height %g: %g deep, out along (%g, %g, %g)\n", height, in->depth, in->normal.x(), in->normal.y(),
                  in->normal.z());
  }
} catch (const pliant::Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 2;
}
