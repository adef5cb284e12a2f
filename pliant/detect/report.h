// The answer of one detection, with what it guarantees.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/core/budget.h"
#include "pliant/core/sphere.h"
#include "pliant/detect/contact.h"

namespace pliant {

enum class Guarantee : std::uint8_t {
  none,          // interrupted with nothing proved
  statistical,   // can miss; recall is measured
  conservative,  // nothing missed; some contacts may be extra, `bound` says how far off
  exact,         // the set that exact arithmetic gives
};

const char* to_string(Guarantee guarantee);

// Named counts of work done, and sizes, in the order in which they were first told.
class Counters {
 public:
  // `name` must outlive the counters (a literal).
  void add(std::string_view name, std::uint64_t count);
  void raise(std::string_view name, std::uint64_t size);  // the largest of what is told counts, not the sum
  void merge(const Counters& other);                      // adds its counts, and raises to its sizes
  std::uint64_t operator[](std::string_view name) const;  // 0 if never told
  const std::vector<std::pair<std::string_view, std::uint64_t>>& all() const { return counts_; }

 private:
  std::uint64_t& at(std::string_view name);
  bool is_size(std::string_view name) const;

  std::vector<std::pair<std::string_view, std::uint64_t>> counts_;
  std::vector<std::string_view> sizes_;  // those of the names that are sizes
};

// Two regions between which not every pair of faces was tested: the budget ran out, or the method ends with regions.
// Equal features mean all pairs within the region.
struct UnresolvedPair {
  Feature a;
  Feature b;
  double bound = 0;  // no two points of the regions, one of each, are farther apart than this
  Sphere sphere_a;   // hold the regions' triangles
  Sphere sphere_b;
  bool leaves = false;  // found to overlap, and the method has no smaller regions; false: left over, perhaps far apart
};

struct Report {
  std::vector<Contact> contacts;  // ordered by (time, a, b); empty if a sink took them
  Guarantee guarantee = Guarantee::none;
  bool complete = false;
  StopReason stopped_by = StopReason::none;
  // The features of every reported contact come within this length of each other during the interval.
  double bound = 0;
  // The cut: what is left of the search tree, one for each region-region contact and in the same order. Every pair of
  // faces is in a contact, or below exactly one pair of the cut, or proved apart. (Where a deadline leaves no time to
  // list regions, pairs of whole bodies stand for them, above what was found too.) Of methods that are made to be
  // interrupted (anytime, sphere-tree), with a sink too; others leave it empty (Detector::region knows their regions).
  std::vector<UnresolvedPair> cut;
  Counters counters;
};

}  // namespace pliant
