#include "pliant/detect/spatial_hash/spatial_hash.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/detect/reports.h"
#include "tests/support/soups.h"

namespace pliant::testing {
namespace {

Report detect_hashed(const std::vector<MeshPtr>& meshes, const SpatialHashSettings& hash) {
  SpatialHashDetector detector({}, hash);
  for (const MeshPtr& mesh : meshes) detector.add_body(mesh);
  return detector.detect(Interval::instant(0));
}

RC_GTEST_PROP(SpatialHash, ContactsDoNotDependOnCellSizeOrTable, (std::uint64_t seed)) {
  Dice dice(seed);
  // Integer coordinates lie exactly on cell faces; negative ones must be floored, not truncated.
  const MeshPtr soup = grid_soup(dice, 20, 30, 4);
  std::vector<Vec3> shifted;
  for (const Vec3& p : soup->positions()) shifted.push_back(p - Vec3(2, 3, 1));
  const MeshPtr other = std::make_shared<const TriangleMesh>(
      shifted, std::vector<Triangle>(soup->triangles().begin(), soup->triangles().end()));
  const std::uint64_t truth = hash_of(detect_still("brute-force", {soup, other}));
  for (const double cell : {0.01, 0.5, 1.0, 3.0, 1e6})
    for (const std::size_t buckets : {std::size_t{127}, std::size_t{1024}})
      RC_ASSERT(hash_of(detect_hashed({soup, other}, {cell, buckets})) == truth);
  RC_ASSERT(hash_of(detect_hashed({soup, other}, {2.0, 1})) == truth);
}

TEST(SpatialHash, HugeFacesAreTestedApart) {
  Dice dice(9);
  const MeshPtr small = loose_soup(dice, 2000, 10, 0.2);
  const MeshPtr huge = std::make_shared<const TriangleMesh>(
      std::vector<Vec3>{
          {-1e9, -1e9, 0.1}, {1e9, -1e9, 0.1}, {0, 1e9, 0.3}, {0, -1e9, -1e9}, {0, 1e9, -1e9}, {0.5, 0, 1e9}},
      std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}, {VertexId(3), VertexId(4), VertexId(5)}});
  const Report report = detect_hashed({small, huge}, {});
  EXPECT_EQ(report.counters["oversize_faces"], 2u);
  EXPECT_EQ(hash_of(report), hash_of(detect_still("brute-force", {small, huge})));
}

}  // namespace
}  // namespace pliant::testing
