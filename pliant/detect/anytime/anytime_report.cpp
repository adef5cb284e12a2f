// What is told when a search of the anytime method is over.
#include <algorithm>

#include "pliant/bounds/box_distances.h"
#include "pliant/detect/anytime/anytime.h"
#include "pliant/detect/regions.h"

namespace pliant {
namespace {

// A pair that is left, in the order of reports.
struct LeftPair {
  std::uint64_t a;  // body and region
  std::uint64_t b;
  const OpenPair* pair;
  bool settled;

  friend bool operator<(const LeftPair& x, const LeftPair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }
};

std::uint64_t region_key(BodyId body, std::uint32_t region) { return std::uint64_t{body.value} << 32 | region; }
LeftPair left_pair(const OpenPair& pair, const AnytimeSearch::Bodies& bodies, bool settled) {
  LeftPair left{region_key(bodies.id_a, pair.a.ref.bits), region_key(bodies.id_b, pair.b.ref.bits), &pair, settled};
  if (left.b < left.a) std::swap(left.a, left.b);  // of one body only
  return left;
}

UnresolvedPair unresolved(const LeftPair& left, const AnytimeSearch& search) {
  const AnytimeSearch::Bodies& bodies = search.bodies()[left.pair->bodies];
  UnresolvedPair pair = unresolved_pair(region_feature(bodies.id_a, left.pair->a.ref.bits), left.pair->a.box,
                                        region_feature(bodies.id_b, left.pair->b.ref.bits), left.pair->b.box);
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

// A call in which the program did not run for a while moves it little: what takes long takes long for other reasons
// more often than what takes little time.
double towards(double known, std::int64_t took, std::size_t count) {
  constexpr std::size_t kEnough = 32;  // fewer say nothing
  constexpr double kUp = 0.05, kDown = 0.2;
  if (count < kEnough || took <= 0) return known;
  const double measured = std::min(static_cast<double>(took) / static_cast<double>(count), 2 * known);
  return std::clamp(known + (measured > known ? kUp : kDown) * (measured - known), 5.0, 2000.0);
}

}  // namespace

// Every pair of bodies once, with the largest of its pairs.
std::vector<UnresolvedPair> AnytimeDetector::open_bodies() const {
  std::vector<double> bounds(search_.bodies().size(), -1);
  const auto note = [&](const OpenPair& pair) {
    bounds[pair.bodies] = std::max(bounds[pair.bodies], farthest_distance(pair.a.box, pair.b.box));
  };
  search_.for_each_largest(note);
  for (const OpenPair& pair : search_.settled()) note(pair);
  std::vector<UnresolvedPair> open;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i] < 0) continue;
    const AnytimeSearch::Bodies& bodies = search_.bodies()[i];
    open.push_back(unresolved_pair(region_feature(bodies.id_a, 0), bodies.a->box(WideRef{}),
                                   region_feature(bodies.id_b, 0), bodies.b->box(WideRef{})));
    open.back().bound = bounds[i];
  }
  return open;
}

// Whether there is time left to list all regions. Where the program did not run for a while shortly before the end, it
// would only get later: bodies then say the same, less finely.
bool AnytimeDetector::has_time_to_list(bool finished, const Pace& pace) const {
  constexpr double kTolerated = 1000;  // ns: later than this
  if (finished || !pace.has_deadline()) return true;
  const auto left = static_cast<double>(pace.time_given() - pace.time_used());
  return left + kTolerated >= ns_per_pair_ * static_cast<double>(search_.left_count()) +
                                  ns_per_contact_ * static_cast<double>(search_.contact_count());
}

