#include "pliant/bodies/rigid_motion.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

Eigen::Matrix3d cross_product_with(const Vec3& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

Vec3 mean_point(std::span<const Vec3> points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

Eigen::Matrix3d inertia_of(const Eigen::Matrix3d& moments) {
  return moments.trace() * Eigen::Matrix3d::Identity() - moments;
}

// Of a matrix that is nearly one already: Newton's iteration for the polar decomposition (N. Higham, "Computing the
// polar decomposition - with applications", SIAM J. Sci. Stat. Comput. 7, 1986).
Eigen::Matrix3d nearest_rotation(Eigen::Matrix3d m) {
  for (int k = 0; k < 20; ++k) {
    const Eigen::Matrix3d next = 0.5 * (m + m.inverse().transpose());
    const double change = (next - m).cwiseAbs().maxCoeff();
    m = next;
    if (!(change > 1e-15)) break;
  }
  return m;
}

}  // namespace

// Sums over the tetrahedra between faces and one point: with corners a, b, c and determinant D, the volume is D / 6,
// the first moment D / 24 (a + b + c), the second D / 120 (s s^T + a a^T + b b^T + c c^T), s = a + b + c.
SolidMass mass_of(const TriangleMesh& mesh) {
  const Vec3 origin = mean_point(mesh.positions());
  SolidMass result;
  Vec3 first = Vec3::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 a = mesh.position(t[0]) - origin, b = mesh.position(t[1]) - origin, c = mesh.position(t[2]) - origin;
    const double determinant = a.dot(b.cross(c));
    const Vec3 sum = a + b + c;
    result.volume += determinant / 6;
    first += determinant / 24 * sum;
    second += determinant / 120 * (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  const Vec3 offset = first / result.volume;
  result.centre = origin + offset;
  result.inertia = inertia_of(second - result.volume * offset * offset.transpose());
  return result;
}

RigidFit::RigidFit(std::span<const Vec3> arms) : arms_(arms), mean_(mean_point(arms)) {
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  for (const Vec3& arm : arms) moments += (arm - mean_) * (arm - mean_).transpose();
  inverse_moments_ = moments.inverse();
  inverse_inertia_ = inertia_of(moments).inverse();
}

RigidFit::Pose RigidFit::pose(std::span<const Vec3> x) const {
  const Vec3 mean = mean_point(x);
  Eigen::Matrix3d mixed = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) mixed += (x[i] - mean) * (arms_[i] - mean_).transpose();
  Pose pose;
  pose.turn = nearest_rotation(mixed * inverse_moments_);
  pose.origin = mean - pose.turn * mean_;
  return pose;
}

RigidFit::Rates RigidFit::rates(const Pose& pose, std::span<const Vec3> v) const {
  const Vec3 mean = mean_point(v);
  Vec3 momentum = Vec3::Zero();
  for (std::size_t i = 0; i < v.size(); ++i) momentum += (pose.turn * (arms_[i] - mean_)).cross(v[i] - mean);
  Rates rates;
  rates.spin = pose.turn * (inverse_inertia_ * (pose.turn.transpose() * momentum));
  rates.velocity = mean - rates.spin.cross(pose.turn * mean_);
  return rates;
}

// Pi' = Pi x I^-1 Pi. With the midpoint m of the two Pi and the spin s = I^-1 m, (1 + h/2 s x) Pi_1 = (1 - h/2 s x)
// Pi_0: the turn goes on by the Cayley transform of h s, and what it does to Pi it undoes in space.
Rotation rotated(const Rotation& from, const Eigen::Matrix3d& inverse_inertia, double seconds) {
  Vec3 middle = from.momentum;
  for (int k = 0; k < 30; ++k) {
    const Vec3 spin = inverse_inertia * middle;
    const Vec3 lacking = middle - from.momentum - seconds / 2 * middle.cross(spin);
    const Eigen::Matrix3d slope =
        Eigen::Matrix3d::Identity() -
        seconds / 2 * (cross_product_with(middle) * inverse_inertia - cross_product_with(spin));
    const Vec3 change = slope.inverse() * lacking;
    middle -= change;
    if (!(change.norm() > 1e-16 * middle.norm())) break;
  }
  const Vec3 half = seconds / 2 * (inverse_inertia * middle);
  const Eigen::Matrix3d skew = cross_product_with(half);
  // (1 - S)^-1 (1 + S) = 1 + 2 (S + S^2) / (1 + |s|^2)
  const Eigen::Matrix3d turn = Eigen::Matrix3d::Identity() + 2 / (1 + half.squaredNorm()) * (skew + skew * skew);
  return {from.turn * turn, turn.transpose() * from.momentum};
}

}  // namespace pliant
