#include "pliant/detect/particles/particle_walk.h"

#include <array>
#include <cstring>
#include <limits>

#include "pliant/core/simd.h"

namespace pliant {
namespace {

using simd::Double2;
using Mask2 = std::int64_t __attribute__((vector_size(16)));

Double2 both(double x) { return Double2{x, x}; }
Double2 chosen(Mask2 mask, Double2 a, Double2 b) { return (Double2)((mask & (Mask2)a) | (~mask & (Mask2)b)); }

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// To the neighbour in the same region that is nearest to `target`; the square of the distance from there.
double step_towards(const WalkingBody& body, VertexId& at, const Vec3& target) {
  const VertexId from = at;
  double least = (body.positions[from.index()] - target).squaredNorm();
  for (const VertexId to : (*body.graph)[from]) {
    if (!body.region_of_vertex.empty() && body.region_of_vertex[to.index()] != body.region_of_vertex[from.index()])
      continue;
    const double d = (body.positions[to.index()] - target).squaredNorm();
    if (d < least) least = d, at = to;
  }
  return least;
}

}  // namespace

void ParticleCloud::resize(std::size_t count) {
  count_ = count;
  for (auto& axis : x_) axis.assign((count + kLanes - 1) / kLanes * kLanes, kInfinity);
}

void ParticleCloud::take_away(std::size_t i) { set(i, Vec3::Constant(kInfinity)); }

double ParticleCloud::pull_on(const Vec3& p, double reach_sq, double least_sq) const {
  const Double2 none = both(0), reach = both(reach_sq), least = both(least_sq);
  std::array<Double2, kLanes / 2> sums{none, none};
  for (std::size_t i = 0; i < x_[0].size(); i += kLanes)
    for (std::size_t half = 0; half < sums.size(); ++half) {
      Double2 r_sq = none;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Double2 x;
        std::memcpy(&x, &x_[axis][i + 2 * half], sizeof x);
        const Double2 d = x - both(p[static_cast<Eigen::Index>(axis)]);
        r_sq += d * d;
      }
      r_sq = chosen(r_sq < least, least, r_sq);
      sums[half] += chosen(r_sq <= reach, both(1) / r_sq, none);
    }
  return (sums[0][0] + sums[0][1]) + (sums[1][0] + sums[1][1]);
}

void WalkingBody::place() {
  cloud.resize(particles->size());
  for (std::size_t i = 0; i < particles->size(); ++i) cloud.set(i, positions[(*particles)[i].index()]);
}

double PairWalk::run(int most_steps) {
  double distance_sq = (a.positions[at_a.index()] - b.positions[at_b.index()]).squaredNorm();
  for (int k = 0; k < most_steps; ++k) {
    step_towards(a, at_a, b.positions[at_b.index()]);
    const double now = step_towards(b, at_b, a.positions[at_a.index()]);
    if (!(now < distance_sq)) break;
    distance_sq = now;
  }
  return distance_sq;
}

}  // namespace pliant
