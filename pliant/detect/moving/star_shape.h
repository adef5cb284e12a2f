// A proof that a body does not come near itself: seen from a centre that goes with it, no part of it hides another.
// Most balls, boxes and lumps are such bodies most of the time, and the proof costs a few multiplications per face
// instead of a search.
//
// Let every vertex be seen from a centre c(t) that moves linearly, a, b, c the corners of a face, all linear in time.
//
// - If a . (b x c) > 0 for all faces of a closed, consistently oriented surface, central projection onto a sphere is a
//   branched covering of it, of as many sheets as faces are met by any ray. If that is one, it is one to one: the
//   surface has no points in common with itself. The number of sheets stays the same as long as the surface does not
//   come to the centre, which the first condition excludes. So a ray at the start of the segment suffices.
// - Then faces are seen as a triangulation of the sphere. Of two features that are not incident the closest points,
//   as seen from the centre, are a vertex v of one of them and a point beyond the faces around v. (Two arcs of great
//   circles have no least distance inside both, since circles come together.) So their angle is at least that between
//   v and the great circle through the other corners of a face at v: its sine is a . (b x c) / (|a| |b x c|).
// - Two points at a distance d, no nearer to the centre than r, are seen under an angle whose sine is d / r at most.
//   So if the least of those sines is more than d / r, features that are not incident are farther apart than d.
//
// A triple product of ways is a cubic in time, a cross product a quadratic: their Bernstein coefficients bound them.
#pragma once

#include <vector>

#include "pliant/detect/moving/swept_query.h"

namespace pliant {

// Remembers which meshes are closed. Not to be shared between threads.
class StarShapes {
 public:
  // True: proved that no two features of the body that are not incident come within `separation` of each other during
  // its segment (touch, if that is 0). False says nothing. `mesh` is that of the body.
  bool prove_apart(const SweptBody& body, const MeshPtr& mesh, double separation);

  // By body of the query: whether a search for its contacts may leave out those of the body with itself.
  std::vector<bool> clear_of_themselves(const SweptQuery& query, const Detector& detector);

 private:
  struct Faces {
    MeshPtr mesh;
    std::vector<std::uint32_t> corners;  // as star::StarArrays has them; none if the surface is not closed
  };
  const Faces& faces_of(const SweptBody& body, const MeshPtr& mesh);

  std::vector<Faces> faces_;      // by body
  std::vector<double> vertices_;  // of the last one
};

}  // namespace pliant
