// Does a deforming body intersect itself, and from which frame on?
#include <cstdio>

#include "pliant/pliant.h"

int main() {
  using namespace pliant;
  // A tube that is bent until its ends pass through each other, as five keyframes.
  const MeshPtr tube = make_capsule({.radius = 0.4, .length = 6, .side_rings = 64});
  std::vector<Frame> frames;
  for (int k = 0; k < 5; ++k) frames.push_back(Frame::own(bent(tube->positions(), 0.35 * k)));

  const auto detector = make_detector("bvh");
  detector->add_body(tube, Motion::keyframes(frames));
  for (int k = 0; k < 5; ++k) {
    // Twenty milliseconds are all we have; "not known" is an answer too.
    const auto answer = detector->collides(Interval::instant(k), Budget::within(std::chrono::milliseconds(20)));
    std::printf("frame %d: %s\n", k, !answer ? "not known in time" : *answer ? "intersects itself" : "clear");
  }
}
