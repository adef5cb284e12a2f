// Driving the kinetic methods interval by interval, and comparing what they say.
#pragma once

#include <map>
#include <tuple>

#include "tests/detect/motions.h"

namespace pliant::testing {

inline constexpr std::string_view kKineticMethods[] = {"kinetic", "kinetic-events"};

inline std::unique_ptr<Detector> detector_of(std::string_view method, const std::vector<Mover>& movers,
                                             const DetectorSettings& settings = {}) {
  auto detector = make_detector(method, settings);
  for (const Mover& m : movers) detector->add_body(m.mesh, m.motion);
  return detector;
}

inline void append(Report& all, const Report& more) {
  all.contacts.insert(all.contacts.end(), more.contacts.begin(), more.contacts.end());
  all.counters.merge(more.counters);
}

// The interval from keyframe to keyframe, each cut into `cuts` equal intervals: all contacts one after the other.
inline Report detect_in_cuts(Detector& detector, int first, int last, int cuts) {
  Report all;
  for (int k = first; k < last; ++k) {
    for (int i = 0; i < cuts; ++i) {
      const double t0 = k + static_cast<double>(i) / cuts;
      append(all, detector.detect({t0, i + 1 == cuts ? k + 1 : k + static_cast<double>(i + 1) / cuts}));
    }
  }
  return all;
}

inline Report only_contacts(const Report& report) {
  Report bare;
  bare.contacts = report.contacts;
  return bare;
}

// The contacts bit by bit, and nothing else.
inline std::uint64_t contacts_hash(const Report& report) { return hash_of(only_contacts(report)); }

using FeaturePair = std::pair<Feature, Feature>;

// The first time of every pair in every segment [k, k + 1].
inline std::map<std::tuple<int, Feature, Feature>, double> first_times_by_segment(const std::vector<Contact>& contacts,
                                                                                  int segment) {
  std::map<std::tuple<int, Feature, Feature>, double> first;
  for (const Contact& c : contacts) {
    const auto [at, added] = first.emplace(std::tuple(segment, c.a, c.b), c.time);
    if (!added) at->second = std::min(at->second, c.time);
  }
  return first;
}

}  // namespace pliant::testing
