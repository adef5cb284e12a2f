#include "pliant/scene/scene_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>

#include "pliant/core/suggest.h"
#include "pliant/io/decimal.h"
#include "pliant/io/file.h"
#include "pliant/scene/body_copies.h"
#include "pliant/scene/method_tables.h"
#include "pliant/scene/shape_reader.h"
#include "pliant/scene/table_reader.h"

namespace pliant {
namespace {

KeyLines lines_of(const TomlValue& table) {
  KeyLines lines{.table = table.line, .keys = {}};
  if (const auto* entries = std::get_if<TomlValue::Table>(&table.content))
    for (const auto& entry : *entries) lines.keys.emplace(entry.key, entry.line);
  return lines;
}

Vec3 read_axis(TableReader& t) {
  Vec3 axis = t.vector("axis", Vec3::UnitZ());
  if (axis.isZero(0)) t.fail("axis", "has no direction");
  return axis;
}

Spin read_spin(TableReader& body) {
  const TomlValue* value = body.find("spin");
  if (!value) return {};
  TableReader t(*value, body.file(), "the spin of " + body.what());
  Spin spin{.axis = read_axis(t), .turns_per_second = t.number("turns_per_second", 1, kFrequency)};
  t.finish();
  return spin;
}

MotionPhase read_phase(const TomlValue& value, const TableReader& body) {
  TableReader t(value, body.file(), "the motion of " + body.what());
  MotionPhase phase;
  phase.seconds = t.positive("duration", std::numeric_limits<double>::infinity(), kTime);
  phase.velocity = t.vector("velocity", Vec3::Zero(), kSpeed);
  phase.spin = {.axis = read_axis(t), .turns_per_second = t.number("turns_per_second", 0, kFrequency)};
  t.finish();
  return phase;
}

bool is_walk(const TomlValue& motion, const TableReader& body) {
  return TableReader(motion, body.file(), body.what()).has("walk_cycles_per_second");
}

Walk read_walk(const TomlValue& value, TableReader& body) {
  TableReader t(value, body.file(), "the motion of " + body.what());
  Walk walk;
  walk.cycles_per_second = t.positive("walk_cycles_per_second", walk.cycles_per_second, kFrequency);
  walk.standing = t.not_negative("standing", walk.standing, kTime);
  t.finish();
  return walk;
}

KeyframedDescription read_motion(TableReader& body) {
  KeyframedDescription result;
  result.file_fps = body.positive("motion_fps", result.file_fps, kFrequency);
  const TomlValue* value = body.find("motion");
  if (!value) body.fail("motion", "is missing", "name a motion file, or say how it moves: { turns_per_second = 0.5 }");
  if (std::holds_alternative<std::string>(value->content)) result.file = body.text("motion");
  else if (std::holds_alternative<TomlValue::Table>(value->content) && is_walk(*value, body))
    result.walk = read_walk(*value, body);
  else if (std::holds_alternative<TomlValue::Table>(value->content)) result.phases = {read_phase(*value, body)};
  else
    for (const TomlValue& phase : body.array("motion")) result.phases.push_back(read_phase(phase, body));
  return result;
}

FemIntegrator fem_integrator(std::string_view name) {
  if (name == "vertex_descent") return FemIntegrator::vertex_descent;
  if (name == "conjugate_gradients") return FemIntegrator::conjugate_gradients;
  if (name == "runge_kutta4") return FemIntegrator::runge_kutta4;
  if (name == "backward_euler") return FemIntegrator::backward_euler;
  return FemIntegrator::automatic;
}

FemSettings read_fem(TableReader& body, const Vec3& gravity) {
  FemSettings s{.material = read_elastic_material(body), .gravity = gravity};
  s.integrator = fem_integrator(
      body.choice("integrator", "automatic",
                  {"automatic", "vertex_descent", "conjugate_gradients", "runge_kutta4", "backward_euler"}));
  if (body.has("energy"))
    s.energy = body.choice("energy", "", {"neo_hookean", "st_venant_kirchhoff"}) == "neo_hookean"
                   ? FemEnergy::neo_hookean
                   : FemEnergy::st_venant_kirchhoff;
  body.placed("energy", [&] { require_matching(s); });
  s.max_substeps = body.integer("max_substeps", s.max_substeps, 1);
  s.newton_steps = body.integer("newton_steps", s.newton_steps, 1);
  s.tolerance = body.positive("tolerance", s.tolerance);
  return s;
}

PressureSettings read_pressure(TableReader& body, const Vec3& gravity) {
  PressureSettings s{.material = read_pressure_material(body), .gravity = gravity};
  const std::string integrator =
      body.choice("integrator", "velocity_verlet", {"velocity_verlet", "symplectic_euler", "runge_kutta4"});
  if (integrator == "symplectic_euler") s.integrator = PressureIntegrator::symplectic_euler;
  if (integrator == "runge_kutta4") s.integrator = PressureIntegrator::runge_kutta4;
  s.max_substeps = body.integer("max_substeps", s.max_substeps, 1);
  s.grows = body.boolean("grows", s.grows);
  return s;
}

ClothBodySettings read_cloth(TableReader& body, const Vec3& gravity) {
  ClothBodySettings s{.material = read_cloth_material(body), .gravity = gravity};
  s.along = body.vector("along", s.along);
  if (s.along.isZero(0)) body.fail("along", "has no direction");
  s.substep = body.positive("substep", s.substep, kTime);
  s.wind = body.vector("wind", s.wind, kSpeed);
  s.air_density = body.not_negative("air_density", s.air_density, kDensity);
  s.drag = body.not_negative("drag", s.drag);
  s.lift = body.not_negative("lift", s.lift);
  return s;
}

RigidSettings read_rigid(TableReader& body, const Vec3& gravity) {
  RigidSettings s{.gravity = gravity};
  if (const TomlValue* value = body.find("material")) {
    TableReader t(*value, body.file(), "the material of " + body.what());
    s.density = t.positive("density", s.density, kDensity);
    t.finish();
  }
  if (body.has("mass")) {
    if (body.has("material")) body.fail("mass", "does not go with a material", "leave one out");
    s.mass = body.positive("mass", 1, kMass);
  }
  return s;
}

ModelDescription read_model(TableReader& body, const Vec3& gravity) {
  const std::string kind = body.choice("kind", "", {"fem", "pressure", "cloth", "rigid", "keyframed", "fixed"});
  if (kind == "fem") return read_fem(body, gravity);
  if (kind == "pressure") return read_pressure(body, gravity);
  if (kind == "cloth") return read_cloth(body, gravity);
  if (kind == "rigid") return read_rigid(body, gravity);
  if (kind == "keyframed") return read_motion(body);
  if (kind == "fixed") return FixedDescription{};
  body.fail("kind", "is missing", "give fem, pressure, cloth, rigid, keyframed or fixed");
}

Placement read_placement(TableReader& body) {
  Placement p;
  p.fit = body.positive("fit", p.fit, kLength);
  p.scale = body.positive("scale", p.scale);
  p.position = body.vector("position", p.position, kLength);
  if (const TomlValue* value = body.find("rotation")) {
    TableReader t(*value, body.file(), "the rotation of " + body.what());
    p.axis = read_axis(t);
    p.degrees = t.number("degrees", 0);
    t.finish();
  }
  return p;
}

std::vector<VertexId> read_vertices(TableReader& t) {
  std::vector<VertexId> vertices;
  for (const TomlValue& value : t.array("vertices")) {
    const auto* index = std::get_if<std::int64_t>(&value.content);
    if (!index || *index < 0 || *index > std::numeric_limits<std::int32_t>::max())
      t.fail("vertices", "is not a list of vertex numbers, counted from 0");
    vertices.emplace_back(static_cast<std::uint32_t>(*index));
  }
  return vertices;
}

std::vector<PinDescription> read_pins(TableReader& body) {
  std::vector<PinDescription> pins;
  for (const TomlValue& value : body.array("pins")) {
    TableReader t(value, body.file(), "the pins of " + body.what());
    PinDescription pin{.box = {},
                       .border = t.boolean("border", false),
                       .vertices = read_vertices(t),
                       .follow = t.text("follow"),
                       .line = t.line()};
    if (t.has("min") != t.has("max"))
      t.fail(t.has("min") ? "min" : "max", "stands alone", "give min and max of the box");
    if (t.has("min")) pin.box = {t.vector("min", {}, kLength), t.vector("max", {}, kLength)};
    if (t.has("min") && pin.box.isEmpty()) t.fail("max", "is below min");
    t.finish();
    pins.push_back(std::move(pin));
  }
  return pins;
}

std::string read_name(TableReader& body) {
  std::string name = body.text("name");
  if (name.empty()) body.fail("name", "is missing", "give every body a name of its own");
  const auto allowed = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_'; };
  if (!std::all_of(name.begin(), name.end(), allowed))
    body.fail("name", "'" + name + "' cannot name a file", "use letters, digits, - and _");
  if (name == "times" || name == "run")
    body.fail("name", "'" + name + "' is taken by a file of every recording", "choose another name");
  return name;
}

constexpr int kFewestCoarseFaces = 50;

BodyDescription read_body(TableReader& body, const Vec3& gravity) {
  BodyDescription b{.name = read_name(body)};
  b.model = read_model(body, gravity);
  b.mesh = body.text("mesh");
  if (const TomlValue* shape = body.find("shape"))
    b.shape = read_shape(TableReader(*shape, body.file(), "the shape of " + body.what()));
  else if (b.mesh.empty()) body.fail("shape", "is missing", "give a shape, or a mesh: mesh = \"shirt.obj\"");
  if (body.has("coarse")) b.coarse = static_cast<std::size_t>(body.integer("coarse", 0, kFewestCoarseFaces));
  b.dense = body.boolean("dense", b.dense);
  b.placement = read_placement(body);
  b.pins = read_pins(body);
  b.surface.friction = body.not_negative("friction", b.surface.friction);
  b.surface.restitution = body.not_negative("restitution", b.surface.restitution);
  if (b.surface.restitution > 1) body.fail("restitution", "is above 1", "1 is a perfect bounce");
  const bool bends = !std::holds_alternative<RigidSettings>(b.model);
  b.self_collision = body.boolean("self_collision", bends);
  b.velocity = body.vector("velocity", b.velocity, kSpeed);
  b.spin = read_spin(body);
  return b;
}

// One body, or one for each of its `positions`, or of its `repeat`.
void read_bodies(const TomlValue& value, SceneDescription& scene, const Vec3& gravity) {
  std::string name = "body " + std::to_string(scene.bodies.size() + 1);
  const TomlValue* given = TableReader(value, scene.file, name).find("name");
  if (given && std::holds_alternative<std::string>(given->content))
    name = std::string("body '").append(std::get<std::string>(given->content)).append("'");
  TableReader body(value, scene.file, name);
  BodyDescription one = read_body(body, gravity);
  one.lines = lines_of(value);
  const std::vector<Vec3> positions = read_copies(body, one.placement.position);
  body.finish();
  if (positions.empty()) return scene.bodies.push_back(std::move(one));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    scene.bodies.push_back(one);
    scene.bodies.back().name.append("-").append(std::to_string(i + 1));
    scene.bodies.back().placement.position = positions[i];
  }
}

void read_proof(TableReader& t, ResolverSettings& proof) {
  proof.passes = t.integer("passes", proof.passes, 1);
  proof.sweeps = t.integer("sweeps", proof.sweeps, 1);
  proof.recovery = t.not_negative("recovery", proof.recovery);
  if (proof.recovery > 1) t.fail("recovery", "is above 1");
  proof.rest_speed = t.not_negative("rest_speed", proof.rest_speed, kSpeed);
}

void read_pull_back(TableReader& t, PullBackSettings& pull) {
  pull.passes = t.integer("passes", pull.passes, 1);
  pull.paths = t.boolean("paths", pull.paths);
  pull.inside = t.boolean("inside", pull.inside);
  pull.once_per_step = t.boolean("once_per_step", pull.once_per_step);
  pull.foresee = t.boolean("foresee", pull.foresee);
  pull.literal_position = t.boolean("literal_position", pull.literal_position);
  pull.literal_velocity = t.boolean("literal_velocity", pull.literal_velocity);
}

ResponseKind response_kind(std::string_view name) {
  const auto all = response_kinds();
  return static_cast<ResponseKind>(std::find(all.begin(), all.end(), name) - all.begin());
}

// A table with `kind`, or a bare kind. Nothing if the table of `owner` does not speak of it.
std::optional<ResponseSettings> read_response(TableReader& owner, const std::string& what) {
  const TomlValue* value = owner.find("response");
  if (!value) return std::nullopt;
  ResponseSettings response;
  const auto all = response_kinds();
  const std::vector<std::string_view> kinds(all.begin(), all.end());
  if (std::holds_alternative<std::string>(value->content)) {
    response.kind = response_kind(owner.choice("response", "", kinds));
    return response;
  }
  TableReader t(*value, owner.file(), what);
  response.kind = response_kind(t.choice("kind", "proof", kinds));
  if (response.kind == ResponseKind::proof) read_proof(t, response.proof);
  if (response.kind == ResponseKind::penalty) {
    response.penalty.seconds = t.positive("time", response.penalty.seconds, kTime);
    response.penalty.damping = t.not_negative("damping", response.penalty.damping);
    if (response.penalty.damping > 1) t.fail("damping", "is above 1");
    response.penalty.averaged = t.boolean("averaged", response.penalty.averaged);
  }
  if (response.kind == ResponseKind::pull_back) read_pull_back(t, response.pull_back);
  t.finish();
  return response;
}

// The longest step that is taken: above it straight pieces of motion are no motion any more.
constexpr double kLongestStep = 0.1;  // s

Vec3 read_world(const TomlValue* value, SceneDescription& scene) {
  Vec3 usual(0, 0, -9.81);
  if (!value) return usual;
  TableReader t(*value, scene.file, "the world");
  scene.world_lines = lines_of(*value);
  scene.world.frame_seconds = 1 / t.positive("fps", 60, kFrequency);
  scene.frames = t.integer("frames", scene.frames, 1);
  scene.world.substeps = t.integer("substeps", 1, 1);
  const double step = scene.world.frame_seconds / scene.world.substeps;
  if (!(step <= kLongestStep))
    t.fail("fps", "makes steps of " + std::to_string(step) + " s, too large to simulate",
           "raise fps or substeps until a step takes " + std::to_string(kLongestStep) + " s or less");
  scene.world.contact_seconds = t.positive("contact_step", scene.world.contact_seconds, kTime);
  scene.world.method = t.text("method", scene.world.method);
  if (t.choice("mode", "safe", {"safe", "paper"}) == "paper") scene.world.mode = Mode::paper;
  scene.world.separation = t.positive("separation", 0, kLength);
  scene.world.halvings = t.integer("halvings", scene.world.halvings, 0);
  scene.world.sleep.enabled = t.boolean("sleep", scene.world.sleep.enabled);
  if (t.has("budget")) scene.budget_seconds = t.positive("budget", 0, kTime);
  if (t.has("search_budget")) scene.world.search_seconds = t.positive("search_budget", 0, kTime);
  const std::string overlaps = t.choice("overlaps", "refuse", {"refuse", "separate", "allow"});
  if (overlaps == "separate") scene.overlaps = StartOverlaps::separate;
  if (overlaps == "allow") scene.overlaps = StartOverlaps::allow;
  if (const auto response = read_response(t, "the response of the world")) scene.world.response = *response;
  Vec3 gravity = t.vector("gravity", usual, kAcceleration);
  t.finish();
  return gravity;
}

// As long as the scene.
std::optional<ReplayDescription> read_replay(const TomlValue* value, const SceneDescription& scene) {
  if (!value) return std::nullopt;
  TableReader t(*value, scene.file, "the replay");
  std::vector<std::string_view> known;
  for (const SceneInfo& info : procedural_scenes()) known.push_back(info.name);
  ReplayDescription replay{.motion = t.choice("motion", "", known), .settings = {}};
  if (replay.motion.empty()) t.fail("motion", "is missing", "name the motion that bodies follow: tablecloth");
  constexpr int kFewest = 500;
  SceneSettings& s = replay.settings;
  s.triangles = static_cast<std::size_t>(t.integer("triangles", static_cast<int>(s.triangles), kFewest));
  s.bodies = static_cast<std::size_t>(t.integer("bodies", static_cast<int>(s.bodies), 1));
  s.seed = static_cast<std::uint64_t>(t.integer("seed", static_cast<int>(s.seed), 0));
  s.frames = static_cast<std::size_t>(scene.frames) + 1;
  t.finish();
  return replay;
}

Camera read_camera(const TomlValue& value, const SceneDescription& scene) {
  const std::string name = "camera " + std::to_string(scene.cameras.size() + 1);
  TableReader t(value, scene.file, name);
  Camera camera{.name = t.text("name", name)};
  for (const char* key : {"position", "target"})
    if (!t.has(key)) t.fail(key, "is missing", "give a place: [0, -2, 1]");
  camera.position = t.vector("position", camera.position, kLength);
  camera.target = t.vector("target", camera.target, kLength);
  if (camera.position == camera.target) t.fail("target", "is where the camera stands", "let it look somewhere");
  camera.angle = t.positive("angle", camera.angle);
  if (camera.angle >= 180) t.fail("angle", "is 180 degrees or more", "give 20 to 60");
  t.finish();
  return camera;
}

std::string in_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string decimal(double number) {
  std::string text;
  append_decimal(text, number);
  return text;
}

std::string camera_text(const Camera& camera) {
  const auto place = [](const Vec3& v) {
    std::string text;
    for (int axis = 0; axis < 3; ++axis) text += (axis ? ", " : "[") + decimal(v[axis]);
    return text + "]";
  };
  return "\n[[camera]]\nname = " + in_quotes(camera.name) + "\nposition = " + place(camera.position) +
         "\ntarget = " + place(camera.target) + "\nangle = " + decimal(camera.angle) + "\n";
}

std::string replay_text(const SceneDescription& scene) {
  const SceneSettings& s = scene.replay->settings;
  std::string cameras;
  for (const Camera& camera : scene.cameras) cameras += camera_text(camera);
  return "title = " + in_quotes(scene.title) + "\n\n[world]\nfps = " + decimal(1 / scene.world.frame_seconds) +
         "\nframes = " + std::to_string(scene.frames) + "\n\n[replay]\nmotion = " + in_quotes(scene.replay->motion) +
         "\ntriangles = " + std::to_string(s.triangles) + "\nbodies = " + std::to_string(s.bodies) +
         "\nseed = " + std::to_string(s.seed) + "\n" + cameras;
}

void require_body(const TableReader& pair, std::string_view key, const std::string& name,
                  const SceneDescription& scene) {
  std::vector<std::string_view> names;
  for (const BodyDescription& body : scene.bodies) {
    if (body.name == name) return;
    names.emplace_back(body.name);
  }
  pair.fail(key, "there is no body '" + name + "'", suggestion(name, names));
}

PairDescription read_pair(const TomlValue& value, const SceneDescription& scene) {
  TableReader t(value, scene.file, "a pair");
  PairDescription pair{.a = t.text("a"), .b = t.text("b"), .lines = lines_of(value)};
  require_body(t, "a", pair.a, scene);
  require_body(t, "b", pair.b, scene);
  pair.ignore = t.boolean("ignore", false);
  pair.method = t.text("method");
  pair.response = read_response(t, "the response of a pair");
  if (pair.ignore == (!pair.method.empty() || pair.response))
    t.fail("ignore", "says nothing", "give either ignore = true, or a method, a response, or both");
  t.finish();
  return pair;
}

void require_own_names(const SceneDescription& scene) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (scene.bodies[i].name == scene.bodies[j].name)
        throw Error(ErrorPlace{.file = scene.file, .line = scene.bodies[i].lines.of("name"), .element = "key 'name'"},
                    "two bodies are named '" + scene.bodies[i].name + "'", "give every body a name of its own");
}

}  // namespace

