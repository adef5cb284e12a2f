// A recording as a page to look at: bodies in motion, touches and forces, what each frame cost.
#pragma once

#include <string>

#include "pliant/io/page.h"
#include "pliant/world/run_overlay_settings.h"

namespace pliant {

struct RunPageSettings {
  std::uint64_t most_bytes = kPageBytes;  // of positions; beyond that frames are left out, and the page says so
  std::size_t most_contacts = 150'000;    // of all frames together: the strongest of each are drawn, all are counted
  RunOverlaySettings overlay;             // what a method works with on these frames
};

// The whole frames of the recording in `folder`; of bodies that a fine surface follows, that surface. Names of folders
// do not get into the page. Throws Error for a folder that is no recording, and for what cannot be written.
PageWritten write_run_page(const std::string& folder, const std::string& path, const PageTemplate& page,
                           const RunPageSettings& settings = {});

}  // namespace pliant
