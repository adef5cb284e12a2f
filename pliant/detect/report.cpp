#include "pliant/detect/report.h"

#include <algorithm>

namespace pliant {

const char* to_string(Guarantee guarantee) {
  switch (guarantee) {
    case Guarantee::none:
      return "none";
    case Guarantee::statistical:
      return "statistical";
    case Guarantee::conservative:
      return "conservative";
    case Guarantee::exact:
      return "exact";
  }
  return "none";
}

void Counters::add(std::string_view name, std::uint64_t count) {
  const auto found = std::find_if(counts_.begin(), counts_.end(), [name](const auto& c) { return c.first == name; });
  if (found == counts_.end()) counts_.emplace_back(name, count);
  else found->second += count;
}

std::uint64_t Counters::operator[](std::string_view name) const {
  const auto found = std::find_if(counts_.begin(), counts_.end(), [name](const auto& c) { return c.first == name; });
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace pliant
