// A game loop that gives collisions 200 microseconds a frame, whatever happens: two bodies that deform, one of which
// also has to keep out of itself. What is certain is answered as it is; what time did not suffice for is bounded, and
// answered by keeping the spheres of the regions apart.
#include <pliant/detect.h>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// What a program does with contacts: here it only adds up where it would push, and how far.
struct Push {
  pliant::Vec3 sum = pliant::Vec3::Zero();
  int certain = 0, coarse = 0;

  void add(const pliant::Contact& contact) {
    const bool is_possible = contact.relation == pliant::Relation::possible;
    ++(is_possible ? coarse : certain);
    // Of regions the depth is how far their spheres overlap: too much rather than too little. Scale it down.
    sum += (is_possible ? 0.1 : 1.0) * contact.depth * contact.normal;
  }
};

// The animation of a game: vertices that were skinned, simulated or blended.
void animate(const pliant::TriangleMesh& rest, double time, std::vector<pliant::Vec3>& positions) {
  for (std::size_t v = 0; v < positions.size(); ++v) {
    pliant::Vec3 p = rest.positions()[v];
    p.x() += 0.3 * std::sin(3 * p.z() + 4 * time);
    p.z() += 1.6 - 0.9 * time;
    positions[v] = p;
  }
}

}  // namespace

int main() try {
  const pliant::MeshPtr ground = pliant::make_torus({.segments = 96, .sides = 48});
  const pliant::MeshPtr worm = pliant::make_capsule({.radius = 0.3, .length = 2, .side_rings = 64});
  const auto detector = pliant::make_detector("anytime");  // its settings: `pliant methods anytime`
  detector->add_body(ground);
  const pliant::BodyId moving = detector->add_body(worm);
  std::vector<pliant::Vec3> positions(worm->vertex_count());

  for (int frame = 0; frame < 60; ++frame) {
    animate(*worm, frame / 60.0, positions);
    detector->set_positions(moving, positions);
    // From here on 200 us: trees that are not built yet, boxes, search and report included.
    const pliant::Report report = detector->detect({0, 0}, pliant::Budget::within_seconds(200e-6));
    Push push;
    for (const pliant::Contact& contact : report.contacts) push.add(contact);
    if (frame % 10 == 9)
      std::printf("frame %d: %d certain, %d open, bound %.3g, push (%.3f, %.3f, %.3f), %s\n", frame, push.certain,
                  push.coarse, report.bound, push.sum.x(), push.sum.y(), push.sum.z(),
                  report.complete ? "complete" : "as far as time sufficed");
  }
} catch (const pliant::Error& e) {
  return std::fprintf(stderr, "error: %s\n", e.what()), 2;
}
