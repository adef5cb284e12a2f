// Which method's work is drawn over a recording, and how much of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pliant/detect/detector.h"

namespace pliant {

struct RunOverlaySettings {
  std::string method;  // of methods(); empty: the one that the run used; "none": nothing is drawn
  Mode mode = Mode::safe;
  MethodSettings own;                       // of the method
  std::optional<double> search_seconds;     // for each frame: interruptible methods then have something left to draw
  std::optional<std::uint64_t> operations;  // likewise, the same on every machine
  double most_seconds = 20;                 // for all frames together; the page says how far that went
  std::size_t most_numbers = 1'000'000;     // of boxes, spheres, pairs and events together; 4 bytes each
  std::size_t most_region_numbers = 1'000'000;  // of regions of faces, which are kept whenever they change
};

}  // namespace pliant
