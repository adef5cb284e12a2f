// What is wrong with a run although nothing passed through anything.
#include "pliant/world/run_health.h"

#include <gtest/gtest.h>

#include "pliant/world/record_run.h"
#include "tests/world/recorded.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

// A body whose state is whatever a test says.
class Puppet : public BodyModel {
 public:
  explicit Puppet(const MeshPtr& mesh)
      : BodyModel(mesh, {mesh->positions().begin(), mesh->positions().end()},
                  std::vector<double>(mesh->vertex_count(), 0.5)) {}
  Vec3 gravity() const override { return {0, 0, -10}; }
  double potential_energy() const override { return elastic; }
  BodyCondition condition() const override { return now; }

  double elastic = 0;
  BodyCondition now;

 private:
  StepStatus advance(double, ParticleState&) override { return {}; }
};

struct Stage {
  Stage() {
    auto body = std::make_unique<Puppet>(make_grid({.width = 1, .depth = 1, .columns = 1, .rows = 1}));
    puppet = body.get();
    world.add(std::move(body), {"puppet", {}, true});
  }
  // All of its energy, that of its motion included.
  void frame(double energy) {
    puppet->elastic = energy - puppet->kinetic_energy();
    health.frame_done(world, report);
  }
  void move(double speed) {
    const std::vector<Vec3> x(puppet->positions().begin(), puppet->positions().end());
    puppet->commit(x, std::vector<Vec3>(x.size(), Vec3(speed, 0, 0)));
  }
  std::vector<RunWarning> warnings() const { return warnings_of(health, {"puppet"}); }

  World world;
  Puppet* puppet = nullptr;
  FrameReport report;
  RunHealth health;
};

TEST(RunHealth, IsSilentAboutEnergyThatIsLost) {
  Stage stage;
  for (const double energy : {10.0, 8.0, 5.0, 5.0, 4.0}) stage.frame(energy);
  EXPECT_TRUE(stage.warnings().empty());
}

TEST(RunHealth, NamesEnergyFromNothingByTheLargestKineticEnergy) {
  Stage stage;
  stage.move(2);  // 4 J
  for (const double energy : {10.0, 6.0, 7.0}) stage.frame(energy);
  ASSERT_EQ(stage.warnings().size(), 1u);
  EXPECT_NE(stage.warnings()[0].what.find("25 %"), std::string::npos) << stage.warnings()[0].what;
  EXPECT_EQ(stage.warnings()[0].body, "puppet");
  EXPECT_EQ(stage.warnings()[0].frame, stage.world.frame());
}

TEST(RunHealth, NamesTheBodyThatGainedMost) {
  Stage stage;
  auto body = std::make_unique<Puppet>(make_grid({.columns = 1, .rows = 1}));
  Puppet& other = *body;
  stage.world.add(std::move(body), {"other", {}, true});
  stage.move(2);
  other.elastic = 10;
  stage.frame(10);
  other.elastic = 3;
  stage.frame(12);  // what one hands to the other is no gain
  EXPECT_TRUE(stage.warnings().empty());
  other.elastic = 9;
  stage.frame(11);
  const auto warnings = warnings_of(stage.health, {"puppet", "other"});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].body, "other");
}

// Of a fall that has hardly begun, rounding is a large part; of the whole fall it is none.
TEST(RunHealth, MeasuresAnEarlyGainByAllThatFollows) {
  Stage stage;
  stage.move(0.01);
  for (const double energy : {10.0, 9.999, 10.0}) stage.frame(energy);
  EXPECT_EQ(stage.warnings().size(), 1u);
  stage.move(2);
  stage.frame(5);
  EXPECT_TRUE(stage.warnings().empty());
}

TEST(RunHealth, WorkFromOutsideIsNoGain) {
  Stage stage;
  stage.puppet->now.driven = true;
  for (const double energy : {10.0, 6.0, 9.0}) stage.frame(energy);
  EXPECT_TRUE(stage.warnings().empty());
}

TEST(RunHealth, NamesWhatIsInsideOutAndWhatIsStretched) {
  Stage stage;
  stage.puppet->now = {.inverted_elements = 7, .stretch = 0.12};
  stage.frame(1);
  stage.puppet->now = {.inverted_elements = 3, .stretch = 0.02};
  stage.frame(1);
  ASSERT_EQ(stage.warnings().size(), 2u);
  EXPECT_EQ(stage.warnings()[0].body, "puppet");
  EXPECT_NE(stage.warnings()[0].what.find("3 tetrahedra are inside out at the end, 7 at worst"), std::string::npos);
  EXPECT_NE(stage.warnings()[1].what.find("12 %"), std::string::npos) << stage.warnings()[1].what;
}

TEST(RunHealth, WhatRecoveredIsNotWarnedOf) {
  Stage stage;
  stage.puppet->now = {.inverted_elements = 7};
  stage.frame(1);
  stage.puppet->now = {};
  stage.frame(1);
  EXPECT_TRUE(stage.warnings().empty());
}

TEST(RunHealth, CountsZonesAndHalvingsFromTheirFirstFrame) {
  Stage stage;
  stage.frame(1);
  stage.report.zones = 2;
  stage.report.halvings = 1;
  stage.frame(1);
  stage.frame(1);
  ASSERT_EQ(stage.warnings().size(), 2u);
  EXPECT_NE(stage.warnings()[0].what.find("4 groups"), std::string::npos) << stage.warnings()[0].what;
}

