// Scenes as text: what is understood, and how everything else is refused.
#include "pliant/scene/scene_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/asset/asset_file.h"
#include "pliant/asset/prepare.h"
#include "pliant/bodies/pressure_materials.h"
#include "pliant/core/error.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/defects.h"
#include "pliant/mesh/deform.h"
#include "pliant/scene/phased_motion.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/scene/scene_library.h"
#include "pliant/scene/units.h"
#include "tests/support/errors.h"

namespace pliant {
namespace {

using testing::expect_says;

constexpr const char* kBall = R"([[body]]
name = "ball"
kind = "pressure"
shape = { type = "icosphere", radius = 0.2 }
)";

std::string refusal(const std::string& text) {
  try {
    parse_scene(text, "my.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SceneFile, ReadsSettingsOfMethods) {
  const SceneDescription scene = parse_scene(std::string(kBall) + R"(
[method.kinetic]
leaf_size = 4
list_growth = 2
[method.swept-bvh]
rebuild_growth = 3.5
)",
                                             "my.toml");
  const MethodSettingsByName& chosen = scene.world.method_settings;
  EXPECT_EQ(chosen.at("kinetic"), (MethodSettings{{"leaf_size", std::int64_t{4}}, {"list_growth", std::int64_t{2}}}));
  EXPECT_EQ(chosen.at("swept-bvh"), (MethodSettings{{"rebuild_growth", 3.5}}));
  EXPECT_NO_THROW(build_world(scene));
}

TEST(SceneFile, RefusesSettingsOfMethodsByFileLineAndKey) {
  const auto with = [](const std::string& table) { return refusal(table + "\n" + kBall); };
  EXPECT_EQ(with("[method.kinetic]\nleaf_sise = 4"),
            "my.toml:2, key 'leaf_sise' of method 'kinetic': method 'kinetic' has no setting 'leaf_sise' (did you mean "
            "'leaf_size'?)");
  expect_says(with("\n[method.kinetc]\nleaf_size = 4"), "my.toml:2, key 'kinetc' of the methods: there is no method");
  expect_says(with("[method.kinetic]\nleaf_size = 17"), "my.toml:2, key 'leaf_size' of method 'kinetic'");
  expect_says(with("[method.kinetic]\nleaf_size = 17"), "out of range (give 1 to 16");
  expect_says(with("[method.kinetic]\nleaf_size = 4.0"), "where a whole number is wanted");
  expect_says(with("[method.kinetic]\nleaf_size = '4'"), "is neither a number nor true or false");
  expect_says(with("[method]\nkinetic = 4"), "is a whole number, not a table");
  expect_says(with("method = 'kinetic'"), "is a text, not a table");
}

constexpr const char* kTwoSheets = R"(
[[body]]
name = "a"
kind = "cloth"
shape = { type = "grid" }
[[body]]
name = "b"
kind = "fixed"
shape = { type = "grid" }
[[pair]]
a = "a"
b = "b"
)";

TEST(SceneFile, ReadsResponses) {
  const std::string pair = kTwoSheets;
  const SceneDescription bare = parse_scene(pair + "response = 'penalty'", "my.toml");
  EXPECT_EQ(bare.pairs[0].response->kind, ResponseKind::penalty);
  EXPECT_EQ(bare.world.response.kind, ResponseKind::proof);
  const SceneDescription table =
      parse_scene("[world]\nresponse = { kind = 'penalty', time = '5 ms', damping = 0.1 }\n" + pair +
                      "response = { kind = 'proof' }\nmethod = 'kinetic'",
                  "my.toml");
  EXPECT_EQ(table.world.response.kind, ResponseKind::penalty);
  EXPECT_DOUBLE_EQ(table.world.response.penalty.seconds, 5e-3);
  EXPECT_DOUBLE_EQ(table.world.response.penalty.damping, 0.1);
  EXPECT_EQ(table.pairs[0].response->kind, ResponseKind::proof);
  EXPECT_EQ(table.pairs[0].method, "kinetic");
  const SceneDescription pulled = parse_scene(
      pair + "response = { kind = 'pull-back', passes = 3, paths = false, once_per_step = true, foresee = false }",
      "my.toml");
  EXPECT_EQ(pulled.pairs[0].response->kind, ResponseKind::pull_back);
  EXPECT_EQ(pulled.pairs[0].response->pull_back.passes, 3);
  EXPECT_FALSE(pulled.pairs[0].response->pull_back.paths);
  EXPECT_TRUE(pulled.pairs[0].response->pull_back.once_per_step);
  EXPECT_FALSE(pulled.pairs[0].response->pull_back.foresee);
  expect_says(refusal(pair + "response = { kind = 'pull-back', time = '5 ms' }"), "time");
  expect_says(refusal(pair + "response = 'springs'"), "springs");
  expect_says(refusal(pair + "response = { kind = 'penalty', passes = 3 }"), "passes");
  expect_says(refusal(pair + "response = { kind = 'penalty', damping = 2 }"), "is above 1");
  expect_says(refusal(pair + "ignore = true\nresponse = 'penalty'"), "says nothing");
}

TEST(SceneFile, ReadsCamerasAndRefusesWhatSeesNothing) {
  const std::string body = "[[body]]\nname = 'b'\nkind = 'fixed'\nshape = { type = 'box' }\n[[camera]]\n";
  const SceneDescription scene = parse_scene(
      body +
          "position = [0, '-200 cm', 1]\ntarget = [0, 0, 0]\n[[camera]]\nname = 'near'\nposition = [1, 1, 1]\n"
          "target = [0, 0, 0.5]\nangle = 50\n",
      "s.toml");
  ASSERT_EQ(scene.cameras.size(), 2u);
  EXPECT_EQ(scene.cameras[0].name, "camera 1");
  EXPECT_EQ(scene.cameras[0].position, Vec3(0, -2, 1));
  EXPECT_EQ(scene.cameras[0].angle, 35);
  EXPECT_EQ(scene.cameras[1].name, "near");
  EXPECT_EQ(scene.cameras[1].target, Vec3(0, 0, 0.5));
  EXPECT_EQ(scene.cameras[1].angle, 50);
  expect_says(refusal(body + "position = [0, 0, 1]"), "target");
  expect_says(refusal(body + "position = [0, 0, 1]\ntarget = [0, 0, 1]"), "stands");
  expect_says(refusal(body + "position = [0, 0, 1]\ntarget = [0, 0, 0]\nangle = 180"), "180");
  expect_says(refusal(body + "position = [0, 0, 1]\ntarget = [0, 0, 0]\nangel = 20"), "angle");
  expect_says(refusal(body + "position = [0, 0, '1 kg']\ntarget = [0, 0, 0]"), "position");
}

TEST(SceneFile, KeepsCamerasOfAReplayOfAnotherSize) {
  SceneDescription scene = parse_scene(
      "[replay]\nmotion = 'swirl'\n[[camera]]\nname = 'a \"b\"'\nposition = [0.1, -2, 1]\ntarget = [0, 0, 0]\n",
      "s.toml");
  set_replay(scene, {.triangles = 5000});
  const SceneDescription again = parse_scene(scene.text, "s.toml");
  ASSERT_EQ(again.cameras.size(), 1u);
  EXPECT_EQ(again.cameras[0].name, "a \"b\"");
  EXPECT_EQ(again.cameras[0].position, Vec3(0.1, -2, 1));
}

TEST(SceneFile, ReadsWorldBodiesAndPairs) {
  const SceneDescription scene = parse_scene(R"(
title = "Two things"
[world]
fps = 50
frames = 20
substeps = 2
method = "swept-bvh"
separation = "1 mm"
gravity = [0, 0, -1.62]
budget = "20 ms"
overlaps = "separate"
response = { passes = 4, rest_speed = "5 cm/s" }

[[body]]
name = "sheet"
kind = "cloth"
shape = { type = "grid", columns = 3, rows = 2 }
material = { preset = "silk", bending = "3e-6 N m", stretch_limit = 0.08 }
position = [0, 0, "20 cm"]
rotation = { axis = [1, 0, 0], degrees = 90 }
pins = [{ vertices = [0, 3] }, { min = [-1, -1, -1], max = [0, 1, 1] }]
velocity = [0, 0, -1]
friction = 0.7
self_collision = false

[[body]]
name = "wheel"
kind = "keyframed"
shape = { type = "torus", radius = "0.5 m" }
motion = [{ duration = 2, velocity = [1, 0, 0] }, { turns_per_second = 0.5 }]

[[pair]]
a = "sheet"
b = "wheel"
ignore = true
)",
                                             "folder/two.toml");
  EXPECT_EQ(scene.name, "two");
  EXPECT_EQ(scene.folder, "folder");
  EXPECT_EQ(scene.frames, 20);
  EXPECT_EQ(scene.world.frame_seconds, 1.0 / 50);
  EXPECT_EQ(scene.world.substeps, 2);
  EXPECT_EQ(scene.world.separation, 1e-3);
  EXPECT_EQ(scene.world.response.proof.passes, 4);
  EXPECT_DOUBLE_EQ(scene.world.response.proof.rest_speed, 0.05);
  EXPECT_DOUBLE_EQ(*scene.budget_seconds, 0.02);
  EXPECT_EQ(scene.overlaps, StartOverlaps::separate);
  ASSERT_EQ(scene.bodies.size(), 2u);

