#include "pliant/io/decimal.h"

// Header-only use keeps libfmt out of what users of the library have to link. It takes the compiler four seconds: no
// other source of the library includes it.
#define FMT_HEADER_ONLY
#if defined(__EMSCRIPTEN__)
#define FMT_STATIC_THOUSANDS_SEPARATOR ','  // never asked for: keeps locales, a fortieth of all code, out of the module
#endif
#include <fmt/compile.h>

namespace pliant {
namespace {

template <class T>
void append_formatted(std::string& text, T value) {
  char buffer[64];
  const char* const stop = fmt::format_to(buffer, FMT_COMPILE("{}"), value);
  text.append(buffer, static_cast<std::size_t>(stop - buffer));
}

}  // namespace

void append_decimal(std::string& text, double value) { append_formatted(text, value); }
void append_decimal(std::string& text, float value) { append_formatted(text, value); }
void append_decimal(std::string& text, double value, int digits) {
  char buffer[64];
  const char* const stop = fmt::format_to(buffer, FMT_COMPILE("{:.{}g}"), value, digits);
  text.append(buffer, static_cast<std::size_t>(stop - buffer));
}
void append_integer(std::string& text, std::uint64_t value) { append_formatted(text, value); }

std::string hexadecimal(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 0; i < text.size(); ++i) text[15 - i] = "0123456789abcdef"[(value >> (4 * i)) & 15];
  return text;
}

}  // namespace pliant
