// Only some features against each other: a filter of one's own, and a sink that takes contacts as they come.
#include <cstdio>

#include "pliant/pliant.h"

namespace {

// A shell of two layers may touch itself only between layers: the lower half of the faces against the upper half.
class BetweenLayers : public pliant::ContactFilter {
 public:
  explicit BetweenLayers(std::size_t faces) : half_(faces / 2) {}
  bool features(const pliant::Feature& a, const pliant::Feature& b) const override {
    return (a.id < half_) != (b.id < half_);
  }

 private:
  std::size_t half_;
};

class FirstThree : public pliant::ContactSink {
 public:
  pliant::Flow contact(const pliant::Contact& c) override {
    std::printf("%u meets %u: %s\n", c.a.id, c.b.id, pliant::to_string(c.relation));
    return ++seen_ == 3 ? pliant::Flow::stop : pliant::Flow::go_on;
  }

 private:
  int seen_ = 0;
};

}  // namespace

int main() {
  const pliant::MeshPtr tube = pliant::make_capsule({.radius = 0.4, .length = 6, .side_rings = 64});
  const auto detector = pliant::make_detector("bvh");
  detector->add_body(pliant::with_positions(*tube, pliant::bent(tube->positions(), 1.3)));
  detector->set_filter(std::make_shared<BetweenLayers>(tube->face_count()));
  FirstThree sink;
  detector->detect(pliant::Interval::instant(0), {}, &sink);
}
