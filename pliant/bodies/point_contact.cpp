#include "pliant/bodies/point_contact.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

namespace pliant {
namespace {

// The direction of sliding depends on the force and the force on the direction; with equal compliance in all directions
// the first is right, and each round gains some digits where it is not.
constexpr double kSameDirection = 1e-10;  // square of the sine

Vec3 tangential(const Vec3& v, const Vec3& normal) { return v - normal.dot(v) * normal; }

Vec3 slide_force(const Eigen::Matrix3d& compliance, const Vec3& free, const PointLimit& limit, int rounds) {
  const double lacking = limit.gap - limit.normal.dot(free);
  const Vec3 pushed = compliance * limit.normal;
  const double plain = lacking / limit.normal.dot(pushed);
  const double sideways = 0.5 * (compliance.trace() - limit.normal.dot(pushed));  // mean compliance across the normal
  Vec3 force = plain * limit.normal;
  Vec3 slip = tangential(free + plain * pushed - limit.drift, limit.normal);
  for (int round = 0; round < rounds; ++round) {
    const double length = slip.norm();
    if (!(length > 0)) break;
    const Vec3 direction = limit.normal - (limit.friction / length) * slip;
    const Vec3 moved = compliance * direction;
    const double along = limit.normal.dot(moved);
    // Friction that drives the point into the limit: wedged. Without it the point ends on the limit all the same.
    if (!(along > 0.1 * limit.normal.dot(pushed))) break;
    force = (lacking / along) * direction;
    const Vec3 next = tangential(free + (lacking / along) * moved - limit.drift, limit.normal);
    const double turned = next.cross(slip).squaredNorm();
    if (turned < kSameDirection * next.squaredNorm() * slip.squaredNorm() && next.dot(slip) > 0) break;
    // Where friction nearly holds, what is left of the slip says little of its direction: what friction took is added
    // back, as if compliance were equal in all directions.
    slip = next + (limit.friction * (lacking / along) * sideways / length) * slip;
  }
  return force;
}

}  // namespace

Vec3 contact_force(const Eigen::Matrix3d& compliance, const Vec3& free, const PointLimit& limit, int rounds) {
  const double lacking = limit.gap - limit.normal.dot(free);
  if (!(lacking > 0)) return Vec3::Zero();
  if (!(limit.friction > 0)) return (lacking / limit.normal.dot(compliance * limit.normal)) * limit.normal;
  const Vec3 held = tangential(limit.drift, limit.normal) + limit.gap * limit.normal;
  Vec3 force = compliance.inverse() * (held - free);
  const double push = limit.normal.dot(force);
  if (push >= 0 && tangential(force, limit.normal).norm() <= limit.friction * push) return force;
  return slide_force(compliance, free, limit, rounds);
}

}  // namespace pliant
