#include <cstdint>
#include <cstdlib>

#include "pliant/core/error.h"
#include "pliant/io/pvd.h"

// Either an Error, or entries in ascending order that read back the same after they are written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pliant;
  try {
    const auto entries = parse_pvd({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (entries.empty()) std::abort();
    for (std::size_t i = 1; i < entries.size(); ++i) {
      if (!(entries[i - 1].time < entries[i].time)) std::abort();
    }
    const auto back = parse_pvd(format_pvd(entries), "back");
    if (back.size() != entries.size()) std::abort();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (back[i].time != entries[i].time || back[i].file != entries[i].file) std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
