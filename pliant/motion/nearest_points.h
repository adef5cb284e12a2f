// Nearest neighbours among fixed points, in an order that does not depend on how they are searched.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pliant/core/vec3.h"

namespace pliant::detail {

// A k-d tree. The points must outlive it. Safe to ask from several threads.
class NearestPoints {
 public:
  explicit NearestPoints(std::span<const Vec3> points);
  ~NearestPoints();

  struct Neighbour {
    double distance_sq = 0;
    std::uint32_t index = 0;
    friend auto operator<=>(const Neighbour&, const Neighbour&) = default;
  };
  // At least the `count` nearest (all, if there are fewer), ascending by distance, then index; with those that are as
  // far as the last one.
  std::vector<Neighbour> nearest(const Vec3& p, std::size_t count) const;
  // All within the radius, ascending likewise.
  std::vector<Neighbour> within(const Vec3& p, double radius) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace pliant::detail
