// The step loop: what it promises of every committed piece, of its state, and of its failures.
#include "pliant/world/world.h"

#include <gtest/gtest.h>

#include "pliant/core/error.h"
#include "pliant/detect/feature_vertices.h"
#include "tests/world/support.h"

namespace pliant {
namespace {

// A sheet that falls onto a turning ball on the ground, and a soft ball onto that.
World busy_world(const WorldSettings& settings) {
  World world(settings);
  world.add(ground(), {"ground", {0.5, 0}, true});
  world.add(moving(make_icosphere({.radius = 0.15, .frequency = 6}), 90, 60,
                   [](int k) {
                     return rigid({0, 0, 1}, 0.05 * k, {0, 0, 0.2});
                   }),
            {"turning ball", {0.5, 0}, true});
  world.add(sheet({0, 0, 0.37}), {"sheet", {0.5, 0}, true});
  world.add(soft_ball({0.02, 0.01, 0.52}), {"soft ball", {0.5, 0.2}, true});
  return world;
}

std::uint64_t hash_after(World& world, int frames) {
  for (int k = 0; k < frames; ++k) EXPECT_TRUE(world.step().ok());
  return hash_of(world.snapshot());
}

TEST(World, CommitsOnlyPiecesThatAreFree) {
  World world = busy_world(two_steps());
  ASSERT_TRUE(world.overlaps().empty());
  Recorder record(world);
  for (int k = 0; k < 40; ++k) {
    const FrameReport report = world.step({}, &record);
    ASSERT_TRUE(report.ok()) << report.message;
  }
  EXPECT_GT(record.contacts, 100U);
  EXPECT_EQ(world.frame(), 40);
  EXPECT_EQ(record.times.back(), 40);
  const Report report = record.check(world);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.contacts.size(), 0U);
}

TEST(World, EndsInTheSameStateForAnyThreadsAndMethodAndAgain) {
  World one = busy_world(two_steps("swept-bvh", 1)), two = busy_world(two_steps("swept-bvh", 2)),
        kinetic = busy_world(two_steps("kinetic", 1)), chosen = busy_world(two_steps("auto", 2));
  const std::uint64_t hash = hash_after(one, 25);
  EXPECT_EQ(hash_after(two, 25), hash);
  EXPECT_EQ(hash_after(kinetic, 25), hash);
  EXPECT_EQ(hash_after(chosen, 25), hash);
  EXPECT_TRUE(chosen.method_in_use() == "swept-bvh" || chosen.method_in_use() == "kinetic");
}

TEST(World, GoesOnFromAStoredStateBitForBit) {
  World whole = busy_world(two_steps()), first = busy_world(two_steps()), second = busy_world(two_steps());
  const std::uint64_t hash = hash_after(whole, 24);
  hash_after(first, 11);
  const std::string bytes = format_state(first.snapshot());
  second.restore(parse_state(bytes, "state.bin"));
  EXPECT_EQ(second.frame(), 11);
  EXPECT_TRUE(second.snapshot() == first.snapshot());
  EXPECT_EQ(hash_after(second, 13), hash);
}

TEST(World, GoesOnWhereABudgetStoppedIt) {
  World whole = busy_world(two_steps()), cut = busy_world(two_steps());
  hash_after(whole, 20);
  hash_after(cut, 19);
  const WorldState before = cut.snapshot();
  const FrameReport report = cut.step(Budget::operations(1));
  EXPECT_EQ(report.outcome, StepOutcome::out_of_budget);
  EXPECT_NE(report.message.find("frame 20"), std::string::npos) << report.message;
  EXPECT_TRUE(cut.snapshot() == before);
  EXPECT_TRUE(cut.step().ok());
  EXPECT_EQ(hash_of(cut.snapshot()), hash_of(whole.snapshot()));
}

TEST(World, StopsWhenItIsCancelled) {
  World world = busy_world(two_steps());
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(world.step(Budget::cancelled_by(cancelled)).outcome, StepOutcome::out_of_budget);
  EXPECT_EQ(world.frame(), 0);
}

TEST(World, NamesWhatKeyframesPinchAndTheFrame) {
  WorldSettings settings = two_steps();
  settings.halvings = 3;
  World world(settings);
  world.add(ground(), {"ground", {}, true});
  world.add(sheet({0, 0, 0.02}, 6, 0.3), {"sheet", {}, true});
  world.add(moving(make_box({.size = {0.5, 0.5, 0.1}}), 30, 60,
                   [](int k) {
                     return rigid({0, 0, 1}, 0, {0, 0, 0.12 - 0.01 * k});
                   }),
            {"plate", {}, true});
  Recorder record(world);
  FrameReport report;
  for (int k = 0; k < 30 && report.ok(); ++k) report = world.step({}, &record);
  EXPECT_EQ(report.outcome, StepOutcome::pinched);
  EXPECT_NE(report.message.find("frame " + std::to_string(report.frame)), std::string::npos) << report.message;
  ASSERT_EQ(report.bodies.size(), 2U);
  EXPECT_NE(report.message.find(world.name(report.bodies[0])), std::string::npos) << report.message;
  EXPECT_GE(report.frame, 6U);
  EXPECT_LE(report.frame, 9U);
  // All that was committed until then is free, but for the plate that goes through the ground.
  for (const Contact& contact : record.check(world).contacts)
    EXPECT_TRUE(contact.a.body != BodyId(1) && contact.b.body != BodyId(1));
}

TEST(World, NamesTheBodyThatDiverges) {
  World world(two_steps());
  FemSettings settings;
  settings.integrator = FemIntegrator::runge_kutta4;
  settings.material = {.young = 1e12, .poisson = 0.3, .density = 1};
  settings.integrator = FemIntegrator::runge_kutta4;
  settings.max_substeps = 10;
  world.add(std::make_unique<FemBody>(make_tet_box({.cells = {2, 2, 2}}), settings), {"steel", {}, true});
  const FrameReport report = world.step();
  EXPECT_EQ(report.outcome, StepOutcome::diverged);
  EXPECT_NE(report.message.find("steel"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("frame 1"), std::string::npos) << report.message;
  EXPECT_EQ(world.frame(), 0);
}

TEST(World, ShowsWhatOverlapsAtTheStartAndLeavesItAlone) {
  World world(two_steps());
  world.add(soft_ball({0, 0, 0.5}, Vec3::Zero()), {"a", {}, true});
  world.add(soft_ball({0.05, 0, 0.5}, Vec3::Zero()), {"b", {}, true});
  const std::vector<StartOverlap> overlaps = world.overlaps();
  ASSERT_EQ(overlaps.size(), 1U);
  EXPECT_EQ(overlaps[0].a, BodyId(0));
  EXPECT_EQ(overlaps[0].b, BodyId(1));
  EXPECT_GT(overlaps[0].pairs, 0U);
  Recorder record(world);
  EXPECT_TRUE(world.step({}, &record).ok());
  EXPECT_EQ(record.contacts, 0U);
}

TEST(World, AnswersAPairAsSoonAsItIsApart) {
  World world(two_steps());
  world.add(soft_ball({0, 0, 0}, Vec3::Zero()), {"a", {}, true});
  const BodyId b = world.add(soft_ball({0.15, 0, 0}, Vec3::Zero()), {"b", {}, true});
  const std::vector<Vec3> away(world.body(b).velocities().size(), Vec3(4, 0, 0));
  const std::vector<Vec3> back(away.size(), Vec3(-4, 0, 0));
  const auto throw_b = [&](const std::vector<Vec3>& velocity) {
    const std::vector<Vec3> x(world.body(b).positions().begin(), world.body(b).positions().end());
    world.body(b).commit(x, velocity);
  };
  throw_b(away);
  for (int k = 0; k < 4; ++k) ASSERT_TRUE(world.step().ok());
  ASSERT_TRUE(world.overlaps().empty());
  throw_b(back);
  Recorder record(world);
  for (int k = 0; k < 12; ++k) ASSERT_TRUE(world.step({}, &record).ok());
  EXPECT_GT(record.contacts, 0U);
  EXPECT_EQ(record.check(world).contacts.size(), 0U);
}

TEST(World, MovesApartWhatOverlapsOnRequest) {
  World world(two_steps());
  world.add(ground(), {"ground", {}, true});
  world.add(soft_ball({0, 0, 0.08}), {"a", {}, true});
  world.add(soft_cube({0.05, 0, 0.15}), {"b", {}, true});
  EXPECT_FALSE(world.overlaps().empty());
  EXPECT_TRUE(world.resolve_overlaps().empty());
  EXPECT_TRUE(world.overlaps().empty());
  // Not further than their own size.
  EXPECT_LT(centre_of(world.body(BodyId(1))).norm(), 0.4);
  EXPECT_LT(centre_of(world.body(BodyId(2))).norm(), 0.5);
  Recorder record(world);
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(world.step({}, &record).ok());
  EXPECT_EQ(record.check(world).contacts.size(), 0U);
}

TEST(World, LeavesOutPairsThatAreToBeIgnored) {
  World world(two_steps());
  world.add(ground(), {"ground", {}, true});
  const BodyId ball = world.add(soft_ball({0, 0, 0.15}), {"ball", {}, true});
  world.ignore(BodyId(0), ball);
  for (int k = 0; k < 30; ++k) ASSERT_TRUE(world.step().ok());
  EXPECT_LT(lowest(world.body(ball)), -0.5);
}

TEST(World, FindsContactsOfAPairByItsOwnMethod) {
  World one = busy_world(two_steps()), two = busy_world(two_steps());
  two.set_method(BodyId(2), BodyId(2), "kinetic");
  two.set_method(BodyId(0), BodyId(3), "brute-force");
  EXPECT_EQ(hash_after(one, 12), hash_after(two, 12));
}

TEST(World, ADeadlineThatIsTooShortForAStepIsMetByPartsOfIt) {
  World world = busy_world(two_steps());
  Recorder record(world);
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(world.step({}, &record).ok());
  // Never enough time: nothing moves, and nothing breaks.
  for (int k = 0; k < 10; ++k)
    EXPECT_EQ(world.step(Budget::until(Budget::Clock::now() - std::chrono::seconds(1)), &record).outcome,
              StepOutcome::out_of_budget);
  EXPECT_EQ(world.frame(), 20);
  const FrameReport next = world.step({}, &record);
  EXPECT_TRUE(next.ok());
  EXPECT_GT(next.pieces, 4U);  // small ones first, each twice as long as the one before
  EXPECT_EQ(world.frame(), 21);
  EXPECT_TRUE(record.check(world).contacts.empty());
}

// Vertices of one half of the sheet.
class LeftHalfFilter : public ContactFilter {
 public:
  explicit LeftHalfFilter(MeshPtr sheet) : sheet_(std::move(sheet)) {}
  bool features(const Feature& a, const Feature& b) const override { return !left(a) && !left(b); }

 private:
  bool left(const Feature& f) const {
    if (f.body != BodyId(1)) return false;
    const FeatureVertices vertices = vertices_of(f, *sheet_);
    return std::any_of(vertices.begin(), vertices.end(), [&](VertexId v) { return is_left(v); });
  }
  bool is_left(VertexId v) const { return sheet_->position(v).x() < 0; }
  MeshPtr sheet_;
};

TEST(World, KeepsApartOnlyWhatAFilterLetsMeet) {
  World world(two_steps());
  world.add(ground(), {"ground", {}, true});
  const BodyId cloth = world.add(sheet({0, 0, 0.02}, 6, 0.3), {"cloth", {}, true});
  const MeshPtr mesh = world.body(cloth).mesh();
  world.set_filter(std::make_shared<LeftHalfFilter>(mesh));
  for (int k = 0; k < 30; ++k) ASSERT_TRUE(world.step().ok());
  EXPECT_THROW(world.set_filter(nullptr), Error);
  double left = 0, right = 0;
  for (std::size_t i = 0; i < mesh->vertex_count(); ++i) {
    double& lowest = mesh->position(VertexId(i)).x() < 0 ? left : right;
    lowest = std::min(lowest, world.body(cloth).positions()[i].z());
  }
  EXPECT_LT(left, -0.05);
  EXPECT_GE(right, 0);
}

TEST(World, RefusesWhatCanNotWork) {
  WorldSettings settings;
  settings.frame_seconds = 0;
  EXPECT_THROW(World{settings}, Error);
  settings = {};
  settings.method = "bvh";  // instants only
  EXPECT_THROW(World{settings}, Error);
  settings.method = "swept-bhv";
  try {
    World world(settings);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("swept-bvh"), std::string::npos) << error.what();
  }
  settings = {};
  settings.contact_seconds = 1e-12;
  EXPECT_THROW(World{settings}, Error);
  World world;
  EXPECT_THROW(world.add(ground(), {"slippery", {-1, 0}, true}), Error);
  world.add(soft_ball({0, 0, 1}), {});
  EXPECT_TRUE(world.step().ok());
  EXPECT_THROW(world.add(ground()), Error);
  EXPECT_THROW(world.restore(WorldState{}), Error);
}

TEST(World, RefusesBodiesThatAreNotThere) {
  World world;
  const BodyId ball = world.add(soft_ball({0, 0, 1}), {});
  for (const BodyId wrong : {BodyId(1), BodyId()}) {
    EXPECT_THROW(world.body(wrong), Error);
    EXPECT_THROW(std::as_const(world).body(wrong), Error);
    EXPECT_THROW(world.name(wrong), Error);
    EXPECT_THROW(world.asleep(wrong), Error);
    EXPECT_THROW(world.ignore(ball, wrong), Error);
    EXPECT_THROW(world.set_method(wrong, ball, "kinetic"), Error);
  }
  try {
    world.name(BodyId(7));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("body 7"), std::string::npos) << error.what();
    EXPECT_FALSE(error.remedy().empty());
  }
  EXPECT_THROW(world.add(nullptr), Error);
  EXPECT_EQ(world.body_count(), 1u);
}

