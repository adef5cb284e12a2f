// Cloth that lies, slides, falls and is pinched: its contacts act within its own solve.
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "pliant/world/world_state.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

struct SheetSettings {
  double size = 0.5;  // m
  int cells = 16;
  RigidTransform where = rigid({0, 0, 1}, 0);
  bool in_air = true;
};

std::unique_ptr<ClothBody> cotton(const SheetSettings& s) {
  ClothBodySettings settings;
  settings.material = cloth_material("cotton");
  if (!s.in_air) settings.air_density = 0;
  return std::make_unique<ClothBody>(
      placed(make_grid({.width = s.size, .depth = s.size, .columns = s.cells, .rows = s.cells, .alternate = true}),
             s.where),
      settings);
}

double mass_of_body(const BodyModel& body) {
  double sum = 0;
  for (const double m : body.masses()) sum += m;
  return sum;
}

double energy_of(const BodyModel& body) {
  return body.kinetic_energy() + body.potential_energy() + body.gravitational_energy();
}

// The speed at which a sheet slides after a second on a slope.
double speed_on_slope(double degrees, double friction) {
  const RigidTransform turned = rigid({0, 1, 0}, degrees * kDegree);
  World world;
  world.add(std::make_unique<FixedBody>(placed(make_box({.size = {20, 4, 0.1}}), turned)),
            {"slope", {friction, 0}, true});
  const RigidTransform where = rigid({0, 1, 0}, degrees * kDegree, turned * Vec3(0, 0, 0.052));
  const BodyId id = world.add(cotton({.where = where, .in_air = false}), {"sheet", {friction, 0}, true});
  for (int frame = 0; frame < 60; ++frame) EXPECT_TRUE(world.step().ok());
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : world.body(id).velocities()) sum += v;
  return sum.norm() / static_cast<double>(world.body(id).velocities().size());
}

TEST(ClothContact, FrictionHoldsASheetOrLetsItSlideAsCoulombSays) {
  EXPECT_LT(speed_on_slope(25, 0.5), 1e-4);
  for (const double degrees : {30.0, 40.0}) {
    const double expected = 9.81 * (std::sin(degrees * kDegree) - 0.5 * std::cos(degrees * kDegree));
    EXPECT_NEAR(speed_on_slope(degrees, 0.5), expected, 0.03 * expected) << degrees;
  }
}

TEST(ClothContact, ASheetAtRestPressesWithItsWeight) {
  World world;
  world.add(ground(), {"ground", {0.5, 0}, true});
  const BodyId id = world.add(cotton({.where = rigid({0, 0, 1}, 0, {0, 0, 0.004})}), {"sheet", {0.5, 0}, true});
  for (int frame = 0; frame < 15; ++frame) ASSERT_TRUE(world.step().ok());
  ImpulseOnBody1 pressed;
  for (int frame = 0; frame < 10; ++frame) ASSERT_TRUE(world.step({}, &pressed).ok());
  EXPECT_NEAR(pressed.sum.z(), mass_of_body(world.body(id)) * 9.81 / 6, 0.02 * mass_of_body(world.body(id)) * 9.81 / 6);
}

TEST(ClothContact, OnAFixedBallItComesToRest) {
  World world;
  world.add(std::make_unique<FixedBody>(make_icosphere({.radius = 0.15, .frequency = 8})), {"ball", {0.5, 0}, true});
  const BodyId id = world.add(cotton({.size = 0.6, .cells = 30, .where = rigid({0, 0, 1}, 0, {0.01, 0.005, 0.17})}),
                              {"sheet", {0.5, 0}, true});
  int frames = 0;
  while (!world.asleep(id) && frames < 480) {
    ASSERT_TRUE(world.step().ok());
    ++frames;
  }
  EXPECT_TRUE(world.asleep(id)) << frames;
  EXPECT_GT(centre_of(world.body(id)).z(), -0.15);  // on it, not fallen off
  EXPECT_LT(world.body(id).condition().stretch, 0.02);
}

