// What the still methods share: all bodies at one instant, and the exact test of one pair of faces.
#pragma once

#include <span>
#include <tuple>
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

  // The corners of a face, by identity. Their positions are bit for bit those of the face's own vertices.
  Triangle corners(FaceId face) const {
    const Triangle& t = mesh->triangle(face);
    if (identity.empty()) return t;
    return {identity[t[0].index()], identity[t[1].index()], identity[t[2].index()]};
  }
  Triangle3 triangle(const Triangle& corners) const {
    return {frame.positions()[corners[0].index()], frame.positions()[corners[1].index()],
            frame.positions()[corners[2].index()]};
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

  // The order of reports.
  friend bool operator<(const FaceHit& x, const FaceHit& y) {
    return std::tie(x.body_a, x.face_a, x.body_b, x.face_b) < std::tie(y.body_a, y.face_a, y.body_b, y.face_b);
  }
};

// By the nine equalities of two faces' corners (bit 3 j + i: corner i of a is corner j of b): which corners are shared.
// A vertex that a face repeats counts once. A table, because branches on it would be mispredicted half of the time.
extern const std::array<SharedVertices, 512> kSharedByEqualities;

inline unsigned corner_equalities(const Triangle& a, const Triangle& b) {
  const auto corner = [](VertexId v) { return static_cast<std::int32_t>(v.value); };
  const simd::Int4 all_a{corner(a[0]), corner(a[1]), corner(a[2]), -1};
  const auto equal = [&](VertexId v) {
    return simd::bits(all_a == simd::Int4{corner(v), corner(v), corner(v), corner(v)}) & 7u;
  };
  return equal(b[0]) | equal(b[1]) << 3 | equal(b[2]) << 6;
}

// The whole contact of two faces that intersect, as `relation` says, at `time`.
struct FacePlace {
  BodyId body;
  FaceId face;
  Triangle3 corners;
};
Contact face_contact(const FacePlace& a, const FacePlace& b, Relation relation, double time);

// Two bodies (or one twice) whose faces are tested against each other.
class StillPair {
 public:
  // `filter` may be null. Both bodies must outlive the pair.
  StillPair(const StillBody& a, const StillBody& b, const ContactFilter* filter, bool candidates_only = false)
      : a_(a), b_(b), filter_(filter), candidates_only_(candidates_only) {}

  bool is_self() const { return &a_ == &b_; }
  bool candidates_only() const { return candidates_only_; }  // they are found and not tested
  const StillBody& a() const { return a_; }
  const StillBody& b() const { return b_; }

  // Exact relation of two different faces; `none` if the filter leaves the pair out. Safe from several threads.
  Relation test(FaceId face_a, FaceId face_b) const {
    if (!wants(face_a, face_b)) return Relation::none;
    const Triangle a = a_.corners(face_a);
    const Triangle b = b_.corners(face_b);
    return relation(a, b, shared(a, b));
  }
  bool wants(FaceId face_a, FaceId face_b) const {
    return !filter_ || filter_->features(face_feature(a_.id, face_a), face_feature(b_.id, face_b));
  }
  // The same for faces given by their corners, filter not asked.
  Relation relation(const Triangle& a, const Triangle& b, const SharedVertices& shared) const {
    return triangle_triangle_relation(a_.triangle(a), b_.triangle(b), shared);
  }

  // The whole contact of a pair for which test() said `relation`.
  Contact contact(FaceId face_a, FaceId face_b, Relation relation, double time) const;

 private:
  const SharedVertices& shared(const Triangle& a, const Triangle& b) const {
    return kSharedByEqualities[is_self() ? corner_equalities(a, b) : 0];
  }

  const StillBody& a_;
  const StillBody& b_;
  const ContactFilter* filter_;
  bool candidates_only_;
};

}  // namespace pliant
