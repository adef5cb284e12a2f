#include "pliant/io/triangulate.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/io/corner_tree.h"

namespace pliant {
namespace {

using Point = Eigen::Vector2d;

double extent_of(std::span<const Vec3> corners, double unit) {
  double extent = 0;
  for (const Vec3& p : corners) extent = std::max(extent, (p * unit - corners[0] * unit).cwiseAbs().maxCoeff());
  return extent;
}

// A power of two by which the extent, and one over it, become finite; 1 for all but the largest and smallest polygons.
double safe_unit(std::span<const Vec3> corners) {
  const double extent = extent_of(corners, 1);
  if (!std::isfinite(extent)) return 0.25;
  return extent > 0 && !std::isfinite(1 / extent) ? 0x1p100 : 1;
}

// The corners in the coordinate plane of their largest projected area, counter-clockwise, scaled to about 1 so that
// products neither overflow nor vanish.
std::vector<Point> project(std::span<const Vec3> corners) {
  const double unit = safe_unit(corners), extent = extent_of(corners, unit);
  const double scale = extent > 0 ? 1 / extent : 1;
  const auto local = [&](std::size_t i) -> Vec3 { return (corners[i] * unit - corners[0] * unit) * scale; };
  Vec3 area = Vec3::Zero();  // twice the area vector
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) area += local(i).cross(local(i + 1));
  int axis = 0;
  area.cwiseAbs().maxCoeff(&axis);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::vector<Point> points;
  points.reserve(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 p = local(i);
    points.emplace_back(area[axis] < 0 ? Point(p[v], p[u]) : Point(p[u], p[v]));
  }
  return points;
}

// Turns left (or goes straight on) at every corner, once around.
bool is_convex(std::span<const Point> points) {
  const std::size_t n = points.size();
  int x_reversals = 0;
  double previous_dx = points[0].x() - points[n - 1].x();
  for (std::size_t i = 0; i < n; ++i) {
    const Point& a = points[i];
    const Point& b = points[(i + 1) % n];
    if (!(turn(a, b, points[(i + 2) % n]) >= 0)) return false;
    const double dx = b.x() - a.x();
    if (dx == 0) continue;
    if ((dx < 0) != (previous_dx < 0) && previous_dx != 0) ++x_reversals;
    previous_dx = dx;
  }
  return x_reversals <= 2;  // more: it winds around several times
}

// Ears of a simple polygon come and go with their neighbours only: while a corner lies in the triangle of another, the
// one among them that is nearest to its tip is reflex. So a corner that was no ear is looked at again when a neighbour
// is gone; all are looked at once more when none is left to try, because polygons that touch themselves (those with
// holes, cut open) do not keep to that.
class EarClipper {
 public:
  EarClipper(std::span<const Point> points, std::size_t work_per_corner)
      : points_(points),
        next_(points.size()),
        previous_(points.size()),
        reflex_(points.size()),
        untried_(points.size()),
        reflex_corners_(points, link_corners()) {
    const std::size_t usual =
        std::min<std::size_t>(kMostWork, kLeastWork + 8 * static_cast<std::size_t>(std::sqrt(points.size())));
    work_left_ = points.size() * (work_per_corner > 0 ? work_per_corner : usual);
  }

  Triangulation run() {
    std::size_t left = points_.size();
    std::uint32_t at = 0;
    bool clipped = true;  // since all corners were tried
    while (left > 3 && work_left_ > 0) {
      if (untried_.empty()) {
        if (!std::exchange(clipped, false)) break;
        try_all_again(at);
      }
      at = untried_.next_around(at);
      untried_.erase(at);
      if (!is_ear(at)) continue;
      at = clip(at);
      clipped = true;
      --left;
    }
    fan(at);
    result_.fanned = left > 3;
    result_.out_of_work = result_.fanned && work_left_ == 0;
    return std::move(result_);
  }

 private:
  // What may be looked at for each corner, on average. Slim ears that lie across the whole polygon meet about as many
  // boxes as the square root of the number of corners; a file of the worst polygons is read at some 100 kB per second.
  static constexpr std::size_t kLeastWork = 500, kMostWork = 4000;

  // The ring; returns the reflex corners.
  std::vector<std::uint32_t> link_corners() {
    const auto n = static_cast<std::uint32_t>(points_.size());
    for (std::uint32_t i = 0; i < n; ++i) {
      next_[i] = i + 1 == n ? 0 : i + 1;
      previous_[i] = i == 0 ? n - 1 : i - 1;
    }
    std::vector<std::uint32_t> corners;
    for (std::uint32_t i = 0; i < n; ++i) {
      untried_.insert(i);
      reflex_[i] = !is_left_turn(i);
      if (reflex_[i]) corners.push_back(i);
    }
    return corners;
  }

  void try_all_again(std::uint32_t start) {
    std::uint32_t i = start;
    do {
      untried_.insert(i);
      i = next_[i];
    } while (i != start);
  }

  bool is_left_turn(std::uint32_t i) const { return turn(points_[previous_[i]], points_[i], points_[next_[i]]) > 0; }

  // A left turn whose triangle holds no reflex corner, except ones at the very places of its own corners.
  bool is_ear(std::uint32_t i) {
    --work_left_;
    if (reflex_[i] || !is_left_turn(i)) return false;
    return !reflex_corners_.any_in(points_[previous_[i]], points_[i], points_[next_[i]], work_left_);
  }

  std::uint32_t clip(std::uint32_t i) {
    const std::uint32_t before = previous_[i], after = next_[i];
    result_.triangles.push_back({before, i, after});
    next_[before] = after;
    previous_[after] = before;
    for (const std::uint32_t corner : {before, after}) {
      untried_.insert(corner);
      if (!reflex_[corner] || !is_left_turn(corner)) continue;
      reflex_[corner] = false;
      reflex_corners_.remove(corner);
    }
    return after;
  }

  void fan(std::uint32_t apex) {
    for (std::uint32_t i = next_[apex]; next_[i] != apex; i = next_[i])
      result_.triangles.push_back({apex, i, next_[i]});
  }

  std::span<const Point> points_;
  std::vector<std::uint32_t> next_, previous_;
  std::vector<bool> reflex_;
  CornerSet untried_;
  CornerTree reflex_corners_;
  std::size_t work_left_ = 0;
  Triangulation result_;
};

Triangulation fan(std::size_t corners) {
  Triangulation result;
  for (std::uint32_t i = 1; i + 1 < corners; ++i) result.triangles.push_back({0, i, i + 1});
  return result;
}

}  // namespace

Triangulation triangulate_polygon(std::span<const Vec3> corners, std::size_t work_per_corner) {
  if (corners.size() == 3) return fan(3);
  const std::vector<Point> points = project(corners);
  return is_convex(points) ? fan(corners.size()) : EarClipper(points, work_per_corner).run();
}

}  // namespace pliant
