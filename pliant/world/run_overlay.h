// What a method works with on the frames of a recording, made anew for its page: boxes, spheres, pairs, regions,
// particles, events.
#pragma once

#include <functional>
#include <memory>

#include "pliant/io/page.h"
#include "pliant/world/run_overlay_settings.h"

namespace pliant {

// Goes through the frames of content.bodies, which moving methods see as straight from each to the next. Adds arrays,
// and returns what the page's header says of them. docs/pages.md has the format. Throws Error for a method that there
// is not, and for settings that it does not have.
std::function<void(JsonWriter&)> add_overlay(PageContent& content, const RunOverlaySettings& settings,
                                             std::shared_ptr<const ContactFilter> filter);

}  // namespace pliant
