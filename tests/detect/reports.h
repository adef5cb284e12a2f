// Comparing reports.
#pragma once

#include <set>
#include <string>
#include <tuple>

#include "pliant/detect/registry.h"

namespace pliant::testing {

using FacePair = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  // body, face, body, face

inline std::set<FacePair> face_pairs(const Report& report) {
  std::set<FacePair> pairs;
  for (const Contact& c : report.contacts)
    if (c.relation != Relation::possible) pairs.emplace(c.a.body.value, c.a.id, c.b.body.value, c.b.id);
  return pairs;
}

// Everything that a report says, bit by bit.
inline std::uint64_t hash_of(const Report& report) {
  std::uint64_t hash = 1469598103934665603ULL;  // FNV-1a
  const auto mix = [&](const auto& value) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    for (std::size_t i = 0; i < sizeof value; ++i) hash = (hash ^ bytes[i]) * 1099511628211ULL;
  };
  const auto mix_feature = [&](const Feature& f) {
    mix(f.body.value);
    mix(f.kind);
    mix(f.id);
  };
  for (const Contact& c : report.contacts) {
    mix(c.time);
    mix_feature(c.a);
    mix_feature(c.b);
    for (const double w : c.wa) mix(w);
    for (const double w : c.wb) mix(w);
    for (int i = 0; i < 3; ++i) {
      mix(c.point[i]);
      mix(c.normal[i]);
    }
    mix(c.depth);
    mix(c.relation);
    mix(c.initial);
  }
  mix(report.complete);
  mix(report.guarantee);
  mix(report.bound);
  return hash;
}

inline Report detect_still(std::string_view method, const std::vector<MeshPtr>& meshes,
                           const DetectorSettings& settings = {}, const Budget& budget = {}) {
  const auto detector = make_detector(method, settings);
  for (const MeshPtr& mesh : meshes) detector->add_body(mesh);
  return detector->detect(Interval::instant(0), budget);
}

}  // namespace pliant::testing
