// Named balloons: typical values for scenes, like those of bodies/materials.h.
#pragma once

#include <string_view>
#include <vector>

#include "pliant/bodies/pressure_forces.h"

namespace pliant {

struct NamedPressureMaterial {
  std::string_view name;
  PressureMaterial material;
};
const std::vector<NamedPressureMaterial>& pressure_materials();  // balloon, beach-ball, football, soft-ball

// By name. Throws Error that gives the nearest name, or all of them.
PressureMaterial pressure_material(std::string_view name);

}  // namespace pliant
