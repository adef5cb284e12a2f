// What pulling back asks of the vertices of a step. Internal to response/.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "pliant/detect/contact.h"
#include "pliant/response/flat_step.h"

namespace pliant {

// One particle and one face, or two triangles: up to six vertices, those of the second side with negative weights.
struct Pull {
  std::array<std::uint32_t, 6> slot{};
  std::array<double, 6> weight{};
  std::size_t count = 0;
  Vec3 normal = Vec3::Zero();
  double height = 0;  // of the first side over the second, along the normal: at least this
  // Of a sweep: a body that is deep inside another comes out bit by bit, in its shape, not flat.
  double most = std::numeric_limits<double>::infinity();
  std::optional<Vec3> way;   // instead: of the first side against the second
  bool is_particle = false;  // slot[0] alone against a surface
  Contact contact;           // as it is told
  double mobility = 0;
  double speed = 0;  // along the normal, afterwards: at least this
  double push = 0;   // impulses so far
  Vec3 rub = Vec3::Zero();

  void add(std::uint32_t at, double w) {
    slot[count] = at;
    weight[count++] = w;
  }
  Vec3 relative(const std::vector<Vec3>& rows) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < count; ++i) sum += weight[i] * rows[slot[i]];
    return sum;
  }
};

// Vertices of a body that moves as one have its mass, and are moved together.
class Nodes {
 public:
  explicit Nodes(const FlatStep& flat);
  std::uint32_t node(std::uint32_t slot) const {
    return flat_.moves_as_one(slot) ? flat_.first[flat_.body[slot]] : slot;
  }
  double inverse_mass(std::uint32_t slot) const {
    return flat_.moves_as_one(slot) ? inverse_mass_of_body_[flat_.body[slot]] : flat_.inverse_mass[slot];
  }

 private:
  const FlatStep& flat_;
  std::vector<double> inverse_mass_of_body_;
};

}  // namespace pliant
