#include "pliant/detect/filters.h"

#include <algorithm>

namespace pliant {
namespace {

class ListedPairs : public ContactFilter {
 public:
  ListedPairs(PairSet pairs, bool wanted) : pairs_(std::move(pairs)), wanted_(wanted) {}
  bool bodies(BodyId a, BodyId b) const override { return pairs_.contains(a, b) == wanted_; }
  bool looks_at_features() const override { return false; }

 private:
  PairSet pairs_;
  bool wanted_;
};

class Both : public ContactFilter {
 public:
  Both(FilterPtr a, FilterPtr b) : a_(std::move(a)), b_(std::move(b)) {}
  bool bodies(BodyId a, BodyId b) const override { return a_->bodies(a, b) && b_->bodies(a, b); }
  bool features(const Feature& a, const Feature& b) const override { return wants(*a_, a, b) && wants(*b_, a, b); }
  bool looks_at_features() const override { return a_->looks_at_features() || b_->looks_at_features(); }

 private:
  // features() of a filter that does not look at them is not promised to say anything.
  static bool wants(const ContactFilter& filter, const Feature& a, const Feature& b) {
    return !filter.looks_at_features() || filter.features(a, b);
  }

  FilterPtr a_, b_;
};

PairSet::Pair ordered(BodyId a, BodyId b) { return b < a ? PairSet::Pair{b, a} : PairSet::Pair{a, b}; }

}  // namespace

PairSet::PairSet(std::initializer_list<Pair> pairs) {
  for (const auto& [a, b] : pairs) add(a, b);
}

void PairSet::add(BodyId a, BodyId b) {
  const Pair pair = ordered(a, b);
  const auto place = std::lower_bound(pairs_.begin(), pairs_.end(), pair);
  if (place == pairs_.end() || *place != pair) pairs_.insert(place, pair);
}

bool PairSet::contains(BodyId a, BodyId b) const {
  return std::binary_search(pairs_.begin(), pairs_.end(), ordered(a, b));
}

FilterPtr only(PairSet pairs) { return std::make_shared<ListedPairs>(std::move(pairs), true); }
FilterPtr all_but(PairSet pairs) { return std::make_shared<ListedPairs>(std::move(pairs), false); }

FilterPtr operator&(FilterPtr a, FilterPtr b) {
  if (!a) return b;
  if (!b) return a;
  return std::make_shared<Both>(std::move(a), std::move(b));
}

}  // namespace pliant
