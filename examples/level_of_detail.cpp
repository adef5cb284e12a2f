// Level of detail by distance: pairs of bodies are looked at as closely as somebody can see them, not as long as there
// is time. Far away a few boxes do; near by it is triangles.
#include <pliant/detect.h>
#include <cstdio>

int main() try {
  const pliant::MeshPtr ball = pliant::make_icosphere({.frequency = 48});
  const auto detector = pliant::make_detector("anytime", {.self = false});
  detector->add_body(ball);
  const pliant::BodyId other = detector->add_body(ball);
  detector->set_positions(other, pliant::displaced(ball->positions(), pliant::SmoothField({.amplitude = 0.2})));
  for (const double distance : {3.0, 30.0, 300.0}) {
    // A screen of 60 degrees from bottom to top; what is smaller than 5 of its 1000 lines needs no closer look.
    detector->set_detail({.viewer = pliant::Viewer{{0, 0, distance}, 60, 0.005}});
    const pliant::Report report = detector->detect({0, 0});
    std::printf("from %g away: %llu pairs of boxes, %llu of triangles; %zu regions, within %.3g of each other\n",
                distance, static_cast<unsigned long long>(report.counters["box_tests"]),
                static_cast<unsigned long long>(report.counters["triangle_tests"]), report.cut.size(), report.bound);
  }
} catch (const pliant::Error& e) {
  return std::fprintf(stderr, "error: %s\n", e.what()), 2;
}
