// Where do two meshes intersect?   usage: two_meshes [A B]   (built-in shapes without files)
#include <cstdio>

#include "pliant/pliant.h"

int main(int argc, char** argv) {
  using namespace pliant;
  const MeshPtr a = argc > 2 ? read_mesh(argv[1]) : make_torus({.radius = 1, .tube_radius = 0.4});
  const MeshPtr b = argc > 2 ? read_mesh(argv[2]) : make_icosphere({.radius = 1, .frequency = 8});

  const auto detector = make_detector("bvh", {.self = false});
  detector->add_body(a);
  detector->add_body(b);
  const Report report = detector->detect(Interval::instant(0));

  for (const Contact& contact : report.contacts)
    std::printf("triangle %u of a meets triangle %u of b (%s) at %g %g %g\n", contact.a.id, contact.b.id,
                to_string(contact.relation), contact.point.x(), contact.point.y(), contact.point.z());
  std::printf("%zu contacts, guarantee: %s\n", report.contacts.size(), to_string(report.guarantee));
}
