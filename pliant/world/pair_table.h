// Which rule (pair_rule.h) holds for which pair of bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pliant/core/ids.h"

namespace pliant {

// Rules by their number in the world's list; symmetric; the diagonal stands for self-collision.
class PairTable {
 public:
  static constexpr std::uint8_t kNone = 255;

  explicit PairTable(std::size_t bodies = 0) : bodies_(bodies), rule_(bodies * bodies, 0) {}

  std::uint8_t operator()(BodyId a, BodyId b) const { return rule_[a.index() * bodies_ + b.index()]; }
  void set(BodyId a, BodyId b, std::uint8_t rule) {
    rule_[a.index() * bodies_ + b.index()] = rule;
    rule_[b.index() * bodies_ + a.index()] = rule;
  }
  std::size_t bodies() const { return bodies_; }

  friend bool operator==(const PairTable&, const PairTable&) = default;

 private:
  std::size_t bodies_;
  std::vector<std::uint8_t> rule_;
};

}  // namespace pliant
