// Benchmark programs that write one result file, in named parts.
#pragma once

#include <cstdio>
#include <fstream>
#include <span>
#include <string>

#include "bench/bench_context.h"
#include "pliant/io/json_writer.h"

namespace pliant::bench {

struct BenchPart {
  std::string name;
  void (*measure)(JsonWriter&);  // writes one key and its rows
};

// PROGRAM OUT.json [PART...]: all parts without names. What is known of commit and machine comes from bench/run.
inline int run_parts(std::span<char* const> arguments, const std::string& schema, std::span<const BenchPart> parts) {
  if (arguments.size() < 2) return std::fprintf(stderr, "usage: %s OUT.json [PART...]\n", arguments[0]), 2;
  std::ofstream out(arguments[1]);
  JsonWriter json([&](std::string_view text) { out << text; });
  json.begin_object().field("schema", schema);
  for (const auto& [name, value] : bench_context()) json.field(name, value);
  for (const BenchPart& part : parts) {
    bool wanted = arguments.size() == 2;
    for (const char* name : arguments.subspan(2)) wanted = wanted || part.name == name;
    if (!wanted) continue;
    std::fprintf(stderr, "%s\n", part.name.c_str());
    part.measure(json);
    json.flush();
  }
  json.new_line().end_object().new_line();
  json.flush();
  return 0;
}

}  // namespace pliant::bench
