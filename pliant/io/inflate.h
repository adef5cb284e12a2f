// Decompression of zlib streams: what ParaView and VTK compress their files with. The one door to zlib, which a build
// may leave out (PLIANT_ZLIB), as in browsers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pliant {

// Whether this build has zlib.
bool can_inflate();

// The content of a zlib stream (RFC 1950), or nothing if it is damaged, ends early, or would give more than `most`
// bytes. Memory grows with what is decoded, never by a claim. What follows the stream is left alone. Call only if
// can_inflate().
std::optional<std::string> inflate_zlib(std::string_view stream, std::size_t most);

}  // namespace pliant
