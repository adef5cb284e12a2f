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

// `own`: the energies of the bodies now.
BodyId most_gained(const std::vector<BodyHealth>& bodies, const std::vector<double>& own) {
  std::size_t most = 0;
  for (std::size_t i = 1; i < own.size(); ++i)
    if (own[i] - bodies[i].energy > own[most] - bodies[most].energy) most = i;
  return BodyId(most);
}

std::string name_of(const std::vector<std::string>& names, BodyId body) {
  return body.valid() && body.index() < names.size() ? names[body.index()] : "";
}

void warn_of_step(const BodiesInvolved& bodies, RunWarning warning, const std::vector<std::string>& names,
                  std::vector<RunWarning>& warnings) {
  if (bodies) {
    warning.body = name_of(names, bodies->second);
    warning.what += bodies->first == bodies->second ? ", first where it meets itself"
                                                    : ", first where it meets " + name_of(names, bodies->first);
  }
  warning.remedy = "raise substeps: the step is too long for what happens in it";
  warnings.push_back(std::move(warning));
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
  if (report.zones > 0 && zones == 0) {
    zones_frame = world.frame();
    zones_bodies = report.zoned;
  }
  if (report.halvings > 0 && halvings == 0) {
    halvings_frame = world.frame();
    halvings_bodies = report.halved;
  }
  zones += report.zones;
  halvings += report.halvings;
}

void RunHealth::watch_energy(const World& world) {
  bool driven = false;
  double sum = 0, kinetic = 0;
  std::vector<double> own(bodies.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    const BodyModel& body = world.body(BodyId(i));
    driven = driven || moves_others(body) || body.condition().driven;
    if (is_obstacle(body)) continue;
    const BodyEnergy now = energy_of(body);
    own[i] = now.total();
    sum += own[i];
    kinetic += now.kinetic;
  }
  most_kinetic = std::max(most_kinetic, kinetic);
  const bool is_first = driven || !knows_energy;
  knows_energy = !driven;
  if (!is_first && sum - least_energy > energy_gained) {
    energy_gained = sum - least_energy;
    energy_frame = world.frame();
    energy_body = most_gained(bodies, own);
  }
  if (!is_first && sum >= least_energy) return;
  least_energy = sum;
  for (std::size_t i = 0; i < own.size(); ++i) bodies[i].energy = own[i];
}

std::vector<RunWarning> warnings_of(const RunHealth& health, const std::vector<std::string>& names) {
  std::vector<RunWarning> warnings;
  for (std::size_t i = 0; i < health.bodies.size() && i < names.size(); ++i)
    warn_of_body(health.bodies[i], names[i], warnings);
  if (health.energy_gained > kEnergyTolerance * health.most_kinetic)
    warnings.push_back({name_of(names, health.energy_body), health.energy_frame,
                        "energy was gained from nothing: " + percent(health.energy_gained / health.most_kinetic) +
                            " of the largest kinetic energy",
                        "shorten contact_step"});
  if (health.zones > 0)
    warn_of_step(
        health.zones_bodies,
        {"", health.zones_frame, std::to_string(health.zones) + " groups of vertices had to move as rigid zones", ""},
        names, warnings);
  if (health.halvings > 0)
    warn_of_step(health.halvings_bodies,
                 {"", health.halvings_frame, std::to_string(health.halvings) + " steps had to be halved", ""}, names,
                 warnings);
  return warnings;
}

}  // namespace pliant
