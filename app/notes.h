// What is to be said of a file that was read or written.
#pragma once

#include <string>
#include <vector>

namespace pliant::app {

// On stderr, one line each that begins with the file; nothing if quiet.
class Notes {
 public:
  explicit Notes(bool quiet) : quiet_(quiet) {}

  // Kinds of data that are not kept, as one line.
  void dropped(const std::string& path, const std::vector<std::string>& kinds) const;
  void warnings(const std::string& path, const std::vector<std::string>& lines) const;
  void unused_animation(const std::string& path) const;
  // On the standard output.
  void done(const std::string& path, const std::string& counts) const;

 private:
  bool quiet_;
};

}  // namespace pliant::app
