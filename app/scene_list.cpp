#include "app/scene_list.h"

#include "app/terminal.h"
#include "pliant/scene/scene_library.h"

namespace pliant::app {

std::string scene_list() {
  Table table({"scene", "bodies", "frames", "--triangles", "motion", "what happens"});
  for (const SceneSummary& scene : scene_summaries()) {
    const std::string sizes =
        scene.triangles ? fmt::format("{} to {}", grouped(scene.triangles->first), grouped(scene.triangles->second))
                        : "one size";
    table.add_row({scene.name, std::to_string(scene.bodies), std::to_string(scene.frames), sizes,
                   scene.simulated ? "simulated" : "made", scene.title});
  }
  return table.text();
}

}  // namespace pliant::app
