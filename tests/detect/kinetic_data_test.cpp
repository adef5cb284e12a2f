// Generated and published steps, whose contacts are known exactly.
#include <gtest/gtest.h>

#include "pliant/scene/scene.h"
#include "tests/detect/kinetic_streams.h"
#include "tests/support/stand_in_steps.h"

namespace pliant::testing {
namespace {

Mover mover_of(const CcdStep& step) {
  std::vector<Triangle> triangles;
  for (const auto& f : step.faces) triangles.push_back({VertexId(f[0]), VertexId(f[1]), VertexId(f[2])});
  const MeshPtr mesh = std::make_shared<const TriangleMesh>(step.x_t0, std::move(triangles));
  return {mesh, Motion::linear(Frame::of_mesh(mesh), Frame::own(step.x_t1))};
}

// MovingTruth.StepsHaveExactlyTheirListedContacts holds swept-bvh against the lists.
TEST(KineticData, StepsHaveTheContactsOfTheSweptTree) {
  DetectorSettings settings;
  settings.weld = false;
  for (const CcdStep& step : all_ccd_steps()) {
    SCOPED_TRACE(step.name);
    const Mover mover = mover_of(step);
    const Report wanted = detect_moving("swept-bvh", {mover}, {0, 1}, settings);
    EXPECT_EQ(hash_of(detect_moving("kinetic", {mover}, {0, 1}, settings)), hash_of(wanted));
    const auto detector = detector_of("kinetic", {mover}, settings);
    EXPECT_EQ(contacts_hash(detect_in_cuts(*detector, 0, 1, 10)), contacts_hash(wanted));
    constexpr std::size_t kMostFaces = 30'000;  // the larger ones take events too long for every day
    if (mover.mesh->face_count() > kMostFaces) continue;
    EXPECT_EQ(hash_of(detect_moving("kinetic-events", {mover}, {0, 1}, settings)), hash_of(wanted));
  }
}

TEST(KineticData, BuiltInScenesHaveTheContactsOfTheSweptTree) {
  for (const char* name : {"tablecloth", "swirl", "n-bodies"}) {
    SCOPED_TRACE(name);
    const MovingScene scene = with_stored_frames(make_scene(name, {.triangles = 1500, .frames = 24, .bodies = 6}));
    std::vector<Mover> movers;
    for (const MovingBody& body : scene.bodies) movers.push_back({body.mesh, body.motion});
    const Report wanted = detect_moving("swept-bvh", movers, {0, 23});
    for (const std::string_view method : kKineticMethods)
      EXPECT_EQ(hash_of(detect_moving(method, movers, {0, 23})), hash_of(wanted)) << method;
  }
}

}  // namespace
}  // namespace pliant::testing
