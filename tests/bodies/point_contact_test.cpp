// One point against a half-space: Coulomb's law holds to rounding, whatever the compliance.
#include "pliant/bodies/point_contact.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Geometry>

#include "tests/bodies/support.h"

namespace pliant {
namespace {

// Symmetric, positive definite; its eigenvalues differ by up to `spread`.
Eigen::Matrix3d random_compliance(Random& random, double spread) {
  const RigidTransform turn = random_rigid(random, 1);
  Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = turn.rotation * Vec3::Unit(k);
    m += random.within(1, spread) * 1e-3 * axis * axis.transpose();
  }
  return m;
}

struct Outcome {
  double gap, push, drag, slip, slip_along_drag;
};
Outcome outcome(const Eigen::Matrix3d& compliance, const Vec3& free, const PointLimit& limit) {
  const Vec3 force = contact_force(compliance, free, limit), at = free + compliance * force;
  const double push = limit.normal.dot(force);
  const Vec3 drag = force - push * limit.normal, way = at - limit.drift;
  const Vec3 slip = way - limit.normal.dot(way) * limit.normal;
  const double both = drag.norm() * slip.norm();
  return {limit.normal.dot(at) - limit.gap, push, drag.norm(), slip.norm(), both > 0 ? drag.dot(slip) / both : 0};
}

RC_GTEST_PROP(PointContact, KeepsItsDistanceAndCoulombsLaw, (std::uint64_t seed)) {
  Random random(seed);
  const Eigen::Matrix3d compliance = random_compliance(random, 2);
  const PointLimit limit{.normal = random_vector(random, 1).normalized(),
                         .gap = random.within(-0.01, 0.01),
                         .drift = random_vector(random, 0.01),
                         .friction = random.within(0, 0.6)};
  const Vec3 free = random_vector(random, 0.02);
  const Outcome o = outcome(compliance, free, limit);
  RC_ASSERT(o.gap > -1e-12);
  RC_ASSERT(o.push >= 0);
  if (limit.normal.dot(free) >= limit.gap) {
    RC_ASSERT(o.push == 0 && o.drag == 0);
    return;
  }
  RC_ASSERT(o.gap < 1e-12);
  RC_ASSERT(o.drag <= limit.friction * o.push * (1 + 1e-9));
  // It moves with the other side, or friction is all that it can be, and against the sliding.
  if (o.slip > 1e-6) {
    RC_ASSERT(o.drag > limit.friction * o.push * (1 - 1e-9));
    RC_ASSERT(o.slip_along_drag < -0.999 || o.drag < 1e-9 * o.push);
  }
}

TEST(PointContact, WithoutFrictionPushesAlongTheNormalAlone) {
  Random random(5);
  const Eigen::Matrix3d compliance = random_compliance(random, 10);
  const PointLimit limit{.normal = Vec3::UnitZ(), .gap = 0.1};
  const Vec3 force = contact_force(compliance, Vec3(0.3, -0.2, 0), limit);
  EXPECT_EQ(force.head<2>().norm(), 0);
  EXPECT_NEAR(force.z(), 0.1 / compliance(2, 2), 1e-9 * force.z());
}

}  // namespace
}  // namespace pliant
