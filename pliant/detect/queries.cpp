#include "pliant/detect/queries.h"

#include "pliant/detect/bvh/bvh.h"
#include "pliant/detect/swept_bvh/swept_bvh.h"

namespace pliant {
namespace {

// Lives no longer than the call that it was made in.
MeshPtr borrowed(const TriangleMesh* mesh) { return {MeshPtr(), mesh}; }

Frame copy_of(std::span<const Vec3> positions) { return Frame::own({positions.begin(), positions.end()}); }

class FirstSeen : public ContactSink {
 public:
  Flow contact(const Contact& contact) override {
    first = contact;
    return Flow::stop;
  }
  std::optional<Contact> first;
};

void add_body(Detector& detector, const PosedMesh& posed) {
  detector.add_body(borrowed(posed.mesh), Motion::at_rest(copy_of(posed.positions)));
}

std::optional<Contact> first_contact(Detector& detector, const Interval& when) {
  FirstSeen sink;
  detector.detect(when, {}, &sink);
  return sink.first;
}

std::optional<Contact> first_impact(std::span<const MovingMesh> meshes, DetectorSettings settings) {
  BvhDetector still(settings);
  for (const MovingMesh& m : meshes) add_body(still, PosedMesh(m.mesh, m.x_t0));
  // Asking whether anything meets ends at the first pair found, in any order.
  if (still.collides(Interval::instant(0)).value_or(false)) return first_contact(still, Interval::instant(0));
  settings.earliest = true;
  SweptBvhDetector moving(settings);
  for (const MovingMesh& m : meshes)
    moving.add_body(borrowed(m.mesh), Motion::linear(copy_of(m.x_t0), copy_of(m.x_t1)));
  return first_contact(moving, {0, 1});
}

}  // namespace

std::vector<Contact> intersections(const PosedMesh& a, const PosedMesh& b) {
  DetectorSettings settings;
  settings.self = false;
  BvhDetector detector(settings);
  add_body(detector, a);
  add_body(detector, b);
  return detector.detect(Interval::instant(0)).contacts;
}

std::vector<Contact> self_intersections(const PosedMesh& mesh) {
  BvhDetector detector{DetectorSettings{}};
  add_body(detector, mesh);
  return detector.detect(Interval::instant(0)).contacts;
}

std::optional<Contact> first_impact(const MovingMesh& a, const MovingMesh& b) {
  DetectorSettings settings;
  settings.self = false;
  const MovingMesh both[] = {a, b};
  return first_impact(both, settings);
}

std::optional<Contact> first_impact(const MovingMesh& mesh) { return first_impact(std::span(&mesh, 1), {}); }

}  // namespace pliant
