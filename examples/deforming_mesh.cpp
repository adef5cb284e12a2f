// A mesh that deforms, looked at in each frame within 2 ms (with any argument: within a minute).
#include <pliant/detect.h>
#include <cstdio>

int main(int argc, char**) try {
  const pliant::MeshPtr tube = pliant::make_capsule({.radius = 0.4, .length = 6, .side_rings = 64});
  const auto detector = pliant::make_detector("bvh");
  const pliant::BodyId id = detector->add_body(tube);
  for (int frame = 0; frame < 8; ++frame) {
    detector->set_positions(id, pliant::bent(tube->positions(), 0.2 * frame));  // copied: keep one buffer, change it
    const auto r = detector->detect({0, 0}, pliant::Budget::within_seconds(argc > 1 ? 60 : 0.002));
    std::printf("frame %d: %zu contacts, %s\n", frame, r.contacts.size(), pliant::to_string(r.guarantee));
  }
} catch (const pliant::Error& e) {
  return std::fprintf(stderr, "error: %s\n", e.what()), 2;
}
