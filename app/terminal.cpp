#include "app/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>

namespace pliant::app {

Table::Table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

void Table::add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::string Table::text() const {
  std::string text;
  std::vector<std::size_t> width(rows_[0].size(), 0);
  std::vector<bool> numeric(rows_[0].size(), rows_.size() > 1);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < width.size(); ++c) {
      const std::string& cell = rows_[r][c];
      width[c] = std::max(width[c], cell.size());
      const bool number = !cell.empty() && std::isdigit(static_cast<unsigned char>(cell[0])) &&
                          cell.find_first_not_of("0123456789 .e+-xKMG%") == std::string::npos;
      if (r > 0 && !number) numeric[c] = false;
    }
  }
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < width.size(); ++c)
      if (width[c] > 0)  // a column with nothing in it is left out
        line += numeric[c] ? fmt::format("  {:>{}}", row[c], width[c]) : fmt::format("  {:<{}}", row[c], width[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (&row == &rows_[0]) {
      std::string rule;
      for (const std::size_t w : width)
        if (w > 0) rule += "  " + std::string(w, '-');
      text += rule + "\n";
    }
  }
  return text;
}

void Table::print(std::FILE* to) const { fmt::print(to, "{}", text()); }

ProgressBar::ProgressBar(std::string what, bool quiet)
    : what_(std::move(what)), enabled_(!quiet && isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(double fraction, std::size_t frames) {
  const double passed = watch_.seconds();
  const double moment = drawn_ ? 0.1 : 0.5;
  if (!enabled_ || passed - last_ < moment) return;
  last_ = passed;
  drawn_ = true;
  constexpr int kWidth = 40;
  const int filled = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kWidth);
  const std::string left = fraction > 0.01 ? duration_text(passed * (1 - fraction) / fraction) + " left" : "";
  const std::string rate =
      frames > 0 ? fmt::format("{:.3g} frames/s, ", static_cast<double>(frames) / std::max(passed, 1e-9)) : "";
  fmt::print(stderr, "\r\033[K{} [{}{}] {:3.0f} % {}{}", what_, std::string(static_cast<std::size_t>(filled), '#'),
             std::string(static_cast<std::size_t>(kWidth - filled), '.'), 100 * fraction, rate, left);
  std::fflush(stderr);
}

std::string counted(std::uint64_t number, const char* one, const char* many) {
  return grouped(number) + " " + (number == 1 ? one : many);
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, " ");
  return digits;
}

std::string duration_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace pliant::app
