#include "pliant/detect/moving/face_candidates.h"

#include <algorithm>

namespace pliant {
namespace {

// The features that a face owns, by identity.
class OwnedFeatures {
 public:
  OwnedFeatures(const SweptBody& body, FaceId face)
      : triangle_(body.mesh->triangle(face)),
        corners_(body.corners(face)),
        edges_(body.topology->face_edges(face)),
        owned_(body.topology->owned_features(face)) {}

  const std::array<std::uint32_t, 3>& corners() const { return corners_; }
  // visit(vertex id, its identity)
  template <class Visit>
  void each_vertex(const Visit& visit) const {
    for (std::size_t i = 0; i < 3; ++i)
      if ((owned_ >> i) & 1) visit(triangle_[i].value, corners_[i]);
  }
  // visit(edge)
  template <class Visit>
  void each_edge(const Visit& visit) const {
    for (std::size_t i = 0; i < 3; ++i)
      if ((owned_ >> (3 + i)) & 1) visit(edges_[i]);
  }

 private:
  const Triangle& triangle_;
  std::array<std::uint32_t, 3> corners_;
  const std::array<EdgeId, 3>& edges_;
  std::uint8_t owned_;
};

void add_vertices(const OwnedFeatures& a, const OwnedFeatures& b, FaceId face_b, bool self,
                  CandidateSolver::Stream& stream) {
  const auto& t = b.corners();
  a.each_vertex([&](std::uint32_t v, std::uint32_t corner) {
    if (!self || std::find(t.begin(), t.end(), corner) == t.end())
      stream.add({corner, t[0], t[1], t[2]}, v, face_b.value);
  });
}

void add_edges(const OwnedFeatures& a, const OwnedFeatures& b, bool self, CandidateSolver::Stream& stream) {
  a.each_edge([&](EdgeId e) {
    b.each_edge([&, e](EdgeId f) {
      EdgeId first = e, second = f;
      if (self && second < first) std::swap(first, second);
      const auto p = stream.first().ends(first);
      const auto q = stream.second().ends(second);
      if (self && (p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1])) return;
      stream.add({p[0], p[1], q[0], q[1]}, first.value, second.value);
    });
  });
}

}  // namespace

void add_face_candidates(const SweptQuery& query, BodyPair pair, FaceId face_a, FaceId face_b,
                         CandidateSolver& solver) {
  const OwnedFeatures a(query.bodies[pair.a], face_a);
  const OwnedFeatures b(query.bodies[pair.b], face_b);
  const bool self = solver.is_self();
  add_vertices(a, b, face_b, self, solver.vertices_a_faces_b());
  add_vertices(b, a, face_a, self, solver.vertices_b_faces_a());
  add_edges(a, b, self, solver.edges());
}

}  // namespace pliant
