#include "pliant/bodies/point_contact.h"

#include <cmath>

namespace pliant {
namespace {

// The direction of sliding depends on the force and the force on the direction; with equal compliance in all directions
// the first is right, and each round gains some digits where it is not.
constexpr double kSameDirection = 1e-10;  // square of the sine

// All in a frame of the limit: n along its normal, 1 and 2 across it (T. Duff et al., "Building an orthonormal basis,
// revisited", 2017). Contacts are most of what stacks and draped cloth cost.
struct LimitFrame {
  explicit LimitFrame(const Vec3& normal) : n(normal) {
    const double sign = std::copysign(1.0, n.z()), a = -1 / (sign + n.z()), b = n.x() * n.y() * a;
    t1 = {1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x()};
    t2 = {b, sign + n.y() * n.y() * a, -n.y()};
  }
  Vec3 n, t1, t2;
};
struct LimitCompliance {
  double nn, n1, n2, aa, ab, bb;  // m/N
};
struct Across {
  double a, b;
};

LimitCompliance in_frame(const Eigen::Matrix3d& c, const LimitFrame& f) {
  const Vec3 cn = c * f.n, c1 = c * f.t1, c2 = c * f.t2;
  return {f.n.dot(cn), f.t1.dot(cn), f.t2.dot(cn), f.t1.dot(c1), f.t2.dot(c1), f.t2.dot(c2)};
}

// The force that takes the point by `lacking` along the normal and `way` across it.
Vec3 force_for(const LimitCompliance& c, double lacking, const Across& way) {
  const double nn = c.aa * c.bb - c.ab * c.ab, na = c.n2 * c.ab - c.n1 * c.bb, nb = c.n1 * c.ab - c.n2 * c.aa;
  const double aa = c.nn * c.bb - c.n2 * c.n2, ab = c.n1 * c.n2 - c.nn * c.ab, bb = c.nn * c.aa - c.n1 * c.n1;
  const double inverse = 1 / (c.nn * nn + c.n1 * na + c.n2 * nb);
  return inverse * Vec3(nn * lacking + na * way.a + nb * way.b, na * lacking + aa * way.a + ab * way.b,
                        nb * lacking + ab * way.a + bb * way.b);
}

// In the frame; `way` as above.
Vec3 slide_force(const LimitCompliance& c, double lacking, const Across& way, double friction, int rounds) {
  const double plain = lacking / c.nn, sideways = 0.5 * (c.aa + c.bb);  // mean compliance across the normal
  Vec3 force(plain, 0, 0);
  Across slip{plain * c.n1 - way.a, plain * c.n2 - way.b};
  for (int round = 0; round < rounds; ++round) {
    const double length = std::sqrt(slip.a * slip.a + slip.b * slip.b);
    if (!(length > 0)) break;
    const Across drag{-friction / length * slip.a, -friction / length * slip.b};
    const double along = c.nn + c.n1 * drag.a + c.n2 * drag.b;
    // Friction that drives the point into the limit: wedged. Without it the point ends on the limit all the same.
    if (!(along > 0.1 * c.nn)) break;
    const double push = lacking / along;
    force = {push, push * drag.a, push * drag.b};
    const Across next{push * (c.n1 + c.aa * drag.a + c.ab * drag.b) - way.a,
                      push * (c.n2 + c.ab * drag.a + c.bb * drag.b) - way.b};
    const double turned = next.a * slip.b - next.b * slip.a, same = next.a * slip.a + next.b * slip.b;
    if (turned * turned < kSameDirection * (next.a * next.a + next.b * next.b) * length * length && same > 0) break;
    // Where friction nearly holds, what is left of the slip says little of its direction: what friction took is added
    // back, as if compliance were equal in all directions.
    slip = {next.a - push * sideways * drag.a, next.b - push * sideways * drag.b};
  }
  return force;
}

}  // namespace

Vec3 contact_force(const Eigen::Matrix3d& compliance, const Vec3& free, const PointLimit& limit, int rounds) {
  const double lacking = limit.gap - limit.normal.dot(free);
  if (!(lacking > 0)) return Vec3::Zero();
  if (!(limit.friction > 0)) return (lacking / limit.normal.dot(compliance * limit.normal)) * limit.normal;
  const LimitFrame frame(limit.normal);
  const LimitCompliance c = in_frame(compliance, frame);
  const Vec3 rest = limit.drift - free;
  const Across way{frame.t1.dot(rest), frame.t2.dot(rest)};
  Vec3 force = force_for(c, lacking, way);
  const double drag_sq = force.y() * force.y() + force.z() * force.z(), most = limit.friction * force.x();
  if (!(force.x() >= 0 && drag_sq <= most * most)) force = slide_force(c, lacking, way, limit.friction, rounds);
  return force.x() * frame.n + force.y() * frame.t1 + force.z() * frame.t2;
}

}  // namespace pliant
