// The options of `pliant check`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/motion_options.h"

namespace pliant::app {

struct CheckOptions {
  std::vector<std::string> meshes;
  std::vector<std::string> motions;    // files
  std::vector<std::size_t> motion_of;  // which mesh each belongs to
  MotionOptions frames;
  std::string times;
  bool at_frames = false;
  bool earliest = false;
  bool allow_initial = false;
  bool unproved = false;
  double min_separation = 0;
  bool no_self = false;
  bool no_weld = false;
  bool points = false;
  bool penetration = false;
  double weld_tolerance = 0;  // length; of STL files
  std::string split;          // empty: no; "auto": parts if there are any, else components; "parts"; "components"
  std::string method;         // empty: the best for what there is
  std::string mode = "safe";
  std::vector<std::string> settings;  // of the method: NAME=VALUE
  std::string budget;
  std::string search_budget;
  std::string pairs;
  std::optional<std::uint64_t> limit;
  std::string json;
  std::string contacts;
  std::string html;
  int threads = 0;
  bool quiet = false;
};

// The options must outlive the command.
void add_check_options(Command& command, CheckOptions& options);

// Which mesh a --motion belongs to: the one before it. Throws Error for one without a mesh, and for a second one.
void assign_motions(const Command& command, CheckOptions& options);

// Of the mesh of this number; null: it stands still.
const std::string* motion_file_of(const CheckOptions& options, std::size_t mesh);

// Throws Error, naming it, for an option that would do nothing because nothing moves.
void require_motion_for_its_options(const CheckOptions& options);

}  // namespace pliant::app
