// From where a scene is worth looking at.
#pragma once

#include <string>

#include "pliant/core/vec3.h"

namespace pliant {

// Says nothing about what is simulated: pages offer it as a view, the first one of a scene first. z is up.
struct Camera {
  std::string name;              // on its button
  Vec3 position = Vec3::Zero();  // m
  Vec3 target = Vec3::Zero();    // m: in the middle of the picture
  double angle = 35;             // of view, from the lower to the upper edge of the picture, degrees
};

}  // namespace pliant
