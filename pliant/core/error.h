// What the library throws: bad input or a failed construction, in words a user can act on.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace pliant {

// Where an input went wrong. Every part is optional.
struct ErrorPlace {
  std::string file;
  std::optional<std::uint64_t> line;  // 1-based
  std::optional<std::uint64_t> byte;  // 0-based offset
  std::string element;                // "face 17", "vertex 3", "frame 12"
};

// Thrown while reading and constructing, never inside a running detection. what() is one line:
// place, what is wrong, what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& problem, const std::string& remedy = {});
  Error(const ErrorPlace& place, const std::string& problem, const std::string& remedy = {});

  const ErrorPlace& place() const { return place_; }
  const std::string& problem() const { return problem_; }
  const std::string& remedy() const { return remedy_; }

 private:
  ErrorPlace place_;
  std::string problem_;
  std::string remedy_;
};

// A file that could not be written to its end: the disk is full, a device failed. What was asked for was right.
class WriteError : public Error {
 public:
  using Error::Error;
};

}  // namespace pliant
