// Groups of vertices that move as one, where nothing else keeps them apart.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "pliant/core/disjoint_sets.h"
#include "pliant/response/flat_step.h"

namespace pliant {

// Zones only grow. A zone of vertices with finite masses moves rigidly, with the momentum and angular momentum of its
// vertices; one that touches an obstacle (a body of infinite masses, or a pinned vertex) moves with it.
class RigidZones {
 public:
  // The motion to start from; must outlive the zones.
  RigidZones(const Step& step, const FlatStep& flat);

  // Unites the vertices of each contact. False if all of them were one zone already.
  bool grow(std::span<const Contact> contacts);

  // Writes x_t1 of all vertices in zones, and makes their v_t1 rigid. Returns two bodies whose motions no zone can
  // follow at once.
  std::optional<std::pair<BodyId, BodyId>> move(FlatStep& flat);

  std::size_t count() const { return zone_count_; }

 private:
  struct Map {  // x -> linear x + shift
    Eigen::Matrix3d linear = Eigen::Matrix3d::Identity();
    Vec3 shift = Vec3::Zero();
    bool still = true;
    friend bool operator==(const Map&, const Map&) = default;
  };
  std::uint32_t anchor_of(std::uint32_t slot) const;
  Map map_of_anchor(std::uint32_t slot) const;
  struct Particle {
    double mass;
    Vec3 x, v;
  };
  void add_particles(BodyId id, std::span<const Vec3> x, std::span<const Vec3> v,
                     std::vector<Particle>& particles) const;
  std::vector<Particle> particles_of(std::span<const std::uint32_t> slots, const std::vector<Vec3>& x,
                                     const std::vector<Vec3>& v) const;
  struct Field {  // velocity + spin x (x - centre)
    Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();
  };
  static Field united(std::span<const Particle> particles);
  Map rigid_map(std::span<const std::uint32_t> slots) const;
  static void carry(const Map& map, std::span<const std::uint32_t> slots, FlatStep& flat);
  void unite_velocities(std::span<const std::uint32_t> slots, FlatStep& flat) const;

  const Step& step_;
  FlatStep start_;
  DisjointSets sets_;
  std::vector<bool> touched_;  // by slot
  std::size_t zone_count_ = 0;
};

}  // namespace pliant
