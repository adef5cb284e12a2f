#include "pliant/detect/still/face_contacts.h"

#include <algorithm>

#include "pliant/geometry/contact_kernel.h"

namespace pliant {
namespace {

constexpr std::size_t kContactsAtOnce = 4;

void set_lane(FourCorners& four, std::size_t i, const StillBody& body, FaceId face) {
  const Triangle& t = body.mesh->triangle(face);
  const std::span<const Vec3> x = body.frame.positions();
  four.set(i, x[t[0].index()].data(), x[t[1].index()].data(), x[t[2].index()].data());
}

Contact crossing_contact(const StillQuery& query, const FaceHit& hit, const FourCrossings& found, std::size_t i) {
  Contact contact;
  contact.time = query.time;
  contact.a = face_feature(query.bodies[hit.body_a].id, hit.face_a);
  contact.b = face_feature(query.bodies[hit.body_b].id, hit.face_b);
  for (std::size_t k = 0; k < 3; ++k) {
    contact.wa[k] = found.weights_a[k][i];
    contact.wb[k] = found.weights_b[k][i];
    contact.point[static_cast<Eigen::Index>(k)] = found.point[k][i];
    contact.normal[static_cast<Eigen::Index>(k)] = found.normal[k][i];
  }
  contact.depth = found.depth[i];
  contact.relation = Relation::crossing;
  contact.initial = true;
  return contact;
}

}  // namespace

void make_contacts(const StillQuery& query, std::span<const FaceHit> hits, std::span<Contact> contacts) {
  const CrossingKernel kernel = crossing_kernel();
  FourCorners a, b;
  FourCrossings found;
  for (std::size_t first = 0; first < hits.size(); first += kContactsAtOnce) {
    const std::span<const FaceHit> four = hits.subspan(first, std::min(kContactsAtOnce, hits.size() - first));
    for (std::size_t i = 0; i < kContactsAtOnce; ++i) {
      const FaceHit& hit = four[std::min(i, four.size() - 1)];
      set_lane(a, i, query.bodies[hit.body_a], hit.face_a);
      set_lane(b, i, query.bodies[hit.body_b], hit.face_b);
    }
    kernel(a, b, found);
    for (std::size_t i = 0; i < four.size(); ++i) {
      const FaceHit& hit = four[i];
      const bool known = hit.relation == Relation::crossing && (found.known >> i & 1u) != 0;
      contacts[first + i] =
          known ? crossing_contact(query, hit, found, i)
                : query.pair(hit.body_a, hit.body_b).contact(hit.face_a, hit.face_b, hit.relation, query.time);
    }
  }
}

}  // namespace pliant
