// Numbers as text: the shortest decimals that read back as the same value.
#pragma once

#include <cstdint>
#include <string>

namespace pliant {

void append_decimal(std::string& text, double value);
void append_decimal(std::string& text, float value);
void append_integer(std::string& text, std::uint64_t value);

}  // namespace pliant
