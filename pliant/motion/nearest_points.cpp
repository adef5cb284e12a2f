#include "pliant/motion/nearest_points.h"

#include <algorithm>
#include <cmath>
#include <nanoflann.hpp>
#include <utility>

namespace pliant::detail {
namespace {

struct Points {
  std::span<const Vec3> points;
  std::size_t kdtree_get_point_count() const { return points.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const { return points[i][static_cast<int>(axis)]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

using Index =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Points>, Points, 3, std::uint32_t>;

}  // namespace

struct NearestPoints::Tree {
  Points points;
  Index index;
  explicit Tree(std::span<const Vec3> all) : points{all}, index(3, points) { index.buildIndex(); }
};

NearestPoints::NearestPoints(std::span<const Vec3> points) : tree_(std::make_unique<Tree>(points)) {}
NearestPoints::~NearestPoints() = default;

std::vector<NearestPoints::Neighbour> NearestPoints::within(const Vec3& p, double radius) const {
  std::vector<std::pair<std::uint32_t, double>> found;
  // The search keeps what is nearer than the square it is given; a little more, so that rounding loses nothing.
  tree_->index.radiusSearch(p.data(), radius * radius * (1 + 1e-12), found, nanoflann::SearchParams(0, 0, false));
  std::vector<Neighbour> result;
  result.reserve(found.size());
  for (const auto& [index, distance_sq] : found) result.push_back({distance_sq, index});
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<NearestPoints::Neighbour> NearestPoints::nearest(const Vec3& p, std::size_t count) const {
  count = std::min(count, tree_->points.points.size());
  if (count == 0) return {};
  std::vector<std::uint32_t> indices(count);
  std::vector<double> distances_sq(count);
  tree_->index.knnSearch(p.data(), count, indices.data(), distances_sq.data());
  // Of several points at the last distance, which one was found depends on the tree: take them all.
  const double farthest = *std::max_element(distances_sq.begin(), distances_sq.end());
  return within(p, std::sqrt(farthest) * (1 + 1e-12) + 1e-150);
}

}  // namespace pliant::detail
