#include "web/wasm/still_subjects.h"

#include <algorithm>

#include "pliant/core/error.h"
#include "pliant/mesh/defects.h"
#include "pliant/scene/scene_library.h"

namespace pliant::web {
namespace {

MovingScene chosen_motion(const JsonValue& choice) {
  const SceneDescription scene = library_scene(choice.at("scene").text());
  if (!scene.replay)
    throw Error("'" + scene.name + "' is simulated: it has no motion to be asked about at any time",
                "open it as a world");
  SceneSettings settings = scene.replay->settings;
  settings.frames = choice.value("frames", settings.frames);
  settings.triangles = choice.value("triangles", settings.triangles);
  settings.bodies = choice.value("bodies", settings.bodies);
  settings.seed = choice.value("seed", settings.seed);
  MovingScene made = make_scene(scene.replay->motion, settings);
  return choice.value("stored", false) ? with_stored_frames(made) : made;
}

}  // namespace

MotionSubject::MotionSubject(const JsonValue& choice) : scene_(chosen_motion(choice)) {}

std::vector<Vec3> MotionSubject::positions(std::size_t body, double time) const {
  const Frame frame = scene_.bodies[body].motion.positions_at(time);
  return {frame.positions().begin(), frame.positions().end()};
}

void MotionSubject::add_bodies(Look& look) const {
  for (const MovingBody& body : scene_.bodies) look.detector->add_body(body.mesh, body.motion);
}

// Methods that remember where they were go on only if the time does.
Interval MotionSubject::place_bodies(Look& look, double time) const {
  const Interval wanted = look.moving ? Interval{time, time + 1} : Interval::instant(time);
  if (look.placed && wanted.t0 < look.interval.t1) look.detector->reset(wanted.t0);
  look.placed = true;
  look.interval = wanted;
  return wanted;
}

void MotionSubject::write_opened(Reply& reply, int id) const {
  std::vector<BodyEntry> bodies;
  for (const MovingBody& body : scene_.bodies) bodies.push_back({.name = body.name, .kind = "keyframed"});
  reply.json().begin_object().field("kind", "motion");
  write_subject(reply, id, scene_.name, *this, bodies, {});
  reply.json().field("frames", scene_.frame_count()).end_object();
}

MeshSubject::MeshSubject(const JsonValue& files) {
  for (const JsonValue& file : files) files_.push_back(parse_mesh(bytes_of(file), file.at("name").text()));
  if (files_.empty()) throw Error("there is no file to open");
  moved_.resize(files_.size(), Vec3::Zero());
  for (std::size_t b = 0; b < files_.size(); ++b) x_t0_.push_back(positions(b, 0));
}

std::vector<Vec3> MeshSubject::positions(std::size_t body, double) const {
  const auto rest = files_[body].mesh->positions();
  std::vector<Vec3> result(rest.begin(), rest.end());
  for (Vec3& p : result) p += moved_[body];
  return result;
}

void MeshSubject::add_bodies(Look& look) const {
  for (std::size_t b = 0; b < files_.size(); ++b)
    look.detector->add_body(files_[b].mesh, Motion::at_rest(Frame::own(positions(b, 0))));
}

Interval MeshSubject::place_bodies(Look& look, double) const {
  if (look.placed && look.version == version_) return look.interval;
  const double end = static_cast<double>(version_);
  look.interval = look.moving ? Interval{end - 1, end} : Interval::instant(end);
  for (std::size_t b = 0; b < files_.size(); ++b) {
    const std::vector<Vec3> x_t1 = positions(b, 0);
    if (look.moving) look.detector->set_step(BodyId(b), x_t0_[b], x_t1, look.interval);
    else look.detector->set_positions(BodyId(b), x_t1);
  }
  look.placed = true;
  look.version = version_;
  return look.interval;
}

void MeshSubject::move(std::size_t body, const Vec3& by) {
  if (!by.allFinite()) throw Error("a body is moved by three numbers");
  for (std::size_t b = 0; b < files_.size(); ++b) x_t0_[b] = positions(b, 0);
  moved_[body] = by;
  ++version_;
}

void MeshSubject::write_opened(Reply& reply, int id) const {
  std::vector<BodyEntry> bodies;
  std::vector<std::string> notes;
  for (const MeshFile& file : files_) {
    const std::string& name = file.mesh->origin().name;
    bodies.push_back({.name = name, .kind = "mesh"});
    for (const std::string& warning : file.warnings) notes.push_back(name + ": " + warning);
    for (const std::string& dropped : file.dropped) notes.push_back(name + ": its " + dropped + " are not used");
  }
  JsonWriter& json = reply.json();
  json.begin_object().field("kind", "meshes");
  write_subject(reply, id, bodies[0].name, *this, bodies, notes);
  json.key("defects").begin_array();
  for (const MeshFile& file : files_) {
    const DefectReport found = find_defects(*file.mesh, {.places = 0, .welded = true});
    json.begin_object().field("closed", found.closed()).field("manifold", found.manifold());
    json.field("boundaryEdges", found.boundary_edges.count).field("nonManifoldEdges", found.nonmanifold_edges.count);
    json.field("duplicateFaces", found.duplicate_faces.count);
    json.field("degenerateFaces", found.zero_area_faces.count + found.repeated_index_faces.count);
    json.field("unreferencedVertices", found.unreferenced_vertices.count).end_object();
  }
  json.end_array().end_object();
}

}  // namespace pliant::web
