// Scenes to simulate, as text (TOML): bodies, what they are made of, how they meet. docs/scenes.md has the format.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pliant/bodies/cloth.h"
#include "pliant/bodies/fem.h"
#include "pliant/bodies/pressure.h"
#include "pliant/bodies/rigid.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/scene/scene.h"
#include "pliant/scene/stand_ins.h"
#include "pliant/scene/walking_figure.h"
#include "pliant/world/camera.h"
#include "pliant/world/world.h"

namespace pliant {

// A surface or volume that is made, not read.
using ShapeDescription =
    std::variant<std::monostate, GridSettings, DiscSettings, BowlSettings, BoxSettings, IcosphereSettings,
                 UvSphereSettings, TorusSettings, CapsuleSettings, CylinderSettings, TeapotSettings, TetBoxSettings,
                 StandInSettings, FigureSettings, SkirtSettings>;

// Where the keys of a table stand in the scene's file, for errors.
struct KeyLines {
  std::uint64_t table = 0;
  std::map<std::string, std::uint64_t, std::less<>> keys;

  std::uint64_t of(std::string_view key) const {
    const auto found = keys.find(key);
    return found == keys.end() ? table : found->second;
  }
};

// Where a body stands: first fitted, then scaled, turned about the origin, moved.
struct Placement {
  double fit = 0;  // m: centred at the origin, its largest extent as long as this; 0: as it is
  double scale = 1;
  Vec3 axis = Vec3::UnitZ();
  double degrees = 0;
  Vec3 position = Vec3::Zero();  // m
};

// Vertices in a box (of the placed body), by number, or all on open edges.
struct PinDescription {
  Eigen::AlignedBox3d box;
  bool border = false;
  std::vector<VertexId> vertices;
  std::string follow;  // the obstacle that it is tied to; empty: it stays where it is
  std::uint64_t line = 0;
};

struct Spin {
  Vec3 axis = Vec3::UnitZ();
  double turns_per_second = 0;  // about the middle of the body
};

// What an obstacle does for a while, after what it did before.
struct MotionPhase {
  double seconds = 0;  // infinite: from then on
  Vec3 velocity = Vec3::Zero();
  Spin spin;
};

struct KeyframedDescription {
  std::string file;      // a motion file; or
  double file_fps = 24;  // its frames per second
  std::vector<MotionPhase> phases;
  std::optional<Walk> walk;  // of a figure, in place of phases
};
struct FixedDescription {};

// Settings of the models: without their pins, with the scene's gravity.
using ModelDescription = std::variant<FemSettings, PressureSettings, ClothBodySettings, KeyframedDescription,
                                      FixedDescription, RigidSettings>;

struct BodyDescription {
  std::string name;  // letters, digits, - and _: files are named after it
  KeyLines lines;
  ModelDescription model;
  std::string mesh;        // a file, relative to the scene's folder, or the name of one that is looked up; empty: none
  ShapeDescription shape;  // in place of a mesh, or of a named one that is not found
  std::size_t coarse = 0;  // faces of the simpler surface that is made of it, as `pliant prepare` does; 0: as it is
  bool dense = true;       // the fine surface that it was made from follows it, for the eye
  Placement placement;
  std::vector<PinDescription> pins;
  Surface surface;
  bool self_collision = true;
  Vec3 velocity = Vec3::Zero();  // m/s, at the start
  Spin spin;                     // likewise
};

struct PairDescription {
  std::string a, b;
  bool ignore = false;
  std::string method;                        // empty: the world's
  std::optional<ResponseSettings> response;  // none: the world's
  KeyLines lines;
};

// A motion that all bodies of the scene follow, whatever they meet (make_scene): nothing is simulated.
struct ReplayDescription {
  std::string motion;
  SceneSettings settings;
};

// What is done about bodies that overlap before the first step.
enum class StartOverlaps { refuse, separate, allow };

struct SceneDescription {
  std::string name;    // of the file, without folder and extension
  std::string file;    // as errors name it
  std::string folder;  // where its files are
  std::string text;    // all of it
  std::string title;   // a line for people
  int frames = 300;
  WorldSettings world;
  KeyLines world_lines;
  std::optional<double> budget_seconds;  // for one call of step()
  StartOverlaps overlaps = StartOverlaps::refuse;
  std::vector<BodyDescription> bodies;  // none if it is replayed
  std::vector<PairDescription> pairs;
  std::optional<ReplayDescription> replay;
  std::vector<Camera> cameras;  // the first one first
};

// Throw Error, naming file, line and key, for what cannot be understood: unknown keys (with the nearest known one),
// wrong units, values out of range, bodies of one name. Meshes are looked at when the world is built.
SceneDescription parse_scene(std::string_view text, const std::string& file);
SceneDescription read_scene(const std::string& path);

// Another size or length for a scene that is replayed; its text says so from then on. Throws Error for a scene of
// bodies, which has one size, and for settings out of range.
void set_replay(SceneDescription& scene, const SceneSettings& settings);

}  // namespace pliant
