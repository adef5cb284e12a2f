// What bodies are made of, in SI units, and named examples. The examples are typical values for scenes, not
// measurements of one specimen: real materials of one name differ by factors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

// An isotropic solid. Elastic stress from Young's modulus and Poisson's ratio, viscous stress from phi and psi, which
// stand to strain rate as the Lame constants lambda and mu to strain (O'Brien and Hodgins 1999).
struct ElasticMaterial {
  double young = 1e5;     // Pa
  double poisson = 0.3;   // 0 <= poisson < 0.5
  double density = 1000;  // kg/m^3
  double phi = 0;         // Pa s
  double psi = 0;         // Pa s

  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }  // Pa
  double mu() const { return young / (2 * (1 + poisson)); }                                // Pa

  // Viscosity in proportion to elasticity: a mode of angular frequency omega then has the damping ratio
  // seconds * omega / 2.
  ElasticMaterial with_damping(double seconds) const;
};
// Throws Error, naming the value and its range.
void require_valid(const ElasticMaterial& material);

// A sheet. Stiffnesses are those of the energy per area: 1/2 stretch (s - 1)^2 for each of two directions, 1/2 shear
// (cosine between them)^2, 1/2 bending curvature^2.
struct ClothMaterial {
  double density = 0.15;        // kg/m^2
  double stretch = 1000;        // N/m
  double shear = 100;           // N/m
  double bending = 1e-5;        // N m
  double damping = 1e-3;        // s, of all three: viscosity over stiffness; a step of h seconds has h of its own
  double stretch_limit = 0.05;  // fraction of its length: more is a fault of the simulation, and warned of
};
void require_valid(const ClothMaterial& material);

struct NamedElasticMaterial {
  std::string_view name;
  ElasticMaterial material;
};
struct NamedClothMaterial {
  std::string_view name;
  ClothMaterial material;
};
const std::vector<NamedElasticMaterial>& elastic_materials();  // rubber, silicone, flesh, jelly, foam
const std::vector<NamedClothMaterial>& cloth_materials();      // silk, cotton, wool, denim, leather

// By name. Throws Error that gives the nearest name, or all of them.
ElasticMaterial elastic_material(std::string_view name);
ClothMaterial cloth_material(std::string_view name);

}  // namespace pliant
