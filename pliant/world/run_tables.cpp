#include "pliant/world/run_tables.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <map>

#include "pliant/core/error.h"
#include "pliant/io/file.h"

namespace pliant {
namespace {

// The lines of a table, which commas divide. A line may be damaged, so that everything is compared.
class TableReader {
 public:
  TableReader(std::string file, std::uint64_t bytes) : file_(std::move(file)), bytes_(read_file(file_)) {
    if (bytes_.view().size() < bytes) fail("is shorter than run.json says");
    rest_ = bytes_.view().substr(0, bytes);
  }

  bool next_line() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    split(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    return true;
  }
  const std::vector<std::string_view>& cells() const { return cells_; }
  double number(std::size_t cell) const {
    double value = 0;
    const std::string_view text = cells_[cell];
    const auto result = fast_float::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size()) fail("has no number where one must be");
    return value;
  }
  Vec3 vector(std::size_t cell) const { return {number(cell), number(cell + 1), number(cell + 2)}; }
  void require_cells(std::size_t count) const {
    if (cells_.size() != count) fail("has a line of another length");
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ErrorPlace{.file = file_, .line = line_}, problem, "it was changed: record anew");
  }

 private:
  void split(std::string_view line) {
    cells_.clear();
    for (;;) {
      const std::size_t end = line.find(',');
      cells_.push_back(line.substr(0, end));
      if (end == std::string_view::npos) return;
      line.remove_prefix(end + 1);
    }
  }

  std::string file_;
  FileBytes bytes_;
  std::string_view rest_;
  std::vector<std::string_view> cells_;
  std::uint64_t line_ = 0;
};

constexpr std::string_view kOutcome = "outcome";
constexpr std::size_t kContactCells = 15;

}  // namespace

RunStatistics read_run_statistics(const std::string& folder, const RunInfo& info) {
  RunStatistics statistics;
  if (info.checkpoint.statistics_bytes == 0) return statistics;
  TableReader table(file_in(folder, "statistics.csv"), info.checkpoint.statistics_bytes);
  if (!table.next_line()) return statistics;
  const std::vector<std::string> names(table.cells().begin(), table.cells().end());
  for (const std::string& name : names)
    if (name != kOutcome) statistics.columns.push_back(name);
  while (table.next_line()) {
    table.require_cells(names.size());
    for (std::size_t cell = 0; cell < names.size(); ++cell)
      if (names[cell] != kOutcome) statistics.numbers.push_back(table.number(cell));
  }
  return statistics;
}

void read_run_contacts(const std::string& folder, const RunInfo& info, FunctionRef<void(const RunContact&)> receive) {
  if (!info.records_contacts || info.checkpoint.contact_bytes == 0) return;
  std::map<std::string, std::uint32_t, std::less<>> numbers;
  for (const RunBody& body : info.bodies) numbers.emplace(body.name, static_cast<std::uint32_t>(numbers.size()));
  TableReader table(file_in(folder, "contacts.csv"), info.checkpoint.contact_bytes);
  table.next_line();
  while (table.next_line()) {
    table.require_cells(kContactCells);
    const auto a = numbers.find(table.cells()[2]);
    const auto b = numbers.find(table.cells()[4]);
    if (a == numbers.end() || b == numbers.end()) table.fail("names a body that run.json does not");
    receive({table.number(0), a->second, b->second, table.vector(6), table.vector(9), table.vector(12)});
  }
}

}  // namespace pliant
