#include "pliant/detect/feature_vertices.h"

#include <gtest/gtest.h>

#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

Vec3 point_of(const FeatureVertices& feature, std::span<const Vec3> x) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < feature.size(); ++i) sum += feature.weights[i] * x[feature.vertex[i].index()];
  return sum;
}

TEST(FeatureVertices, AreThoseOfTheFeatureInTheOrderOfTheMesh) {
  const MeshPtr box = make_box();
  const FeatureVertices vertex = vertices_of(Feature{BodyId(0u), FeatureKind::vertex, 5}, *box);
  ASSERT_EQ(vertex.size(), 1u);
  EXPECT_EQ(vertex.vertex[0], VertexId(5));
  const FeatureVertices edge = vertices_of(Feature{BodyId(0u), FeatureKind::edge, 3}, *box);
  ASSERT_EQ(edge.size(), 2u);
  EXPECT_EQ((Edge{edge.vertex[0], edge.vertex[1]}), box->topology().edge(EdgeId(3)));
  const FeatureVertices face = vertices_of(face_feature(BodyId(0u), FaceId(7)), *box);
  ASSERT_EQ(face.size(), 3u);
  EXPECT_EQ(face.vertex, box->triangle(FaceId(7)));
  EXPECT_EQ(vertices_of(region_feature(BodyId(0u), 9), *box).size(), 0u);
}

TEST(FeatureVertices, GiveThePointOfAStillContactOnBothSides) {
  const auto detector = make_detector("bvh", {.self = false});
  const MeshPtr a = make_torus(), b = make_icosphere();
  detector->add_body(a);
  detector->add_body(b);
  const Report report = detector->detect(Interval::instant(0));
  ASSERT_FALSE(report.contacts.empty());
  for (const Contact& c : report.contacts) {
    const ContactVertices v = vertices_of(c, *detector);
    EXPECT_LT((point_of(v.a, a->positions()) - c.point).norm(), 1e-12);
    EXPECT_LT((point_of(v.b, b->positions()) - c.point).norm(), 1e-12);
  }
}

TEST(FeatureVertices, GiveThePointOfAnImpactOnBothSides) {
  const MeshPtr ball = make_icosphere(), box = make_box();
  const auto detector = make_detector("swept-bvh", {.self = false});
  std::vector<Vec3> x0(ball->positions().begin(), ball->positions().end()), x1 = x0;
  for (Vec3& p : x0) p += Vec3(0.1, 0.05, 3);
  detector->add_body(ball, Motion::linear(Frame::own(x0), Frame::own(x1)));
  detector->add_body(box);
  const Report report = detector->detect({0, 1});
  ASSERT_FALSE(report.contacts.empty());
  for (const Contact& c : report.contacts) {
    const ContactVertices v = vertices_of(c, *detector);
    const auto at = [&](const FeatureVertices& f, BodyId body) {
      const Frame frame = detector->body(body).motion.positions_at(c.time);
      return point_of(f, frame.positions());
    };
    EXPECT_LT((at(v.a, c.a.body) - c.point).norm(), 1e-9);
    EXPECT_LT((at(v.b, c.b.body) - c.point).norm(), 1e-9);
  }
}

TEST(FeatureVertices, RefuseABodyThatTheDetectorDoesNotHave) {
  const auto detector = make_detector("bvh");
  Contact contact;
  contact.a = contact.b = face_feature(BodyId(3u), FaceId(0));
  EXPECT_THROW(vertices_of(contact, *detector), Error);
}

}  // namespace
}  // namespace pliant
