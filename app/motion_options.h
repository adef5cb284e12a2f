// The options with which subcommands choose frames of a motion: the same words everywhere.
#pragma once

#include <cstddef>
#include <optional>

#include "app/command_line.h"
#include "pliant/io/motion_file.h"

namespace pliant::app {

struct MotionOptions {
  std::size_t start = 0;           // frames start, start + step, ... up to and including `end`, counted from 0
  std::optional<std::size_t> end;  // none: to the last
  std::size_t step = 1;
  double scale = 1;  // factor on every coordinate
  double fps = 24;   // frames per second of files that hold curves or seconds (glTF, MDD, .pvd)
};

// Adds --start, --end, --step, --scale and --fps. The options must outlive the command.
void add_motion_options(Command& command, MotionOptions& options);

// The first of them, as it is written, that is not what it is by default; null: none.
const char* first_changed(const MotionOptions& options);

// For open_motion; `mesh` is what moves, or null. Throws Error if the end lies before the start.
MotionReadOptions read_options(const MotionOptions& options, MeshPtr mesh);

}  // namespace pliant::app
