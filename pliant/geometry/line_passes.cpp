#include "pliant/geometry/line_passes.h"

namespace pliant {
namespace {

// The passes of one triangle's edges against the other's face.
class EdgePasses {
 public:
  EdgePasses(EdgeHits& hits, bool of_a, const Triangle3& edges, const Triangle3& face)
      : hits_(hits), of_a_(of_a), edges_(edges), face_(face) {}

  // Whether it hits.
  bool run(int edge) {
    const Segment3 segment(edges_[edge], edges_[Triangle3::next(edge)]);
    const SegmentTriangleContact contact = segment_triangle_contact(segment, face_);
    if (contact.relation == Relation::none) return false;
    hits_.add({of_a_, edge, contact});
    return true;
  }

 private:
  EdgeHits& hits_;
  bool of_a_;
  const Triangle3& edges_;
  const Triangle3& face_;
};

// A point inside an edge of one triangle and inside the face of the other is on no other edge, of either.
bool two_cross(const EdgeHits& hits) {
  int crossing = 0;
  for (const EdgeHit& hit : hits) crossing += hit.contact.relation == Relation::crossing;
  return crossing == 2;
}

void pass_edges(EdgeHits& hits, bool of_a, const Triangle3& edges, const Triangle3& face, bool third_needs_hit) {
  EdgePasses passes(hits, of_a, edges, face);
  const bool first = passes.run(0);
  if (two_cross(hits)) return;
  const bool second = passes.run(1);
  if (two_cross(hits) || (third_needs_hit && !first && !second)) return;
  passes.run(2);
}

bool is_shared(const SharedVertices& shared, int side, int corner) {
  for (std::size_t i = 0; i < shared.count; ++i)
    if (shared.pairs[i][static_cast<std::size_t>(side)] == corner) return true;
  return false;
}

void pass_free_edges(EdgeHits& hits, bool of_a, const Triangle3& edges, const Triangle3& face,
                     const SharedVertices& shared) {
  EdgePasses passes(hits, of_a, edges, face);
  const int side = of_a ? 0 : 1;
  for (int edge = 0; edge < 3; ++edge)
    if (!is_shared(shared, side, edge) && !is_shared(shared, side, Triangle3::next(edge))) passes.run(edge);
}

}  // namespace

EdgeHits edge_hits(const Triangle3& a, const Triangle3& b, const LinePasses& passes) {
  EdgeHits hits;
  pass_edges(hits, true, a, b, passes.third_needs_hit);
  if (passes.both_ways && !two_cross(hits)) pass_edges(hits, false, b, a, passes.third_needs_hit);
  return hits;
}

EdgeHits edge_hits_of_neighbours(const Triangle3& a, const Triangle3& b, const SharedVertices& shared) {
  EdgeHits hits;
  pass_free_edges(hits, true, a, b, shared);
  pass_free_edges(hits, false, b, a, shared);
  return hits;
}

}  // namespace pliant