  const BodyDescription& sheet = scene.bodies[0];
  const auto& cloth = std::get<ClothBodySettings>(sheet.model);
  EXPECT_EQ(cloth.material.density, cloth_material("silk").density);
  EXPECT_EQ(cloth.material.bending, 3e-6);
  EXPECT_EQ(cloth.material.stretch_limit, 0.08);
  EXPECT_EQ(cloth.gravity, Vec3(0, 0, -1.62));
  EXPECT_EQ(std::get<GridSettings>(sheet.shape).columns, 3);
  EXPECT_EQ(sheet.placement.position, Vec3(0, 0, 0.2));
  EXPECT_EQ(sheet.pins[0].vertices.size(), 2u);
  EXPECT_TRUE(sheet.pins[1].box.contains(Vec3(-0.5, 0, 0)));
  EXPECT_EQ(sheet.surface.friction, 0.7);
  EXPECT_FALSE(sheet.self_collision);

  const auto& wheel = std::get<KeyframedDescription>(scene.bodies[1].model);
  ASSERT_EQ(wheel.phases.size(), 2u);
  EXPECT_EQ(wheel.phases[0].seconds, 2);
  EXPECT_TRUE(std::isinf(wheel.phases[1].seconds));
  ASSERT_EQ(scene.pairs.size(), 1u);
  EXPECT_TRUE(scene.pairs[0].ignore);
}

