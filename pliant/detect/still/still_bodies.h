// What the still methods share: all bodies at one instant, and the exact test of one pair of faces.
#pragma once

#include <span>
#include <vector>

#include "pliant/bounds/aabb.h"
#include "pliant/detect/detector.h"
#include "pliant/geometry/triangle_triangle.h"

namespace pliant {

// A body frozen at one instant. Valid while its Detector keeps the body.
struct StillBody {
  BodyId id;
  const TriangleMesh* mesh = nullptr;
  Frame frame;
  // Which vertices are one and the same now: welded at rest and at bit-equal positions still. (A seam that opens in
  // motion is then no longer shared, so nothing is missed.) Empty: every vertex is itself only.
  std::vector<VertexId> identity;

  VertexId identity_of(VertexId v) const { return identity.empty() ? v : identity[v.index()]; }
  Triangle3 triangle(FaceId face) const {
    const Triangle& t = mesh->triangle(face);
    return {frame.positions[t[0].index()], frame.positions[t[1].index()], frame.positions[t[2].index()]};
  }
};

StillBody freeze(BodyId id, const Body& body, double time, bool weld);

// Two faces found to intersect; indices are into the list of frozen bodies.
struct FaceHit {
  std::uint32_t body_a;
  std::uint32_t body_b;
  FaceId face_a;
  FaceId face_b;
  Relation relation;
};

// Two bodies (or one twice) whose faces are tested against each other.
class StillPair {
 public:
  // `filter` may be null. Both bodies must outlive the pair.
  StillPair(const StillBody& a, const StillBody& b, const ContactFilter* filter) : a_(a), b_(b), filter_(filter) {}

  bool is_self() const { return &a_ == &b_; }
  const StillBody& a() const { return a_; }
  const StillBody& b() const { return b_; }

  // Exact relation of two different faces; `none` if the filter leaves the pair out. Safe from several threads.
  Relation test(FaceId face_a, FaceId face_b) const;

  // The whole contact of a pair for which test() said `relation`.
  Contact contact(FaceId face_a, FaceId face_b, Relation relation, double time) const;

 private:
  SharedVertices shared(FaceId face_a, FaceId face_b) const;

  const StillBody& a_;
  const StillBody& b_;
  const ContactFilter* filter_;
};

}  // namespace pliant
