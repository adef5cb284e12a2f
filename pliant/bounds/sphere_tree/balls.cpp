#include <algorithm>
#include <array>
#include <cassert>

#include "pliant/bounds/sphere_tree/balls.h"

namespace pliant {
namespace {

constexpr double kNearlyHeld = 1e-12;  // as a fraction of the radius
constexpr double kRoundedUp = 1 + 4e-16;

// Up to five points, of which no more than four can be on the smallest ball.
struct Support {
  std::array<Vec3, 5> point{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  int count = 0;
};

// The smallest ball with all of `count` points (1 to 4) on its surface: c = p0 + sum t_i u_i, u_i = p_i - p0, with
// 2 u_i . (sum t_j u_j) = |u_i|^2. None if they are not independent.
Sphere ball_through(const std::array<const Vec3*, 4>& p, int count) {
  const int m = count - 1;
  Vec3 centre = *p[0];
  if (m > 0) {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3> a(m, m);
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1> b(m);
    std::array<Vec3, 3> u;
    double scale = 1;
    for (int i = 0; i < m; ++i) {
      u[static_cast<std::size_t>(i)] = *p[static_cast<std::size_t>(i + 1)] - *p[0];
      b[i] = fixed_dot(u[static_cast<std::size_t>(i)], u[static_cast<std::size_t>(i)]);
      scale *= 2 * b[i];
    }
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j)
        a(i, j) = 2 * fixed_dot(u[static_cast<std::size_t>(i)], u[static_cast<std::size_t>(j)]);
    // Cramer's rule: of at most three unknowns, in one order on every processor.
    const auto minor = [&](int i, int j, int k, int l) { return a(i, k) * a(j, l) - a(i, l) * a(j, k); };
    std::array<double, 3> t{};
    double det = a(0, 0);
    if (m == 1) {
      t[0] = b[0] / det;
    } else if (m == 2) {
      det = minor(0, 1, 0, 1);
      t[0] = (b[0] * a(1, 1) - b[1] * a(0, 1)) / det;
      t[1] = (a(0, 0) * b[1] - a(1, 0) * b[0]) / det;
    } else {
      det = a(0, 0) * minor(1, 2, 1, 2) - a(0, 1) * minor(1, 2, 0, 2) + a(0, 2) * minor(1, 2, 0, 1);
      const auto replaced = [&](int column) {
        auto c = a;
        c.col(column) = b;
        return c(0, 0) * (c(1, 1) * c(2, 2) - c(1, 2) * c(2, 1)) - c(0, 1) * (c(1, 0) * c(2, 2) - c(1, 2) * c(2, 0)) +
               c(0, 2) * (c(1, 0) * c(2, 1) - c(1, 1) * c(2, 0));
      };
      for (int i = 0; i < 3; ++i) t[static_cast<std::size_t>(i)] = replaced(i) / det;
    }
    if (!(det > 1e-14 * scale)) return absent_sphere();
    for (int i = 0; i < m; ++i) centre += t[static_cast<std::size_t>(i)] * u[static_cast<std::size_t>(i)];
  }
  return {centre, fixed_length(*p[0] - centre)};
}

bool nearly_holds(const Sphere& ball, const Support& support) {
  for (int i = 0; i < support.count; ++i) {
    const double distance = fixed_length(support.point[static_cast<std::size_t>(i)] - ball.centre);
    if (distance > ball.radius * (1 + kNearlyHeld)) return false;
  }
  return true;
}

// The smallest ball of up to five points, by trying every subset; keeps in `support` those on it.
Sphere smallest_ball(Support& support) {
  Sphere best = absent_sphere();
  Support kept;
  for (unsigned subset = 1; subset < (1U << support.count); ++subset) {
    std::array<const Vec3*, 4> chosen{};
    Support candidate;
    for (int i = 0; i < support.count && candidate.count < 5; ++i) {
      if ((subset >> i & 1U) == 0) continue;
      candidate.point[static_cast<std::size_t>(candidate.count++)] = support.point[static_cast<std::size_t>(i)];
    }
    if (candidate.count > 4) continue;
    for (int i = 0; i < candidate.count; ++i)
      chosen[static_cast<std::size_t>(i)] = &candidate.point[static_cast<std::size_t>(i)];
    const Sphere ball = ball_through(chosen, candidate.count);
    if (!is_there(ball) || (is_there(best) && ball.radius >= best.radius) || !nearly_holds(ball, support)) continue;
    best = ball;
    kept = candidate;
  }
  support = kept;
  return best;
}

std::size_t farthest(const Vec3& centre, std::span<const Vec3> points) {
  std::size_t found = 0;
  double most = -1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 d = points[i] - centre;
    const double distance_sq = fixed_dot(d, d);
    if (distance_sq > most) {
      most = distance_sq;
      found = i;
    }
  }
  return found;
}

}  // namespace

Sphere ball_around(const Vec3& centre, std::span<const Vec3> points) {
  double most = 0;
  for (const Vec3& p : points) most = std::max(most, fixed_length(p - centre));
  return {centre, most * kRoundedUp};
}

// The farthest point joins those on the ball until none is outside (B. Gaertner, "Fast and robust smallest enclosing
// balls", 1999, whose pivoting this is). The radius grows with every step, so it ends; where rounding keeps it from
// growing, the ball is as small as rounding allows.
Sphere enclosing_ball(std::span<const Vec3> points) {
  assert(!points.empty());
  Support support;
  support.point[0] = points[0];
  support.count = 1;
  Sphere ball{points[0], 0};
  constexpr int kMostSteps = 100;  // some ten are usual
  for (int step = 0; step < kMostSteps; ++step) {
    const Vec3& out = points[farthest(ball.centre, points)];
    if (fixed_length(out - ball.centre) <= ball.radius * (1 + kNearlyHeld)) break;
    Support next = support;
    next.point[static_cast<std::size_t>(next.count++)] = out;
    const Sphere larger = smallest_ball(next);
    if (!is_there(larger) || larger.radius <= ball.radius) break;
    ball = larger;
    support = next;
  }
  return ball_around(ball.centre, points);
}

}  // namespace pliant
