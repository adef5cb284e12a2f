// Points without faces against surfaces.
#include "pliant/mesh/points.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/core/error.h"
#include "pliant/io/mesh_file.h"
#include "tests/check/known_bodies.h"
#include "tests/detect/motions.h"

namespace pliant::testing {
namespace {

CheckBody falling_points(const std::vector<double>& heights) {
  std::vector<Frame> frames;
  for (const double z : heights) frames.push_back(Frame::own({{0.3, -0.7, z}, {0.5, 1.1, z + 1}, {9, 9, z}}));
  return {"drops", make_points({{0.3, -0.7, 1}, {0.5, 1.1, 2}, {9, 9, 1}}), Motion::keyframes(std::move(frames))};
}

TEST(Points, MeetTheFacesTheyFallOn) {
  const std::vector<CheckBody> bodies{still_body("plate", plate()), falling_points({1, -1, -3})};
  for (const MethodInfo* method : methods()) {
    if (!method->moving) continue;
    Kept kept;
    const CheckReport report = check_animation(bodies, {.method = std::string(method->name)}, {}, &kept);
    EXPECT_EQ(report.verdict, Verdict::collides) << method->name;
    ASSERT_EQ(kept.contacts.size(), 2u) << method->name;
    EXPECT_NEAR(kept.contacts[0].contact.time, 0.5, 1e-9);
    EXPECT_NEAR(kept.contacts[1].contact.time, 1, 1e-9);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(kept.contacts[i].contact.kind(), ContactKind::vertex_face);
      EXPECT_EQ(kept.contacts[i].contact.a, (Feature{BodyId(1), FeatureKind::vertex, static_cast<std::uint32_t>(i)}));
    }
    EXPECT_EQ(report.bodies[1].triangles, 0u);
    EXPECT_TRUE(report.bodies[1].defects.empty());
  }
  EXPECT_EQ(check_animation(std::vector{bodies[0], falling_points({1, 0.5})}).verdict, Verdict::clean);
}

TEST(Points, AtAnInstantMeetTheFacesTheyLieOn) {
  const auto check = [](double z) {
    return check_meshes(
        std::vector{still_body("plate", plate()), still_body("points", make_points({{0.3, -0.7, z}, {1, 0, 5}}))});
  };
  EXPECT_EQ(check(0).verdict, Verdict::collides);
  EXPECT_EQ(check(0).contacts, 1u);
  EXPECT_EQ(check(std::numeric_limits<double>::denorm_min()).verdict, Verdict::clean);
}

// The corners of loose triangles are points that move alike: they meet the same faces.
RC_GTEST_PROP(Points, MeetWhatTheVerticesOfATriangleWouldMeet, ()) {
  Dice dice(*rc::gen::arbitrary<std::uint64_t>());
  const std::vector<Mover> soups{thrown(dice, loose_soup(dice, 8, 3, 1), 3, 0.7, Vec3(0.1, 0, 0)),
                                 thrown(dice, loose_soup(dice, 8, 3, 1), 3, 0.7, Vec3(-0.1, 0, 0))};
  std::vector<Mover> with_points{soups[0], {make_points(positions_of(*soups[1].mesh)), soups[1].motion}};
  const auto hits = [](const Report& report) {
    std::vector<std::tuple<double, Feature, Feature>> found;
    for (const Contact& c : report.contacts)
      if (c.kind() == ContactKind::vertex_face && c.a.body == BodyId(1)) found.emplace_back(c.time, c.a, c.b);
    return found;
  };
  const auto expected = hits(detect_moving("brute-force", soups, {0, 2}, {.self = false}));
  const Report truth = detect_moving("brute-force", with_points, {0, 2}, {.self = false});
  RC_ASSERT(hits(truth) == expected);
  for (const MethodInfo* method : methods())
    if (method->moving)
      RC_ASSERT(hash_of(detect_moving(method->name, with_points, {0, 2}, {.self = false})) == hash_of(truth));
}

TEST(Points, AreReadFromFilesWithoutFacesIfAskedFor) {
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty double x\nproperty double y\nproperty double z\nend_header\n"
      "0 0 0\n1 2 3\n";
  const std::pair<std::string, std::string> files[] = {
      {"p.obj", "v 0 0 0\nv 1 2 3\n"}, {"p.off", "OFF\n2 0 0\n0 0 0\n1 2 3\n"}, {"p.ply", ply}};
  for (const auto& [name, text] : files) {
    EXPECT_THROW(parse_mesh(text, name), Error) << name;
    const MeshFile file = parse_mesh(text, name, {.faces = Faces::optional});
    EXPECT_TRUE(is_points(*file.mesh)) << name;
    ASSERT_EQ(file.mesh->vertex_count(), 2u) << name;
    EXPECT_EQ(file.mesh->positions()[1], Vec3(1, 2, 3));
    ASSERT_EQ(file.warnings.size(), 1u);
    EXPECT_EQ(file.warnings[0], "no faces: 2 vertices are points");
  }
  EXPECT_THROW(parse_mesh("v 0 0 0\nf 1 1\n", "short.obj", {.faces = Faces::optional}), Error);
}

}  // namespace
}  // namespace pliant::testing
