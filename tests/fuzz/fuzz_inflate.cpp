#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pliant/io/inflate.h"

// No more than is allowed, whatever the stream says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMost = 1 << 16;
  const auto content = pliant::inflate_zlib({reinterpret_cast<const char*>(data), size}, kMost);
  if (content && content->size() > kMost) std::abort();
  return 0;
}