TEST(RunHealth, NamesTheBodiesThatNeededZonesAndHalvingsFirst) {
  Stage stage;
  stage.report.zones = 1;
  stage.report.zoned = {BodyId(0), BodyId(1)};
  stage.report.halvings = 1;
  stage.report.halved = {BodyId(1), BodyId(1)};
  stage.frame(1);
  stage.report.zoned = stage.report.halved = {BodyId(0), BodyId(0)};
  stage.frame(1);
  const auto warnings = warnings_of(stage.health, {"ball", "cloth"});
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].body, "cloth");
  EXPECT_EQ(warnings[0].what, "2 groups of vertices had to move as rigid zones, first where it meets ball");
  EXPECT_EQ(warnings[1].what, "2 steps had to be halved, first where it meets itself");
  for (const RunWarning& warning : warnings) EXPECT_FALSE(warning.remedy.empty());
}

// Its own limit is the material's: what cotton must not do, knitwear may.
TEST(RunHealth, StretchIsMeasuredByTheMaterialsOwnLimit) {
  const MeshPtr sheet = make_grid({.width = 1, .depth = 1, .columns = 4, .rows = 4});
  for (const double limit : {0.05, 0.2}) {
    ClothBodySettings settings;
    settings.material.stretch_limit = limit;
    World world;
    const BodyId cloth = world.add(std::make_unique<ClothBody>(sheet, settings), {"cloth"});
    std::vector<Vec3> x(sheet->positions().begin(), sheet->positions().end());
    for (Vec3& p : x) p.x() *= 1.1;
    world.body(cloth).commit(x, std::vector<Vec3>(x.size(), Vec3::Zero()));
    RunHealth health;
    health.frame_done(world, {});
    const auto warnings = warnings_of(health, {"cloth"});
    ASSERT_EQ(warnings.size(), limit < 0.1 ? 1u : 0u);
    if (!warnings.empty()) EXPECT_NE(warnings[0].what.find("beyond the 5 %"), std::string::npos) << warnings[0].what;
  }
}

TEST(RunHealth, GravityHasItsEnergy) {
  const Stage stage;
  EXPECT_NEAR(stage.puppet->gravitational_energy(), 0, 1e-12);
  std::vector<Vec3> x(stage.puppet->positions().begin(), stage.puppet->positions().end());
  for (Vec3& p : x) p.z() += 2;
  stage.puppet->commit(x, std::vector<Vec3>(x.size(), Vec3(1, 0, 0)));
  const BodyEnergy energy = energy_of(*stage.puppet);
  EXPECT_NEAR(energy.gravitational, 4 * 0.5 * 10 * 2, 1e-12);
  EXPECT_NEAR(energy.kinetic, 4 * 0.5 / 2, 1e-12);
}

using HealthRecording = RecordingTest;

TEST_F(HealthRecording, SurvivesInRunJson) {
  RunInfo info = small_info();
  info.health.bodies = {{}, {.inverted = 2, .most_inverted = 5, .most_inverted_frame = 3, .stretch = 0.3}};
  info.health.knows_energy = true;
  info.health.most_kinetic = 12.5;
  info.health.least_energy = -3.25;
  info.health.energy_gained = 0.5;
  info.health.energy_frame = 6;
  info.health.energy_body = BodyId(1);
  info.health.bodies[1].energy = 2.5;
  info.health.zones = 9;
  info.health.zones_bodies = {BodyId(0), BodyId(1)};
  std::filesystem::create_directory(folder());
  write_file(file_in(folder(), "run.json"), format_run(info));
  const RunHealth health = read_unfinished_run(folder()).health;
  ASSERT_EQ(health.bodies.size(), 2u);
  EXPECT_EQ(health.bodies[1].most_inverted, 5u);
  EXPECT_EQ(health.bodies[1].stretch, 0.3);
  EXPECT_TRUE(health.knows_energy);
  EXPECT_EQ(health.most_kinetic, 12.5);
  EXPECT_EQ(health.least_energy, -3.25);
  EXPECT_EQ(health.energy_gained, 0.5);
  EXPECT_EQ(health.energy_body, BodyId(1));
  EXPECT_EQ(health.bodies[1].energy, 2.5);
  EXPECT_EQ(health.zones, 9u);
  EXPECT_EQ(health.zones_bodies, (BodiesInvolved{{BodyId(0), BodyId(1)}}));
  EXPECT_FALSE(health.halvings_bodies.has_value());
  EXPECT_NE(read_text(file_in(folder(), "run.json")).find("energy was gained from nothing"), std::string::npos);
}

TEST_F(HealthRecording, StatisticsHaveTheEnergiesOfWhatGivesWay) {
  World world = small_world();
  ASSERT_TRUE(record_run(world, small_info(), folder()).done());
  const std::string text = read_text(file_in(folder(), "statistics.csv"));
  EXPECT_NE(text.find("cloth kinetic,cloth elastic,cloth gravitational\n"), std::string::npos);
  EXPECT_EQ(text.find("ball kinetic"), std::string::npos);
}

}  // namespace
}  // namespace pliant
