#include "pliant/response/least_overlap.h"

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

double overlap_along(const Patch& a, const Patch& b, const Vec3& way) {
  double top_of_b = -std::numeric_limits<double>::infinity(), bottom_of_a = std::numeric_limits<double>::infinity();
  for (const Vec3& p : b.points) top_of_b = std::max(top_of_b, p.dot(way));
  for (const Vec3& p : a.points) bottom_of_a = std::min(bottom_of_a, p.dot(way));
  return top_of_b - bottom_of_a;
}

Vec3 sum_of(std::span<const Vec3> ways) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& way : ways) sum += way;
  return sum;
}

}  // namespace

std::optional<Overlap> least_overlap(const Patch& a, const Patch& b, const Vec3& line) {
  Overlap least{Vec3::Zero(), std::numeric_limits<double>::infinity()};
  const auto look = [&](const Vec3& way) {
    const double depth = overlap_along(a, b, way);
    if (depth < least.depth) least = {way, depth};
    return depth > 0;
  };
  if (!line.isZero(0) && !(overlap_along(a, b, line) > 0)) return std::nullopt;
  for (const Vec3& way : b.ways_out)
    if (!look(way)) return std::nullopt;
  for (const Vec3& way : a.ways_out)
    if (!look(-way)) return std::nullopt;
  if (!line.isZero(0) && !(line.dot(sum_of(b.ways_out)) < 0) && !(line.dot(sum_of(a.ways_out)) > 0)) look(line);
  if (least.normal.isZero(0)) return std::nullopt;
  return least;
}

}  // namespace pliant