SceneDescription parse_scene(std::string_view text, const std::string& file) {
  const std::filesystem::path path(file);
  SceneDescription scene{
      .name = path.stem().string(), .file = file, .folder = path.parent_path().string(), .text = std::string(text)};
  const TomlValue root = parse_toml(text, file);
  TableReader top(root, file, "the scene");
  scene.title = top.text("title");
  const Vec3 gravity = read_world(top.find("world"), scene);
  scene.replay = read_replay(top.find("replay"), scene);
  if (const TomlValue* methods = top.find("method"))
    scene.world.method_settings = read_method_tables(*methods, scene.file);
  for (const TomlValue& body : top.array("body")) read_bodies(body, scene, gravity);
  for (const TomlValue& camera : top.array("camera")) scene.cameras.push_back(read_camera(camera, scene));
  for (const TomlValue& pair : top.array("pair")) scene.pairs.push_back(read_pair(pair, scene));
  top.finish();
  if (scene.replay && !scene.bodies.empty())
    throw Error(ErrorPlace{.file = file, .line = scene.bodies[0].lines.table},
                "a scene is either a replay or has bodies of its own", "leave out [replay] or [[body]]");
  if (scene.bodies.empty() && !scene.replay)
    throw Error(ErrorPlace{.file = file}, "the scene has no bodies", "add [[body]] with name, kind and shape");
  require_own_names(scene);
  return scene;
}

void set_replay(SceneDescription& scene, const SceneSettings& settings) {
  if (!scene.replay) throw Error("the scene '" + scene.name + "' has one size", "leave out the number of triangles");
  constexpr std::size_t kMost = 1'000'000'000;  // what a scene file can say
  if (settings.frames < 2 || settings.frames > kMost || settings.seed > kMost)
    throw Error("a replay with settings out of range", "give a frame or more, and numbers up to a billion");
  scene.replay->settings = settings;
  scene.frames = static_cast<int>(settings.frames) - 1;
  scene.text = replay_text(scene);
}

SceneDescription read_scene(const std::string& path) {
  const FileBytes bytes = read_file(path);
  return parse_scene(bytes.view(), path);
}

}  // namespace pliant
