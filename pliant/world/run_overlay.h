// What a method works with on the frames of a recording, made anew for its page: boxes, spheres, pairs, regions,
// particles, events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pliant/detect/detector.h"
#include "pliant/io/page.h"

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

// Goes through the frames of content.bodies, which moving methods see as straight from each to the next. Adds arrays,
// and returns what the page's header says of them. docs/pages.md has the format. Throws Error for a method that there
// is not, and for settings that it does not have.
std::function<void(JsonWriter&)> add_overlay(PageContent& content, const RunOverlaySettings& settings,
                                             std::shared_ptr<const ContactFilter> filter);

}  // namespace pliant
