// Contacts that are known and not yet due, first ones first.
#pragma once

#include <algorithm>
#include <vector>

#include "pliant/detect/moving/moving_run.h"

namespace pliant::kinetic {

// All bodies over one segment, or over what is left of it after a change of plan.
struct StreamQuery {
  SweptQuery swept;
  std::uint64_t number = 0;   // each query has its own
  bool replanned = false;     // begins in the middle of a segment because of a change
  std::vector<char> changed;  // by index in swept.bodies: its pairs are searched by this query

  bool is_new(BodyPair pair) const { return changed[pair.a] || changed[pair.b]; }
};

struct StreamHit {
  SweptHit hit;
  const StreamQuery* query = nullptr;
};

// Hits of one pair of bodies.
struct HitBlock {
  std::vector<SweptHit> hits;
  BodyPair pair{};  // indices in its bodies
  const StreamQuery* query = nullptr;
};

// A heap of times; the hits themselves stay where they are.
class PendingHits {
  struct Entry {
    double time;
    std::uint32_t slot;
  };
  struct Later {
    const std::vector<StreamHit>& hits;
    bool operator()(const Entry& x, const Entry& y) const {
      return x.time != y.time ? y.time < x.time : hits[y.slot].hit < hits[x.slot].hit;
    }
  };

 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  const StreamHit& first() const { return hits_[heap_[0].slot]; }
  void clear() {
    heap_.clear();
    hits_.clear();
  }

  void push(const StreamHit& hit) {
    heap_.push_back({hit.hit.time, static_cast<std::uint32_t>(hits_.size())});
    hits_.push_back(hit);
    std::push_heap(heap_.begin(), heap_.end(), Later{hits_});
  }
  StreamHit pop() {
    std::pop_heap(heap_.begin(), heap_.end(), Later{hits_});
    const StreamHit hit = hits_[heap_.back().slot];
    heap_.pop_back();
    if (heap_.empty()) hits_.clear();
    return hit;
  }

  template <class Visit>
  void each(const Visit& visit) const {
    for (const Entry& entry : heap_) visit(hits_[entry.slot]);
  }
  template <class Unwanted>
  void remove_if(const Unwanted& unwanted) {
    std::vector<StreamHit> kept;
    each([&](const StreamHit& hit) {
      if (!unwanted(hit)) kept.push_back(hit);
    });
    if (kept.size() == heap_.size()) return;
    clear();
    for (const StreamHit& hit : kept) push(hit);
  }

 private:
  std::vector<Entry> heap_;
  std::vector<StreamHit> hits_;
};

}  // namespace pliant::kinetic
