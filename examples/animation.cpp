// Does an animation collide, where, and when first?
#include <pliant/detect.h>
#include <cstdio>

int main() try {
  using namespace pliant;
  // A tube that is bent until its ends pass through each other, as six frames. (Files: open_motion in pliant/io.h.)
  const MeshPtr tube = make_capsule({.radius = 0.4, .length = 6, .side_rings = 64});
  std::vector<Frame> frames;
  for (int k = 0; k < 6; ++k) frames.push_back(Frame::own(bent(tube->positions(), 0.25 * k)));

  const CheckBody body{"tube", tube, Motion::keyframes(frames)};
  const CheckReport report = check_animation({&body, 1});
  std::printf("animation: %s\n", to_string(report.verdict));
  if (report.first) {
    const Contact& c = report.first->checked.contact;
    std::printf("first at frame %g, at (%g, %g, %g)\n", c.time, c.point.x(), c.point.y(), c.point.z());
  }
  for (const PairTally& pair : report.pairs)
    std::printf("%s with %s: %llu contacts\n", report.bodies[pair.a].name.c_str(), report.bodies[pair.b].name.c_str(),
                static_cast<unsigned long long>(pair.contacts));
} catch (const pliant::Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 2;
}
