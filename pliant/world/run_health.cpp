#include "pliant/world/run_health.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace pliant {
namespace {

// Of the largest kinetic energy of the run: a gain above this is no rounding and no error of integration.
constexpr double kEnergyTolerance = 0.01;

bool is_obstacle(const BodyModel& body) {
  return std::all_of(body.masses().begin(), body.masses().end(), [](double m) { return std::isinf(m); });
}

// Pins and obstacles that move do work on what they touch.
bool moves_others(const BodyModel& body) {
  const std::span<const double> masses = body.masses();
  const std::span<const Vec3> v = body.velocities();
  for (std::size_t i = 0; i < masses.size(); ++i)
    if (std::isinf(masses[i]) && !v[i].isZero(0)) return true;
  return false;
}

std::string percent(double fraction) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %%", 100 * fraction);
  return text;
}

void note_condition(BodyHealth& body, const BodyCondition& now, double frame) {
  body.inverted = now.inverted_elements;
  body.stretch_limit = now.stretch_limit;
  if (now.inverted_elements > body.most_inverted) {
    body.most_inverted = now.inverted_elements;
    body.most_inverted_frame = frame;
  }
  if (now.stretch > body.stretch) {
    body.stretch = now.stretch;
    body.stretch_frame = frame;
  }
}

void warn_of_body(const BodyHealth& body, const std::string& name, std::vector<RunWarning>& warnings) {
  if (body.inverted > 0)
    warnings.push_back({name, body.most_inverted_frame,
                        std::to_string(body.inverted) + " tetrahedra are inside out at the end, " +
                            std::to_string(body.most_inverted) + " at worst",
                        "shorten contact_step, raise substeps, or use a stiffer material or a finer mesh"});
  if (body.stretch_limit > 0 && body.stretch > body.stretch_limit)
    warnings.push_back({name, body.stretch_frame,
                        "threads are stretched by " + percent(body.stretch) + " (99th percentile), beyond the " +
                            percent(body.stretch_limit) + " of the material",
                        "shorten substep, or give it less to carry"});
}

}  // namespace

BodyEnergy energy_of(const BodyModel& body) {
  return {body.kinetic_energy(), body.potential_energy(), body.gravitational_energy()};
}

void RunHealth::frame_done(const World& world, const FrameReport& report) {
  bodies.resize(world.body_count());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    note_condition(bodies[i], world.body(BodyId(i)).condition(), world.frame());
  watch_energy(world);
  if (report.zones > 0 && zones == 0) zones_frame = world.frame();
  if (report.halvings > 0 && halvings == 0) halvings_frame = world.frame();
  zones += report.zones;
  halvings += report.halvings;
}

void RunHealth::watch_energy(const World& world) {
  bool driven = false;
  double energy = 0, kinetic = 0;
  for (std::size_t i = 0; i < world.body_count(); ++i) {
    const BodyModel& body = world.body(BodyId(i));
    driven = driven || moves_others(body) || body.condition().driven;
    if (is_obstacle(body)) continue;
    const BodyEnergy now = energy_of(body);
    energy += now.total();
    kinetic += now.kinetic;
  }
  most_kinetic = std::max(most_kinetic, kinetic);
  if (driven || !knows_energy) {
    knows_energy = !driven;
    least_energy = energy;
    return;
  }
  if (energy - least_energy > energy_gained) {
    energy_gained = energy - least_energy;
    energy_frame = world.frame();
  }
  least_energy = std::min(least_energy, energy);
}

std::vector<RunWarning> warnings_of(const RunHealth& health, const std::vector<std::string>& names) {
  std::vector<RunWarning> warnings;
  for (std::size_t i = 0; i < health.bodies.size() && i < names.size(); ++i)
    warn_of_body(health.bodies[i], names[i], warnings);
  if (health.energy_gained > kEnergyTolerance * health.most_kinetic)
    warnings.push_back({"", health.energy_frame,
                        "energy was gained from nothing: " + percent(health.energy_gained / health.most_kinetic) +
                            " of the largest kinetic energy",
                        "shorten contact_step"});
  if (health.zones > 0)
    warnings.push_back({"", health.zones_frame,
                        std::to_string(health.zones) + " groups of vertices had to move as rigid zones",
                        "raise substeps: the step is too long for what happens in it"});
  if (health.halvings > 0)
    warnings.push_back({"", health.halvings_frame, std::to_string(health.halvings) + " steps had to be halved",
                        "raise substeps: the step is too long for what happens in it"});
  return warnings;
}

}  // namespace pliant
