#include "pliant/bodies/materials.h"

#include <cmath>

#include "pliant/core/error.h"
#include "pliant/core/suggest.h"

namespace pliant {
namespace {

void require_range(const char* what, double value, double low, bool low_included, const char* remedy) {
  if (std::isfinite(value) && (value > low || (low_included && value == low))) return;
  throw Error(std::string("material: ") + what + " is " + std::to_string(value), remedy);
}

template <class Named>
auto find_material(const char* kind, const std::vector<Named>& all, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Named& named : all) {
    if (named.name == name) return named.material;
    names.push_back(named.name);
  }
  throw Error(std::string("no ") + kind + " is named '" + std::string(name) + "'", suggestion(name, names));
}

}  // namespace

ElasticMaterial ElasticMaterial::with_damping(double seconds) const {
  ElasticMaterial result = *this;
  result.phi = lambda() * seconds;
  result.psi = mu() * seconds;
  return result;
}

void require_valid(const ElasticMaterial& m) {
  require_range("Young's modulus", m.young, 0, false, "give a positive number of pascals, for example 1e5");
  require_range("the density", m.density, 0, false, "give a positive number of kg/m^3, for example 1000");
  require_range("phi", m.phi, 0, true, "give 0 or a positive number of pascal seconds");
  require_range("psi", m.psi, 0, true, "give 0 or a positive number of pascal seconds");
  if (!(m.poisson >= 0 && m.poisson < 0.5))
    throw Error("material: Poisson's ratio is " + std::to_string(m.poisson), "give 0 or more, below 0.5");
}

void require_valid(const ClothMaterial& m) {
  require_range("the density", m.density, 0, false, "give a positive number of kg/m^2, for example 0.15");
  require_range("the stretch stiffness", m.stretch, 0, false, "give a positive number of N/m, for example 1000");
  require_range("the shear stiffness", m.shear, 0, true, "give 0 or a positive number of N/m");
  require_range("the bending stiffness", m.bending, 0, true, "give 0 or a positive number of N m");
  require_range("the damping", m.damping, 0, true, "give 0 or a positive number of seconds");
  require_range("the limit of stretch", m.stretch_limit, 0, false, "give a positive fraction, for example 0.05");
}

const std::vector<NamedElasticMaterial>& elastic_materials() {
  static const std::vector<NamedElasticMaterial> all = {
      {"rubber", ElasticMaterial{.young = 1.5e6, .poisson = 0.47, .density = 1100}.with_damping(2e-4)},
      {"silicone", ElasticMaterial{.young = 7e4, .poisson = 0.45, .density = 1070}.with_damping(1e-3)},
      {"flesh", ElasticMaterial{.young = 1.5e4, .poisson = 0.45, .density = 1060}.with_damping(5e-3)},
      // Gels lose 5 to 20 % of a swing's stiffness (loss tangent: angular frequency times this) at the 1 to 2 Hz at
      // which a pudding sways; a tenth of that would sway for half a minute.
      {"jelly", ElasticMaterial{.young = 5e3, .poisson = 0.45, .density = 1010}.with_damping(6e-3)},
      {"foam", ElasticMaterial{.young = 5e4, .poisson = 0.2, .density = 60}.with_damping(1e-3)},
  };
  return all;
}

const std::vector<NamedClothMaterial>& cloth_materials() {
  static const std::vector<NamedClothMaterial> all = {
      {"silk", {.density = 0.06, .stretch = 1500, .shear = 30, .bending = 2e-6}},
      {"cotton", {.density = 0.15, .stretch = 2000, .shear = 100, .bending = 8e-6}},
      {"wool", {.density = 0.25, .stretch = 1200, .shear = 80, .bending = 1.5e-5}},
      {"denim", {.density = 0.40, .stretch = 5000, .shear = 400, .bending = 8e-5}},
      {"leather", {.density = 0.90, .stretch = 10000, .shear = 3000, .bending = 5e-4}},
  };
  return all;
}

ElasticMaterial elastic_material(std::string_view name) {
  return find_material("solid material", elastic_materials(), name);
}
ClothMaterial cloth_material(std::string_view name) { return find_material("cloth", cloth_materials(), name); }

}  // namespace pliant
