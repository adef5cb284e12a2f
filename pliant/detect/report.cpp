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

std::uint64_t& Counters::at(std::string_view name) {
  const auto found = std::find_if(counts_.begin(), counts_.end(), [name](const auto& c) { return c.first == name; });
  return found == counts_.end() ? counts_.emplace_back(name, 0).second : found->second;
}

bool Counters::is_size(std::string_view name) const {
  return std::find(sizes_.begin(), sizes_.end(), name) != sizes_.end();
}

void Counters::add(std::string_view name, std::uint64_t count) { at(name) += count; }

void Counters::raise(std::string_view name, std::uint64_t size) {
  if (!is_size(name)) sizes_.push_back(name);
  at(name) = std::max(at(name), size);
}

void Counters::merge(const Counters& other) {
  for (const auto& [name, count] : other.counts_) other.is_size(name) ? raise(name, count) : add(name, count);
}

std::uint64_t Counters::operator[](std::string_view name) const {
  const auto found = std::find_if(counts_.begin(), counts_.end(), [name](const auto& c) { return c.first == name; });
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace pliant
