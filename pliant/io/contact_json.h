// Contacts as JSON, the form that `pliant check --json` and the Python module share.
#pragma once

#include "pliant/check/check_report.h"
#include "pliant/io/json_writer.h"

namespace pliant {

// {"time":..,"kind":..,"relation":..,"initial":..,"a":{..},"b":{..},"point":[..],"normal":[..],"depth":..}
// Features carry indices as in the input file, counted from 0: triangle (with `face`, the file's polygon, where that is
// another number), vertex, edge [i, j], or region with centre and radius.
void write_json(JsonWriter& json, const Contact& contact, const Detector& detector);

// The same with the features' parts, and "from_start", "excused", "continued" where they are true.
void write_json(JsonWriter& json, const NamedContact& contact);

// {"triangle_tests":..,..}
void write_json(JsonWriter& json, const Counters& counters);

}  // namespace pliant
