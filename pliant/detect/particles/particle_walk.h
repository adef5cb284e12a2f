// Particles that walk along the edges of their regions towards the particles of other bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/budget_meter.h"
#include "pliant/mesh/vertex_graph.h"

namespace pliant {

// Where some particles are: coordinate by coordinate, four at a time. Sums over them have one order on every processor.
class ParticleCloud {
 public:
  void resize(std::size_t count);
  std::size_t size() const { return count_; }
  Vec3 operator[](std::size_t i) const { return {x_[0][i], x_[1][i], x_[2][i]}; }
  void set(std::size_t i, const Vec3& p) {
    for (std::size_t axis = 0; axis < 3; ++axis) x_[axis][i] = p[static_cast<Eigen::Index>(axis)];
  }
  void take_away(std::size_t i);  // until it is set again it attracts nothing

  // The sum of 1 / r^2 over the particles within the reach; r counts as no less than the square root of `least_sq`.
  double pull_on(const Vec3& p, double reach_sq, double least_sq) const;

 private:
  static constexpr std::size_t kLanes = 4;
  std::size_t count_ = 0;
  std::vector<double> x_[3];  // padded with points at infinity
};

// A body whose particles walk. The spans and pointers must outlive it.
struct WalkingBody {
  const VertexGraph* graph = nullptr;
  std::span<const Vec3> positions;
  std::span<const std::uint32_t> region_of_vertex;  // empty: particles go wherever edges lead
  std::vector<VertexId>* particles = nullptr;       // one per region
  ParticleCloud cloud;                              // where they are

  void place();  // the cloud where the particles are
};

struct WalkLimits {
  double relaxed_fraction = 0.1;  // relaxed when of every body fewer than this fraction of its particles moved, or none
  int most_sweeps = 1;
  bool synchronous = false;
};

struct WalkResult {
  std::uint64_t sweeps = 0;
  std::uint64_t moves = 0;
  bool relaxed = false;  // else out of sweeps or budget
};

// The force on a particle if it stood at p: force(body, particle, p). Larger is better.
template <class Force>
class Relaxation {
 public:
  Relaxation(std::span<WalkingBody> bodies, const Force& force, const WalkLimits& limits, BudgetMeter& meter)
      : bodies_(bodies), force_(force), limits_(limits), meter_(meter) {}

  // Each particle in turn goes to the neighbour inside its region where the force is largest, if it is larger than
  // where it stands, and the next one sees it there: the sum of all forces between bodies grows with every move, so
  // that no particle walks in circles. (All at once, as one may read the paper, two can change places for ever.)
  WalkResult run() {
    WalkResult result;
    while (result.sweeps < static_cast<std::uint64_t>(limits_.most_sweeps) && !result.relaxed) {
      result.relaxed = true;
      if (!sweep(result)) {
        result.relaxed = false;
        break;
      }
      ++result.sweeps;
    }
    return result;
  }

 private:
  // Every body for itself: of a tenth of all particles, those of a small body could all be on their way.
  bool sweep(WalkResult& result) {
    pending_.clear();
    for (std::uint32_t b = 0; b < bodies_.size(); ++b) {
      const std::size_t count = bodies_[b].particles->size();
      const auto few = static_cast<std::uint64_t>(limits_.relaxed_fraction * static_cast<double>(count));
      std::uint64_t moved = 0;
      for (std::uint32_t i = 0; i < count; ++i)
        if (!move(b, i, moved)) return false;
      result.moves += moved;
      result.relaxed = result.relaxed && moved < std::max<std::uint64_t>(1, few);
    }
    for (const Pending& p : pending_) put(p.body, p.particle, p.to);
    return true;
  }

  // One operation per place that is looked at. False if they are spent.
  bool move(std::uint32_t b, std::uint32_t i, std::uint64_t& moved) {
    const WalkingBody& body = bodies_[b];
    const VertexId from = (*body.particles)[i];
    const auto neighbours = (*body.graph)[from];
    if (!meter_.spend(1 + neighbours.size())) return false;
    VertexId best = from;
    double most = force_(b, i, body.positions[from.index()]);
    for (const VertexId to : neighbours) {
      if (!body.region_of_vertex.empty() && body.region_of_vertex[to.index()] != body.region_of_vertex[from.index()])
        continue;
      const double force = force_(b, i, body.positions[to.index()]);
      if (force > most) most = force, best = to;
    }
    if (best == from) return true;
    ++moved;
    if (limits_.synchronous) pending_.push_back({b, i, best});
    else put(b, i, best);
    return true;
  }

  void put(std::uint32_t b, std::uint32_t i, VertexId to) {
    (*bodies_[b].particles)[i] = to;
    bodies_[b].cloud.set(i, bodies_[b].positions[to.index()]);
  }

  struct Pending {
    std::uint32_t body;
    std::uint32_t particle;
    VertexId to;
  };
  std::span<WalkingBody> bodies_;
  const Force& force_;
  const WalkLimits& limits_;
  BudgetMeter& meter_;
  std::vector<Pending> pending_;
};

// Two particles that see nothing but each other, each stepping to the neighbour in its region that is nearest to the
// other, until neither comes nearer. Returns the square of the distance that they end at.
struct PairWalk {
  const WalkingBody& a;
  const WalkingBody& b;
  VertexId at_a;
  VertexId at_b;
  double run(int most_steps);
};

}  // namespace pliant
