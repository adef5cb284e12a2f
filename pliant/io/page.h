// Bodies in motion as one HTML file that opens from disk: the built page (web/) with data put into its slot.
//
// What the page shows beside the bodies is decided by a JSON document that goes with them: a recording's run.json
// (world/run_page.h) or the report of a check (io/check_page.h). docs/pages.md describes the data.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "pliant/io/json_writer.h"
#include "pliant/motion/motion.h"

namespace pliant {

// The page as it was built, without data. Throws Error, naming the remedy, for a file that is missing or has no slot.
class PageTemplate {
 public:
  explicit PageTemplate(const std::string& path);
  std::string_view before() const { return std::string_view(text_).substr(0, slot_); }
  std::string_view after() const;

 private:
  std::string text_;
  std::size_t slot_ = 0;
};

struct PageBody {
  std::string name;
  std::string kind;  // of a recording: cloth, fem, ...
  MeshPtr mesh;
  Motion motion;  // all that move have the same frames
};

// Numbers that the page finds by name.
struct PageArray {
  std::string name;
  std::variant<std::vector<float>, std::vector<std::uint32_t>> numbers;
};

struct PageContent {
  std::string title;
  char up = 0;  // 'y' or 'z'; 0: not known, the page guesses
  std::vector<PageBody> bodies;
  std::vector<double> times;        // of the frames of what moves, as they are shown; one for what stands still
  std::vector<std::size_t> needed;  // frames that are kept however many are left out
  std::vector<PageArray> arrays;
  std::function<void(JsonWriter&)> fields;  // further members of the page's own object; may be empty
  std::string document;                     // JSON: what the page is about
};

// What became of the frames.
struct PageWritten {
  std::size_t frames = 0;  // there were
  std::size_t kept = 0;
};

// About how large the positions in a page may be; beyond that frames are left out, and the page says so.
inline constexpr std::uint64_t kPageBytes = 60'000'000;

// Writes the page in one step: complete or not at all. Positions are rounded to 1/65535 of the box that a body needs
// over all frames. Memory is bounded by a few frames. Throws Error for what cannot be read or written.
PageWritten write_page(const std::string& path, const PageTemplate& page, const PageContent& content,
                       std::uint64_t most_bytes = kPageBytes);

// Every second, third, ... of `count` frames such that all take at most `most_bytes`; the first, the last and the
// needed ones always.
std::vector<std::size_t> choose_frames(std::size_t count, const std::vector<std::size_t>& needed,
                                       std::uint64_t bytes_per_frame, std::uint64_t most_bytes);

}  // namespace pliant
