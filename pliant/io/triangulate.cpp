#include "pliant/io/triangulate.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

using Point = Eigen::Vector2d;

double cross(const Point& a, const Point& b, const Point& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

// The corners in the coordinate plane of their largest projected area, counter-clockwise, scaled to about 1 so that
// products neither overflow nor vanish.
std::vector<Point> project(std::span<const Vec3> corners) {
  double extent = 0;
  for (const Vec3& p : corners) extent = std::max(extent, (p - corners[0]).cwiseAbs().maxCoeff());
  const double scale = extent > 0 ? 1 / extent : 1;
  const auto local = [&](std::size_t i) -> Vec3 { return (corners[i] - corners[0]) * scale; };
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
    if (!(cross(a, b, points[(i + 2) % n]) >= 0)) return false;
    const double dx = b.x() - a.x();
    if (dx == 0) continue;
    if ((dx < 0) != (previous_dx < 0) && previous_dx != 0) ++x_reversals;
    previous_dx = dx;
  }
  return x_reversals <= 2;  // more: it winds around several times
}

class EarClipper {
 public:
  explicit EarClipper(std::vector<Point> points)
      : points_(std::move(points)), next_(points_.size()), previous_(points_.size()), reflex_(points_.size()) {
    const auto n = static_cast<std::uint32_t>(points_.size());
    for (std::uint32_t i = 0; i < n; ++i) {
      next_[i] = i + 1 == n ? 0 : i + 1;
      previous_[i] = i == 0 ? n - 1 : i - 1;
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      reflex_[i] = !is_left_turn(i);
      if (reflex_[i]) reflex_corners_.push_back(i);
    }
    work_left_ = kWorkPerCorner * n;
  }

  Triangulation run() {
    std::size_t left = points_.size();
    std::uint32_t at = 0;
    std::size_t misses = 0;
    while (left > 3 && misses < left && work_left_ > 0) {
      if (is_ear(at)) {
        at = clip(at);
        --left;
        misses = 0;
      } else {
        at = next_[at];
        ++misses;
      }
    }
    fan(at);
    result_.fanned = left > 3;
    return std::move(result_);
  }

 private:
  // About a microsecond a corner: a file of concave polygons is read at a few MB a second at worst.
  static constexpr std::size_t kWorkPerCorner = 1000;

  bool is_left_turn(std::uint32_t i) const { return cross(points_[previous_[i]], points_[i], points_[next_[i]]) > 0; }

  // A left turn whose triangle holds no reflex corner, except ones at the very places of its own corners.
  bool is_ear(std::uint32_t i) {
    work_left_ -= std::min<std::size_t>(work_left_, 1);
    if (reflex_[i] || !is_left_turn(i)) return false;
    const Point &a = points_[previous_[i]], &b = points_[i], &c = points_[next_[i]];
    for (const std::uint32_t r : reflex_corners_) {
      work_left_ -= std::min<std::size_t>(work_left_, 1);
      if (!reflex_[r]) continue;  // straightened or clipped since
      const Point& p = points_[r];
      if (p == a || p == b || p == c) continue;
      if (cross(a, b, p) >= 0 && cross(b, c, p) >= 0 && cross(c, a, p) >= 0) return false;
    }
    return true;
  }

  std::uint32_t clip(std::uint32_t i) {
    const std::uint32_t before = previous_[i], after = next_[i];
    result_.triangles.push_back({before, i, after});
    next_[before] = after;
    previous_[after] = before;
    for (const std::uint32_t corner : {before, after}) {
      if (reflex_[corner]) reflex_[corner] = !is_left_turn(corner);
    }
    return after;
  }

  void fan(std::uint32_t apex) {
    for (std::uint32_t i = next_[apex]; next_[i] != apex; i = next_[i])
      result_.triangles.push_back({apex, i, next_[i]});
  }

  std::vector<Point> points_;
  std::vector<std::uint32_t> next_, previous_;
  std::vector<bool> reflex_;
  std::vector<std::uint32_t> reflex_corners_;
  std::size_t work_left_ = 0;
  Triangulation result_;
};

Triangulation fan(std::size_t corners) {
  Triangulation result;
  for (std::uint32_t i = 1; i + 1 < corners; ++i) result.triangles.push_back({0, i, i + 1});
  return result;
}

}  // namespace

Triangulation triangulate_polygon(std::span<const Vec3> corners) {
  if (corners.size() == 3) return fan(3);
  std::vector<Point> points = project(corners);
  return is_convex(points) ? fan(corners.size()) : EarClipper(std::move(points)).run();
}

}  // namespace pliant
