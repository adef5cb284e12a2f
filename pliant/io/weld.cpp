#include "pliant/io/weld.h"

#include <bit>
#include <cmath>
#include <limits>

#include "pliant/core/bit_cast.h"
#include "pliant/core/error.h"

namespace pliant {
namespace {

constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();

std::uint64_t mix(std::uint64_t x) {  // splitmix64's finaliser
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::uint64_t hash(const Vec3& p) {
  std::uint64_t h = 0;
  for (int axis = 0; axis < 3; ++axis) h = mix(h ^ pliant::bit_cast<std::uint64_t>(p[axis] + 0.0));  // -0 + 0 = +0
  return h;
}

// Open addressing; every slot holds the index of a kept point. `Key` tells where a kept point is filed.
class PointTable {
 public:
  explicit PointTable(std::size_t most) : slots_(std::bit_ceil(2 * most + 1), kEmpty) {}

  // Visits what is filed under the key's hash until `visit(index)` returns true; returns where the next entry goes.
  template <class Visit>
  std::size_t probe(const Vec3& key, Visit&& visit) const {
    std::size_t slot = hash(key) & (slots_.size() - 1);
    while (slots_[slot] != kEmpty && !visit(slots_[slot])) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  std::uint32_t at(std::size_t slot) const { return slots_[slot]; }
  void put(std::size_t slot, std::uint32_t index) { slots_[slot] = index; }

 private:
  std::vector<std::uint32_t> slots_;
};

WeldedPoints weld_equal(std::span<const Vec3> points) {
  WeldedPoints result;
  result.index_of.reserve(points.size());
  PointTable table(points.size());
  for (const Vec3& p : points) {
    const std::size_t slot = table.probe(p, [&](std::uint32_t kept) { return result.positions[kept] == p; });
    if (table.at(slot) == kEmpty) {
      table.put(slot, static_cast<std::uint32_t>(result.positions.size()));
      result.positions.push_back(p);
    }
    result.index_of.push_back(table.at(slot));
  }
  return result;
}

void require_usable(std::span<const Vec3> points, double tolerance, const std::string& file) {
  const ErrorPlace place{.file = file};
  if (!(tolerance >= 0) || !std::isfinite(tolerance))
    throw Error(place, "the weld tolerance is not a length", "give 0 or a positive number");
  double largest = 0;
  for (const Vec3& p : points) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  constexpr double kExactCells = 9007199254740992.0;  // 2^53: beyond it neighbouring cells cannot be told apart
  if (tolerance > 0 && largest / tolerance >= kExactCells / 4)
    throw Error(place, "the weld tolerance is finer than the coordinates can resolve", "use 0 for an exact weld");
}

// Kept points are filed under their cell of a grid as wide as the tolerance; pairwise further apart than that, only a
// handful of them share a cell, so every search is short.
WeldedPoints weld_near(std::span<const Vec3> points, double tolerance) {
  WeldedPoints result;
  result.index_of.reserve(points.size());
  PointTable table(points.size());
  const auto cell_of = [&](const Vec3& p) -> Vec3 { return (p / tolerance).array().floor(); };
  const auto first_near = [&](const Vec3& p, const Vec3& cell) {
    std::uint32_t best = kEmpty;
    for (int i = 0; i < 27; ++i) {
      const int dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
      const Vec3 key = cell + Vec3(dx, dy, dz);
      table.probe(key, [&](std::uint32_t kept) {
        if (kept < best && (result.positions[kept] - p).norm() <= tolerance) best = kept;
        return false;
      });
    }
    return best;
  };
  for (const Vec3& p : points) {
    const Vec3 cell = cell_of(p);
    std::uint32_t index = first_near(p, cell);
    if (index == kEmpty) {
      index = static_cast<std::uint32_t>(result.positions.size());
      table.put(table.probe(cell, [](std::uint32_t) { return false; }), index);
      result.positions.push_back(p);
    }
    result.index_of.push_back(index);
  }
  return result;
}

}  // namespace

WeldedPoints weld_points(std::span<const Vec3> points, double tolerance, const std::string& file) {
  require_usable(points, tolerance, file);
  return tolerance > 0 ? weld_near(points, tolerance) : weld_equal(points);
}

}  // namespace pliant
