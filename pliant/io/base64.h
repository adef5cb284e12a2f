// Binary data as text (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pliant {

// Blanks and line ends are skipped. Padding may stand between groups: several encoded runs in a row give their bytes in
// a row. Nothing if there is any other character, or an incomplete group.
std::optional<std::string> decode_base64(std::string_view text);

// Appends the digits of `bytes`, padded to whole groups, without line ends.
void append_base64(std::string& text, std::string_view bytes);

}  // namespace pliant
