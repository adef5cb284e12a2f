#include "pliant/detect/particles/particle_walk.h"

#include <cstring>
#include <limits>

namespace pliant {
namespace {

using FourDoubles = double __attribute__((vector_size(32)));

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
  FourDoubles sum{0, 0, 0, 0};
  const FourDoubles reach{reach_sq, reach_sq, reach_sq, reach_sq}, least{least_sq, least_sq, least_sq, least_sq};
  for (std::size_t i = 0; i < x_[0].size(); i += kLanes) {
    FourDoubles r_sq{0, 0, 0, 0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      FourDoubles x;
      std::memcpy(&x, &x_[axis][i], sizeof x);
      const double at = p[static_cast<Eigen::Index>(axis)];
      const FourDoubles d = x - FourDoubles{at, at, at, at};
      r_sq += d * d;
    }
    r_sq = r_sq < least ? least : r_sq;
    const FourDoubles pull = 1 / r_sq, nothing{0, 0, 0, 0};
    sum += r_sq <= reach ? pull : nothing;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
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
