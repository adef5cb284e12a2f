// A tree over bodies: which of many bodies come near each other at all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bounds/aabb.h"
#include "pliant/core/function_ref.h"

namespace pliant {

// Indices in a list of bodies, a <= b; a == b is a body with itself.
struct BodyPair {
  std::uint32_t a;
  std::uint32_t b;
  friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};

// The pairs whose boxes overlap and that are wanted(a, b), a body with itself included, ascending. Near-linear in the
// number of bodies and pairs found.
std::vector<BodyPair> overlapping_body_pairs(std::span<const Aabb> boxes,
                                             FunctionRef<bool(std::uint32_t, std::uint32_t)> wanted);

}  // namespace pliant
