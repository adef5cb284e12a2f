// What interrupted detectors name instead of contacts: pairs of regions that were not fully looked at.
#pragma once

#include <vector>

#include "pliant/bounds/box_distances.h"
#include "pliant/detect/detector.h"

namespace pliant {

// From the boxes of the two regions.
UnresolvedPair unresolved_pair(const Feature& a, const Aabb& box_a, const Feature& b, const Aabb& box_b);

// A region-region contact, possible from `time` on: point, normal and depth (0 if they are apart) are those of the
// spheres, where these are finite. The direction of two spheres with one centre is zero.
Contact possible_contact(const UnresolvedPair& pair, double time);
// The order of reports.
bool earlier_regions(const UnresolvedPair& x, const UnresolvedPair& y);
// Contacts of all pairs, in the order of reports, each pair once.
std::vector<Contact> possible_contacts(const std::vector<UnresolvedPair>& pairs, double time);

// The region of some faces inside a box.
Region region_of(std::vector<FaceId> faces, const Aabb& box);

}  // namespace pliant
