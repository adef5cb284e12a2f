// Filters put together from others: lists of body pairs, and `&`.
//
//   detector.set_filter(all_but({{hand, glove}}) & std::make_shared<MyFilter>());
#pragma once

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "pliant/detect/sink.h"

namespace pliant {

// Null: everything is wanted.
using FilterPtr = std::shared_ptr<const ContactFilter>;

// A set of pairs of bodies without order: (a, b) is (b, a); (a, a) is a body with itself.
class PairSet {
 public:
  using Pair = std::pair<BodyId, BodyId>;

  PairSet() = default;
  PairSet(std::initializer_list<Pair> pairs);

  void add(BodyId a, BodyId b);
  bool contains(BodyId a, BodyId b) const;
  bool empty() const { return pairs_.empty(); }
  std::size_t size() const { return pairs_.size(); }
  // Ascending; the smaller body first.
  const std::vector<Pair>& pairs() const { return pairs_; }

 private:
  std::vector<Pair> pairs_;
};

// Only the pairs of the set; everything but them. All features of the bodies that are left.
FilterPtr only(PairSet pairs);
FilterPtr all_but(PairSet pairs);

// What both want, of bodies and of features. Either may be null. Asks about features only if one of the two does.
FilterPtr operator&(FilterPtr a, FilterPtr b);

}  // namespace pliant
