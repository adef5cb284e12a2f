#include "pliant/bodies/pressure_materials.h"
#include "pliant/scene/shape_reader.h"

namespace pliant {
namespace {

// The preset that `material` names, then what its table changes.
template <class Material, class ByName, class Change>
Material read_material(TableReader& body, Material material, ByName by_name, Change change) {
  const TomlValue* value = body.find("material");
  if (!value) return material;
  if (std::holds_alternative<std::string>(value->content)) {
    const std::string name = body.text("material");
    return body.placed("material", [&] { return by_name(name); });
  }
  TableReader table(*value, body.file(), "the material of " + body.what());
  if (table.has("preset")) material = table.placed("preset", [&] { return by_name(table.text("preset")); });
  change(table, material);
  table.finish();
  return material;
}

// Two ways to say the same.
void refuse_both(TableReader& t, std::string_view key, std::string_view other) {
  if (t.has(key) && t.has(other)) t.fail(key, "does not go with " + std::string(other), "leave one out");
}

}  // namespace

ElasticMaterial read_elastic_material(TableReader& body) {
  return read_material(body, ElasticMaterial{}, elastic_material, [](TableReader& t, ElasticMaterial& m) {
    for (const char* viscosity : {"phi", "psi"}) refuse_both(t, "damping", viscosity);
    m.young = t.positive("young", m.young, kPressure);
    m.poisson = t.not_negative("poisson", m.poisson);
    if (m.poisson >= 0.5) t.fail("poisson", "is not below 0.5");
    m.density = t.positive("density", m.density, kDensity);
    m.phi = t.not_negative("phi", m.phi, kViscosity);
    m.psi = t.not_negative("psi", m.psi, kViscosity);
    if (t.has("damping")) m = m.with_damping(t.not_negative("damping", 0, kTime));
  });
}

ClothMaterial read_cloth_material(TableReader& body) {
  return read_material(body, ClothMaterial{}, cloth_material, [](TableReader& t, ClothMaterial& m) {
    m.density = t.positive("density", m.density, kAreaDensity);
    m.stretch = t.positive("stretch", m.stretch, kStiffness);
    m.shear = t.not_negative("shear", m.shear, kStiffness);
    m.bending = t.not_negative("bending", m.bending, kBending);
    m.damping = t.not_negative("damping", m.damping, kTime);
    m.stretch_limit = t.positive("stretch_limit", m.stretch_limit);
  });
}

PressureMaterial read_pressure_material(TableReader& body) {
  return read_material(body, PressureMaterial{}, pressure_material, [](TableReader& t, PressureMaterial& m) {
    m.density = t.positive("density", m.density, kAreaDensity);
    m.stiffness = t.positive("stiffness", m.stiffness, kStiffness);
    m.damping = t.not_negative("damping", m.damping, kSpringDamping);
    m.bending_stiffness = t.not_negative("bending_stiffness", m.bending_stiffness, kStiffness);
    refuse_both(t, "overpressure", "pressure");
    m.ambient = t.not_negative("ambient", m.ambient, kPressure);
    m.pressure = t.positive("pressure", m.pressure, kPressure);
    if (t.has("overpressure")) m.pressure = m.ambient + t.number("overpressure", 0, kPressure);
    if (!(m.pressure > 0))
      t.fail("overpressure",
             "leaves no gas inside: ambient and overpressure make " + std::to_string(m.pressure) + " Pa",
             "give more than -" + std::to_string(m.ambient) + " Pa");
  });
}

}  // namespace pliant
