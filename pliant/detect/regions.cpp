#include "pliant/detect/regions.h"

#include <algorithm>

#include "pliant/core/rigid.h"

namespace pliant {
namespace {

// Where spheres overlap, or the middle of what is between them.
void place_between(Contact& contact, const Sphere& a, const Sphere& b) {
  const Vec3 apart = a.centre - b.centre;
  const double distance = fixed_length(apart);
  contact.depth = std::max(0.0, a.radius + b.radius - distance);
  if (distance > 0) contact.normal = apart / distance;
  contact.point = b.centre + 0.5 * (distance + b.radius - a.radius) * contact.normal;
}

}  // namespace

UnresolvedPair unresolved_pair(const Feature& a, const Aabb& box_a, const Feature& b, const Aabb& box_b) {
  const bool in_order = !(b < a);
  const Aabb& first = in_order ? box_a : box_b;
  const Aabb& second = in_order ? box_b : box_a;
  return {.a = in_order ? a : b,
          .b = in_order ? b : a,
          .bound = farthest_distance(box_a, box_b),
          .sphere_a = sphere_around(first),
          .sphere_b = sphere_around(second)};
}

Contact possible_contact(const UnresolvedPair& pair, double time) {
  Contact contact;
  contact.time = time;
  const bool in_order = !(pair.b < pair.a);
  contact.a = in_order ? pair.a : pair.b;
  contact.b = in_order ? pair.b : pair.a;
  contact.relation = Relation::possible;
  if (pair.sphere_a.finite() && pair.sphere_b.finite())
    place_between(contact, in_order ? pair.sphere_a : pair.sphere_b, in_order ? pair.sphere_b : pair.sphere_a);
  return contact;
}

bool earlier_regions(const UnresolvedPair& x, const UnresolvedPair& y) {
  if (x.a != y.a) return x.a < y.a;
  return x.b < y.b;
}

std::vector<Contact> possible_contacts(const std::vector<UnresolvedPair>& pairs, double time) {
  std::vector<Contact> contacts;
  contacts.reserve(pairs.size());
  for (const UnresolvedPair& pair : pairs) contacts.push_back(possible_contact(pair, time));
  std::sort(contacts.begin(), contacts.end(), earlier);
  const auto same = [](const Contact& x, const Contact& y) { return x.a == y.a && x.b == y.b; };
  contacts.erase(std::unique(contacts.begin(), contacts.end(), same), contacts.end());
  return contacts;
}

Region region_of(std::vector<FaceId> faces, const Aabb& box) {
  const Sphere sphere = sphere_around(box);
  return {sphere.centre, sphere.radius, std::move(faces)};
}

}  // namespace pliant
