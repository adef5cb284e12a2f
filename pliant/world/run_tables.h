// The tables of a recording, statistics.csv and contacts.csv, read back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pliant/core/function_ref.h"
#include "pliant/world/run_folder.h"

namespace pliant {

// A line for each call of the step loop; words (how it ended) are left out.
struct RunStatistics {
  std::vector<std::string> columns;
  std::vector<double> numbers;  // line after line
  std::size_t rows() const { return columns.empty() ? 0 : numbers.size() / columns.size(); }
};

struct RunContact {
  double frame = 0;
  std::uint32_t a = 0, b = 0;  // bodies, in the order of run.json
  Vec3 point, normal;
  Vec3 force;  // N, on a
};

// Both read as much as the last checkpoint counts, and throw Error, naming file and line, for what is damaged.
RunStatistics read_run_statistics(const std::string& folder, const RunInfo& info);
// In the order of the file. A run that recorded none has no file: then nothing is said.
void read_run_contacts(const std::string& folder, const RunInfo& info, FunctionRef<void(const RunContact&)> receive);

}  // namespace pliant
