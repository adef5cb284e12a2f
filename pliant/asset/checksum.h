// CRC-32 as in zlib, PNG and Ethernet: polynomial 0x04C11DB7, reflected, inverted at both ends.
#pragma once

#include <cstdint>
#include <string_view>

namespace pliant {

std::uint32_t crc32(std::string_view bytes);

}  // namespace pliant
