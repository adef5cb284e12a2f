#include "pliant/scene/scene_builder.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>
#include <tuple>

#include "pliant/bodies/kinematic.h"
#include "pliant/core/error.h"
#include "pliant/core/rigid.h"
#include "pliant/io/motion_file.h"
#include "pliant/motion/embedding.h"
#include "pliant/scene/phased_motion.h"
#include "pliant/scene/scene_geometry.h"

namespace pliant {
namespace {

// A table of the scene's file whose keys errors name.
struct Table {
  const SceneDescription& scene;
  const KeyLines& lines;
  std::string what;

  // What `act` returns; its errors are told that they happened at this key.
  template <class Act>
  auto at(std::string_view key, Act&& act) const {
    try {
      return act();
    } catch (const Error& error) {
      const bool elsewhere = !error.place().file.empty();
      const std::uint64_t line = elsewhere ? lines.of(key) : error.place().line.value_or(lines.of(key));
      const ErrorPlace place{.file = scene.file, .line = line, .element = "key '" + std::string(key) + "' of " + what};
      ErrorPlace within = error.place();
      if (!elsewhere) within.line.reset();
      const bool has_more = elsewhere || !within.element.empty();
      throw Error(place, has_more ? Error(within, error.problem()).what() : error.problem(), error.remedy());
    }
  }
};

const char* kind_of(const ModelDescription& model) {
  constexpr const char* kKinds[] = {"fem", "pressure", "cloth", "keyframed", "fixed", "rigid"};
  return kKinds[model.index()];
}

bool is_obstacle(const ModelDescription& model) {
  return std::holds_alternative<KeyframedDescription>(model) || std::holds_alternative<FixedDescription>(model);
}

std::vector<VertexId> usable_pins(const BodyDescription& body, const BodyGeometry& geometry) {
  if (body.pins.empty()) return {};
  if (is_obstacle(body.model)) throw Error("an obstacle has no use for pins", "leave them out");
  if (std::holds_alternative<RigidSettings>(body.model))
    throw Error("a rigid body has no pins", "fix it, or give it keyframes");
  if (geometry.tets && !std::holds_alternative<FemSettings>(body.model))
    throw Error("pins of a volume's surface", "use a surface mesh");
  return pinned_vertices(body, geometry);
}

// Makes the model that a description asks for.
class ModelMaker {
 public:
  ModelMaker(const SceneDescription& scene, const BodyDescription& body, const BodyGeometry& geometry,
             const std::vector<VertexId>& pinned)
      : scene_(scene), body_(body), geometry_(geometry), pinned_(pinned) {
    surface_ = geometry_.tets ? geometry_.tets->surface() : geometry_.surface;
  }

  std::unique_ptr<BodyModel> operator()(FemSettings settings) const {
    settings.pinned = pinned_;
    return std::make_unique<FemBody>(geometry_.tets, settings);
  }
  std::unique_ptr<BodyModel> operator()(PressureSettings settings) const {
    settings.pinned = pinned_;
    return std::make_unique<PressureBody>(surface_, settings);
  }
  std::unique_ptr<BodyModel> operator()(ClothBodySettings settings) const {
    settings.pinned = pinned_;
    return std::make_unique<ClothBody>(surface_, settings);
  }
  std::unique_ptr<BodyModel> operator()(const KeyframedDescription& keyframed) const {
    if (keyframed.file.empty()) {
      // A key at the end of every step that the world takes, so that it meets the true turn there.
      const double rate = scene_.world.substeps / scene_.world.frame_seconds;
      Motion motion = keyframed.walk ? walking(*keyframed.walk, rate) : phased_motion(surface_, keyframed.phases, rate);
      return std::make_unique<KeyframedBody>(surface_, std::move(motion), KeyframeSettings{.frames_per_second = rate});
    }
    return std::make_unique<KeyframedBody>(surface_, Motion::from_source(motion_file(keyframed)),
                                           KeyframeSettings{.frames_per_second = keyframed.file_fps});
  }
  std::unique_ptr<BodyModel> operator()(const FixedDescription&) const { return std::make_unique<FixedBody>(surface_); }
  std::unique_ptr<BodyModel> operator()(const RigidSettings& settings) const {
    return std::make_unique<RigidBody>(surface_, settings);
  }

