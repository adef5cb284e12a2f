// Numbers with units, as people write them: "100 kPa", "0.15 kg/m^2", "2 Pa s".
#pragma once

#include <string>
#include <string_view>

namespace pliant {

// Powers of the three base units that scenes need.
struct Dimension {
  int metre = 0;
  int kilogram = 0;
  int second = 0;

  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

struct Quantity {
  std::string_view name;  // with its article: "a length"
  std::string_view unit;  // of plain numbers
  Dimension dimension;
};

inline constexpr Quantity kNumber{"a number", "", {}};
inline constexpr Quantity kLength{"a length", "m", {1, 0, 0}};
inline constexpr Quantity kTime{"a time", "s", {0, 0, 1}};
inline constexpr Quantity kFrequency{"a frequency", "1/s", {0, 0, -1}};
inline constexpr Quantity kSpeed{"a speed", "m/s", {1, 0, -1}};
inline constexpr Quantity kAcceleration{"an acceleration", "m/s^2", {1, 0, -2}};
inline constexpr Quantity kMass{"a mass", "kg", {0, 1, 0}};
inline constexpr Quantity kDensity{"a density", "kg/m^3", {-3, 1, 0}};
inline constexpr Quantity kAreaDensity{"a mass per area", "kg/m^2", {-2, 1, 0}};
inline constexpr Quantity kPressure{"a pressure", "Pa", {-1, 1, -2}};
inline constexpr Quantity kViscosity{"a viscosity", "Pa s", {-1, 1, -1}};
inline constexpr Quantity kStiffness{"a stiffness", "N/m", {0, 1, -2}};
inline constexpr Quantity kSpringDamping{"a spring's damping", "N s/m", {0, 1, -1}};
inline constexpr Quantity kBending{"a bending stiffness", "N m", {2, 1, -2}};

// The number in SI units. Units: m, g, s, N, Pa, J, Hz, bar with the prefixes n u m c k M G; min, t. They are
// multiplied (space, *), divided (/, by the next one only) and raised (^2, or 2). Throws Error for what is not a number
// with a unit, and, saying what it is, for one of another dimension; a number without unit counts as SI.
double parse_quantity(std::string_view text, const Quantity& wanted);

}  // namespace pliant
