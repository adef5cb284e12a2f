// What holds for every reader of point caches, whatever bytes it is given.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include "pliant/core/error.h"
#include "pliant/io/motion_file.h"

namespace pliant {

// Either an Error, or frames that can all be asked for and are finite or refused one by one.
inline int fuzz_motion(const std::uint8_t* data, std::size_t size, MotionFormat format) {
  try {
    const auto source =
        open_motion_bytes(std::string(reinterpret_cast<const char*>(data), size), "fuzz", {.format = format});
    if (source->frame_count() * source->vertex_count() > size) std::abort();
    for (std::size_t k = 0; k < source->frame_count(); ++k) {
      try {
        const Frame frame = source->frame(k);
        if (frame.positions().size() != source->vertex_count()) std::abort();
        for (const Vec3& p : frame.positions()) {
          if (!p.allFinite()) std::abort();
        }
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace pliant
