#include "pliant/world/recording.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "pliant/core/stopwatch.h"
#include "pliant/detect/feature_vertices.h"
#include "pliant/io/decimal.h"
#include "pliant/io/file.h"
#include "pliant/io/mesh_file.h"
#include "pliant/world/penetration_left.h"

namespace pliant {
namespace {

std::string feature_text(const World& world, const Feature& feature) {
  if (feature.kind != FeatureKind::edge) return std::to_string(feature.id);
  const FeatureVertices edge = vertices_of(feature, *world.body(feature.body).mesh());
  return std::to_string(edge.vertex[0].value) + "-" + std::to_string(edge.vertex[1].value);
}

void add_vector(std::string& line, const Vec3& v) {
  for (const double coordinate : {v.x(), v.y(), v.z()}) {
    line += ',';
    append_decimal(line, coordinate, 9);
  }
}

constexpr std::string_view kContactHeader =
    "frame,kind,a,a_feature,b,b_feature,x,y,z,normal_x,normal_y,normal_z,force_x,force_y,force_z\n";
constexpr std::string_view kStatisticsColumns =
    "frame,outcome,pieces,impacts,searches,zones,halvings,inverted,asleep,predict,detect,respond,commit";

// Then, where some pairs are not proved, how deep the deepest is, m; and the energies of every body that gives way, J.
std::string statistics_header(const RunInfo& info) {
  std::string line(kStatisticsColumns);
  if (!info.unproved.empty()) line += ",penetration";
  for (const RunBody& body : info.bodies)
    if (!body.obstacle)
      for (const char* energy : {"kinetic", "elastic", "gravitational"}) line += "," + body.name + " " + energy;
  return line + '\n';
}

void add_up(RunTotals& totals, const FrameReport& report) {
  totals.searches += report.searches;
  totals.zones += report.zones;
  totals.halvings += report.halvings;
  totals.late += report.outcome == StepOutcome::out_of_budget ? 1 : 0;
  totals.seconds.predict += report.seconds.predict;
  totals.seconds.detect += report.seconds.detect;
  totals.seconds.respond += report.seconds.respond;
  totals.seconds.commit += report.seconds.commit;
}

std::string statistics_line(const RunInfo& info, const World& world, const FrameReport& r) {
  constexpr const char* kOutcomes[] = {"done", "out_of_budget", "diverged", "pinched"};
  std::string line;
  append_decimal(line, world.frame());
  (line += ',') += kOutcomes[static_cast<std::size_t>(r.outcome)];
  for (const std::uint64_t count :
       {r.pieces, r.impacts, r.searches, r.zones, r.halvings, r.inverted_elements, r.asleep}) {
    line += ',';
    append_integer(line, count);
  }
  for (const double seconds : {r.seconds.predict, r.seconds.detect, r.seconds.respond, r.seconds.commit}) {
    line += ',';
    append_decimal(line, seconds, 6);
  }
  if (!info.unproved.empty()) append_decimal(line += ',', info.penetration.last, 6);
  for (std::size_t b = 0; b < info.bodies.size(); ++b) {
    if (info.bodies[b].obstacle) continue;
    const BodyEnergy energy = energy_of(world.body(BodyId(b)));
    for (const double joule : {energy.kinetic, energy.elastic, energy.gravitational}) {
      line += ',';
      append_decimal(line, joule, 9);
    }
  }
  return line + '\n';
}

void note_penetration(RunInfo& info, const World& world) {
  const PenetrationLeft now = deepest_penetration(world);
  info.penetration.last = now.depth;
  if (!(now.depth > info.penetration.deepest)) return;
  info.penetration = {now.depth, world.frame(), info.bodies[now.a.index()].name, info.bodies[now.b.index()].name,
                      now.depth};
}

std::vector<NpyRows> open_motions(const std::string& folder, const World& world, AppendFile::Open how) {
  std::vector<NpyRows> motions;
  for (std::size_t b = 0; b < world.body_count(); ++b)
    motions.emplace_back(file_in(folder, world.name(BodyId(b)) + ".npy"), world.body(BodyId(b)).mesh()->vertex_count(),
                         how);
  return motions;
}

// Files are named after bodies.
void require_file_names(const std::vector<RunBody>& bodies) {
  std::set<std::string> names = {"run", "times"};
  for (const RunBody& body : bodies) {
    if (body.name.empty() || body.name.find_first_of("/\\") != std::string::npos)
      throw Error("a body named '" + body.name + "' cannot name a file", "use letters, digits, - and _");
    if (!names.insert(body.name).second)
      throw Error("the name '" + body.name + "' is taken in this recording", "give every body a name of its own");
  }
}

void describe_bodies(RunInfo& info, const World& world) {
  if (info.bodies.empty())
    for (std::size_t b = 0; b < world.body_count(); ++b) info.bodies.push_back({.name = world.name(BodyId(b))});
  if (info.bodies.size() != world.body_count())
    throw Error("a recording of " + std::to_string(info.bodies.size()) + " bodies, of a world with " +
                    std::to_string(world.body_count()),
                "describe every body, or none");
  for (std::size_t b = 0; b < info.bodies.size(); ++b) {
    const BodyModel& body = world.body(BodyId(b));
    info.bodies[b].name = world.name(BodyId(b));
    info.bodies[b].vertices = body.mesh()->vertex_count();
    info.bodies[b].triangles = body.mesh()->face_count();
    const bool is_obstacle =
        std::all_of(body.masses().begin(), body.masses().end(), [](double m) { return std::isinf(m); });
    info.bodies[b].obstacle = is_obstacle && !info.replayed;
  }
  require_file_names(info.bodies);
  info.following.clear();
  for (const World::FollowedBy& one : world.following()) {
    info.following.push_back({info.bodies[one.body.index()].name, info.bodies[one.leader.index()].name, {}});
    for (const VertexId pin : one.pins) info.following.back().pins.push_back(pin.value);
  }
  info.unproved.clear();
  for (const World::UnprovedPair& pair : world.unproved_pairs())
    info.unproved.push_back(
        {info.bodies[pair.a.index()].name, info.bodies[pair.b.index()].name, std::string(to_string(pair.response))});
}

}  // namespace

Recording::Recording(RecordingFolder folder, RunInfo info, const World& world, AppendFile::Open how)
    : folder_(std::move(folder)),
      info_(std::move(info)),
      saved_(info_),
      motions_(open_motions(folder_.path(), world, how)),
      times_(path("times.npy"), 0, how),
      contacts_(path("contacts.csv"), how),
      statistics_(path("statistics.csv"), how) {}

std::unique_ptr<Recording> Recording::begin(RecordingFolder folder, RunInfo info, const World& world) {
  info.frame_seconds = world.settings().frame_seconds;
  info.separation = world.separation();
  describe_bodies(info, world);
  // First of all, so that the folder is known for what it is, however early the run is killed.
  write_file(file_in(folder.path(), "run.json"), format_run(info));
  std::unique_ptr<Recording> made(new Recording(std::move(folder), std::move(info), world, AppendFile::Open::create));
  made->write_meshes(world);
  made->contacts_.append(kContactHeader);
  made->statistics_.append(statistics_header(made->info_));
  made->add_row(world, world.frame());
  made->mark(world);
  made->checkpoint(world, RunOutcome::running);
  return made;
}

std::unique_ptr<Recording> Recording::resume(RecordingFolder folder, RunInfo info, World& world) {
  std::unique_ptr<Recording> made(new Recording(std::move(folder), std::move(info), world, AppendFile::Open::go_on));
  made->require_same_bodies(world);
  const RunCheckpoint& last = made->info_.checkpoint;
  const std::string state = made->path(last.state_file);
  world.restore(parse_state(std::string(read_file(state).view()), state));
  made->cut(last.rows, last.contact_bytes, last.statistics_bytes);
  made->mark(world);
  return made;
}

void Recording::write_meshes(const World& world) const {
  for (std::size_t b = 0; b < world.body_count(); ++b)
    write_mesh(path(world.name(BodyId(b)) + ".ply"), *world.body(BodyId(b)).mesh());
}

// The scene may name files that have changed since.
void Recording::require_same_bodies(const World& world) const {
  for (std::size_t b = 0; b < world.body_count(); ++b) {
    const std::string file = path(world.name(BodyId(b)) + ".ply");
    const MeshPtr recorded = read_mesh(file);
    const TriangleMesh& now = *world.body(BodyId(b)).mesh();
    const auto x = recorded->positions();
    const auto faces = recorded->triangles();
    if (!std::equal(x.begin(), x.end(), now.positions().begin(), now.positions().end()) ||
        !std::equal(faces.begin(), faces.end(), now.triangles().begin(), now.triangles().end()))
      throw Error(ErrorPlace{.file = file}, "is not the mesh that the scene has now",
                  "a mesh file has changed: record anew");
  }
}

void Recording::add_row(const World& world, double frame) {
  for (std::size_t b = 0; b < motions_.size(); ++b) motions_[b].add(world.body(BodyId(b)).positions());
  times_.add(frame);
}

void Recording::piece(const World& world, double frame) {
  if (failure_) return;
  const SecondsInto watch(info_.totals.record_seconds);
  try {
    add_row(world, frame);
  } catch (const Error& error) {
    failure_ = error;
  }
}

void Recording::contact(const World& world, const WorldContact& found) {
  if (failure_) return;
  const SecondsInto watch(info_.totals.record_seconds);
  ++info_.totals.contacts;
  if (!info_.records_contacts) return;
  const Contact& c = found.impact.contact;
  std::string line;
  append_decimal(line, found.frame, 12);
  for (const std::string& cell :
       {std::string(to_string(c.kind())), std::string(world.name(c.a.body)), feature_text(world, c.a),
        std::string(world.name(c.b.body)), feature_text(world, c.b)})
    (line += ',') += cell;
  add_vector(line, c.point);
  add_vector(line, c.normal);
  add_vector(line, found.force);
  try {
    contacts_.append(line + "\n");
  } catch (const Error& error) {
    failure_ = error;
  }
}

void Recording::after(const World& world, const FrameReport& report) {
  const SecondsInto watch(info_.totals.record_seconds);
  if (failure_) throw Error(*failure_);
  if (!info_.unproved.empty()) note_penetration(info_, world);
  statistics_.append(statistics_line(info_, world, report));
  add_up(info_.totals, report);
  if (!info_.replayed && report.ok()) info_.health.frame_done(world, report);
  mark(world);
}

void Recording::mark(const World& world) {
  mark_ = {world.snapshot(), times_.rows(), contacts_.size(), statistics_.size(), info_.totals.contacts};
}

void Recording::back_to_last_step(World& world) {
  if (failure_) throw Error(*failure_);
  world.restore(mark_.state);
  cut(mark_.rows, mark_.contact_bytes, mark_.statistics_bytes);
  info_.totals.contacts = mark_.contacts;
}

void Recording::cut(std::uint64_t rows, std::uint64_t contact_bytes, std::uint64_t statistics_bytes) {
  for (NpyRows& motion : motions_) motion.cut(rows);
  times_.cut(rows);
  contacts_.cut(contact_bytes);
  statistics_.cut(statistics_bytes);
}

// Data first, then the state, then run.json, which makes them count.
void Recording::checkpoint(const World& world, RunOutcome outcome, const std::string& message) {
  const SecondsInto watch(info_.totals.record_seconds);
  for (NpyRows& motion : motions_) motion.flush();
  times_.flush();
  contacts_.flush();
  statistics_.flush();
  const RunCheckpoint last = info_.checkpoint;
  const std::string state_file = "state-" + std::to_string(mark_.rows - 1) + ".bin";
  write_file(path(state_file), format_state(mark_.state));
  RunInfo next = info_;
  next.checkpoint = {world.frame(),          mark_.rows, mark_.contact_bytes,
                     mark_.statistics_bytes, state_file, hash_of(mark_.state)};
  next.totals.pieces = mark_.rows - 1;
  next.outcome = outcome;
  next.message = message;
  // A world that has not chosen yet knows less than the run that is gone on with.
  const std::string in_use = world.method_in_use();
  if (next.method_in_use.empty() || in_use != "auto") next.method_in_use = in_use;
  write_file(path("run.json"), format_run(next));
  info_ = saved_ = std::move(next);
  std::error_code ignored;
  if (!last.state_file.empty() && last.state_file != state_file)
    std::filesystem::remove(path(last.state_file), ignored);
}

void Recording::back_to_checkpoint(const std::string& message) noexcept {
  try {
    const RunCheckpoint& last = saved_.checkpoint;
    cut(last.rows, last.contact_bytes, last.statistics_bytes);
    info_ = saved_;
    info_.outcome = RunOutcome::write_failed;
    info_.message = message;
    write_file(path("run.json"), format_run(info_));
  } catch (const std::exception&) {
    // The disk is so full that not even this fits: run.json of the last checkpoint stays, and is true.
  }
}

}  // namespace pliant
