// Decompression of zlib streams: what ParaView and VTK compress their files with.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pliant {

// The content of a zlib stream (RFC 1950: deflate with a header and an Adler-32 checksum), or nothing if it is damaged
// or would give more than `most` bytes. Memory grows with what is decoded, never by a claim. Preset dictionaries
// are not supported. An implementation of our own keeps the library free of a dependency, in browsers too.
std::optional<std::string> inflate_zlib(std::string_view stream, std::size_t most);

}  // namespace pliant
