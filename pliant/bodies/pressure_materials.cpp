#include "pliant/bodies/pressure_materials.h"

#include <string>

#include "pliant/core/error.h"
#include "pliant/core/suggest.h"

namespace pliant {

const std::vector<NamedPressureMaterial>& pressure_materials() {
  // Those of a ball of 15 cm are stretched by a few percent; a football's by an eighth.
  static const std::vector<NamedPressureMaterial> all = {
      {"balloon", {.density = 0.1, .stiffness = 100, .damping = 0.002, .pressure = 101'425}},
      {"beach-ball", {.density = 0.4, .stiffness = 500, .damping = 0.01, .pressure = 102'325}},
      {"football", {.density = 3, .stiffness = 20'000, .damping = 0.5, .pressure = 161'325}},
      {"soft-ball", {.density = 3, .stiffness = 200, .damping = 0.15, .pressure = 101'725}},
  };
  return all;
}

PressureMaterial pressure_material(std::string_view name) {
  std::vector<std::string_view> names;
  for (const NamedPressureMaterial& named : pressure_materials()) {
    if (named.name == name) return named.material;
    names.push_back(named.name);
  }
  throw Error("no balloon is named '" + std::string(name) + "'", suggestion(name, names));
}

}  // namespace pliant
