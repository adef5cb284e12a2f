#include "pliant/detect/regions.h"

#include <algorithm>

namespace pliant {
namespace {

Contact possible_contact(const UnresolvedPair& pair, double time) {
  Contact contact;
  contact.time = time;
  contact.a = std::min(pair.a, pair.b);
  contact.b = std::max(pair.a, pair.b);
  contact.relation = Relation::possible;
  return contact;
}

}  // namespace

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
  Region region;
  for (int i = 0; i < 3; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    region.centre[i] = 0.5 * double{box.lo[axis]} + 0.5 * double{box.hi[axis]};
  }
  region.radius = 0.5 * box.diagonal() * (1 + 1e-15);  // the centre is rounded too
  region.faces = std::move(faces);
  return region;
}

}  // namespace pliant
