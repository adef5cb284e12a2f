// Only some features against each other: a filter of one's own joined with a list of pairs, and a sink that takes
// contacts as they come.
#include <pliant/detect.h>
#include <cstdio>

namespace {

// Glove and sleeve are fastened to the arm below the wrist (z < 0): contacts there do not count.
class NotAtTheWrist : public pliant::ContactFilter {
 public:
  explicit NotAtTheWrist(pliant::MeshPtr arm) : arm_(std::move(arm)) {}
  bool features(const pliant::Feature& a, const pliant::Feature& b) const override { return is_free(a) && is_free(b); }

 private:
  bool is_free(const pliant::Feature& f) const {
    if (f.body != pliant::BodyId(0)) return true;
    for (const pliant::VertexId v : pliant::vertices_of(f, *arm_))
      if (arm_->position(v).z() < 0) return false;
    return true;
  }

  pliant::MeshPtr arm_;
};

class FirstThree : public pliant::ContactSink {
 public:
  pliant::Flow contact(const pliant::Contact& c) override {
    std::printf("triangle %u of body %u meets triangle %u of body %u\n", c.a.id, c.a.body.value, c.b.id,
                c.b.body.value);
    return ++seen_ == 3 ? pliant::Flow::stop : pliant::Flow::go_on;
  }

 private:
  int seen_ = 0;
};

}  // namespace

int main() try {
  const pliant::MeshPtr arm = pliant::make_capsule({.radius = 0.4, .length = 3});
  const auto detector = pliant::make_detector("bvh");
  const pliant::BodyId arm_id = detector->add_body(arm);
  const pliant::BodyId glove = detector->add_body(pliant::make_torus({.radius = 0.45, .tube_radius = 0.1}));
  const pliant::BodyId sleeve = detector->add_body(pliant::make_torus({.radius = 0.5, .tube_radius = 0.2}));
  detector->set_filter(pliant::all_but({{glove, sleeve}, {arm_id, arm_id}}) & std::make_shared<NotAtTheWrist>(arm));
  FirstThree sink;
  detector->detect(pliant::Interval::instant(0), {}, &sink);
} catch (const pliant::Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 2;
}
