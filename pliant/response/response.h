// How the contacts of a pair of bodies are answered: by proof (step_resolver.h), or in one of the ways of the papers,
// which act on what is found at instants and prove nothing.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "pliant/detect/contact.h"
#include "pliant/response/impact.h"

namespace pliant {

struct FlatStep;
struct Step;

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

// A way to answer contacts without a proof, one short step after the other. Order of contacts does not matter: what
// several of them do to a vertex is added up.
class Response {
 public:
  virtual ~Response() = default;
  // From what intersects at the start of a short step (x_t0, with the velocities v_t1 there): adds to `forces` (N, one
  // for each row of the step), which act on the bodies while they are predicted. Contacts that did something are added
  // to `impacts`.
  virtual void add_forces(const Step& step, const FlatStep& flat, std::span<const Contact> contacts,
                          std::span<Vec3> forces, std::vector<Impact>& impacts) const;
  // From what intersects at its end: changes x_t1 and v_t1.
  virtual void move_ends(const Step& step, FlatStep& flat, std::span<const Contact> contacts,
                         std::vector<Impact>& impacts) const;
  // Which of the two it does; what is not done needs no search.
  virtual bool adds_forces() const { return false; }
  virtual bool moves_ends() const { return false; }
};

// Null for `proof`, which is not of this kind.
std::unique_ptr<Response> make_response(const ResponseSettings& settings);

}  // namespace pliant
