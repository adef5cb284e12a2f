// Where the page that shows runs and reports is: built by `make web`, put beside the command by an installation.
#pragma once

#include <optional>
#include <string>

#include "pliant/io/page.h"

namespace pliant::app {

// PLIANT_VIEW, share/pliant beside the command, or web/dist beside its build folder; nothing if none is there.
std::optional<std::string> find_view_page();

// Throws Error, naming what to do, if there is none. To be called before long work.
PageTemplate require_view_page();

// "run.html: 1.2 MB, 241 frames"; says what was left out.
void print_page(const std::string& path, const PageWritten& written);

}  // namespace pliant::app
