// The options with which subcommands choose frames of a motion: the same words everywhere.
#pragma once

#include <cstddef>
#include <optional>

#include "app/command_line.h"
#include "pliant/io/motion_file.h"

namespace pliant::app {

struct MotionOptions {
  std::size_t first_frame = 0;       // the number of the first frame there is: start and end count from it
  std::optional<std::size_t> start;  // frames start, start + step, ... up to and including `end`; none: from the first
  std::optional<std::size_t> end;    // none: to the last
  std::size_t step = 1;
  double scale = 1;  // factor on every coordinate
  double fps = 24;   // frames per second of files that hold curves or seconds (glTF, MDD, .pvd)
};

// Adds --start, --end, --step, --scale and --fps. The options must outlive the command.
void add_motion_options(Command& command, MotionOptions& options);

// The first of them, as it is written, that is not what it is by default; null: none.
const char* first_changed(const MotionOptions& options);

// How many frames of the motion are left out at its beginning.
inline std::size_t skipped(const MotionOptions& options) {
  return options.start ? *options.start - options.first_frame : 0;
}

// For open_motion; `mesh` is what moves, or null. Throws Error if the end lies before the start, or the start before
// the first frame.
MotionReadOptions read_options(const MotionOptions& options, MeshPtr mesh);

}  // namespace pliant::app
