// The subcommands. Each adds itself to the command line and runs when chosen.
#pragma once

#include "app/command_line.h"

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

void add_bench(Command& app, Status& status);
void add_check(Command& app, Status& status);
void add_completion(Command& app, Status& status);
void add_convert(Command& app, Status& status);
void add_demo(Command& app, Status& status);
void add_man(Command& app, Status& status);
void add_methods(Command& app, Status& status);
void add_prepare(Command& app, Status& status);
void add_reproduce(Command& app, Status& status);
void add_run(Command& app, Status& status);
void add_view(Command& app, Status& status);

}  // namespace pliant::app
