// The scene that a page asks for, with its choices put in.
#include <algorithm>

#include "pliant/core/error.h"
#include "pliant/io/decimal.h"
#include "pliant/scene/run_scene.h"
#include "pliant/scene/scene_library.h"
#include "web/wasm/settings.h"
#include "web/wasm/world_subject.h"

namespace pliant::web {
namespace {

template <class List>
auto* find_material(const List& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
  return found == list.end() ? nullptr : &found->material;
}

// Whether the body takes a material of that name.
bool give_material(BodyDescription& body, const std::string& name) {
  const auto give = [&](auto& settings, const auto& list) {
    const auto* material = find_material(list, name);
    if (material) settings.material = *material;
    return material != nullptr;
  };
  if (auto* fem = std::get_if<FemSettings>(&body.model)) return give(*fem, elastic_materials());
  if (auto* cloth = std::get_if<ClothBodySettings>(&body.model)) return give(*cloth, cloth_materials());
  if (auto* gas = std::get_if<PressureSettings>(&body.model)) return give(*gas, pressure_materials());
  return false;
}

void apply_materials(const JsonValue& materials, SceneDescription& scene) {
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const std::string& who = materials.names()[i];
    const std::string& name = materials.begin()[i].text();
    bool taken = false;
    for (BodyDescription& body : scene.bodies)
      if (who == "*" || who == body.name) taken = give_material(body, name) || taken;
    if (!taken)
      throw Error("no body " + (who == "*" ? std::string("of the scene") : "'" + who + "'") + " takes the material '" +
                      name + "'",
                  "choose one of its kind: elastic for fem, cloth, or pressure");
  }
}

SceneDescription scene_as_it_is(const JsonValue& choice) {
  if (choice.contains("text"))
    return parse_scene(choice.at("text").text(), choice.value("name", std::string("scene.toml")));
  return library_scene(choice.at("scene").text());
}

}  // namespace

SceneDescription chosen_scene(const JsonValue& choice) {
  SceneDescription scene = scene_as_it_is(choice);
  RunSceneSettings settings;
  settings.method = choice.value("method", std::string());
  settings.mode = choice.value("mode", std::string());
  settings.response = choice.value("response", std::string());
  if (const JsonValue* chosen = choice.find("settings")) settings.method_settings = settings_in_words(*chosen);
  if (choice.contains("searchMs")) settings.search_seconds = 1e-3 * choice.at("searchMs").get<double>();
  if (choice.contains("triangles")) settings.triangles = choice.at("triangles").get<std::size_t>();
  if (choice.contains("frames")) settings.frames = choice.at("frames").get<int>();
  apply(settings, scene);
  if (const JsonValue* materials = choice.find("material")) apply_materials(*materials, scene);
  return scene;
}

}  // namespace pliant::web
