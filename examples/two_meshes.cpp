// Where do two meshes intersect?   two_meshes [A B]   (built-in shapes without files)
#include <pliant/detect.h>
#include <pliant/io.h>
#include <cstdio>

int main(int argc, char** argv) try {
  const pliant::MeshPtr a = argc > 2 ? pliant::read_mesh(argv[1]) : pliant::make_torus();
  const pliant::MeshPtr b = argc > 2 ? pliant::read_mesh(argv[2]) : pliant::make_icosphere();
  for (const pliant::Contact& c : pliant::intersections(a, b))
    std::printf("triangle %u of a meets triangle %u of b at (%g, %g, %g), depth %g\n", c.a.id, c.b.id, c.point.x(),
                c.point.y(), c.point.z(), c.depth);
} catch (const pliant::Error& error) {
  return std::fprintf(stderr, "error: %s\n", error.what()), 2;
}
