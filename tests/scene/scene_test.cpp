#include "pliant/scene/scene.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/defects.h"

namespace pliant {
namespace {

std::uint64_t hash_of(std::span<const Vec3> positions, std::uint64_t h = 0xcbf29ce484222325ULL) {
  for (const Vec3& p : positions)
    for (int axis = 0; axis < 3; ++axis) h = (h ^ std::bit_cast<std::uint64_t>(p[axis])) * 0x100000001b3ULL;
  return h;
}

std::uint64_t hash_of(const MovingScene& scene, std::size_t frame) {
  std::uint64_t h = 0;
  for (const MovingBody& body : scene.bodies)
    h = h * 31 + hash_of(body.motion.frame(std::min(frame, body.motion.frame_count() - 1)).positions());
  return h;
}

std::size_t intersections(const MovingScene& scene, double time) {
  const auto detector = make_detector("bvh");
  for (const MovingBody& body : scene.bodies) detector->add_body(body.mesh, body.motion);
  const Report report = detector->detect({time, time});
  EXPECT_TRUE(report.complete);
  return report.contacts.size();
}

double mean_edge(const MovingScene& scene) {
  double sum = 0;
  for (const MovingBody& body : scene.bodies)
    for (const Triangle& t : body.mesh->triangles())
      sum += (body.mesh->position(t[0]) - body.mesh->position(t[1])).norm();
  return sum / static_cast<double>(scene.triangle_count());
}

class Scenes : public ::testing::TestWithParam<SceneInfo> {
 protected:
  MovingScene make(std::size_t triangles, std::size_t frames, std::uint64_t seed = 1) const {
    return make_scene(GetParam().name, {.triangles = triangles, .frames = frames, .seed = seed});
  }
  std::size_t small() const { return std::max<std::size_t>(GetParam().least_triangles, 3'000); }
};

TEST_P(Scenes, AreTheSameEveryTimeAndInAnyOrderOfFrames) {
  const MovingScene once = make(small(), 8), again = make(small(), 8);
  std::vector<std::uint64_t> forward, backward;
  for (std::size_t k = 0; k < 8; ++k) forward.push_back(hash_of(once, k));
  for (std::size_t k = 8; k-- > 0;) backward.insert(backward.begin(), hash_of(again, k));
  EXPECT_EQ(forward, backward);
  EXPECT_NE(forward[0], forward[7]);
}

TEST_P(Scenes, DifferForAnotherSeed) { EXPECT_NE(hash_of(make(small(), 4), 3), hash_of(make(small(), 4, 2), 3)); }

TEST_P(Scenes, HaveAboutAsManyTrianglesAsAskedFor) {
  for (const std::size_t wanted : {GetParam().least_triangles, std::size_t{16'000}, std::size_t{50'000}}) {
    if (wanted < GetParam().least_triangles) continue;
    const double got = static_cast<double>(make(wanted, 1).triangle_count());
    EXPECT_NEAR(got / static_cast<double>(wanted), 1, wanted < 10'000 ? 0.15 : 0.05) << wanted;
  }
}

TEST_P(Scenes, StartWithoutAnyIntersection) {
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_EQ(intersections(make(small(), 1, seed), 0), 0u) << seed;
  EXPECT_EQ(intersections(make(2 * small() + 7'000, 1, 4), 0), 0u);
}

TEST_P(Scenes, HaveCleanMeshesAtTheirPlaceInFrameZero) {
  for (const MovingBody& body : make(small(), 2).bodies) {
    const DefectReport report = find_defects(*body.mesh);
    EXPECT_TRUE(report.manifold()) << body.name;
    EXPECT_EQ(report.flipped_edges.count + report.unreferenced_vertices.count + report.duplicate_vertices.count, 0u);
    EXPECT_EQ(report.zero_area_faces.count + report.repeated_index_faces.count + report.duplicate_faces.count, 0u);
    EXPECT_EQ(hash_of(body.mesh->positions()), hash_of(body.motion.frame(0).positions())) << body.name;
  }
}

TEST_P(Scenes, HaveContactsInTheirCourse) {
  const MovingScene scene = with_stored_frames(make(small(), 34));
  std::size_t most = 0;
  for (std::size_t k = 0; k < 34; k += 3) most = std::max(most, intersections(scene, static_cast<double>(k)));
  EXPECT_GT(most, 0u);
}

TEST_P(Scenes, MoveAFewEdgesAFrame) {
  const MovingScene scene = with_stored_frames(make(16'000, 30));
  double most = 0;
  for (const MovingBody& body : scene.bodies) {
    for (std::size_t k = 1; k < body.motion.frame_count(); ++k) {
      const Frame before = body.motion.frame(k - 1), now = body.motion.frame(k);
      for (std::size_t v = 0; v < now.positions().size(); ++v)
        most = std::max(most, (now.positions()[v] - before.positions()[v]).norm());
    }
  }
  EXPECT_GT(most / mean_edge(scene), 0.5);
  EXPECT_LT(most / mean_edge(scene), 8);
}

TEST_P(Scenes, KeepEveryFrameInMemoryIfWanted) {
  const MovingScene pulled = make(small(), 5), stored = with_stored_frames(pulled);
  EXPECT_EQ(stored.frame_count(), 5u);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(hash_of(pulled, k), hash_of(stored, k));
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, Scenes, ::testing::ValuesIn(procedural_scenes().begin(), procedural_scenes().end()),
                         [](const auto& scene) {
                           std::string name(scene.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Scene, UnknownNamesAreRefusedWithTheNearestOne) {
  try {
    make_scene("tablecloht");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'tablecloth'"), std::string::npos);
  }
}

TEST(Scene, SettingsOutOfRangeAreRefused) {
  EXPECT_THROW(make_scene("swirl", {.frames = 0}), Error);
  EXPECT_THROW(make_scene("swirl", {.triangles = 10}), Error);
  EXPECT_THROW(make_scene("n-bodies", {.bodies = 0}), Error);
  EXPECT_THROW(make_scene("n-bodies", {.triangles = 1'000, .bodies = 100}), Error);
}

TEST(Scene, NBodiesHasAsManyBodiesAsAskedFor) {
  for (const std::size_t bodies : {1, 2, 9, 30}) {
    const MovingScene scene = make_scene("n-bodies", {.triangles = 9'000, .frames = 2, .bodies = bodies});
    EXPECT_EQ(scene.bodies.size(), bodies);
    EXPECT_EQ(intersections(scene, 0), 0u);
  }
}

// What other platforms and compilers must reproduce bit for bit.
TEST(Scene, FramesHaveTheirKnownBits) {
  const auto bits = [](const char* name) { return hash_of(make_scene(name, {.triangles = 3'000, .frames = 6}), 5); };
  EXPECT_EQ(bits("tablecloth"), 1909807008269049625u);
  EXPECT_EQ(bits("swirl"), 13963893346365923192u);
  EXPECT_EQ(bits("avatar"), 8711342748811776056u);
  EXPECT_EQ(bits("teapot-sphere"), 1610307272499932432u);
  EXPECT_EQ(bits("n-bodies"), 16522567554430681911u);
}

}  // namespace
}  // namespace pliant
