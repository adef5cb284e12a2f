#include "pliant/io/number_pattern.h"

namespace pliant {
namespace {

constexpr std::size_t kMostDigits = 18;  // what surely fits 64 bits

// Does a word end before this character?
bool is_border(const std::string& name, std::size_t at) {
  return at >= name.size() || name[at] == '.' || name[at] == '_' || name[at] == '-';
}

// What a pattern stands for, and where it ends.
struct NumberField {
  std::size_t width = 0;
  std::size_t end = 0;
};

NumberField width_at(const std::string& name, std::size_t at) {
  std::size_t width = 0;
  while (at < name.size() && is_digit(name[at]) && width <= kMostDigits)
    width = 10 * width + static_cast<std::size_t>(name[at++] - '0');
  return {width, at};
}

std::optional<NumberField> percent_at(const std::string& name, std::size_t start) {
  const NumberField field = width_at(name, start + 1);
  if (field.end == name.size() || name[field.end] != 'd') return std::nullopt;
  return NumberField{field.width, field.end + 1};
}

std::optional<NumberField> dollar_at(const std::string& name, std::size_t start) {
  if (name.compare(start, 2, "$F") != 0) return std::nullopt;
  const NumberField field = width_at(name, start + 2);
  return is_border(name, field.end) ? std::optional(field) : std::nullopt;  // $FF is another of Houdini's variables
}

std::optional<NumberField> hashes_at(const std::string& name, std::size_t start) {
  std::size_t end = start;
  while (end < name.size() && name[end] == '#') ++end;
  const bool alone = (start == 0 || is_border(name, start - 1)) && is_border(name, end);
  if (end == start + 1 && !alone) return std::nullopt;
  return NumberField{end - start, end};
}

std::optional<NumberField> field_at(const std::string& name, std::size_t start) {
  switch (name[start]) {
    case '%':
      return percent_at(name, start);
    case '$':
      return dollar_at(name, start);
    case '#':
      return hashes_at(name, start);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string NumberPattern::name(std::uint64_t number) const {
  const std::string digits = std::to_string(number);
  return before + std::string(digits.size() < width ? width - digits.size() : 0, '0') + digits + after;
}

std::optional<std::uint64_t> NumberPattern::number_in(const std::string& file_name) const {
  if (file_name.size() <= before.size() + after.size()) return std::nullopt;
  const std::string digits = file_name.substr(before.size(), file_name.size() - before.size() - after.size());
  if (digits.size() > kMostDigits || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const std::uint64_t number = std::stoull(digits);
  return name(number) == file_name ? std::optional(number) : std::nullopt;
}

std::optional<NumberPattern> find_pattern(const std::string& file_name) {
  for (std::size_t start = 0; start < file_name.size(); ++start) {
    const std::optional<NumberField> field = field_at(file_name, start);
    if (field && field->width <= kMostDigits)
      return NumberPattern{file_name.substr(0, start), field->width, file_name.substr(field->end)};
  }
  return std::nullopt;
}

}  // namespace pliant
