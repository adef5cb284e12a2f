// How contacts are answered, as those who ask for it see it.
#pragma once

#include "pliant/detect/contact.h"

namespace pliant {

struct ResolverSettings {
  double separation = 1e-3;  // m, kept between surfaces; above zero
  int passes = 8;            // of constraints, before zones
  int sweeps = 12;           // of Gauss-Seidel in a pass
  double recovery = 0.2;     // fraction of what lacks to the separation that one step regains
  double rest_speed = 0.2;   // m/s: slower impacts do not bounce
};

// A contact that was answered.
struct Impact {
  Contact contact;
  Vec3 impulse;  // N s, that a received from b; b the opposite
};

}  // namespace pliant
