// What the report of an interrupted search covers.
#pragma once

#include <rapidcheck/gtest.h>

#include <map>

#include "tests/detect/reports.h"

namespace pliant::testing {

class Cover {
 public:
  Cover(const Detector& detector, const Report& report) : detector_(detector), report_(report) {}

  // How often a pair of faces is below a pair of the cut.
  int count(const FacePair& pair) {
    const auto [body_a, face_a, body_b, face_b] = pair;
    int times = 0;
    for (const UnresolvedPair& c : report_.cut) {
      if (c.a.body.value != body_a || c.b.body.value != body_b) continue;
      const auto& a = faces(c.a);
      const auto& b = faces(c.b);
      const bool straight = a.count(face_a) && b.count(face_b);
      const bool crossed = body_a == body_b && a.count(face_b) && b.count(face_a);
      times += straight || crossed ? 1 : 0;
    }
    return times;
  }
  const std::set<std::uint32_t>& faces(const Feature& region) {
    const auto [at, is_new] = known_.try_emplace(region);
    if (is_new)
      for (const FaceId f : detector_.region(region.body, region.id).faces) at->second.insert(f.value);
    return at->second;
  }

 private:
  const Detector& detector_;
  const Report& report_;
  std::map<Feature, std::set<std::uint32_t>> known_;
};

// The contacts of regions are the cut, in its order.
inline void check_regions(const Report& report) {
  std::size_t regions = 0;
  for (const Contact& c : report.contacts) {
    if (c.kind() != ContactKind::region_region) continue;
    RC_ASSERT(regions < report.cut.size());
    RC_ASSERT(c.a == report.cut[regions].a && c.b == report.cut[regions].b);
    ++regions;
  }
  RC_ASSERT(regions == report.cut.size());
}

// Each true pair is found or below a pair of the cut: where bodies stand in place of regions, perhaps both.
inline void check_nothing_missed(const Detector& detector, const Report& report, const std::set<FacePair>& truth) {
  const auto found = face_pairs(report);
  Cover cover(detector, report);
  for (const FacePair& pair : truth) RC_ASSERT(found.count(pair) || cover.count(pair) > 0);
  for (const FacePair& pair : found) RC_ASSERT(truth.count(pair));
  check_regions(report);
}

// Each true pair is found or below one pair of the cut, and one only.
inline void check_cut(const Detector& detector, const Report& report, const std::set<FacePair>& truth) {
  const auto found = face_pairs(report);
  Cover cover(detector, report);
  for (const FacePair& pair : truth) {
    const int covered = cover.count(pair);
    RC_ASSERT(covered == (found.count(pair) ? 0 : 1));  // in one place, and in one only
  }
  for (const FacePair& pair : found) RC_ASSERT(truth.count(pair));
  check_regions(report);
}

}  // namespace pliant::testing
