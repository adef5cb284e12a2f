// Pairs of spheres that wait to be looked at.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "pliant/core/bit_cast.h"

namespace pliant {

// Nodes of the trees of two bodies (by number in the query), or of one with itself.
struct SpherePair {
  std::uint32_t pair = 0;  // of bodies
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  float size = 0;  // no two points of what they hold, one of each, are farther apart; no more than of the pair before
};

// Eight buckets per octave of size; the last one put into the largest (or smallest) bucket that has any comes first.
class SizeBuckets {
 public:
  void push(const SpherePair& pair) {
    const std::size_t bucket = bucket_of(pair.size);
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket].push_back(pair);
    highest_ = size_ == 0 ? bucket : std::max(highest_, bucket);
    ++size_;
  }
  SpherePair pop_largest() {
    while (buckets_[highest_].empty()) --highest_;
    return take(highest_);
  }
  SpherePair pop_smallest() {
    std::size_t bucket = 0;
    while (buckets_[bucket].empty()) ++bucket;
    return take(bucket);
  }
  std::size_t size() const { return size_; }
  void clear() {
    for (auto& bucket : buckets_) bucket.clear();
    size_ = 0;
  }

 private:
  // The leading bits of a float: exponent, and three of the fraction. Below the smallest size of interest all are one.
  static std::size_t bucket_of(float size) {
    constexpr std::uint32_t kFirst = pliant::bit_cast<std::uint32_t>(0x1p-60f) >> 20;
    const std::uint32_t bits = pliant::bit_cast<std::uint32_t>(size) >> 20;
    return bits <= kFirst ? 0 : bits - kFirst;
  }
  SpherePair take(std::size_t bucket) {
    const SpherePair pair = buckets_[bucket].back();
    buckets_[bucket].pop_back();
    --size_;
    return pair;
  }

  std::vector<std::vector<SpherePair>> buckets_;
  std::size_t highest_ = 0;
  std::size_t size_ = 0;
};

}  // namespace pliant
