// How the contacts of a pair of bodies are answered: by proof (step_resolver.h), or in one of the ways of the papers,
// which act on what is found at instants and prove nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pliant/response/impact.h"

namespace pliant {

enum class ResponseKind : std::uint8_t {
  proof,    // constraints and zones, until continuous detection proves the step free
  penalty,  // springs and dampers between what overlaps: forces before bodies are predicted
};
std::string_view to_string(ResponseKind kind);
// In the order of the enumeration, as scenes name them.
std::span<const std::string_view> response_kinds();

// Of every contact a spring along its normal, as long as its depth, and a damper. Masses come from the bodies, so that
// one setting serves feathers and rocks.
struct PenaltySettings {
  double seconds = 0.01;  // of a quarter swing: how fast what overlaps is pushed apart; several short steps long
  double damping = 0.3;   // of the critical: 0 bounces, 1 does not
};

struct ResponseSettings {
  ResponseKind kind = ResponseKind::proof;
  ResolverSettings proof;  // of the world only; its separation is the world's
  PenaltySettings penalty;

  friend bool operator==(const ResponseSettings& x, const ResponseSettings& y) {
    return x.kind == y.kind && x.penalty.seconds == y.penalty.seconds && x.penalty.damping == y.penalty.damping;
  }
};
// Throws Error for numbers out of range.
void require_valid(const ResponseSettings& settings);

}  // namespace pliant
