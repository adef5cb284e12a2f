#include "pliant/detect/filters.h"

#include <algorithm>

namespace pliant {
namespace {

class ListedPairs : public ContactFilter {
 public:
  ListedPairs(PairSet pairs, bool wanted) : pairs_(std::move(pairs)), wanted_(wanted) {}
  bool bodies(BodyId a, BodyId b) const override { return pairs_.contains(a, b) == wanted_; }
  bool filters_features() const override { return false; }

 private:
  PairSet pairs_;
  bool wanted_;
};

class Both : public ContactFilter {
 public:
  Both(FilterPtr a, FilterPtr b) : a_(std::move(a)), b_(std::move(b)) {}
  bool bodies(BodyId a, BodyId b) const override { return a_->bodies(a, b) && b_->bodies(a, b); }
  bool features(const Feature& a, const Feature& b) const override { return wants(*a_, a, b) && wants(*b_, a, b); }
  bool filters_features() const override { return a_->filters_features() || b_->filters_features(); }

 private:
  // features() of a filter that does not look at them is not promised to say anything.
  static bool wants(const ContactFilter& filter, const Feature& a, const Feature& b) {
    return !filter.filters_features() || filter.features(a, b);
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
  const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), pair);
  if (found == pairs_.end() || *found != pair) pairs_.insert(found, pair);
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