// The root of its spin about the vertical axis over its inertia is the ball's.
TEST(ClothContact, ATurningBallTakesItAlong) {
  const double turn = 2 * 180 * kDegree * 0.25;  // rad/s
  World world;
  world.add(moving(make_icosphere({.radius = 0.15, .frequency = 8}), 182, 60,
                   [&](int k) {
                     return rigid({0, 0, 1}, turn * k / 60);
                   }),
            {"ball", {0.6, 0}, true});
  const BodyId id = world.add(cotton({.size = 0.5, .cells = 24, .where = rigid({0, 0, 1}, 0, {0, 0, 0.16})}),
                              {"sheet", {0.4, 0}, true});
  for (int frame = 0; frame < 180; ++frame) ASSERT_TRUE(world.step().ok());
  const BodyModel& body = world.body(id);
  double spin = 0, inertia = 0;
  for (std::size_t i = 0; i < body.positions().size(); ++i) {
    const Vec3 &x = body.positions()[i], &v = body.velocities()[i];
    spin += body.masses()[i] * (x.x() * v.y() - x.y() * v.x());
    inertia += body.masses()[i] * (x.x() * x.x() + x.y() * x.y());
  }
  EXPECT_NEAR(spin / inertia, turn, 0.05 * turn);
  EXPECT_LT(body.condition().stretch, 0.02);
}

// Of the drop energy: how far above an earlier minimum the energy at frame ends was.
double gained_in_drop(const RigidTransform& where, double height, int frames) {
  World world;
  world.add(ground(), {"ground", {0.5, 0}, true});
  auto sheet = cotton({.cells = 14, .where = where});
  std::vector<Vec3> x(sheet->positions().begin(), sheet->positions().end());
  const double low = lowest(*sheet);
  for (Vec3& p : x) p.z() += height - low;
  sheet->commit(x, sheet->velocities());
  const BodyId id = world.add(std::move(sheet), {"sheet", {0.5, 0}, true});
  const double drop = mass_of_body(world.body(id)) * 9.81 * height;
  double least = energy_of(world.body(id)), gained = 0;
  for (int frame = 0; frame < frames && !world.asleep(id); ++frame) {
    EXPECT_TRUE(world.step().ok());
    gained = std::max(gained, energy_of(world.body(id)) - least);
    least = std::min(least, energy_of(world.body(id)));
  }
  return gained / drop;
}

TEST(ClothContact, DroppedFlatOrTiltedItGainsNoEnergy) {
  for (const double height : {0.03, 0.6, 2.0}) {
    EXPECT_LT(gained_in_drop(rigid({0, 0, 1}, 0), height, 120), 1e-3) << height;
    EXPECT_LT(gained_in_drop(rigid({1, 0.4, 0}, 0.5), height, 120), 1e-3) << height;
  }
}

// A heap of folds that press on each other: less from 3 cm and 2 m than from between, where one of them gains 2 %.
TEST(ClothContact, DroppedEdgeFirstItGainsLittleEnergy) {
  const std::pair<double, double> cases[] = {{0.03, 0.005}, {0.6, 0.03}, {2.0, 0.005}};
  for (const auto& one : cases)
    EXPECT_LT(gained_in_drop(rigid({1, 0.05, 0}, 89 * kDegree), one.first, 150), one.second) << one.first;
}

// What is hard on contacts, as a world that records itself.
using Build = std::function<void(World&)>;

void expect_free_and_the_same(const Build& build, int frames) {
  std::vector<BodyState> ends;
  for (const int threads : {1, 2}) {
    WorldSettings settings;
    settings.method = "swept-bvh";
    settings.threads = {threads};
    World world(settings);
    build(world);
    Recorder recorder(world);
    std::optional<WorldState> half;
    for (int frame = 0; frame < frames; ++frame) {
      if (frame == frames / 2) half = world.snapshot();
      const FrameReport report = world.step({}, &recorder);
      ASSERT_TRUE(report.ok()) << report.message;
    }
    EXPECT_TRUE(recorder.check(world).contacts.empty());
    for (std::size_t b = 0; b < world.body_count(); ++b) ends.push_back(world.body(BodyId(b)).snapshot());
    if (threads == 2) continue;
    World again(settings);
    build(again);
    again.restore(*half);
    for (int frame = frames / 2; frame < frames; ++frame) ASSERT_TRUE(again.step().ok());
    for (std::size_t b = 0; b < again.body_count(); ++b)
      EXPECT_EQ(again.body(BodyId(b)).snapshot(), ends[b]) << "after resume, body " << b;
  }
  for (std::size_t b = 0; b < ends.size() / 2; ++b)
    EXPECT_EQ(ends[b], ends[b + ends.size() / 2]) << "threads, body " << b;
}

