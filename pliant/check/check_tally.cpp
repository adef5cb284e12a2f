#include "pliant/check/check_tally.h"

#include <algorithm>

#include "pliant/check/containment.h"

namespace pliant {
namespace {

// A report that is as good as done is worth more if it is whole, and so many contacts take a moment only.
constexpr std::uint64_t kAlwaysListed = 512;

}  // namespace

// Vertex-face contacts name the vertex's body first, whichever it is.
BodyKey bodies_of(const Contact& contact) { return std::minmax(contact.a.body.value, contact.b.body.value); }

CheckTally::CheckTally(std::span<const CheckBody> bodies, const CheckSettings& settings, const Budget& budget,
                       CheckSink* sink, CheckReport& report)
    : bodies_(bodies),
      settings_(settings),
      budget_(budget),
      sink_(sink),
      report_(report),
      names_(meshes_of(bodies)),
      poll_(budget) {
  if (!sink_) return;
  sink_->begin(report_, bodies);
  for (const std::string& text : report_.notes) sink_->note(text);
}

Flow CheckTally::add(const Contact& contact, double frame, const Detector& detector, const ContactPast& past) {
  CheckedContact checked;
  checked.contact = contact;
  checked.contact.time = settings_.clock.shown(frame);
  checked.frame = frame;
  checked.from_start = past.from_start;
  // What may belong to the start is not called new: an interrupted check then ends with "not known".
  checked.excused = settings_.allow_initial && (past.from_start || !past.known);
  checked.continued = past.continued;
  count(checked, past);
  keep(checked, past, detector);
  return hand_on(checked, detector);
}

PairTally& CheckTally::pair_of(BodyKey key) {
  if (!last_pair_.second || last_pair_.first != key) last_pair_ = {key, &pairs_[key]};
  return *last_pair_.second;
}

std::uint64_t& CheckTally::contacts_from(std::size_t frame) {
  if (!last_frame_.second || last_frame_.first != frame) last_frame_ = {frame, &per_frame_[frame]};
  return *last_frame_.second;
}

void CheckTally::count(const CheckedContact& checked, const ContactPast& past) {
  PairTally& pair = pair_of(bodies_of(checked.contact));
  ++pair.by_relation[static_cast<std::size_t>(checked.contact.relation)];
  if (checked.contact.relation == Relation::possible) {
    ++pair.possible;
    ++report_.possible;
    return;
  }
  const auto add_one = [](bool does, std::uint64_t& of_pair, std::uint64_t& of_all) {
    of_pair += does ? 1 : 0;
    of_all += does ? 1 : 0;
  };
  add_one(true, pair.contacts, report_.contacts);
  add_one(checked.continued, pair.continued, report_.continued);
  add_one(checked.from_start, pair.from_start, report_.from_start);
  add_one(checked.excused, pair.excused, report_.excused);
  if (!past.known) ++unsorted_;
  if (!checked.excused && !pair.first_time) pair.first_time = checked.contact.time;
  ++contacts_from(static_cast<std::size_t>(checked.frame));
}

void CheckTally::keep(const CheckedContact& checked, const ContactPast& past, const Detector& detector) {
  const bool possible = checked.contact.relation == Relation::possible;
  const bool is_first = !possible && !report_.first;
  const bool is_first_new = !possible && !report_.first_new && !past.from_start && past.known;
  std::vector<NamedContact>& few = checked.excused ? first_excused_ : report_.first_few;
  const bool is_of_few = few.size() < settings_.keep && !checked.continued;
  if (!is_first && !is_first_new && !is_of_few) return;
  const NamedContact contact = named(checked, detector);
  if (is_first) report_.first = contact;
  if (is_first_new) report_.first_new = contact;
  if (is_of_few) few.push_back(contact);
}

NamedContact CheckTally::named(const CheckedContact& checked, const Detector& detector) const {
  return {checked, names_.of(checked.contact.a, detector), names_.of(checked.contact.b, detector)};
}

Flow CheckTally::hand_on(const CheckedContact& checked, const Detector& detector) {
  if (sink_has_enough_) return Flow::stop;
  ++offered_;
  if (offered_ > kAlwaysListed && poll_.spent()) return Flow::go_on;
  ++report_.listed;
  sink_has_enough_ = sink_ && sink_->contact(checked, detector) == Flow::stop;
  return sink_has_enough_ ? Flow::stop : Flow::go_on;
}

bool CheckTally::meets(BodyKey key) const {
  const auto found = pairs_.find(key);
  return found != pairs_.end() && (found->second.contacts > 0 || found->second.initial);
}

std::vector<BodyKey> CheckTally::pairs_that_meet() const {
  std::vector<BodyKey> keys;
  for (const auto& [key, pair] : pairs_)
    if (pair.contacts > 0) keys.push_back(key);
  return keys;
}

void CheckTally::measure_depth(BodyKey key, double time) {
  if (!settings_.penetration || key.first == key.second) return;
  MeasuredDepth found{.complete = false};
  if (!poll_.spent_now()) found = penetration_at(bodies_[key.first], bodies_[key.second], time, budget_);
  pair_of(key).penetration = found.depth;
  if (!found.complete && !std::exchange(depths_left_out_, true))
    note("not all depths were measured to the end: bodies may be deeper in each other than it says");
}

void CheckTally::note_contained(double time, const Budget& budget) {
  const ContactFilter* filter = settings_.filter.get();
  const auto may_hold = [&](std::uint32_t a, std::uint32_t b) {
    return !meets({a, b}) && (!filter || filter->bodies(BodyId(a), BodyId(b)));
  };
  const Containment found = find_contained(bodies_, time, may_hold, budget);
  for (const auto& [key, inside] : found.pairs) pairs_[key].inside = inside;
  if (!found.complete) note("whether bodies lie inside others is not known for all: the budget was spent");
}

void CheckTally::affects(BodyKey key, std::size_t frame) {
  PairTally& pair = pair_of(key);
  const auto number = static_cast<double>(frame);
  if (!pair.ranges.empty() && number <= pair.ranges.back()[1]) return;
  ++pair.frames_affected;
  if (!pair.ranges.empty() && number == pair.ranges.back()[1] + 1) pair.ranges.back()[1] = number;
  else pair.ranges.push_back({number, number});
}

bool CheckTally::crosses(BodyKey key, double curve_length, std::size_t frame) {
  PairTally& pair = pair_of(key);
  if (curve_length <= pair.longest_curve) return false;
  pair.longest_curve = curve_length;
  pair.longest_curve_time = settings_.clock.shown(static_cast<double>(frame));
  return true;
}

void CheckTally::at_frame(std::size_t frame, std::span<const Contact> meeting, const Detector& detector) {
  if (sink_) sink_->at_frame(frame, meeting, detector);
}

void CheckTally::note(const std::string& text) {
  report_.notes.push_back(text);
  if (sink_) sink_->note(text);
}

bool CheckTally::is_settled() const { return settings_.detector.earliest && report_.counting() > 0; }

void CheckTally::finish(const Report& found) {
  report_.guarantee = found.guarantee;
  report_.complete = found.complete;
  report_.stopped_by = found.stopped_by;
  report_.bound = found.bound;
  for (const auto& [name, count] : found.counters.all()) report_.counters.emplace_back(name, count);
  const std::uint64_t known = offered_ + found.counters["contacts_left_out"];
  if (report_.listed < known)
    note(std::to_string(report_.listed) + " of " + std::to_string(known) +
         " contacts are listed: the budget was spent");
  if (unsorted_ > 0)
    note("of " + std::to_string(unsorted_) +
         " contacts it is not known whether they belong to what met at the start: the budget was spent");
  for (NamedContact& contact : first_excused_)
    if (report_.first_few.size() < settings_.keep) report_.first_few.push_back(std::move(contact));
  for (auto& [key, pair] : pairs_) {
    std::tie(pair.a, pair.b) = key;
    pair.near_at_start = pair.near_at_start && !pair.initial;
    for (FrameRange& range : pair.ranges) range = {settings_.clock.shown(range[0]), settings_.clock.shown(range[1])};
    report_.pairs.push_back(std::move(pair));
  }
  for (const auto& [frame, contacts] : per_frame_)
    report_.per_frame.push_back({settings_.clock.shown(static_cast<double>(frame)), contacts});
  report_.verdict = judge(report_);
}

}  // namespace pliant