TEST(SceneFile, MakesOneBodyForEachPosition) {
  const SceneDescription scene = parse_scene(std::string(kBall) + "positions = [[0, 0, 0], [1, 0, 0]]\n", "my.toml");
  ASSERT_EQ(scene.bodies.size(), 2u);
  EXPECT_EQ(scene.bodies[1].name, "ball-2");
  EXPECT_EQ(scene.bodies[1].placement.position, Vec3(1, 0, 0));
}

TEST(SceneFile, RepeatsABodyInARowOrABlock) {
  const auto places = [](const std::string& repeat) {
    std::vector<Vec3> result;
    for (const BodyDescription& body :
         parse_scene(std::string(kBall) + "position = [1, 2, 3]\nrepeat = " + repeat + "\n", "my.toml").bodies)
      result.push_back(body.placement.position);
    return result;
  };
  EXPECT_EQ(places("{ count = 3, step = [1, 0, 2] }"), (std::vector<Vec3>{{1, 2, 3}, {2, 2, 5}, {3, 2, 7}}));
  EXPECT_EQ(places("{ count = [2, 1, 2], step = ['10 cm', 1, 1] }"),
            (std::vector<Vec3>{{1, 2, 3}, {1.1, 2, 3}, {1, 2, 4}, {1.1, 2, 4}}));
  const std::vector<Vec3> jittered = places("{ count = [2, 2, 2], step = [1, 1, 1], jitter = 0.1 }");
  EXPECT_EQ(jittered, places("{ count = [2, 2, 2], step = [1, 1, 1], jitter = 0.1 }"));
  const std::vector<Vec3> exact = places("{ count = [2, 2, 2], step = [1, 1, 1] }");
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_NE(jittered[i], exact[i]);
    EXPECT_LE((jittered[i] - exact[i]).cwiseAbs().maxCoeff(), 0.1);
  }
}

