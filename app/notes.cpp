#include "app/notes.h"

#include <fmt/format.h>

namespace pliant::app {

void Notes::dropped(const std::string& path, const std::vector<std::string>& kinds) const {
  if (!kinds.empty()) warnings(path, {fmt::format("dropped: {}", fmt::join(kinds, ", "))});
}

void Notes::warnings(const std::string& path, const std::vector<std::string>& lines) const {
  if (quiet_) return;
  for (const std::string& line : lines) fmt::print(stderr, "pliant: {}: {}\n", path, line);
}

void Notes::unused_animation(const std::string& path) const {
  warnings(path, {"its animation is not used (give the file as a motion too: --motion " + path + ")"});
}

void Notes::done(const std::string& path, const std::string& counts) const {
  if (!quiet_) fmt::print("{}: {}\n", path, counts);
}

}  // namespace pliant::app
