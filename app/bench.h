// What the parts of `pliant bench` share: what reports say of the machine.
#pragma once

#include "app/commands.h"
#include "app/report_file.h"
#include "pliant/io/json_writer.h"

namespace pliant::app {

// "machine": {...}, "commit": ...
void write_machine(JsonWriter& json);

// `pliant bench ccd`.
void add_bench_ccd(Command& bench, Status& status);
// `pliant bench budgets`.
void add_bench_budgets(Command& bench, Status& status);
// `pliant bench map`.
void add_bench_map(Command& bench, Status& status);
// `pliant bench scaling`.
void add_bench_scaling(Command& bench, Status& status);
// `pliant bench run`.
void add_bench_run(Command& bench, Status& status);

}  // namespace pliant::app
