// Bodies that lie wholly inside others (no contact, and yet not apart), and how deep those are that cross.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "pliant/check/check.h"
#include "pliant/core/function_ref.h"

namespace pliant {

struct Containment {
  std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, Inside>> pairs;  // ascending
  bool complete = true;  // false: the budget was spent, or it was cancelled
};

// Among pairs that may_hold(a, b), a < b: those that are wanted and do not meet at that time.
Containment find_contained(std::span<const CheckBody> bodies, double time,
                           FunctionRef<bool(std::uint32_t, std::uint32_t)> may_hold, const Budget& budget);

// How deep two closed bodies are in each other.
struct MeasuredDepth {
  std::optional<double> depth;  // nothing if they are not, or one is not closed, or no depth was found in time
  bool complete = true;         // false: the search ended early; they may be deeper
};
MeasuredDepth penetration_at(const CheckBody& a, const CheckBody& b, double time, const Budget& budget);

}  // namespace pliant
