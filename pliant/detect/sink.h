// Contacts as they come, in time order, and which pairs are looked at in the first place.
#pragma once

#include <vector>

#include "pliant/detect/contact.h"

namespace pliant {

enum class Flow : std::uint8_t { go_on, stop };

// Receives contacts ordered by (time, a, b), from the thread that called detect().
class ContactSink {
 public:
  virtual ~ContactSink() = default;
  virtual Flow contact(const Contact& contact) = 0;
};

// Which pairs to leave out. Called from several threads at once and more than once for a pair: must be pure.
// Both functions are symmetric: they are called with either order of their arguments.
class ContactFilter {
 public:
  virtual ~ContactFilter() = default;
  // Whether any feature of a is tested against any of b; a == b asks for self-collision.
  virtual bool bodies(BodyId a, BodyId b) const;
  // Whether these two features are tested against each other.
  virtual bool features(const Feature& a, const Feature& b) const;
  // False if features() is always true, so that detectors need not call it.
  virtual bool filters_features() const { return true; }
};

}  // namespace pliant