 private:
  Motion walking(const Walk& walk, double rate) const {
    const auto* figure = std::get_if<FigureSettings>(&body_.shape);
    if (!figure || !body_.mesh.empty())
      throw Error("walk_cycles_per_second is for a figure", "give shape = { type = \"figure\" }");
    const auto frames = walking_frames(make_figure(*figure), walk, rate);
    return Motion::from_source(std::make_shared<PlacedFrames>(frames, geometry_.place));
  }

  // Placed as the mesh is, and read through as far as the scene goes: a frame that is missing or not finite is better
  // found now than in the middle of a long run.
  std::shared_ptr<FrameSource> motion_file(const KeyframedDescription& keyframed) const {
    const std::string path = (std::filesystem::path(scene_.folder) / keyframed.file).string();
    MotionReadOptions options;
    options.mesh = surface_;
    options.frames_per_second = keyframed.file_fps;
    const auto frames = open_motion(path, options);
    const double needed = std::ceil(scene_.frames * scene_.world.frame_seconds * keyframed.file_fps) + 1;
    for (std::size_t k = 0; k < frames->frame_count() && static_cast<double>(k) <= needed; ++k) frames->frame(k);
    return std::make_shared<PlacedFrames>(frames, geometry_.place);
  }

  const SceneDescription& scene_;
  const BodyDescription& body_;
  const BodyGeometry& geometry_;
  const std::vector<VertexId>& pinned_;
  MeshPtr surface_;
};

// All nodes, inner ones too: what a snapshot holds and commit() does not reach. Pins keep their velocity of zero.
void set_in_motion(BodyModel& model, const BodyDescription& body, std::span<const Vec3> pinned) {
  if (body.velocity.isZero(0) && body.spin.turns_per_second == 0) return;
  if (is_obstacle(body.model))
    throw Error("velocity and spin are those of bodies that can be pushed", "say how an obstacle moves by its motion");
  const auto less = [](const Vec3& p, const Vec3& q) {
    return std::tie(p.x(), p.y(), p.z()) < std::tie(q.x(), q.y(), q.z());
  };
  const std::set<Vec3, decltype(less)> pins(pinned.begin(), pinned.end(), less);
  BodyState state = model.snapshot();
  Eigen::AlignedBox3d box;
  for (const Vec3& p : state.positions) box.extend(p);
  const Vec3 centre = box.center();
  const Vec3 turn = body.spin.axis * (2 * kPi * body.spin.turns_per_second / fixed_length(body.spin.axis));
  for (std::size_t i = 0; i < state.positions.size(); ++i)
    if (!pins.contains(state.positions[i]))
      state.velocities[i] = body.velocity + turn.cross(Vec3(state.positions[i] - centre));
  model.restore(state);
}

constexpr const char* kStraight = "between two keys, one a step, vertices go straight";

// How a turn looks of which only every `turns` is seen.
std::string seen_as(double turns) {
  const double rest = turns - std::floor(turns);
  constexpr double kNone = 1e-6;
  if (rest < kNone || rest > 1 - kNone) return "will seem to stand still";
  if (rest > 0.5) return "will seem to turn backwards";
  return "will seem to turn slower than it does";
}

// A body that turns by half a turn or more from one frame to the next does not show it.
void note_fast_spin(const SceneDescription& scene, const BodyDescription& body, std::vector<std::string>& notes) {
  const auto* keyframed = std::get_if<KeyframedDescription>(&body.model);
  if (!keyframed) return;
  double fastest = 0;
  for (const MotionPhase& phase : keyframed->phases) fastest = std::max(fastest, std::abs(phase.spin.turns_per_second));
  const double per_frame = fastest * scene.world.frame_seconds;
  const double per_step = per_frame / scene.world.substeps;
  if (per_frame < 0.5) return;
  char turns[32];
  std::snprintf(turns, sizeof turns, "%.3g", per_frame);
  std::string note = "'" + body.name + "' turns " + turns + " times per frame, and " + seen_as(per_frame);
  if (per_step >= 0.5) note += std::string("; it collides that way, too: ") + kStraight;
  const auto fps = static_cast<long long>(std::floor(2 * fastest)) + 1;
  notes.push_back(note + " (slow it down, or raise fps to " + std::to_string(fps) + " or more)");
}

void require_first_step(BodyModel& model, const SceneDescription& scene) {
  const Prediction first = model.predict(scene.world.frame_seconds / scene.world.substeps);
  if (!first.status.ok()) throw Error("the first step cannot be taken: " + std::string(describe(first.status.trouble)));
}

// The keys that stages of building a body look at.
const char* source_key(const BodyDescription& body) { return body.mesh.empty() ? "shape" : "mesh"; }
const char* place_key(const BodyDescription& body) {
  for (const char* key : {"positions", "position", "scale", "fit"})
    if (body.lines.keys.contains(key)) return key;
  return source_key(body);
}
const char* model_key(const BodyDescription& body) {
  return std::holds_alternative<KeyframedDescription>(body.model) ? "motion" : source_key(body);
}
const char* step_key(const BodyDescription& body) { return is_obstacle(body.model) ? model_key(body) : "material"; }

// Pins to be tied once all bodies are there.
struct PinTie {
  const BodyDescription* body;
  BodyId id;
  std::vector<VertexId> pins;
  std::string leader;
};

void collect_ties(const BodyDescription& body, const BodyGeometry& geometry, BodyId id, std::vector<PinTie>& ties) {
  for (const PinDescription& pin : body.pins) {
    if (pin.follow.empty()) continue;
    if (geometry.tets)
      throw Error(ErrorPlace{.line = pin.line}, "pins of tetrahedra follow nothing", "leave out follow");
    ties.push_back({&body, id, pinned_vertices(pin, geometry), pin.follow});
  }
}

// What responses without a proof act between: where one is asked for, the fine surface on the vertices of the body.
DenseSurface searched_surface(const SceneDescription& scene, const MeshPtr& dense, const TriangleMesh& coarse) {
  const auto needs_none = [](const ResponseSettings& response) { return response.kind != ResponseKind::proof; };
  const bool is_asked_for = needs_none(scene.world.response) ||
                            std::any_of(scene.pairs.begin(), scene.pairs.end(),
                                        [&](const auto& pair) { return pair.response && needs_none(*pair.response); });
  if (!dense || !is_asked_for) return {};
  return {dense, std::make_shared<const RigidLinks>(dense->positions(), coarse.positions())};
}

void add_body(BuiltScene& built, const SceneDescription& scene, const BodyDescription& body,
              const BuildOptions& options, std::vector<PinTie>& ties) {
  const Table table{scene, body.lines, "body '" + body.name + "'"};
  const BodyGeometry made =
      table.at(source_key(body), [&] { return make_geometry(body, scene, options, built.notes); });
  const BodyGeometry geometry = table.at(place_key(body), [&] { return placed_geometry(made, body); });
  const std::vector<VertexId> pins = table.at("pins", [&] { return usable_pins(body, geometry); });
  std::unique_ptr<BodyModel> model =
      table.at(model_key(body), [&] { return std::visit(ModelMaker(scene, body, geometry, pins), body.model); });
  std::vector<Vec3> pinned;
  pinned.reserve(pins.size());
  for (const VertexId v : pins) pinned.push_back(geometry.positions()[v.index()]);
  table.at(body.velocity.isZero(0) ? "spin" : "velocity", [&] { set_in_motion(*model, body, pinned); });
  table.at(step_key(body), [&] { require_first_step(*model, scene); });
  const DenseSurface dense = searched_surface(scene, geometry.dense, *model->mesh());
  built.world.add(std::move(model),
                  {.name = body.name, .surface = body.surface, .self_collision = body.self_collision, .dense = dense});
  table.at("pins", [&] { collect_ties(body, geometry, BodyId(built.world.body_count() - 1), ties); });
  built.kinds.emplace_back(kind_of(body.model));
  built.dense.push_back(geometry.dense);
  note_fast_spin(scene, body, built.notes);
}

// Files are named after bodies.
std::string file_name(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

void add_replayed_bodies(BuiltScene& built, const SceneDescription& scene) {
  const MovingScene moving = make_scene(scene.replay->motion, scene.replay->settings);
  const KeyframeSettings keys{.frames_per_second = 1 / scene.world.frame_seconds};
  for (const MovingBody& body : moving.bodies) {
    built.world.add(std::make_unique<KeyframedBody>(body.mesh, body.motion, keys), {.name = file_name(body.name)});
    built.kinds.emplace_back("keyframed");
    built.dense.push_back(nullptr);
  }
  built.notes.emplace_back("nothing is simulated: bodies follow the motion '" + scene.replay->motion +
                           "', whatever they meet");
}

BodyId body_named(const SceneDescription& scene, const std::string& name) {
  const auto found =
      std::find_if(scene.bodies.begin(), scene.bodies.end(), [&](const auto& b) { return b.name == name; });
  return BodyId(static_cast<std::size_t>(found - scene.bodies.begin()));
}

void tie_pins(World& world, const SceneDescription& scene, const PinTie& tie) {
  const BodyId leader = body_named(scene, tie.leader);
  if (leader.index() >= scene.bodies.size())
    throw Error("there is no body '" + tie.leader + "' to follow", "name an obstacle of the scene");
  world.follow(tie.id, tie.pins, leader);
}

void add_pair(World& world, const SceneDescription& scene, const PairDescription& pair) {
  const BodyId a = body_named(scene, pair.a);
  const BodyId b = body_named(scene, pair.b);
  if (pair.ignore) world.ignore(a, b);
  else if (pair.response) world.set_response(a, b, *pair.response, pair.method);
  else world.set_method(a, b, pair.method);
}

std::string overlap_text(const World& world, const StartOverlap& overlap) {
  const std::string& a = world.name(overlap.a);
  const std::string who = overlap.a == overlap.b ? "'" + a + "' intersects itself"
                                                 : "'" + a + "' and '" + world.name(overlap.b) + "' overlap";
  return who + " (" + std::to_string(overlap.pairs) + " pairs of triangles)";
}

void settle_overlaps(World& world, const SceneDescription& scene, std::vector<std::string>& notes) {
  const std::vector<StartOverlap> found =
      scene.overlaps == StartOverlaps::separate ? world.resolve_overlaps() : world.overlaps();
  if (found.empty()) return;
  std::string list;
  for (const StartOverlap& overlap : found) list += (list.empty() ? "" : "; ") + overlap_text(world, overlap);
  if (scene.overlaps == StartOverlaps::allow) {
    notes.push_back("at the start, and left alone until they are apart: " + list);
    return;
  }
  const KeyLines& lines = scene.bodies[found[0].b.index()].lines;
  throw Error(ErrorPlace{.file = scene.file, .line = lines.of("position")}, "at the start " + list,
              "move them apart, or write overlaps = \"separate\" or \"allow\" under [world]");
}

}  // namespace

BuiltScene build_world(const SceneDescription& scene, const BuildOptions& options) {
  WorldSettings settings = scene.world;
  settings.threads = options.threads;
  BuiltScene built;
  // The other settings of the world were looked at when the scene was read.
  const Table world{scene, scene.world_lines, "the world"};
  world.at("method", [&] { built.world = World(settings); });
  if (scene.replay) add_replayed_bodies(built, scene);
  std::vector<PinTie> ties;
  for (const BodyDescription& body : scene.bodies) add_body(built, scene, body, options, ties);
  for (const PinTie& tie : ties)
    Table{scene, tie.body->lines, "body '" + tie.body->name + "'"}.at("pins",
                                                                      [&] { tie_pins(built.world, scene, tie); });
  for (const PairDescription& pair : scene.pairs)
    Table{scene, pair.lines, "a pair"}.at("method", [&] { add_pair(built.world, scene, pair); });
  settle_overlaps(built.world, scene, built.notes);
  return built;
}

std::vector<std::string> files_read_for(const SceneDescription& scene, const BuildOptions& options) {
  std::vector<std::string> files;
  if (!scene.file.empty()) files.push_back(scene.file);
  for (const auto& [name, file] : options.meshes) files.push_back(file);
  for (const BodyDescription& body : scene.bodies) {
    if (const auto mesh = mesh_file(body, scene, options)) files.push_back(*mesh);
    const auto* keyframed = std::get_if<KeyframedDescription>(&body.model);
    if (keyframed && !keyframed->file.empty())
      files.push_back((std::filesystem::path(scene.folder) / keyframed->file).string());
  }
  return files;
}

}  // namespace pliant
