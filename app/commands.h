// The subcommands. Each adds itself to the command line and runs when chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace pliant::app {

// Exit status of every subcommand.
enum ExitCode : int {
  kDone = 0,         // nothing collides / done
  kCollides = 1,     // `check` found collisions
  kBadInput = 2,     // bad usage or input
  kNotFinished = 3,  // stopped before the answer was known
};

// Where a subcommand leaves its exit status.
using Status = int;

void add_bench(CLI::App& app, Status& status);
void add_check(CLI::App& app, Status& status);
void add_convert(CLI::App& app, Status& status);
void add_demo(CLI::App& app, Status& status);
void add_methods(CLI::App& app, Status& status);
void add_prepare(CLI::App& app, Status& status);
void add_run(CLI::App& app, Status& status);

}  // namespace pliant::app
