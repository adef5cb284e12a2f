// What intersected from the start, and what is new.
#include "pliant/check/first_overlaps.h"

#include <gtest/gtest.h>

#include "pliant/mesh/shapes.h"

namespace pliant {
namespace {

Contact faces(std::uint32_t f, std::uint32_t g) {
  Contact contact;
  contact.a = face_feature(BodyId(0), FaceId(f));
  contact.b = face_feature(BodyId(1), FaceId(g));
  return contact;
}

Contact vertex_face(std::uint32_t body, std::uint32_t vertex, std::uint32_t face) {
  Contact contact;
  contact.a = {BodyId(body), FeatureKind::vertex, vertex};
  contact.b = face_feature(BodyId(1 - body), FaceId(face));
  return contact;
}

// Two strips of 10 squares: the vertices of square k are about k and 11 + k, its faces 2k and 2k + 1.
class Strips : public ::testing::Test {
 protected:
  MeshPtr strip_ = make_grid({.columns = 10, .rows = 1});
  FirstOverlaps overlaps_{{strip_, strip_}};
  std::uint32_t corner(std::uint32_t face) const { return strip_->triangles()[face][0].value; }
};

TEST_F(Strips, WhatDoesNotTouchAnOverlapOfTheStartIsNew) {
  overlaps_.begin(std::vector{faces(0, 0)});
  const auto found = overlaps_.advance(std::vector{vertex_face(0, corner(0), 1), vertex_face(0, corner(18), 18)},
                                       std::vector{faces(1, 1), faces(18, 18), faces(0, 18)});
  EXPECT_EQ(found.between, (std::vector{true, false}));
  EXPECT_EQ(found.at_end, (std::vector{true, false, false}));  // near on one side is not enough
}

TEST_F(Strips, AnOverlapIsFollowedAlongAChainOfContacts) {
  overlaps_.begin(std::vector{faces(0, 0)});
  std::vector<Contact> chain;
  for (std::uint32_t k = 0; k < 19; ++k) chain.push_back(faces(k, k));
  const auto found = overlaps_.advance(chain, std::vector{faces(18, 18)});
  EXPECT_EQ(found.at_end, std::vector{true});
  EXPECT_EQ(overlaps_.advance(std::vector{vertex_face(0, corner(0), 0)}, {}).between, std::vector{false});
}

TEST_F(Strips, WhatHasComeApartIsForgotten) {
  overlaps_.begin(std::vector{faces(3, 3)});
  EXPECT_FALSE(overlaps_.empty());
  overlaps_.advance(std::vector{vertex_face(1, corner(3), 3)}, {});
  EXPECT_TRUE(overlaps_.empty());
  EXPECT_EQ(overlaps_.advance({}, std::vector{faces(3, 3)}).at_end, std::vector{false});
}

TEST_F(Strips, FeaturesThatStayNearAreStillThere) {
  overlaps_.begin(std::vector{vertex_face(0, corner(4), 4)});
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(overlaps_.advance(std::vector{vertex_face(0, corner(4), 4)}, {}, {.keep = true}).between,
              std::vector{true});
}

TEST(FirstOverlaps, OfOneBodyTheSidesMayChangePlaces) {
  const MeshPtr strip = make_grid({.columns = 10, .rows = 1});
  FirstOverlaps overlaps({strip});
  const auto self = [](std::uint32_t f, std::uint32_t g) {
    Contact contact;
    contact.a = face_feature(BodyId(0), FaceId(f));
    contact.b = face_feature(BodyId(0), FaceId(g));
    return contact;
  };
  overlaps.begin(std::vector{self(0, 12)});
  EXPECT_EQ(overlaps.advance({}, std::vector{self(12, 1), self(4, 16)}).at_end, (std::vector{true, false}));
}

}  // namespace
}  // namespace pliant
