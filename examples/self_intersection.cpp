// Does a mesh intersect itself, and where?   self_intersection [MESH]   (a bent tube without a file)
#include <pliant/detect.h>
#include <pliant/io.h>
#include <cstdio>

int main(int argc, char** argv) try {
  pliant::MeshPtr mesh;
  if (argc > 1) {
    mesh = pliant::read_mesh(argv[1]);
  } else {
    const pliant::MeshPtr tube = pliant::make_capsule({.radius = 0.4, .length = 6, .side_rings = 64});
    mesh = pliant::with_positions(*tube, pliant::bent(tube->positions(), 1.3));
  }
  const auto contacts = pliant::self_intersections(mesh);
  for (const pliant::Contact& c : contacts)
    std::printf("triangle %u meets triangle %u at (%g, %g, %g)\n", c.a.id, c.b.id, c.point.x(), c.point.y(),
                c.point.z());
  std::printf("%zu pairs of triangles\n", contacts.size());
} catch (const pliant::Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 2;
}
