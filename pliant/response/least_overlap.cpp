#include "pliant/response/least_overlap.h"

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

// How far points reach along a way.
struct Reach {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  Reach(std::span<const Vec3> points, const Vec3& way) {
    for (const Vec3& p : points) {
      const double at = p.dot(way);
      low = std::min(low, at);
      high = std::max(high, at);
    }
  }
};

Vec3 sum_of(std::span<const Vec3> ways) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& way : ways) sum += way;
  return sum;
}

}  // namespace

std::optional<Overlap> least_overlap(const Patch& a, const Patch& b, const Vec3& line) {
  Overlap least{Vec3::Zero(), std::numeric_limits<double>::infinity()};
  // False: they are apart, on whichever side.
  const auto look = [&](const Vec3& way, bool counts) {
    const Reach of_a(a.points, way), of_b(b.points, way);
    if (counts && of_b.high - of_a.low < least.depth) least = {way, of_b.high - of_a.low};
    return of_b.high > of_a.low && of_a.high > of_b.low;
  };
  const bool line_leads_out = !(line.dot(sum_of(b.ways_out)) < 0) && !(line.dot(sum_of(a.ways_out)) > 0);
  if (!line.isZero(0) && !look(line, line_leads_out)) return std::nullopt;
  for (const Vec3& way : b.ways_out)
    if (!look(way, true)) return std::nullopt;
  for (const Vec3& way : a.ways_out)
    if (!look(-way, true)) return std::nullopt;
  if (least.normal.isZero(0)) return std::nullopt;
  return least;
}

}  // namespace pliant
