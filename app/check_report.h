// What `pliant check` shows people.
#pragma once

#include "app/commands.h"
#include "pliant/check/check_report.h"
#include "pliant/io/check_json.h"

namespace pliant::app {

// Tables of bodies, pairs and first contacts, then the answer.
void print_check(const CheckReport& report, const CheckSeconds& seconds);

ExitCode exit_code(Verdict verdict);

}  // namespace pliant::app
