#include "pliant/detect/still/still_bodies.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "pliant/geometry/distance.h"
#include "pliant/geometry/parting.h"
#include "pliant/geometry/predicates.h"

namespace pliant {

namespace {

// Welded copies that have left their representative but are still together with other copies of it are one vertex: the
// smallest of those at the same place.
void join_stray_copies(const TriangleMesh& mesh, std::span<const Vec3> positions, std::vector<VertexId> strays,
                       std::vector<VertexId>& identity) {
  const auto position = [&](VertexId v) -> const Vec3& { return positions[v.index()]; };
  std::sort(strays.begin(), strays.end(), [&](VertexId u, VertexId v) {
    if (mesh.welded(u) != mesh.welded(v)) return mesh.welded(u) < mesh.welded(v);
    if (position(u) != position(v)) return lex_less(position(u), position(v));
    return u < v;
  });
  for (std::size_t i = 1; i < strays.size(); ++i) {
    const VertexId before = strays[i - 1];
    if (mesh.welded(before) == mesh.welded(strays[i]) && position(before) == position(strays[i]))
      identity[strays[i].index()] = identity[before.index()];
  }
}

}  // namespace

StillBody freeze(BodyId id, const Body& body, double time, bool weld) {
  StillBody still{id, body.mesh.get(), body.motion.positions_at(time), {}};
  const auto copies = weld ? body.mesh->weld_copies() : std::span<const VertexId>{};
  if (copies.empty()) return still;
  still.identity.resize(body.mesh->vertex_count());
  for (std::size_t v = 0; v < still.identity.size(); ++v) still.identity[v] = VertexId(v);
  std::vector<VertexId> strays;
  for (const VertexId v : copies) {
    const VertexId representative = body.mesh->welded(v);
    if (still.frame.positions()[v.index()] == still.frame.positions()[representative.index()])
      still.identity[v.index()] = representative;
    else strays.push_back(v);
  }
  join_stray_copies(*body.mesh, still.frame.positions(), std::move(strays), still.identity);
  return still;
}

namespace {

SharedVertices shared_by_equalities(unsigned equalities) {
  // Per corner of a: which corners of b it is.
  std::array<unsigned, 3> rows{};
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned j = 0; j < 3; ++j) rows[i] |= (equalities >> (3 * j + i) & 1u) << j;
  SharedVertices shared;
  for (std::uint8_t i = 0; i < 3; ++i) {
    // Two corners of a that are the same corners of b are one vertex.
    const bool repeated = (i > 0 && rows[i] == rows[0]) || (i > 1 && rows[i] == rows[1]);
    if (rows[i] == 0 || repeated) continue;
    shared.pairs[shared.count++] = {i, static_cast<std::uint8_t>(std::countr_zero(rows[i]))};
  }
  return shared;
}

}  // namespace

const std::array<SharedVertices, 512> kSharedByEqualities = [] {
  std::array<SharedVertices, 512> table;
  for (unsigned equalities = 0; equalities < 512; ++equalities) table[equalities] = shared_by_equalities(equalities);
  return table;
}();

Contact face_contact(const FacePlace& a, const FacePlace& b, Relation relation, double time) {
  const TriangleContact where = triangle_triangle_contact(a.corners, b.corners, relation);
  Contact contact;
  contact.time = time;
  contact.a = face_feature(a.body, a.face);
  contact.b = face_feature(b.body, b.face);
  contact.point = 0.5 * where.p + 0.5 * where.q;
  contact.wa = closest_points(contact.point, a.corners).weights_b;
  contact.wb = closest_points(contact.point, b.corners).weights_b;
  const Parting apart = parting(a.corners, b.corners);
  contact.normal = apart.direction;
  contact.depth = apart.depth;
  contact.relation = relation;
  contact.initial = true;
  return contact;
}

Contact StillPair::contact(FaceId face_a, FaceId face_b, Relation relation, double time) const {
  const Triangle corners_a = a_.corners(face_a);
  const Triangle corners_b = b_.corners(face_b);
  return face_contact({a_.id, face_a, a_.triangle(corners_a)}, {b_.id, face_b, b_.triangle(corners_b)}, relation, time);
}

}  // namespace pliant
