// How pairs of bodies are treated: who finds their contacts, and how these are answered.
#pragma once

#include <string>

#include "pliant/response/response.h"

namespace pliant {

struct PairRule {
  std::string method;
  ResponseSettings response;

  friend bool operator==(const PairRule&, const PairRule&) = default;
};

// A proof needs a continuous method (or "auto"); the other responses take any that looks at instants. Throws Error,
// naming the nearest, for one that does not fit or does not exist.
void require_fits(const PairRule& rule);

}  // namespace pliant
