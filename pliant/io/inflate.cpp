#include "pliant/io/inflate.h"

#include <algorithm>

#if defined(PLIANT_ZLIB)
#include <zlib.h>

#include <limits>
#endif

namespace pliant {

#if defined(PLIANT_ZLIB)

namespace {

// zlib counts bytes in 32 bits: larger streams are handed over in chunks.
uInt next_chunk(std::size_t left) {
  return static_cast<uInt>(std::min<std::size_t>(left, std::numeric_limits<uInt>::max()));
}

class Inflater {
 public:
  Inflater() : ready_(::inflateInit(&state_) == Z_OK) {}
  ~Inflater() {
    if (ready_) ::inflateEnd(&state_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::optional<std::string> run(std::string_view stream, std::size_t most) {
    std::string content;
    std::size_t used = 0;
    while (ready_) {
      // One byte more than is allowed: a stream that fills it gives too much.
      if (content.size() == used) content.resize(std::min(std::max<std::size_t>(2 * used, 1 << 12), most + 1));
      const uInt room = next_chunk(content.size() - used), given = next_chunk(stream.size());
      state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stream.data()));  // zlib does not write there
      state_.avail_in = given;
      state_.next_out = reinterpret_cast<Bytef*>(content.data() + used);
      state_.avail_out = room;
      const int status = ::inflate(&state_, Z_NO_FLUSH);
      stream.remove_prefix(given - state_.avail_in);
      used += room - state_.avail_out;
      if (used > most) return std::nullopt;
      if (status == Z_STREAM_END) {
        content.resize(used);
        return content;
      }
      if (status != Z_OK) return std::nullopt;  // damaged, or (Z_BUF_ERROR) at its end too early
    }
    return std::nullopt;
  }

 private:
  z_stream state_{};
  bool ready_;
};

}  // namespace

bool can_inflate() { return true; }

std::optional<std::string> inflate_zlib(std::string_view stream, std::size_t most) {
  return Inflater().run(stream, std::min(most, std::string().max_size() - 1));
}

#else

bool can_inflate() { return false; }

std::optional<std::string> inflate_zlib(std::string_view, std::size_t) { return std::nullopt; }

#endif

}  // namespace pliant
