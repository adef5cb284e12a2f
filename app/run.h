// What `pliant run` does, for other subcommands too.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pliant::app {

struct RunOptions {
  std::string scene;
  std::string out;
  std::string resume;
  std::optional<int> frames;
  std::string method;
  std::optional<std::string> budget;
  std::vector<std::string> meshes;  // NAME=FILE
  int threads = 0;
  bool list = false;
  bool force = false;
  bool no_contacts = false;
  bool pc2 = false;
  bool gltf = false;
  std::string json;
  bool quiet = false;
};

// Simulates, records and reports; returns the exit status. Throws Error for bad options and scenes.
int run_scene(const RunOptions& options);

}  // namespace pliant::app
