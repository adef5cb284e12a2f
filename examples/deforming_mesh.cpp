// A mesh that deforms, looked at each frame within 2 ms: nothing is missed, even where the time was too short.
#include <cstdio>
#include <pliant/detect.h>

int main() try {
  const pliant::MeshPtr tube = pliant::make_capsule({.radius = 0.4, .length = 6, .side_rings = 64});
  const auto detector = pliant::make_detector("bvh");
  const pliant::BodyId body = detector->add_body(tube);
  for (int frame = 0; frame < 8; ++frame) {
    detector->set_positions(body, pliant::bent(tube->positions(), 0.2 * frame));  // copied: the buffer is yours
    const auto report = detector->detect(pliant::Interval::instant(0), pliant::Budget::within(std::chrono::milliseconds(2)));
    std::printf("frame %d: %zu contacts, %s\n", frame, report.contacts.size(), pliant::to_string(report.guarantee));
  }
} catch (const pliant::Error& error) { return std::fprintf(stderr, "error: %s\n", error.what()), 2; }