// In the order of reports.
std::vector<UnresolvedPair> AnytimeDetector::cut(bool regions) const {
  std::vector<UnresolvedPair> pairs;
  for (const Unready& pair : unready_)
    pairs.push_back(unresolved_pair(region_feature(ids_[pair.pair.a], 0), pair.box_a,
                                    region_feature(ids_[pair.pair.b], 0), pair.box_b));
  if (!regions) {
    const std::vector<UnresolvedPair> open = open_bodies();
    pairs.insert(pairs.end(), open.begin(), open.end());
    std::sort(pairs.begin(), pairs.end(), earlier_regions);
    return pairs;
  }
  std::vector<LeftPair> left;
  left.reserve(search_.left_count());
  search_.for_each_open(
      [&](const OpenPair& pair) { left.push_back(left_pair(pair, search_.bodies()[pair.bodies], false)); });
  for (const OpenPair& pair : search_.settled()) left.push_back(left_pair(pair, search_.bodies()[pair.bodies], true));
  std::sort(left.begin(), left.end());
  const bool all_ready = pairs.empty();
  pairs.reserve(pairs.size() + left.size());
  for (const LeftPair& pair : left) pairs.push_back(unresolved(pair, search_));
  if (!all_ready) std::sort(pairs.begin(), pairs.end(), earlier_regions);
  return pairs;
}

void AnytimeDetector::count_work(Report& report) const {
  const AnytimeSearch::Counts& counts = search_.counts();
  report.counters.add("box_tests", counts.node_pairs);
  report.counters.add("triangle_tests", counts.triangle_tests);
  report.counters.add("contacts", search_.contact_count());
  const std::size_t left = search_.left_count() + unready_.size();
  if (left > 0) report.counters.add("unresolved_regions", left);
  report.counters.raise("most_open_pairs", counts.most_pairs);
  if (counts.depth_first > 0) report.counters.add("depth_first_pairs", counts.depth_first);
}

Report AnytimeDetector::report(double time, bool finished, Pace& pace, ContactSink* sink) {
  const std::int64_t began = pace.time_used();
  Report report;
  const std::vector<Contact>& found = search_.contacts();
  const std::vector<std::uint32_t> order = order_of(found);
  const bool regions = own_.regions && has_time_to_list(finished, pace);
  if (!sink)
    report.contacts.reserve(found.size() + (regions ? search_.left_count() : search_.bodies().size()) +
                            unready_.size());
  Merger merger(report, sink);
  const std::int64_t sorted = pace.time_used();
  report.cut = cut(regions);
  const std::int64_t listed = pace.time_used();
  std::size_t next = 0;
  for (const UnresolvedPair& pair : report.cut) {
    report.bound = std::max(report.bound, pair.bound);
    const Contact contact = possible_contact(pair, time);
    while (next < order.size() && earlier(found[order[next]], contact) && merger.give(found[order[next]])) ++next;
    merger.give(contact);
  }
  while (next < order.size() && merger.give(found[order[next]])) ++next;
  const std::int64_t given = pace.time_used();

  count_work(report);
  report.guarantee = report.cut.empty() ? Guarantee::exact : Guarantee::conservative;
  report.complete = finished && !merger.stopped();
  if (!report.complete) report.stopped_by = merger.stopped() ? StopReason::sink : pace.state().reason();
  if (pace.has_deadline() && !sink && regions == own_.regions)
    learn({pace.time_used() - began, sorted - began, listed - sorted, given - listed}, report);
  return report;
}

void AnytimeDetector::learn(const ReportTimes& took, const Report& report) {
  constexpr std::size_t kFew = 8;
  // ns: what comes before and after, and a little more. An interrupt of the system in the last microseconds makes a
  // call late, and one that is nearly over has nothing left that it could leave out.
  constexpr double kAround = 5000;
  const std::size_t found = search_.contact_count(), visited = search_.to_visit();
  const double all = static_cast<double>(took.all) + kAround;
  if (search_.left_count() + found < kFew)
    ns_at_least_ = std::clamp(0.9 * ns_at_least_ + 0.1 * std::min(all, 2 * ns_at_least_), 1000.0, 20000.0);
  const auto given = [&](std::size_t count) {
    const std::size_t total = std::max<std::size_t>(1, found + report.cut.size());
    return took.giving * static_cast<std::int64_t>(count) / static_cast<std::int64_t>(total);
  };
  ns_per_contact_ = towards(ns_per_contact_, took.sorting + given(found), found);
  ns_per_pair_ = towards(ns_per_pair_, took.listing + given(own_.regions ? visited : 0), visited);
}

}  // namespace pliant
