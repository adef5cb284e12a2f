// Tables and progress bars for people.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "pliant/core/stopwatch.h"

namespace pliant::app {

// Columns as wide as their longest entry; numbers (cells that start with a digit) to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> header);
  void add_row(std::vector<std::string> cells);
  std::string text() const;
  void print(std::FILE* to) const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the header first
};

// A bar on stderr, drawn only if stderr is a terminal and the work takes longer than a moment.
class ProgressBar {
 public:
  ProgressBar(std::string what, bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double fraction) { show(fraction, 0); }
  // With the number of frames done so far, to show how many there are a second.
  void show(double fraction, std::size_t frames);

 private:
  std::string what_;
  bool enabled_;
  bool drawn_ = false;
  Stopwatch watch_;
  double last_ = 0;  // s, when it was drawn
};

// "1 contact", "2 000 contacts".
std::string counted(std::uint64_t number, const char* one, const char* many);
// 1234567 as "1 234 567".
std::string grouped(std::uint64_t number);
// "0.4 ms", "12 s".
std::string duration_text(double seconds);

}  // namespace pliant::app
