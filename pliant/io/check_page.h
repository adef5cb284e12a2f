// The report of a check as a page to look at: bodies in motion, where they collide, and how badly.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pliant/check/check.h"
#include "pliant/io/check_json.h"
#include "pliant/io/page.h"

namespace pliant {

struct CheckPageSettings {
  std::string title;
  char up = 0;       // as in PageContent
  FrameClock clock;  // that of the check
  // So many contacts are drawn of each pair of bodies from each frame until the next, and in all; every one counts.
  std::size_t drawn_per_frame = 64;
  std::size_t drawn = 200'000;
};

// A sink that counts, for every pair of bodies, in how many contacts each face takes part, and remembers the first
// place, the deepest one and some contacts to draw. Contacts that are excused or only possible are not among them.
class CheckPage : public CheckSink {
 public:
  explicit CheckPage(CheckPageSettings settings);

  void begin(const CheckReport& asked, std::span<const CheckBody> bodies) override;
  Flow contact(const CheckedContact& contact, const Detector& detector) override;
  void at_frame(std::size_t frame, std::span<const Contact> meeting, const Detector& detector) override;

  // After the check, once. The bodies that begin() was given must still be there.
  PageWritten write(const std::string& path, const PageTemplate& page, const CheckReport& report,
                    const CheckSeconds& seconds = {}, std::uint64_t most_bytes = kPageBytes);

 private:
  using BodyPair = std::pair<std::uint32_t, std::uint32_t>;
  struct Place {
    double frame = 0;  // counted from 0
    Contact contact;
  };
  struct Pair {
    std::optional<Place> first;                                           // that counts
    std::optional<Place> worst;                                           // the deepest pair of triangles
    std::array<std::unordered_map<std::uint32_t, std::uint32_t>, 2> hit;  // by face: in how many contacts
    double drawn_frame = -1;
    std::size_t drawn_of_frame = 0;
  };

  static void keep_worst(Pair& pair, const Place& place);
  void count_faces(Pair& pair, const Contact& contact, const Detector& detector);
  void draw(Pair& pair, const CheckedContact& checked);
  PageContent content(const CheckReport& report);
  void write_pairs(JsonWriter& json, const CheckReport& report) const;
  void write_place(JsonWriter& json, const char* key, const std::optional<Place>& place) const;
  void add_faces(PageContent& content, const CheckReport& report) const;
  void add_names(PageContent& content) const;
  std::vector<std::size_t> needed_frames(const CheckReport& report) const;

  CheckPageSettings settings_;
  std::span<const CheckBody> bodies_;
  std::string document_;
  CheckJson json_;  // into document_, without contacts
  std::map<BodyPair, Pair> pairs_;
  std::vector<float> drawn_;  // by contact: time, point, normal, depth, bodies
};

}  // namespace pliant