TEST(SceneFile, RefusesToRepeatWithoutEndOrWay) {
  const auto of = [](const std::string& repeat) { return refusal(std::string(kBall) + "repeat = " + repeat + "\n"); };
  expect_says(of("{ step = [1, 0, 0] }"), "key 'count' of the repeat of body 'ball': is missing");
  expect_says(of("{ count = 2 }"), "key 'step' of the repeat of body 'ball': does not lead anywhere");
  expect_says(of("{ count = 0, step = [1, 0, 0] }"), "give 1 or more");
  expect_says(of("{ count = [1, 1.5, 1], step = [1, 0, 0] }"), "is not three whole numbers");
  expect_says(of("{ count = [100, 100, 100], step = [1, 1, 1] }"), "makes too many bodies");
  expect_says(refusal(std::string(kBall) + "repeat = { count = 2, step = [1, 0, 0] }\npositions = [[0, 0, 0]]\n"),
              "does not go with repeat");
}

TEST(SceneFile, RefusesUnknownKeysNamingLineAndTheNearestOne) {
  EXPECT_EQ(refusal(std::string(kBall) + "fricton = 0.5\n"),
            "my.toml:5, key 'fricton' of body 'ball': is not known here (did you mean 'friction'?)");
  expect_says(refusal("[wolrd]\nfps = 60\n" + std::string(kBall)), "my.toml:1, key 'wolrd' of the scene");
  expect_says(refusal("[world]\nfsp = 60\n" + std::string(kBall)), "did you mean 'fps'?");
  expect_says(refusal("[[body]]\nname='b'\nkind='fixed'\nshape = { type = 'box', sise = [1, 1, 1] }\n"),
              "my.toml:4, key 'sise' of the shape of body 'b': is not known here (did you mean 'size'?)");
  expect_says(refusal(std::string(kBall) + "material = { preset = 'football', densty = 1 }\n"),
              "key 'densty' of the material of body 'ball'");
}

TEST(SceneFile, RefusesNamesThatAreNone) {
  expect_says(refusal("[[body]]\nname='b'\nkind='clot'\n"), "did you mean 'cloth'?");
  expect_says(refusal("[[body]]\nname='b'\nkind='fixed'\nshape={type='icospere'}\n"), "did you mean 'icosphere'?");
  expect_says(refusal(std::string(kBall) + "material = 'footbal'\n"),
              "my.toml:5, key 'material' of body 'ball': no balloon is named 'footbal' (did you mean 'football'");
  expect_says(refusal(std::string(kBall) + "[[pair]]\na = 'ball'\nb = 'boll'\nignore = true\n"),
              "there is no body 'boll' (did you mean 'ball'?)");
  expect_says(refusal(std::string(kBall) + kBall), "two bodies are named 'ball'");
  expect_says(refusal("[[body]]\nname='a/b'\nkind='fixed'\nshape={type='box'}\n"), "cannot name a file");
  expect_says(refusal("title = 'nothing'\n"), "has no bodies");
}

TEST(SceneFile, RefusesWrongUnitsInWords) {
  EXPECT_EQ(
      refusal(std::string(kBall) + "material = { density = \"100 kPa\" }\n"),
      "my.toml:5, key 'density' of the material of body 'ball': '100 kPa' is a pressure, not a mass per area (write a "
      "number of kg/m^2, or one with its unit: \"1.5 kg/m^2\")");
  expect_says(refusal(std::string(kBall) + "position = [0, 0, '3 parsec']\n"), "has a unit that is not known");
  expect_says(refusal(std::string(kBall) + "fit = 'large'\n"), "is not a number with a unit");
}

TEST(SceneFile, RefusesValuesOutOfRange) {
  expect_says(refusal(std::string(kBall) + "material = { density = 0 }\n"), "is not above zero");
  expect_says(refusal(std::string(kBall) + "position = [nan, 0, 0]\n"), "is not a finite number");
  expect_says(refusal(std::string(kBall) + "position = [0, 0]\n"), "is not three numbers");
  expect_says(refusal(std::string(kBall) + "restitution = 1.5\n"), "above 1");
  expect_says(refusal("[world]\nfps = 2\n" + std::string(kBall)), "too large to simulate");
  expect_says(refusal("[world]\nframes = 0\n" + std::string(kBall)), "give 1 or more");
  expect_says(refusal("[world]\nframes = '3'\n" + std::string(kBall)), "is a text, not a whole number");
  expect_says(refusal("[world\nfps = 2\n"), "my.toml:1: not TOML");
  expect_says(refusal("title = 1979-05-27\n"), "date or time");
}

