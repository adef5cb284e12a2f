// ParaView's .pvd: which file shows which time.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

struct PvdEntry {
  double time = 0;
  std::string file;  // relative to the .pvd
};

std::string format_pvd(std::span<const PvdEntry> entries);

// The entries in the order of their times. Throws Error, naming the file, for what is not a .pvd, has no entries, names
// a file outside of its folder, or shows several files (parts) at one time.
std::vector<PvdEntry> parse_pvd(std::string_view text, const std::string& name);

}  // namespace pliant