TEST(World, PassesSettingsOnToItsMethods) {
  WorldSettings odd = two_steps("auto", 1);
  odd.method_settings["kinetic"] = {{"leaf_size", std::int64_t{2}}, {"renewal", std::int64_t{1}}};
  odd.method_settings["swept-bvh"] = {{"rebuild_growth", 1.0}, {"narrow_below", 0.0}};
  World one = busy_world(two_steps("swept-bvh", 1)), two = busy_world(odd);
  EXPECT_EQ(hash_after(one, 12), hash_after(two, 12));
  odd.method_settings["kinetic"].set("leaf_size", std::int64_t{0});
  EXPECT_THROW(World{odd}, Error);
  odd.method_settings = {{"kinetick", {}}};
  EXPECT_THROW(World{odd}, Error);
}

TEST(WorldState, RefusesDamagedBytes) {
  World world(two_steps());
  world.add(soft_ball({0, 0, 1}), {});
  const std::string bytes = format_state(world.snapshot());
  EXPECT_TRUE(parse_state(bytes, "s") == world.snapshot());
  for (std::size_t size = 0; size < bytes.size(); size += 97)
    EXPECT_THROW(parse_state(bytes.substr(0, size), "s"), Error);
  for (std::size_t i = 0; i < bytes.size(); i += 53) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    EXPECT_THROW(parse_state(damaged, "s"), Error) << i;
  }
}

}  // namespace
}  // namespace pliant