TEST(SceneFile, RefusesShapesBeyondAllMeasure) {
  const auto of_shape = [](const std::string& shape) {
    return refusal("[[body]]\nname = 'b'\nkind = 'fixed'\nshape = { type = " + shape + " }\n");
  };
  EXPECT_EQ(
      of_shape("'grid', columns = 1000000, rows = 1000000"),
      "my.toml:4, key 'columns' of the shape of body 'b': makes a shape of 2000000000000 faces (up to 20000000 are "
      "made: give a smaller number)");
  expect_says(of_shape("'grid', rows = 2000000"), "key 'rows'");
  expect_says(of_shape("'box', cells = [10000, 10000, 1]"), "key 'cells'");
  expect_says(of_shape("'tet_box', cells = [1000, 1000, 1000]"), "key 'cells'");
  expect_says(of_shape("'icosphere', frequency = 1001"), "key 'frequency'");
  expect_says(of_shape("'uv_sphere', rings = 1000000"), "key 'rings'");
  expect_says(of_shape("'torus', sides = 1000000"), "key 'sides'");
  expect_says(of_shape("'capsule', segments = 100000000"), "key 'segments'");
  expect_says(of_shape("'cylinder', cap_rings = 1000000"), "key 'cap_rings'");
  expect_says(of_shape("'teapot', segments = 1000"), "key 'segments'");
  expect_says(of_shape("'disc', rings = 100000"), "key 'rings'");
  expect_says(of_shape("'bowl', segments = 100000000"), "key 'segments'");
  expect_says(of_shape("'skirt', rings = 10000000"), "key 'rings'");
  EXPECT_EQ(of_shape("'icosphere', frequency = 1000"), "accepted");
}

TEST(SceneFile, RefusesOneThingSaidTwice) {
  expect_says(
      refusal(std::string(kBall) + "material = { pressure = '102 kPa', overpressure = '1 kPa' }\n"),
      "my.toml:5, key 'overpressure' of the material of body 'ball': does not go with pressure (leave one out)");
  for (const char* viscosity : {"phi", "psi"})
    expect_says(refusal(std::string("[[body]]\nname = 'b'\nkind = 'fem'\nshape = { type = 'tet_box' }\n"
                                    "material = { damping = 0.001, ") +
                        viscosity + " = 1 }\n"),
                std::string("my.toml:5, key 'damping' of the material of body 'b': does not go with ") + viscosity);
}

TEST(SceneFile, KnowsEverySceneOfTheLibrary) {
  for (const char* name :
       {"cloth_on_ball", "pressure_ground", "pressure_sphere", "pressure_pile", "pressure_10k", "fem_pressed",
        "fem_2000", "bunnies", "dragons", "bunny_and_dragon", "stack", "flag", "skirt", "trampoline"}) {
    const SceneDescription scene = library_scene(name);
    EXPECT_EQ(scene.name, name);
    EXPECT_FALSE(scene.title.empty());
  }
  EXPECT_THROW(library_scene("cloth_on_bal"), Error);
}

// A sheet has no inside: what is below it is as far from the ground as what is above.
TEST(SceneFile, GroundsOfTheLibraryAreSlabsWithTheirTopAtZero) {
  for (const LibraryScene& entry : library_scenes()) {
    for (const BodyDescription& body : library_scene(entry.name).bodies) {
      if (body.name != "ground" && body.name != "table") continue;
      const auto* slab = std::get_if<BoxSettings>(&body.shape);
      ASSERT_TRUE(slab) << entry.name;
      EXPECT_EQ(slab->size.z() / 2 + body.placement.position.z(), 0) << entry.name;
    }
  }
}

TEST(SceneBuilder, MakesASolidOfASurface) {
  const BuiltScene built = build_world(parse_scene(R"([[body]]
name = "solid"
kind = "fem"
shape = { type = "icosphere", radius = 0.2, frequency = 8 }
coarse = 200
)",
                                                   "my.toml"));
  const BodyModel& body = built.world.body(BodyId(0));
  double mass = 0;
  for (const double m : body.masses()) mass += m;
  EXPECT_GT(body.snapshot().positions.size(), body.mesh()->vertex_count());  // nodes inside
  EXPECT_GT(mass, 0);
  ASSERT_EQ(built.notes.size(), 1U);
  expect_says(built.notes[0], "tetrahedra");
}

