// What is told when a search of the anytime method is over.
#include <algorithm>

#include "pliant/detect/anytime/anytime.h"
#include "pliant/detect/regions.h"

namespace pliant {
namespace {

// A pair that is left, in the order of reports.
struct LeftPair {
  std::uint64_t a;  // body and region
  std::uint64_t b;
  const Aabb* outline_a;  // of bodies that are not ready; otherwise null
  const Aabb* outline_b;
  std::uint32_t bodies;
  bool settled;

  friend bool operator<(const LeftPair& x, const LeftPair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }
};

std::uint64_t region_key(BodyId body, std::uint32_t region) { return std::uint64_t{body.value} << 32 | region; }
Feature feature_of(std::uint64_t key) {
  return region_feature(BodyId(static_cast<std::uint32_t>(key >> 32)), static_cast<std::uint32_t>(key));
}

LeftPair left_pair(const OpenPair& pair, const AnytimeSearch::Bodies& bodies, bool settled) {
  LeftPair left{region_key(bodies.id_a, pair.a.bits),
                region_key(bodies.id_b, pair.b.bits),
                nullptr,
                nullptr,
                pair.bodies,
                settled};
  if (left.b < left.a) std::swap(left.a, left.b);  // of one body only
  return left;
}

UnresolvedPair unresolved(const LeftPair& left, const AnytimeSearch& search) {
  const Feature a = feature_of(left.a), b = feature_of(left.b);
  if (left.outline_a) return unresolved_pair(a, *left.outline_a, b, *left.outline_b);
  const AnytimeSearch::Bodies& bodies = search.bodies()[left.bodies];
  UnresolvedPair pair = unresolved_pair(a, bodies.a->box({a.id}), b, bodies.b->box({b.id}));
  pair.leaves = left.settled;
  return pair;
}

// Sorted by what decides: contacts are large.
std::vector<std::uint32_t> order_of(const std::vector<Contact>& contacts) {
  std::vector<std::uint32_t> order(contacts.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t x, std::uint32_t y) { return earlier(contacts[x], contacts[y]); });
  return order;
}

// Gives contacts and possible contacts, each in order, to the report or to the sink. False if the sink stopped it.
class Merger {
 public:
  Merger(Report& report, ContactSink* sink) : report_(report), sink_(sink) {}
  bool give(const Contact& contact) {
    if (!sink_) report_.contacts.push_back(contact);
    else stopped_ = stopped_ || sink_->contact(contact) == Flow::stop;
    return !stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  Report& report_;
  ContactSink* sink_;
  bool stopped_ = false;
};

double towards(double known, std::int64_t took, std::size_t count) {
  constexpr std::size_t kEnough = 32;  // fewer say nothing
  if (count < kEnough || took <= 0) return known;
  const double measured = static_cast<double>(took) / static_cast<double>(count);
  return std::clamp(measured > known ? measured : 0.9 * known + 0.1 * measured, 20.0, 4000.0);
}

}  // namespace

Report AnytimeDetector::report(double time, bool finished, Pace& pace, ContactSink* sink) {
  const std::int64_t began = pace.time_used();
  std::vector<LeftPair> left;
  left.reserve(search_.left_count() + unready_.size());
  search_.for_each_open(
      [&](const OpenPair& pair) { left.push_back(left_pair(pair, search_.bodies()[pair.bodies], false)); });
  for (const OpenPair& pair : search_.settled()) left.push_back(left_pair(pair, search_.bodies()[pair.bodies], true));
  for (const Unready& pair : unready_)
    left.push_back(
        {region_key(ids_[pair.pair.a], 0), region_key(ids_[pair.pair.b], 0), &pair.box_a, &pair.box_b, 0, false});
  std::sort(left.begin(), left.end());

  Report report;
  std::vector<Contact>& found = search_.contacts();
  report.cut.reserve(left.size());
  if (!sink) report.contacts.reserve(found.size() + left.size());
  Merger merger(report, sink);
  const std::vector<std::uint32_t> order = order_of(found);
  const std::int64_t halfway = pace.time_used();
  std::size_t next = 0;
  for (const LeftPair& pair : left) {
    report.cut.push_back(unresolved(pair, search_));
    report.bound = std::max(report.bound, report.cut.back().bound);
    const Contact contact = possible_contact(report.cut.back(), time);
    while (next < order.size() && earlier(found[order[next]], contact) && merger.give(found[order[next]])) ++next;
    merger.give(contact);
  }
  while (next < order.size() && merger.give(found[order[next]])) ++next;

  const AnytimeSearch::Counts& counts = search_.counts();
  report.counters.add("box_tests", counts.node_pairs);
  report.counters.add("triangle_tests", counts.triangle_tests);
  report.counters.add("contacts", found.size());
  if (!left.empty()) report.counters.add("unresolved_regions", left.size());
  report.counters.raise("most_open_pairs", counts.most_pairs);
  if (counts.depth_first > 0) report.counters.add("depth_first_pairs", counts.depth_first);
  report.guarantee = left.empty() ? Guarantee::exact : Guarantee::conservative;
  report.complete = finished && !merger.stopped();
  if (!report.complete) report.stopped_by = merger.stopped() ? StopReason::sink : pace.state().reason();
  if (pace.has_deadline() && !sink) {
    ns_per_contact_ = towards(ns_per_contact_, halfway - began, found.size());
    ns_per_pair_ = towards(ns_per_pair_, pace.time_used() - began, left.size());
  }
  return report;
}

}  // namespace pliant
