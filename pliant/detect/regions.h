// What interrupted detectors name instead of contacts: pairs of regions that were not fully looked at.
#pragma once

#include <vector>

#include "pliant/bounds/aabb.h"
#include "pliant/detect/detector.h"

namespace pliant {

// Two regions between which not every pair was tested before the budget ran out.
struct UnresolvedPair {
  Feature a;
  Feature b;
  double bound;  // no two points of the regions are farther apart than this
};

// Their contacts, from `time` on, in the order of reports, each pair once.
std::vector<Contact> possible_contacts(const std::vector<UnresolvedPair>& pairs, double time);

// The region of some faces inside a box.
Region region_of(std::vector<FaceId> faces, const Aabb& box);

}  // namespace pliant
