// How the contacts of a pair of bodies are answered: by proof (step_resolver.h), or in one of the ways of the papers,
// which act on what is found at instants and prove nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "pliant/response/impact.h"

namespace pliant {

enum class ResponseKind : std::uint8_t {
  proof,      // constraints and zones, until continuous detection proves the step free
  penalty,    // springs and dampers between what overlaps: forces before bodies are predicted
  pull_back,  // particles behind a surface are put back onto it, after bodies are predicted
};
std::string_view to_string(ResponseKind kind);
// In the order of the enumeration, as scenes name them.
std::span<const std::string_view> response_kinds();

// Of every contact a spring along its normal, as long as its depth, and a damper. Masses come from the bodies, so that
// one setting serves feathers and rocks.
struct PenaltySettings {
  double seconds = 0.002;  // of a quarter swing: how fast what overlaps is pushed apart; no less than two short steps
  double damping = 1;      // of the critical: 0 bounces, 1 does not
  // Of pairs of regions (what an interrupted search leaves): a vertex has the mean of the forces that it receives, as
  // C. Mendoza and C. O'Sullivan have it, which breaks action and reaction. False: each pair pushes both sides equally.
  bool averaged = false;

  friend bool operator==(const PenaltySettings&, const PenaltySettings&) = default;
};

// The defaults are corrected; the literal rules are those of the paper, to see what they do. In a world of pull-back,
// an open surface is kept apart from itself by proof all the same, unless set_response() says otherwise: it has no
// inside.
struct PullBackSettings {
  int passes = 2;      // searches and answers in a short step, at most
  bool paths = true;   // look at the ways of particles too where they go half an edge or more: none passes unseen
  bool inside = true;  // push out what lies inside a closed body as a whole
  bool once_per_step = false;  // the paper's own time step: one search per step of the world, whatever bodies ask for
  // Contacts that a step is going to have, as far as they can be told before it, act within it. False: as printed, only
  // where they are found, at the end of every short step.
  bool foresee = true;
  bool literal_position = false;  // to the nearest intersection point of the particle's edges
  bool literal_velocity = false;  // the speed of the particle along the normal

  friend bool operator==(const PullBackSettings&, const PullBackSettings&) = default;
};

struct ResponseSettings {
  ResponseKind kind = ResponseKind::proof;
  ResolverSettings proof;  // of the world only; its separation is the world's
  PenaltySettings penalty;
  PullBackSettings pull_back = {};

  friend bool operator==(const ResponseSettings& x, const ResponseSettings& y) {
    return x.kind == y.kind && x.penalty == y.penalty && x.pull_back == y.pull_back;
  }
};
// Throws Error for numbers out of range.
void require_valid(const ResponseSettings& settings);

}  // namespace pliant
