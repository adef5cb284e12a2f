// Pairs of regions and the exact tests of their faces.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "pliant/bounds/wide_kernel.h"
#include "pliant/core/budget_meter.h"
#include "pliant/detect/still/face_tests.h"
#include "pliant/detect/still/region_kernel.h"
#include "pliant/detect/still/region_table.h"

namespace pliant {

// A region of one body and one of another, or two (a <= b) of one body.
struct RegionPair {
  BodyPair bodies;  // indices in the query
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double distance_sq = 0;  // of their particles, where these are known

  friend std::strong_ordering operator<=>(const RegionPair& x, const RegionPair& y) {
    if (const auto order = x.bodies <=> y.bodies; order != 0) return order;
    if (const auto order = x.a <=> y.a; order != 0) return order;
    return x.b <=> y.b;
  }
  friend bool operator==(const RegionPair& x, const RegionPair& y) { return (x <=> y) == 0; }
};

// Calls visit(slot) for the boxes [first, last) that overlap `box`.
template <class Visit>
void for_each_overlapping(const LeafBoxes& boxes, const SplatBox& box, std::uint32_t first, std::uint32_t last,
                          Visit&& visit) {
  for (; first < last; first += LeafBoxes::kLanes)
    for (unsigned bits = boxes.overlaps(box, first, last - first); bits != 0; bits &= bits - 1)
      visit(first + static_cast<std::uint32_t>(std::countr_zero(bits)));
}

// Tests the faces of pairs of regions. `tables` by index in the query; the faces of all regions that are asked about
// are fitted.
class RegionTests {
 public:
  // `clear`: by body, of bodies with themselves (still/clear_fans.h).
  RegionTests(const StillQuery& query, std::span<RegionTable* const> tables,
              std::span<const std::span<const std::uint8_t>> clear)
      : query_(query), tables_(tables), clear_(clear) {}

  // Pairs in order; those of the same two bodies are best together. `found.finished` is false if not all were tested;
  // `tested` says how many of them were. After each pair noted(pair, first): the hits from `first` on are its own.
  template <class Noted>
  TaskFindings run(std::span<const RegionPair> pairs, BudgetMeter& meter, std::size_t& tested, Noted&& noted) const {
    TaskFindings found;
    thread_local Scratch scratch;  // a search has hundreds of short runs
    tested = 0;
    while (tested < pairs.size() && run_bodies(pairs, meter, tested, noted, found, scratch)) {
    }
    found.finished = tested == pairs.size();
    return found;
  }

 private:
  // The faces of a region that reach into the box of another.
  struct ReachingFaces {
    std::vector<std::uint32_t> slots;  // the first `count` of them
    std::array<float, 6> lo_hi{};      // the box around them
    std::uint32_t count = 0;
    void find(const region_kernel::Kernels& kernels, const region_kernel::Region& region, const Aabb& box);
  };
  // The same with a copy of their boxes, side by side.
  struct ClippedFaces {
    std::vector<std::uint32_t> slots;
    LeafBoxes boxes;
    std::uint32_t count = 0;
    void clip(const region_kernel::Kernels& kernels, const region_kernel::Region& region,
              const std::array<float, 6>& lo_hi);
    region_kernel::Columns columns(std::uint32_t first) const;  // from there on
  };
  struct Scratch {
    ReachingFaces a;
    ClippedFaces b;
  };

  // From pairs[tested] on, those of its two bodies. False if the budget ran out.
  template <class Noted>
  bool run_bodies(std::span<const RegionPair> pairs, BudgetMeter& meter, std::size_t& tested, Noted& noted,
                  TaskFindings& found, Scratch& scratch) const {
    const std::size_t first = tested;
    const BodyPair bodies = pairs[first].bodies;
    const StillPair pair = query_.pair(bodies.a, bodies.b);
    FaceTests tests(pair, bodies, slots_of(bodies.a), slots_of(bodies.b), clear_[bodies.a], found, meter.state());
    bool allowed = true;
    for (; allowed && tested < pairs.size() && pairs[tested].bodies == bodies; ++tested) {
      const std::size_t before = found.hits.size();
      // A pair of regions can take microseconds: each time is looked at.
      allowed = !meter.state().is_late() && gather(pairs[tested], meter, tests, scratch);
      if constexpr (!std::is_null_pointer_v<std::decay_t<Noted>>) {
        if (allowed) tests.test_gathered();
        allowed = allowed && !tests.is_late();
        if (allowed) noted(pairs[tested], found.hits, before);
      }
      if (!allowed) break;
    }
    tests.test_gathered();
    if (tests.is_late()) tested = first;
    return allowed && !tests.is_late();
  }

  FaceSlots slots_of(std::uint32_t body) const { return {tables_[body]->corners(), tables_[body]->faces()}; }
  // False if the budget does not allow it.
  bool gather(const RegionPair& pair, BudgetMeter& meter, FaceTests& tests, Scratch& scratch) const;
  bool gather_few(const RegionPair& pair, BudgetMeter& meter, FaceTests& tests) const;
  bool gather_within(const RegionPair& pair, BudgetMeter& meter, FaceTests& tests) const;

  const AabbNode& node(std::uint32_t body, std::uint32_t region) const { return tables_[body]->node(region); }
  region_kernel::Region blocks_of(std::uint32_t body, std::uint32_t region) const {
    const AabbNode& node = tables_[body]->node(region);
    return {tables_[body]->face_boxes()[node.first / WideBoxes::kLanes].lo[0], node.first, node.count};
  }

  const StillQuery& query_;
  std::span<RegionTable* const> tables_;
  std::span<const std::span<const std::uint8_t>> clear_;
  region_kernel::Kernels kernels_ = region_kernel::kernels();
  decltype(&wide::portable::overlaps) overlaps_ = wide::kernels().overlaps;
};

// Runs of pairs of the same two bodies, none longer than `most`.
std::vector<std::span<const RegionPair>> cut_into_runs(std::span<const RegionPair> pairs, std::size_t most);

}  // namespace pliant
