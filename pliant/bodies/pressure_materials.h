// What balloons are made of, and named ones: typical values for scenes, like those of bodies/materials.h.
#pragma once

#include <string_view>
#include <vector>

namespace pliant {

struct PressureMaterial {
  double density = 1;            // kg/m^2 of surface
  double stiffness = 200;        // N/m, of every spring
  double damping = 0.02;         // N s/m, of every spring
  double bending_stiffness = 0;  // N/m, of springs between the far corners of two faces that share an edge; 0: none
  double pressure = 103'325;     // Pa, absolute, inside, at the volume at rest
  double ambient = 101'325;      // Pa, outside; with the same pressure inside, the shape at rest is in balance
};

struct NamedPressureMaterial {
  std::string_view name;
  PressureMaterial material;
};
const std::vector<NamedPressureMaterial>& pressure_materials();  // balloon, beach-ball, football, soft-ball

// By name. Throws Error that gives the nearest name, or all of them.
PressureMaterial pressure_material(std::string_view name);

}  // namespace pliant
