// Stacks of boxes of every solid preset, and of twenty of foam: no energy from nothing, and all asleep in time. Prints
// one line per stack; fails if one is worse than promised.
//
//   pliant-soak-stack [PRESET]
#include <algorithm>
#include <cstdio>
#include <string>

#include "pliant/bodies/materials.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

struct Stack {
  std::string preset;
  int count = 4;
  double seconds = 8;  // to be asleep within
};

double energy_of_bodies(const World& world) {
  double sum = 0;
  for (std::uint32_t b = 0; b < world.body_count(); ++b) {
    const BodyModel& body = world.body(BodyId(b));
    sum += body.kinetic_energy() + body.potential_energy() + body.gravitational_energy();
  }
  return sum;
}

std::unique_ptr<BodyModel> slab(const std::string& preset, int storey) {
  FemSettings settings;
  settings.material = elastic_material(preset);
  auto body = std::make_unique<FemBody>(make_tet_box({.size = {0.4, 0.4, 0.06}, .cells = {5, 5, 1}}), settings);
  BodyState state = body->snapshot();
  for (Vec3& x : state.positions) x += Vec3(0, 0, 0.0315 + 0.0615 * storey);
  body->restore(state);
  return body;
}

bool run(const Stack& stack) {
  constexpr double kMostGained = 0.01;  // of the largest kinetic energy
  WorldSettings settings;
  settings.separation = 1e-3;
  World world(settings);
  world.add(ground(), {"ground", {0.8, 0}, true});
  for (int k = 0; k < stack.count; ++k) world.add(slab(stack.preset, k), {"slab", {0.6, 0}, true});
  double least = energy_of_bodies(world), gained = 0, most_kinetic = 0, fastest = 0;
  int frame = 0;
  bool asleep = false, ok = true;
  for (; frame < 60 * stack.seconds && !asleep && ok; ++frame) {
    const FrameReport report = world.step();
    ok = report.ok();
    asleep = report.asleep == static_cast<std::size_t>(stack.count);
    const double energy = energy_of_bodies(world);
    least = std::min(least, energy);
    gained = std::max(gained, energy - least);
    double kinetic = 0;
    fastest = 0;
    for (std::uint32_t b = 1; b < world.body_count(); ++b) {
      kinetic += world.body(BodyId(b)).kinetic_energy();
      for (const Vec3& v : world.body(BodyId(b)).velocities()) fastest = std::max(fastest, v.norm());
    }
    most_kinetic = std::max(most_kinetic, kinetic);
  }
  const bool good = ok && asleep && gained <= kMostGained * most_kinetic;
  std::printf("%-9s %2d: %s  gained %.3f %% of the largest kinetic energy, %s after %.1f s, fastest %.4f m/s\n",
              stack.preset.c_str(), stack.count, good ? "good" : "BAD ", 100 * gained / most_kinetic,
              asleep ? "asleep" : "awake", frame / 60.0, fastest);
  std::fflush(stdout);
  return good;
}

int run_stacks(const std::string& only) {
  int bad = 0;
  for (const Stack& stack :
       {Stack{"foam"}, Stack{"silicone"}, Stack{"flesh"}, Stack{"rubber"}, Stack{"jelly"}, Stack{"foam", 20, 12}})
    if (only.empty() || only == stack.preset) bad += run(stack) ? 0 : 1;
  std::printf("%d bad\n", bad);
  return bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) { return pliant::run_stacks(argc > 1 ? argv[1] : ""); }