TEST(ClothContact, AFastSmallBallHitsASheet) {
  expect_free_and_the_same(
      [](World& world) {
        world.add(moving(make_icosphere({.radius = 0.03, .frequency = 3}), 32, 60,
                         [](int k) {
                           return rigid({0, 0, 1}, 0, {0.01, 0.02, 0.4 - 10.0 * k / 60});
                         }),
                  {"ball", {0.3, 0}, true});
        world.add(cotton({.cells = 20}), {"sheet", {0.3, 0}, true});
      },
      20);
}

TEST(ClothContact, ASpinningBoxWindsASheetUp) {
  expect_free_and_the_same(
      [](World& world) {
        world.add(moving(make_box({.size = {0.3, 0.3, 0.1}}), 62, 60,
                         [](int k) {
                           return rigid({0.2, 0, 1}, 0.2 * k);
                         }),
                  {"box", {0.8, 0}, true});
        world.add(cotton({.cells = 16, .where = rigid({0, 0, 1}, 0.3, {0.05, 0, 0.13})}), {"sheet", {0.8, 0}, true});
      },
      40);
}

TEST(ClothContact, ThinSheetsOnTopOfEachOther) {
  expect_free_and_the_same(
      [](World& world) {
        world.add(std::make_unique<FixedBody>(make_icosphere({.radius = 0.1, .frequency = 5})),
                  {"ball", {0.4, 0}, true});
        for (int k = 0; k < 3; ++k)
          world.add(cotton({.size = 0.4, .cells = 10, .where = rigid({0, 0, 1}, 0.2 * k, {0, 0, 0.12 + 0.01 * k})}),
                    {"sheet " + std::to_string(k), {0.4, 0}, true});
      },
      30);
}

TEST(ClothContact, SheetsOfAMillimetreAndOfAKilometreLieDown) {
  for (const double size : {1e-3, 1e3}) {
    World world;
    world.add(std::make_unique<FixedBody>(placed(make_box({.size = {4 * size, 4 * size, size}}), {0, 0, -0.5 * size})),
              {"ground", {0.5, 0}, true});
    const BodyId id =
        world.add(cotton({.size = size, .cells = 10, .where = rigid({1, 0.3, 0}, 0.3, {0, 0, 0.2 * size})}),
                  {"sheet", {0.5, 0}, true});
    Recorder recorder(world);
    for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(world.step({}, &recorder).ok());
    EXPECT_TRUE(recorder.check(world).contacts.empty());
    EXPECT_GT(lowest(world.body(id)), 0);
  }
}

// A box of foam on a sheet that hangs by its border: both are solved together, in rounds.
TEST(ClothContact, ABoxThatFallsOnATrampolineGainsNoEnergyAndBounces) {
  const MeshPtr disc = make_grid({.width = 0.6, .depth = 0.6, .columns = 12, .rows = 12, .alternate = true});
  ClothBodySettings mat;
  mat.material = cloth_material("cotton");
  mat.air_density = 0;
  for (std::uint32_t v = 0; v < disc->vertex_count(); ++v)
    if (const Vec3& x = disc->position(VertexId(v)); std::max(std::abs(x.x()), std::abs(x.y())) > 0.299)
      mat.pinned.push_back(VertexId(v));
  FemSettings foam;
  foam.material = elastic_material("foam");
  auto box = std::make_unique<FemBody>(make_tet_box({.size = {0.12, 0.12, 0.12}, .cells = {2, 2, 2}}), foam);
  BodyState state = box->snapshot();
  for (Vec3& x : state.positions) x.z() += 0.2;
  box->restore(state);
  World world;
  const BodyId a = world.add(std::make_unique<ClothBody>(disc, mat), {"mat", {0.5, 0}, true});
  const BodyId b = world.add(std::move(box), {"box", {0.5, 0}, true});
  const auto total = [&] { return energy_of(world.body(a)) + energy_of(world.body(b)); };
  double least = total(), gained = 0, kinetic = 0, up = 0;
  for (int frame = 0; frame < 40; ++frame) {
    ASSERT_TRUE(world.step().ok());
    gained = std::max(gained, total() - least);
    least = std::min(least, total());
    kinetic = std::max(kinetic, world.body(b).kinetic_energy());
    double sum = 0;
    for (const Vec3& v : world.body(b).velocities()) sum += v.z();
    up = std::max(up, sum / static_cast<double>(world.body(b).velocities().size()));
  }
  EXPECT_LT(gained, 1e-3 * kinetic);
  EXPECT_GT(up, 0.3);  // m/s; it came at 1.5
  EXPECT_LT(world.body(a).condition().stretch, 0.05);
}

}  // namespace
}  // namespace pliant
