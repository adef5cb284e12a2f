#include "pliant/core/suggest.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace pliant {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row.back();
}

// A slip of the fingers, or a beginning; not another word.
bool is_near(std::string_view given, std::string_view name) {
  if (given.size() < 3) return edit_distance(given, name) <= 1;
  return edit_distance(given, name) <= std::max<std::size_t>(2, given.size() / 3) ||
         name.substr(0, given.size()) == given;
}

std::string nearest_name(std::string_view given, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(given, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return std::string(best);
}

}  // namespace

std::string suggestion(std::string_view given, std::span<const std::string_view> names) {
  if (names.empty()) return {};
  const std::string nearest = nearest_name(given, names);
  if (is_near(given, nearest)) return "did you mean '" + nearest + "'?";
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "there are " : ", ") + std::string(name);
  return list;
}

}  // namespace pliant
