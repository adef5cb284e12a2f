#include "pliant/world/run_folder.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "pliant/core/error.h"
#include "pliant/io/decimal.h"
#include "pliant/io/file.h"
#include "pliant/io/json_value.h"
#include "pliant/io/json_writer.h"

namespace pliant {
namespace {

constexpr const char* kSchema = "pliant.run/1";
constexpr std::array<const char*, 7> kOutcomes = {"running", "done",          "interrupted", "diverged",
                                                  "pinched", "out_of_budget", "write_failed"};

// Metres, of the pairs that are not proved.
void write_penetration(JsonWriter& json, const RunPenetration& left) {
  json.new_line().key("penetration").begin_object().field("deepest", left.deepest).field("frame", left.frame);
  json.field("a", left.a).field("b", left.b).field("last", left.last).end_object();
}

void write_bodies(JsonWriter& json, const RunInfo& info) {
  json.new_line().key("bodies").begin_array();
  for (const RunBody& body : info.bodies) {
    json.new_line().begin_object().field("name", body.name).field("kind", body.kind);
    json.field("mesh", body.name + ".ply").field("motion", body.name + ".npy");
    json.field("vertices", body.vertices).field("triangles", body.triangles);
    json.field("self_collision", body.self_collision).field("obstacle", body.obstacle);
    if (body.dense) {
      json.key("dense")
          .begin_object()
          .field("mesh", body.name + ".dense.ply")
          .field("motion", body.name + ".dense.npy");
      json.field("vertices", body.dense->vertices).field("triangles", body.dense->triangles).end_object();
    }
    json.end_object();
  }
  json.end_array().new_line().key("ignored_pairs").begin_array();
  for (const auto& [a, b] : info.ignored) json.begin_array().value(a).value(b).end_array();
  json.end_array().new_line().key("unproved_pairs").begin_array();
  for (const RunInfo::UnprovedPair& pair : info.unproved)
    json.begin_object().field("a", pair.a).field("b", pair.b).field("response", pair.response).end_object();
  json.end_array();
  if (!info.unproved.empty()) write_penetration(json, info.penetration);
  json.new_line().key("following").begin_array();
  for (const RunInfo::FollowingBody& one : info.following) {
    json.begin_object().field("body", one.body).field("leader", one.leader).key("pins").begin_array();
    for (const std::uint32_t pin : one.pins) json.value(pin);
    json.end_array().end_object();
  }
  json.end_array();
}

void write_totals(JsonWriter& json, const RunTotals& totals) {
  json.new_line().key("totals").begin_object().field("pieces", totals.pieces).field("contacts", totals.contacts);
  json.field("searches", totals.searches).field("zones", totals.zones).field("halvings", totals.halvings);
  json.field("late", totals.late).end_object();
  json.new_line().key("seconds").begin_object().field("predict", totals.seconds.predict);
  json.field("detect", totals.seconds.detect).field("respond", totals.seconds.respond);
  json.field("commit", totals.seconds.commit).field("record", totals.record_seconds).end_object();
}

void write_warnings(JsonWriter& json, const RunInfo& info) {
  json.new_line().key("warnings").begin_array();
  for (const RunWarning& warning : info.warnings()) {
    json.new_line().begin_object().key("body");
    if (warning.body.empty()) json.null();
    else json.value(warning.body);
    json.field("frame", warning.frame).field("what", warning.what).field("remedy", warning.remedy).end_object();
  }
  json.end_array();
}

void write_involved(JsonWriter& json, const char* name, const BodiesInvolved& bodies) {
  if (bodies) json.key(name).begin_array().value(bodies->first.value).value(bodies->second.value).end_array();
}

// What a resumed run goes on watching with.
void write_health(JsonWriter& json, const RunHealth& health) {
  json.new_line().key("health").begin_object().key("bodies").begin_array();
  for (const BodyHealth& body : health.bodies) {
    json.new_line().begin_object().field("inverted", body.inverted).field("most_inverted", body.most_inverted);
    json.field("most_inverted_frame", body.most_inverted_frame).field("stretch", body.stretch);
    json.field("stretch_frame", body.stretch_frame).field("stretch_limit", body.stretch_limit);
    json.field("energy", body.energy).end_object();
  }
  json.end_array().new_line().field("knows_energy", health.knows_energy);
  json.field("least_energy", health.least_energy).field("most_kinetic", health.most_kinetic);
  json.field("energy_gained", health.energy_gained).field("energy_frame", health.energy_frame);
  if (health.energy_body.valid()) json.field("energy_body", health.energy_body.value);
  json.field("zones", health.zones).field("zones_frame", health.zones_frame);
  write_involved(json, "zones_bodies", health.zones_bodies);
  json.field("halvings", health.halvings).field("halvings_frame", health.halvings_frame);
  write_involved(json, "halvings_bodies", health.halvings_bodies);
  json.end_object();
}

void write_checkpoint(JsonWriter& json, const RunCheckpoint& checkpoint) {
  json.new_line().key("checkpoint").begin_object().field("frame", checkpoint.frame).field("rows", checkpoint.rows);
  json.field("contact_bytes", checkpoint.contact_bytes).field("statistics_bytes", checkpoint.statistics_bytes);
  json.field("state", checkpoint.state_file).end_object();
  json.field("hash", hexadecimal(checkpoint.hash));
}

void write_cameras(JsonWriter& json, const std::vector<Camera>& cameras) {
  if (cameras.empty()) return;
  json.key("cameras").begin_array();
  for (const Camera& camera : cameras) {
    json.begin_object().field("name", camera.name).field("position", camera.position);
    json.field("target", camera.target).field("angle", camera.angle).end_object();
  }
  json.end_array();
}

void write_scene(JsonWriter& json, const RunInfo& info) {
  json.field("scene", info.scene).field("scene_file", info.scene_file).field("scene_folder", info.scene_folder);
  json.key("meshes").begin_object();
  for (const auto& [name, file] : info.meshes) json.field(name, file);
  json.end_object().new_line().field("frames", info.frames).field("frames_done", std::floor(info.checkpoint.frame));
  json.field("frame_seconds", info.frame_seconds).field("fps", info.fps());
  json.field("method", info.method).field("method_in_use", info.method_in_use).field("separation", info.separation);
  json.field("mode", info.mode);
  if (!info.response.empty()) json.field("response", info.response);
  json.key("budget_seconds");
  if (info.budget_seconds) json.value(*info.budget_seconds);
  else json.null();
  if (info.search_seconds) json.field("search_seconds", *info.search_seconds);
  json.field("records_contacts", info.records_contacts).field("replayed", info.replayed);
  write_cameras(json, info.cameras);
}

using Json = JsonValue;

RunTotals read_totals(const Json& json) {
  RunTotals totals;
  const Json& counts = json.at("totals");
  totals.pieces = counts.at("pieces");
  totals.contacts = counts.at("contacts");
  totals.searches = counts.at("searches");
  totals.zones = counts.at("zones");
  totals.halvings = counts.at("halvings");
  totals.late = counts.at("late");
  const Json& seconds = json.at("seconds");
  totals.seconds = {seconds.at("predict"), seconds.at("detect"), seconds.at("respond"), seconds.at("commit")};
  totals.record_seconds = seconds.at("record");
  return totals;
}

BodyHealth read_body_health(const Json& json) {
  const BodyHealth none;
  return {.inverted = json.value("inverted", none.inverted),
          .most_inverted = json.value("most_inverted", none.most_inverted),
          .most_inverted_frame = json.value("most_inverted_frame", none.most_inverted_frame),
          .stretch = json.value("stretch", none.stretch),
          .stretch_frame = json.value("stretch_frame", none.stretch_frame),
          .stretch_limit = json.value("stretch_limit", none.stretch_limit),
          .energy = json.value("energy", none.energy)};
}

BodiesInvolved read_involved(const Json& json, const char* name) {
  const Json* found = json.find(name);
  if (!found) return std::nullopt;
  return std::pair{BodyId(found->at(0).get<std::uint32_t>()), BodyId(found->at(1).get<std::uint32_t>())};
}

// Gains are measured by the largest kinetic energy: where that was not recorded, energy is watched anew.
void read_energy(const Json& json, RunHealth& health) {
  if (!json.contains("most_kinetic")) return;
  health.most_kinetic = json.at("most_kinetic");
  health.knows_energy = json.value("knows_energy", health.knows_energy);
  health.least_energy = json.value("least_energy", health.least_energy);
  health.energy_gained = json.value("energy_gained", health.energy_gained);
  health.energy_frame = json.value("energy_frame", health.energy_frame);
  if (const auto body = json.find("energy_body")) health.energy_body = BodyId(body->get<std::uint32_t>());
}

// Recordings of earlier versions lack some or all of it: that is watched from where they are resumed.
RunHealth read_health(const Json& run) {
  RunHealth health;
  const auto found = run.find("health");
  if (!found) return health;
  const Json& json = *found;
  if (const auto bodies = json.find("bodies"))
    for (const Json& body : *bodies) health.bodies.push_back(read_body_health(body));
  read_energy(json, health);
  health.zones = json.value("zones", health.zones);
  health.zones_frame = json.value("zones_frame", health.zones_frame);
  health.zones_bodies = read_involved(json, "zones_bodies");
  health.halvings = json.value("halvings", health.halvings);
  health.halvings_frame = json.value("halvings_frame", health.halvings_frame);
  health.halvings_bodies = read_involved(json, "halvings_bodies");
  return health;
}

RunCheckpoint read_checkpoint(const Json& json) {
  const Json& c = json.at("checkpoint");
  RunCheckpoint checkpoint{.frame = c.at("frame"),
                           .rows = c.at("rows"),
                           .contact_bytes = c.at("contact_bytes"),
                           .statistics_bytes = c.at("statistics_bytes"),
                           .state_file = c.at("state")};
  checkpoint.hash = std::stoull(json.at("hash").get<std::string>(), nullptr, 16);
  return checkpoint;
}

RunBody read_body(const Json& json) {
  RunBody body{.name = json.at("name"),
               .kind = json.at("kind"),
               .vertices = json.at("vertices"),
               .triangles = json.at("triangles"),
               .self_collision = json.at("self_collision"),
               .obstacle = json.at("obstacle")};
  if (body.name.find_first_of("/\\") != std::string::npos) throw std::out_of_range("the name of a body is a path");
  if (const auto dense = json.find("dense")) body.dense = RunDense{dense->at("vertices"), dense->at("triangles")};
  return body;
}

Vec3 read_vector(const Json& json) { return {json.at(0), json.at(1), json.at(2)}; }

Camera read_camera(const Json& json) {
  return {json.at("name"), read_vector(json.at("position")), read_vector(json.at("target")), json.at("angle")};
}

RunInfo parse_run(const Json& json) {
  RunInfo info;
  info.scene = json.at("scene");
  info.scene_file = json.at("scene_file");
  info.scene_folder = json.at("scene_folder");
  info.scene_text = json.at("scene_text");
  const Json& meshes = json.at("meshes");
  for (const std::string& name : meshes.names()) info.meshes[name] = meshes.at(name).text();
  info.frames = json.at("frames");
  info.frame_seconds = json.at("frame_seconds");
  info.method = json.at("method");
  info.method_in_use = json.at("method_in_use");
  info.mode = json.value("mode", info.mode);
  info.response = json.value("response", std::string());
  info.separation = json.at("separation");
  if (const auto seconds = json.find("search_seconds")) info.search_seconds = seconds->get<double>();
  if (!json.at("budget_seconds").is_null()) info.budget_seconds = json.at("budget_seconds").get<double>();
  info.records_contacts = json.at("records_contacts");
  info.replayed = json.value("replayed", false);
  for (const Json& body : json.at("bodies")) info.bodies.push_back(read_body(body));
  if (const auto cameras = json.find("cameras"))
    for (const Json& camera : *cameras) info.cameras.push_back(read_camera(camera));
  for (const Json& pair : json.at("ignored_pairs")) info.ignored.emplace_back(pair.at(0), pair.at(1));
  if (const auto unproved = json.find("unproved_pairs"))
    for (const Json& pair : *unproved) info.unproved.push_back({pair.at("a"), pair.at("b"), pair.at("response")});
  if (const auto left = json.find("penetration"))
    info.penetration = {left->at("deepest"), left->at("frame"), left->at("a"), left->at("b"), left->at("last")};
  if (const auto following = json.find("following"))
    for (const Json& one : *following) {
      info.following.push_back({one.at("body"), one.at("leader"), {}});
      for (const Json& pin : one.at("pins")) info.following.back().pins.push_back(pin);
    }
  info.totals = read_totals(json);
  info.health = read_health(json);
  info.checkpoint = read_checkpoint(json);
  const auto outcome = std::find(kOutcomes.begin(), kOutcomes.end(), json.at("outcome").get<std::string>());
  if (outcome == kOutcomes.end()) throw std::out_of_range("outcome");
  info.outcome = static_cast<RunOutcome>(outcome - kOutcomes.begin());
  info.message = json.at("message");
  return info;
}

}  // namespace

std::vector<RunWarning> RunInfo::warnings() const {
  std::vector<std::string> names;
  for (const RunBody& body : bodies) names.push_back(body.name);
  return warnings_of(health, names);
}

const char* to_string(RunOutcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

std::string penetration_in_words(const RunInfo& info) {
  if (info.unproved.empty()) return {};
  const RunPenetration& left = info.penetration;
  const std::string nothing = "nothing is proved of them; ";
  if (left.a.empty()) return nothing + "none was found inside another";
  char text[80];
  std::snprintf(text, sizeof text, "at worst %.3g m deep (frame %.6g, ", left.deepest, left.frame);
  const std::string worst = text;
  std::snprintf(text, sizeof text, "), %.3g m at the end", left.last);
  return nothing + worst + left.a + " and " + left.b + text;
}

bool is_run_folder(const std::string& folder) {
  std::error_code problem;  // a folder that cannot be looked into is none
  return std::filesystem::is_regular_file(file_in(folder, "run.json"), problem);
}

std::string file_in(const std::string& folder, const std::string& file) {
  return (std::filesystem::path(folder) / file).string();
}

std::vector<std::string> files_of(const RunInfo& info) {
  std::vector<std::string> files = {"run.json",     "run.glb",        "times.npy",
                                    "contacts.csv", "statistics.csv", info.checkpoint.state_file};
  for (const RunBody& body : info.bodies)
    for (const char* extension : {".ply", ".npy", ".pc2", ".glb"}) {
      files.push_back(body.name + extension);
      if (body.dense) files.push_back(body.name + ".dense" + extension);
    }
  return files;
}

RunInfo read_run(const std::string& folder) {
  RunInfo info = read_unfinished_run(folder);
  if (info.checkpoint.rows == 0)
    throw Error(ErrorPlace{.file = folder}, "holds a run that was ended before its first frame", "record anew");
  return info;
}

RunInfo read_unfinished_run(const std::string& folder) {
  const std::string path = file_in(folder, "run.json");
  const ErrorPlace place{.file = path};
  const FileBytes bytes = read_file(path);
  try {
    const Json json = Json::parse(bytes.view());
    if (json.at("schema").text() != kSchema)
      throw Error(place, "is of another version: " + json.at("schema").text(),
                  std::string("this one reads ") + kSchema);
    return parse_run(json);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& problem) {
    throw Error(place, std::string("is damaged: ") + problem.what(), "remove the folder, and record anew");
  }
}

std::string format_run(const RunInfo& info) {
  std::string text;
  JsonWriter json([&](std::string_view chunk) { text += chunk; });
  json.begin_object().field("schema", kSchema);
  json.field("outcome", to_string(info.outcome)).field("message", info.message).new_line();
  write_scene(json, info);
  write_bodies(json, info);
  write_totals(json, info.totals);
  write_warnings(json, info);
  write_health(json, info.health);
  write_checkpoint(json, info.checkpoint);
  json.new_line().field("scene_text", info.scene_text).end_object().new_line();
  json.flush();
  return text;
}

}  // namespace pliant
