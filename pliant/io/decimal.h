// Numbers as text: the shortest decimals that read back as the same value.
#pragma once

#include <cstdint>
#include <string>

namespace pliant {

void append_decimal(std::string& text, double value);
void append_decimal(std::string& text, float value);
// So many significant digits at most, as printf's %g.
void append_decimal(std::string& text, double value, int digits);
void append_integer(std::string& text, std::uint64_t value);

// Sixteen lowercase digits.
std::string hexadecimal(std::uint64_t value);

}  // namespace pliant
