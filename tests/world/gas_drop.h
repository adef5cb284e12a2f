// A gas body falls on the ground.
#pragma once

#include <algorithm>
#include <string>

#include "pliant/bodies/pressure_materials.h"
#include "tests/world/support.h"

namespace pliant {

struct GasDrop {
  PressureMaterial material;
  double height = 0.6;  // m, under it
  bool tilted = false;
  int frequency = 8;  // of the icosphere
  double seconds = 3;
};

struct GasDropOutcome {
  std::string trouble;
  double rebound = 0;      // the largest height of the middle after the first touch, as a fraction of the drop
  double energy_gain = 0;  // above its least before, at frame ends, as a fraction of that of the drop
  double late_gain = 0;    // the same in the second half
  double least_volume = 1, largest_volume = 1;
};

inline GasDropOutcome run_gas_drop(const GasDrop& drop) {
  constexpr double kRadius = 0.15;
  World world;
  world.add(ground(), {"ground", {0.5, 0}, true});
  const MeshPtr ball = make_icosphere({.radius = kRadius, .frequency = drop.frequency});
  const RigidTransform where =
      rigid(Vec3(0.5, 0.8, 0.3).normalized(), drop.tilted ? 0.7 : 0, Vec3(0, 0, kRadius + drop.height));
  auto model = std::make_unique<PressureBody>(placed(ball, where), PressureSettings{.material = drop.material});
  const PressureBody& body = *model;
  world.add(std::move(model), {"ball", {0.5, 0}, true});
  double mass = 0;
  for (const double m : body.masses()) mass += m;
  const double whole = mass * 9.81 * drop.height;
  const auto energy = [&] { return body.kinetic_energy() + body.potential_energy() + body.gravitational_energy(); };
  GasDropOutcome outcome;
  double least = energy();
  bool touched = false;
  const int frames = static_cast<int>(drop.seconds * 60);
  for (int k = 0; k < frames; ++k) {
    const FrameReport report = world.step();
    if (!report.ok()) {
      outcome.trouble = report.message;
      break;
    }
    touched = touched || report.impacts > 0;
    if (touched) outcome.rebound = std::max(outcome.rebound, (centre_of(body).z() - kRadius) / drop.height);
    const double gain = (energy() - least) / whole;
    least = std::min(least, energy());
    outcome.energy_gain = std::max(outcome.energy_gain, gain);
    if (2 * k > frames) outcome.late_gain = std::max(outcome.late_gain, gain);
    outcome.least_volume = std::min(outcome.least_volume, body.volume() / body.rest_volume());
    outcome.largest_volume = std::max(outcome.largest_volume, body.volume() / body.rest_volume());
  }
  return outcome;
}

}  // namespace pliant
