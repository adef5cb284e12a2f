// Pairs of nodes that are still to be looked at, the largest first.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "pliant/bounds/wide_tree.h"

namespace pliant {

// A lane of a tree as it is met in a pair, with what is known of it: looking there again costs more than carrying it.
struct OpenSide {
  WideRef ref;
  WideChild child;
  Aabb box;
};

// Two nodes whose boxes overlap; of one body with a.ref == b.ref: all pairs below.
struct OpenPair {
  OpenSide a;
  OpenSide b;
  std::uint32_t bodies = 0;  // number of the pair of bodies

  bool leaves() const { return a.child.is_leaf() && b.child.is_leaf(); }
};

// Buckets, eight for every octave of a pair's size, each a stack: pairs of nearly the same size come in any fixed
// order, and nothing is ever sorted.
class PairQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // `size_sq`: square of a length, not negative.
  void push(const OpenPair& pair, float size_sq) { make_room(size_sq) = pair; }
  // For a pair that is filled in where it stands; valid until the next one is pushed.
  OpenPair& make_room(float size_sq) {
    const std::uint32_t bucket = bucket_of(size_sq);
    std::uint32_t at = free_;
    if (at != kNone) {
      free_ = slots_[at].next;
    } else {
      at = static_cast<std::uint32_t>(slots_.size());
      slots_.emplace_back();
    }
    Slot& slot = slots_[at];
    slot.next = used(bucket) ? heads_[bucket] : kNone;
    heads_[bucket] = at;
    counts_[bucket] = used(bucket) ? counts_[bucket] + 1 : 1;
    words_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
    ++size_;
    return slot.pair;
  }
  OpenPair pop_largest() { return pop(largest_bucket()); }
  OpenPair pop_smallest() {
    std::uint32_t word = 0;
    while (words_[word] == 0) ++word;
    return pop(64 * word + static_cast<std::uint32_t>(std::countr_zero(words_[word])));
  }
  void clear() {
    slots_.clear();
    words_.fill(0);
    free_ = kNone;
    size_ = 0;
  }
  // The pairs that pop_largest() gives next, unless others are pushed before; null if there are none, or if the second
  // one has another size. Asks memory for the third.
  struct Next {
    const OpenPair* first = nullptr;
    const OpenPair* second = nullptr;
  };
  Next next() const {
    if (empty()) return {};
    const Slot& first = slots_[heads_[largest_bucket()]];
    if (first.next == kNone) return {&first.pair, nullptr};
    const Slot& second = slots_[first.next];
    if (second.next != kNone) {
      __builtin_prefetch(&slots_[second.next]);
      __builtin_prefetch(&slots_[second.next].next);
    }
    return {&first.pair, &second.pair};
  }
  // In an order that depends on nothing but what was pushed and popped.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint32_t bucket = kBuckets; bucket-- > 0;) visit_bucket(bucket, visit);
  }
  // Those among which the largest is, by any reckoning that differs from `size_sq` in rounding only: two buckets at
  // most, since a bucket is at least an eighth wide.
  template <class Visit>
  void for_each_largest(Visit&& visit) const {
    if (empty()) return;
    const std::uint32_t bucket = largest_bucket();
    visit_bucket(bucket, visit);
    if (bucket > 0) visit_bucket(bucket - 1, visit);
  }
  std::size_t largest_count() const {
    if (empty()) return 0;
    const std::uint32_t bucket = largest_bucket();
    return counts_[bucket] + (bucket > 0 && used(bucket - 1) ? counts_[bucket - 1] : 0);
  }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr std::uint32_t kBuckets = 1024;
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Slot {
    OpenPair pair;
    std::uint32_t next;
  };

  // The exponent of the square and two bits more.
  static std::uint32_t bucket_of(float size_sq) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &size_sq, sizeof bits);
    return (bits >> 21) % kBuckets;
  }
  std::uint32_t largest_bucket() const {
    std::uint32_t word = kBuckets / 64 - 1;
    while (words_[word] == 0) --word;
    return 64 * word + 63 - static_cast<std::uint32_t>(std::countl_zero(words_[word]));
  }
  template <class Visit>
  void visit_bucket(std::uint32_t bucket, Visit& visit) const {
    for (std::uint32_t at = used(bucket) ? heads_[bucket] : kNone; at != kNone; at = slots_[at].next)
      visit(slots_[at].pair);
  }
  bool used(std::uint32_t bucket) const { return (words_[bucket / 64] >> bucket % 64 & 1) != 0; }
  OpenPair pop(std::uint32_t bucket) {
    const std::uint32_t at = heads_[bucket];
    heads_[bucket] = slots_[at].next;
    --counts_[bucket];
    if (heads_[bucket] == kNone) words_[bucket / 64] &= ~(std::uint64_t{1} << bucket % 64);
    slots_[at].next = free_;
    free_ = at;
    --size_;
    return slots_[at].pair;
  }

  std::vector<Slot> slots_;
  std::uint32_t free_ = kNone;
  std::size_t size_ = 0;
  std::array<std::uint64_t, kBuckets / 64> words_{};  // which buckets hold something
  std::array<std::uint32_t, kBuckets> heads_;         // of those that do
  std::array<std::uint32_t, kBuckets> counts_;        // likewise
};

}  // namespace pliant
