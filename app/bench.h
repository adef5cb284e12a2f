// What the parts of `pliant bench` share: where reports go and what they say of the machine.
#pragma once

#include <memory>
#include <string>

#include "app/commands.h"
#include "pliant/io/file.h"
#include "pliant/io/json_writer.h"

namespace pliant::app {

// The target of --json: a file that appears complete or not at all, the standard output for "-", nothing for "".
class ReportFile {
 public:
  explicit ReportFile(const std::string& path);
  JsonWriter::Output output();
  bool is_standard_output() const { return standard_output_; }
  void commit();

 private:
  bool standard_output_;
  std::unique_ptr<OutputFile> file_;
};

// "machine": {...}, "commit": ...
void write_machine(JsonWriter& json);

// `pliant bench ccd`.
void add_bench_ccd(CLI::App& bench, Status& status);

}  // namespace pliant::app
