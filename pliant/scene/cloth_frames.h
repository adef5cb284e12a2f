// The frames of a simulated cloth: particles once and for all, the fine sheet when asked for.
#pragma once

#include <memory>
#include <vector>

#include "pliant/motion/motion.h"
#include "pliant/scene/cloth_surface.h"
#include "pliant/scene/draped_cloth.h"
#include "pliant/scene/scene.h"

namespace pliant {

struct ClothSceneSettings {
  std::string name = "cloth";
  DrapeSettings cloth;
  RippleSettings ripples;
  double start_waves = 0.01;  // m, height of the slow random waves that the sheet starts with
  std::shared_ptr<const ClothObstacle> obstacle;
  int cells = 80;  // of the fine sheet, along each edge
  std::size_t frames = 60;
  // The fine sheet is lifted to this height (m) above the obstacle where it lies lower, more or less `unevenness` from
  // place to place: where the sum is negative the sheet really cuts into the obstacle.
  double clearance = 0.001;
  double unevenness = 0.007;
  double chord_radius = 0.05;  // m, the sharpest curve of the obstacle that faces are to span without cutting it
};

// A square sheet that starts flat and slightly rippled.
MovingBody make_cloth_body(const ClothSceneSettings& settings);

}  // namespace pliant
