// Where the reports of subcommands go, and whether they got there.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

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

// What was to be said cannot be written: a full disk, a closed descriptor.
class StandardOutputError : public std::runtime_error {
 public:
  // `error` as in errno; 0: the reason is no longer known.
  explicit StandardOutputError(int error);
};

// Throws StandardOutputError at the first text that cannot be written, so that long work ends there.
void write_standard_output(std::string_view text);

// To be called once, at the end: the last of it may be written only here. Throws StandardOutputError if anything that
// any part of the program printed did not get there.
void finish_standard_output();

}  // namespace pliant::app
