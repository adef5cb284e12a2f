// What every processor, compiler and instruction set must give, bit for bit: hashes of reports and of simulated states,
// kept in known_bits.txt. The release build computes them by GCC with SSE2 and AVX2, the address-sanitizer build by
// Clang without Eigen's packets. A change that is meant to change bits replaces the lines that fail by the ones they
// print.
#include <fstream>
#include <functional>
#include <map>

#include "pliant/core/cpu.h"
#include "pliant/motion/embedding.h"
#include "pliant/world/world_state.h"
#include "tests/detect/motions.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

using testing::detect_still;
using testing::hash_of;

std::uint64_t hash_of_points(std::span<const Vec3> points) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const Vec3& p : points)
    for (int i = 0; i < 3; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &p[i], sizeof bits);
      for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ ((bits >> shift) & 255)) * 1099511628211ULL;
    }
  return hash;
}

std::uint64_t still_contacts() {
  const MeshPtr teapot = make_teapot({.segments = 6});
  const SmoothField wobble({.seed = 3, .amplitude = 0.12, .wavelength = 1.5});
  const MeshPtr ball = placed(make_icosphere({.radius = 1.2, .frequency = 7}), rigid({1, 2, 3}, 0.7, {1.5, 0.3, 1.5}));
  return hash_of(detect_still("bvh", {with_positions(*teapot, displaced(teapot->positions(), wobble, 1)), ball}));
}

// A heuristic one: what is found depends on every step of its particles, and these on the partition.
std::uint64_t particle_contacts() {
  const MeshPtr teapot = make_teapot({.segments = 6});
  const MeshPtr ball = make_icosphere({.radius = 1.2, .frequency = 7});
  const auto detector = make_detector("particles", {.mode = Mode::paper});
  detector->add_body(teapot);
  detector->add_body(ball);
  std::uint64_t hash = 0;
  for (int k = 0; k < 20; ++k) {
    std::vector<Vec3> x = transformed(ball->positions(), rigid({1, 2, 3}, 0.1 * k, {3.6 - 0.1 * k, 0.3, 1.5}));
    for (Vec3& p : x) p.z() *= 1 + 0.05 * k;  // enough to be cut anew
    detector->set_positions(BodyId(1), x);
    hash = 31 * hash + hash_of(detector->detect(Interval::instant(0)));
  }
  return hash;
}

std::uint64_t moving_contacts(const char* method, double min_separation) {
  const MeshPtr tube = make_capsule({.radius = 0.4, .length = 6, .segments = 12, .cap_rings = 3, .side_rings = 40});
  std::vector<Frame> frames;
  for (int k = 0; k < 5; ++k) frames.push_back(Frame::own(bent(tube->positions(), 0.32 * k)));
  const auto detector = make_detector(method, {.min_separation = min_separation});
  detector->add_body(tube, Motion::keyframes(std::move(frames)));
  return hash_of(detector->detect({0, 4}));
}

std::uint64_t linked_surface() {
  const MeshPtr coarse = make_icosphere({.radius = 1, .frequency = 2});
  const MeshPtr dense = make_icosphere({.radius = 1.05, .frequency = 9});
  const RigidLinks links(dense->positions(), coarse->positions());
  LinkFollower follower(links);
  const SmoothField wobble({.seed = 5, .amplitude = 0.3, .wavelength = 1});
  std::vector<Vec3> flat = displaced(coarse->positions(), wobble, 1);
  follower.follow(flat);
  for (Vec3& p : flat) p = p.x() * Vec3(1, 2, -2) / 3;  // every triple collapses to a line
  return hash_of_points(follower.follow(flat));
}

std::unique_ptr<BodyModel> implicit_cube(const Vec3& where) {
  FemSettings settings;
  settings.material = {.young = 3e4, .poisson = 0.3, .density = 1000};
  settings.integrator = FemIntegrator::backward_euler;
  auto cube = std::make_unique<FemBody>(make_tet_box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), settings);
  BodyState state = cube->snapshot();
  for (Vec3& x : state.positions) x += where;
  cube->restore(state);
  return cube;
}

std::uint64_t simulated_state() {
  World world;
  world.add(ground(), {"ground", {0.5, 0}, true});
  world.add(moving(make_icosphere({.radius = 0.15, .frequency = 5}), 40, 60,
                   [](int k) {
                     return rigid({0.2, 0.1, 1}, 0.05 * k, {0, 0, 0.2});
                   }),
            {"turning ball", {0.5, 0}, true});
  world.add(sheet({0, 0, 0.37}), {"sheet", {0.5, 0}, true});
  world.add(soft_ball({0.02, 0.01, 0.5}), {"soft ball", {0.5, 0.2}, true});
  world.add(soft_cube({0.5, 0, 0.05}), {"cube", {0.5, 0}, true});
  world.add(implicit_cube({-0.5, 0.1, 0.03}), {"implicit cube", {0.5, 0}, true});
  for (int k = 0; k < 30; ++k) EXPECT_TRUE(world.step().ok());
  return hash_of(world.snapshot());
}

const std::map<std::string, std::function<std::uint64_t()>>& all_cases() {
  static const std::map<std::string, std::function<std::uint64_t()>> cases = {
      {"particle-contacts", particle_contacts},
      {"still-contacts", still_contacts},
      {"moving-contacts", [] { return moving_contacts("kinetic", 0); }},
      {"moving-contacts-near", [] { return moving_contacts("swept-bvh", 0.01); }},
      {"linked-surface", linked_surface},
      {"simulated-state", simulated_state}};
  return cases;
}

std::map<std::string, std::uint64_t> known_bits() {
  std::ifstream file(PLIANT_KNOWN_BITS);
  std::map<std::string, std::uint64_t> known;
  std::string name;
  for (std::uint64_t bits = 0; file >> name >> std::hex >> bits;) known[name] = bits;
  return known;
}

std::string line(const std::string& name, std::uint64_t bits) {
  char text[80];
  std::snprintf(text, sizeof text, "%s %016llx", name.c_str(), static_cast<unsigned long long>(bits));
  return text;
}

void expect_known_bits() {
  const auto known = known_bits();
  EXPECT_EQ(known.size(), all_cases().size());
  for (const auto& [name, compute] : all_cases()) {
    const auto found = known.find(name);
    EXPECT_EQ(line(name, compute()), found == known.end() ? "no line" : line(name, found->second));
  }
}

TEST(KnownBits, AreThoseOfThisBuild) { expect_known_bits(); }

TEST(KnownBits, AreTheSameWithoutAvx2) {
  set_avx2_allowed(false);
  expect_known_bits();
  set_avx2_allowed(true);
}

}  // namespace
}  // namespace pliant
