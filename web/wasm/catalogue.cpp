#include "web/wasm/catalogue.h"

#include "pliant/bodies/materials.h"
#include "pliant/bodies/pressure_materials.h"
#include "pliant/detect/registry.h"
#include "pliant/scene/scene_library.h"
#include "pliant/version.h"

namespace pliant::web {
namespace {

void write_cameras(JsonWriter& json, const std::vector<Camera>& cameras) {
  json.key("cameras").begin_array();
  for (const Camera& camera : cameras) {
    json.begin_object().field("name", camera.name).field("position", camera.position);
    json.field("target", camera.target).field("angle", camera.angle).end_object();
  }
  json.end_array();
}

void write_scene(JsonWriter& json, const SceneSummary& summary) {
  const SceneDescription scene = library_scene(summary.name);
  json.begin_object().field("name", summary.name).field("title", summary.title);
  json.field("simulated", summary.simulated).field("bodies", summary.bodies).field("frames", summary.frames);
  json.key("triangles");
  if (summary.triangles)
    json.begin_array().value(summary.triangles->first).value(summary.triangles->second).end_array();
  else json.null();
  json.field("text", scene.text).field("method", scene.world.method);
  json.field("mode", scene.world.mode == Mode::paper ? "paper" : "safe");
  json.field("response", to_string(scene.world.response.kind));
  write_cameras(json, scene.cameras);
  json.end_object();
}

void write_setting(JsonWriter& json, const SettingInfo& setting) {
  constexpr const char* kTypes[] = {"flag", "whole", "real"};
  json.begin_object().field("name", setting.name).field("type", kTypes[static_cast<int>(setting.type)]);
  json.field("unit", setting.unit).field("effect", setting.effect).key("standard");
  std::visit([&](auto value) { json.value(value); }, setting.standard);
  json.field("least", setting.least).field("most", setting.most).end_object();
}

void write_method(JsonWriter& json, const MethodInfo& method) {
  json.begin_object().field("name", method.name).field("answers", method.answers);
  json.field("guarantee", method.guarantee).field("paper", method.paper).field("still", method.still);
  json.field("moving", method.moving).field("hasPaperMode", method.has_paper_mode).key("settings").begin_array();
  for (const SettingInfo& setting : method.settings) write_setting(json, setting);
  json.end_array().end_object();
}

template <class List, class WriteValues>
void write_materials(JsonWriter& json, const char* kind, const List& list, WriteValues&& write_values) {
  json.key(kind).begin_array();
  for (const auto& named : list) {
    json.begin_object().field("name", named.name).key("values").begin_object();
    write_values(named.material);
    json.end_object().end_object();
  }
  json.end_array();
}

void write_all_materials(JsonWriter& json) {
  json.begin_object();
  write_materials(json, "elastic", elastic_materials(), [&](const ElasticMaterial& m) {
    json.field("young", m.young).field("poisson", m.poisson).field("density", m.density);
    json.field("phi", m.phi).field("psi", m.psi);
  });
  write_materials(json, "cloth", cloth_materials(), [&](const ClothMaterial& m) {
    json.field("density", m.density).field("stretch", m.stretch).field("shear", m.shear);
    json.field("bending", m.bending).field("damping", m.damping).field("stretch_limit", m.stretch_limit);
  });
  write_materials(json, "pressure", pressure_materials(), [&](const PressureMaterial& m) {
    json.field("density", m.density).field("stiffness", m.stiffness).field("damping", m.damping);
    json.field("bending_stiffness", m.bending_stiffness).field("pressure", m.pressure).field("ambient", m.ambient);
  });
  json.end_object();
}

}  // namespace

void write_catalogue(Reply& reply) {
  JsonWriter& json = reply.json();
  json.begin_object().field("version", PLIANT_VERSION).key("scenes").begin_array();
  for (const SceneSummary& scene : scene_summaries()) write_scene(json, scene);
  json.end_array().key("methods").begin_array();
  for (const MethodInfo* method : methods()) write_method(json, *method);
  json.end_array().key("responses").begin_array();
  for (const std::string_view kind : response_kinds()) json.value(kind);
  json.end_array().key("materials");
  write_all_materials(json);
  json.end_object();
}

}  // namespace pliant::web
