#include "pliant/scene/units.h"

#include <fast_float/fast_float.h>

#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "pliant/core/error.h"

namespace pliant {
namespace {

struct Unit {
  std::string_view name;
  double factor;
  Dimension dimension;
  bool takes_prefix = true;
};

constexpr std::array<Unit, 11> kUnits = {{{"m", 1, {1, 0, 0}},
                                          {"g", 1e-3, {0, 1, 0}},
                                          {"s", 1, {0, 0, 1}},
                                          {"N", 1, {1, 1, -2}},
                                          {"Pa", 1, {-1, 1, -2}},
                                          {"J", 1, {2, 1, -2}},
                                          {"Hz", 1, {0, 0, -1}},
                                          {"bar", 1e5, {-1, 1, -2}},
                                          {"min", 60, {0, 0, 1}, false},
                                          {"t", 1000, {0, 1, 0}, false},
                                          {"1", 1, {}, false}}};

struct Prefix {
  char letter;
  double factor;
};
constexpr std::array<Prefix, 7> kPrefixes = {
    {{'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'c', 1e-2}, {'k', 1e3}, {'M', 1e6}, {'G', 1e9}}};

constexpr std::array kQuantities = {kNumber,       kLength,        kTime,        kFrequency, kSpeed,
                                    kAcceleration, kDensity,       kAreaDensity, kPressure,  kViscosity,
                                    kStiffness,    kSpringDamping, kBending};

std::optional<Unit> find_unit(std::string_view name) {
  for (const Unit& unit : kUnits)
    if (unit.name == name) return unit;
  for (const Prefix& prefix : kPrefixes)
    for (const Unit& unit : kUnits)
      if (unit.takes_prefix && !name.empty() && name[0] == prefix.letter && name.substr(1) == unit.name)
        return Unit{name, prefix.factor * unit.factor, unit.dimension};
  return std::nullopt;
}

bool is_name_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_power_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "kg/m^3": factors one after the other.
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : rest_(text) {}

  std::optional<Unit> read() {
    Unit product{"", 1, {}};
    bool divides = false;
    while (skip_separators(divides)) {
      const std::optional<Unit> unit = find_unit(word());
      const std::optional<int> raised = exponent();
      if (!unit || !raised) return std::nullopt;
      const int power = divides ? -*raised : *raised;
      product.factor *= std::pow(unit->factor, power);
      product.dimension.metre += power * unit->dimension.metre;
      product.dimension.kilogram += power * unit->dimension.kilogram;
      product.dimension.second += power * unit->dimension.second;
    }
    return divides ? std::nullopt : std::optional(product);
  }

 private:
  // False at the end. `divides`: a slash stood before what comes.
  bool skip_separators(bool& divides) {
    divides = false;
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '*' || rest_[0] == '/')) {
      divides = divides || rest_[0] == '/';
      rest_.remove_prefix(1);
    }
    return !rest_.empty();
  }
  std::string_view word() {
    std::size_t size = 0;
    while (size < rest_.size() && is_name_letter(rest_[size])) ++size;
    if (size == 0 && rest_[0] == '1') size = 1;  // 1/s
    return take(size);
  }
  // 1 without one; nothing if it is garbled.
  std::optional<int> exponent() {
    const bool raised = !rest_.empty() && rest_[0] == '^';
    if (raised) rest_.remove_prefix(1);
    const int sign = !rest_.empty() && rest_[0] == '-' ? -1 : 1;
    if (sign < 0) rest_.remove_prefix(1);
    if (rest_.empty() || !is_power_digit(rest_[0])) return raised || sign < 0 ? std::nullopt : std::optional(1);
    const int power = sign * (take(1)[0] - '0');
    return !rest_.empty() && is_power_digit(rest_[0]) ? std::nullopt : std::optional(power);
  }
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string how_to(const Quantity& wanted) {
  if (wanted.unit.empty()) return "write a plain number";
  return "write a number of " + std::string(wanted.unit) + ", or one with its unit: \"1.5 " + std::string(wanted.unit) +
         "\"";
}

std::string name_of(const Dimension& dimension) {
  for (const Quantity& quantity : kQuantities)
    if (quantity.dimension == dimension) return std::string(quantity.name);
  return "of another kind";
}

}  // namespace

double parse_quantity(std::string_view text, const Quantity& wanted) {
  std::string_view rest = text;
  while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
  double number = 0;
  const auto parsed = fast_float::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (parsed.ec != std::errc{}) throw Error(quoted(text) + " is not a number with a unit", how_to(wanted));
  rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
  if (rest.find_first_not_of(' ') == std::string_view::npos) return number;
  const std::optional<Unit> unit = UnitReader(rest).read();
  if (!unit) throw Error(quoted(text) + " has a unit that is not known", how_to(wanted));
  if (unit->dimension != wanted.dimension)
    throw Error(quoted(text) + " is " + name_of(unit->dimension) + ", not " + std::string(wanted.name), how_to(wanted));
  return number * unit->factor;
}

}  // namespace pliant