TEST(SceneBuilder, TakesAssets) {
  const std::string path = ::testing::TempDir() + "scene-asset.pliant";
  write_asset(path, prepare_asset(*make_icosphere({.radius = 0.2, .frequency = 6}), {.coarse_faces = 120}).asset);
  for (const char* kind : {"fem", "pressure", "fixed"}) {
    const BuiltScene built = build_world(parse_scene(
        std::string("[[body]]\nname = \"a\"\nkind = \"") + kind + "\"\nmesh = \"" + path + "\"\n", "my.toml"));
    const BodyModel& body = built.world.body(BodyId(0));
    const std::size_t faces = body.mesh()->face_count(),
                      inside = body.snapshot().positions.size() - body.masses().size();
    if (std::string(kind) == "fem") {
      EXPECT_GT(inside, 0U);
    } else if (std::string(kind) == "pressure") {
      EXPECT_LT(faces, 200U);
    } else {
      EXPECT_EQ(faces, 720U);
    }
  }
}

TEST(Units, AreMultipliedDividedRaisedAndPrefixed) {
  EXPECT_DOUBLE_EQ(parse_quantity("100 kPa", kPressure), 1e5);
  EXPECT_DOUBLE_EQ(parse_quantity("2", kPressure), 2);
  EXPECT_DOUBLE_EQ(parse_quantity("1.5 g/cm^3", kDensity), 1500);
  EXPECT_DOUBLE_EQ(parse_quantity("150g/m2", kAreaDensity), 0.15);
  EXPECT_DOUBLE_EQ(parse_quantity("3 mPa s", kViscosity), 3e-3);
  EXPECT_DOUBLE_EQ(parse_quantity("2 N s/m", kSpringDamping), 2);
  EXPECT_DOUBLE_EQ(parse_quantity("60 1/s", kFrequency), 60);
  EXPECT_DOUBLE_EQ(parse_quantity("2 min", kTime), 120);
  EXPECT_DOUBLE_EQ(parse_quantity("9.81 m s^-2", kAcceleration), 9.81);
  EXPECT_DOUBLE_EQ(parse_quantity("1 bar", kPressure), 1e5);
  for (const char* bad : {"", "m", "1 kPa/", "1 xm", "1 m/s", "1 m^", "--3 m"})
    EXPECT_THROW(parse_quantity(bad, kLength), Error) << bad;
}

RC_GTEST_PROP(SceneFile, NeverFailsButWithAnError, (const std::string& noise, std::uint16_t place)) {
  std::string text = std::string(kBall) + "material = { preset = 'football' }\nposition = [0, 0, '1 m']\n";
  text.insert(place % text.size(), noise);
  try {
    parse_scene(text, "my.toml");
  } catch (const Error& error) {
    RC_ASSERT(!error.problem().empty());
  }
}

TEST(StandIns, AreClosedAndFaceOutward) {
  for (const StandIn animal : {StandIn::rabbit, StandIn::serpent, StandIn::bear}) {
    const MeshPtr mesh = make_stand_in({.animal = animal, .size = 0.4, .cell = 0.04});
    const DefectReport defects = find_defects(*mesh, {.places = 0});
    EXPECT_EQ(defects.boundary_edges.count, 0u);
    EXPECT_EQ(defects.nonmanifold_edges.count, 0u);
    EXPECT_GT(enclosed_volume(*mesh), 1e-3);
    EXPECT_GT(mesh->face_count(), 1000u);
    const auto detector = make_detector("bvh");
    detector->add_body(mesh);
    EXPECT_TRUE(detector->detect(Interval::instant(0)).contacts.empty());
  }
}

TEST(PhasedMotion, FollowsOnePhaseAfterTheOther) {
  const std::vector<MotionPhase> phases = {{.seconds = 2, .velocity = Vec3(1, 0, 0)},
                                           {.seconds = 1, .spin = {Vec3::UnitZ(), 0.25}}};
  const Vec3 centre(0, 1, 0), p(1, 1, 0);
  const auto at = [&](double seconds) { return Vec3(phased_transform(phases, centre, seconds) * p); };
  EXPECT_LT((at(0) - p).norm(), 1e-15);
  EXPECT_LT((at(1) - Vec3(2, 1, 0)).norm(), 1e-15);
  EXPECT_LT((at(3) - Vec3(2, 2, 0)).norm(), 1e-15);  // a quarter turn about the centre, which is at (2, 1, 0)
  EXPECT_LT((at(9) - at(3)).norm(), 1e-15);
}

}  // namespace
}  // namespace pliant
